// The result file of a run, written again after every step, so that a run that breaks off leaves what it has.
//
// In:  results as they come. Out: JSON (result.schema.json), and a table on the terminal.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "alnsmith/devices.hpp"
#include "alnsmith/result.hpp"
#include "models/loop_bound.h"

namespace alnsmith::check {

using Json = nlohmann::ordered_json;

// Median and range of repeated times.
struct Times {
  double median = 0, least = 0, most = 0;
  std::size_t repeats = 0;
};
Times times_of(std::vector<double> seconds);
Json json_of(const Times &times);

// What a result says of the device's pipes: the assumed rates corrected by it, and the clock; 0 where it says nothing.
struct MeasuredPipes {
  models::Rates rates;
  double clock_hz = 0;
};
MeasuredPipes measured_pipes(const Json &pipes);

class RunReport {
 public:
  explicit RunReport(std::string path) : path_(std::move(path)) {}
  // What an earlier process of the same run left at the path.
  Status resume();
  Status save() const;
  void device(const DeviceInfo &info, const std::string &date, const std::string &version, bool fake);

  Json &at(const char *key) { return root_[key]; }
  const Json &root() const { return root_; }
  const std::string &path() const { return path_; }
  // An entry of `list` whose members are all as in `key`; null if there is none.
  const Json *find(const char *list, const Json &key) const;
  void add(const char *list, Json entry) { root_[list].push_back(std::move(entry)); }
  // Named in the closing lines; the run's exit status is 1.
  void failure(const std::string &line) { root_["failures"].push_back(line); }
  bool failed() const { return root_.contains("failures") && !root_["failures"].empty(); }

 private:
  std::string path_;
  Json root_ = Json::object();
};

// The table of benches and pipes, for people.
std::string table(const Json &root);

}  // namespace alnsmith::check
