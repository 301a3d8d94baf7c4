// What a run did: added up from the workers' lines, as a table and as one line of JSON; and how a failure is told.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace soak {

class Totals {
 public:
  void add(const nlohmann::json &said);  // work.h
  void add_lost(std::uint64_t number, const nlohmann::json &failure);
  std::uint64_t pairs() const { return pairs_; }
  std::uint64_t draws() const { return draws_; }
  std::size_t failures() const { return failures_.size(); }

  // `run`: seed, commit, cpu, workers, seconds; goes first.
  nlohmann::ordered_json line(const nlohmann::ordered_json &run) const;
  std::string table(double seconds) const;

 private:
  std::uint64_t draws_ = 0, pairs_ = 0, cells_ = 0, promotable_ = 0;
  struct Entry {
    std::uint64_t pairs = 0, cells = 0;
  };
  std::map<std::string, std::map<std::string, Entry>> by_;
  std::map<std::string, std::uint64_t> refusals_, skipped_, draws_of_;
  std::map<std::string, double> seconds_of_;  // of workers, by route
  std::vector<nlohmann::json> failures_;
};

// The block that is printed for a failure (work.h); `again`: the words that repeat it.
std::string told(const nlohmann::json &failure, const std::string &again);

}  // namespace soak
