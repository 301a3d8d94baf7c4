// Measuring: groups of candidates built, checked against the reference, timed in turns and recorded.
//
// Every group holds the model's own choice beside at most seven candidates, as the anchor that a drifting machine is
// judged by. What the recorder holds already is answered from there and not measured again.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "tune/builder.h"
#include "tune/environment.h"
#include "tune/job.h"
#include "tune/recorder.h"
#include "tune/strategy.h"

namespace alnsmith::tool::tune {

constexpr std::size_t kGroup = 8;  // the model's choice among them

struct Settings {
  std::string program;  // this one: workers are started from it
  std::string strategy = "local";
  std::uint64_t seed = 1;
  std::size_t repeats = 11;        // of each candidate of a group
  std::size_t final_repeats = 25;  // of the last comparison
  double timeout = 60;             // seconds, of one answer of a candidate
  int threads = 1;                 // on the CPU, where the space has no `threads`
  bool quiet = false;
};

class Session {
 public:
  Session(const Job &job, const Builder &builder, Recorder &recorder, Machine place, Settings settings);

  // The records that are there are of this job and place; else the error says what differs.
  Status check_resumed() const;

  // One outcome for each number of the space. An error: interrupted, or nothing can be measured or written.
  Result<std::vector<Outcome>> evaluate(std::span<const std::size_t> batch);
  // The best candidate that the planner could take by itself against the model's choice, in turns, and again where the
  // machine is too noisy; one more record, unless the model's choice is the best or nothing is new since the last
  // comparison, which was quiet.
  Status compare_best();

 private:
  struct Member;
  Record blank(const Configuration &configuration) const;
  Status measure(std::vector<Member> &members, std::size_t repeats);
  Result<Record> compare(const Configuration &configuration);
  void check(Member &member) const;
  void judge(Member &member, Member &anchor) const;
  static std::vector<double> ratios(const Member &anchor, const Member &member);
  void complete(Member &member, const Member *anchor) const;
  void say(const std::string &line) const;
  const Record *known(const Configuration &configuration) const;

  const Job &job_;
  const Builder &builder_;
  Recorder &recorder_;
  Machine machine_;
  Settings settings_;
  std::size_t group_ = 0, sequence_ = 0;
};

}  // namespace alnsmith::tool::tune
