// The tuning record: one measured (or failed) configuration, and the JSON-lines file that holds many of them.
//
// In:  the text of a recording. Out: records in the file's order, or one error naming file and line; and back, one
// line per record. Keys that this version does not know are ignored, so that later ones can add to the format; a
// recording whose last line was cut off by a killed run is read without that line. docs/tuning.md has the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "alnsmith/result.hpp"

namespace alnsmith::tool::tune {

using Value = std::variant<std::int64_t, std::string>;  // an integer or a word
using Configuration = std::map<std::string, Value>;     // by parameter: k, arithmetic, compiler, ...

std::string value_text(const Value &value);
std::string configuration_text(const Configuration &configuration);  // "arithmetic=int16 k=8", sorted by parameter

// How far a configuration came. All but `correct` are failures and have a reason.
enum class Invalidity { correct, constraints, compile, runtime, timeout, correctness };
std::string_view invalidity_name(Invalidity invalidity);

struct LengthRange {
  std::uint64_t min = 0, median = 0, max = 0;  // letters
  bool operator==(const LengthRange &) const = default;
};

struct Work {  // what was aligned
  std::string name;
  std::uint64_t seed = 0, pairs = 0, cells = 0;
  LengthRange query, target;
  bool operator==(const Work &) const = default;
};

struct Environment {
  std::string generator, cpu, cpu_class;
  std::uint64_t cores = 0;  // 0: not known
  std::string device_name, driver, compiler, os;
  bool operator==(const Environment &) const = default;
};

struct Search {
  std::string strategy;
  std::uint64_t seed = 0;
  std::uint64_t sequence = 0;  // how many configurations were taken before this one
  std::uint64_t group = 0;     // configurations of one group are measured in turns
  bool model = false;          // what the planner takes without a tuned table
  bool operator==(const Search &) const = default;
};

struct Times {  // seconds
  double generation = 0, compilation = 0, validation = 0;
  std::vector<double> runtimes;
  bool operator==(const Times &) const = default;
};

struct Measurement {
  std::string name;  // "gcups", "time", "spread", "outliers"
  double value = 0;
  std::string unit;
  bool operator==(const Measurement &) const = default;
};

struct Limit {  // what the model says that this configuration can reach at best
  double value = 0;
  std::string unit;
  bool operator==(const Limit &) const = default;
};

struct LengthResult {  // the same configuration on pairs of one length
  std::uint64_t query = 0, target = 0;
  double gcups = 0;
  bool operator==(const LengthResult &) const = default;
};

struct Record {
  std::string spec_name, spec_hash;
  std::string target, device, mode;
  Work work;
  Environment environment;
  std::string timestamp;  // UTC, "2026-11-21T17:20:00Z"
  Search search;
  Configuration configuration;
  Invalidity invalidity = Invalidity::correct;
  std::string reason;  // one line; empty where correct
  Times times;
  std::vector<std::string> kernels;
  std::vector<Measurement> measurements;  // a correct record has "gcups"
  std::optional<Limit> limit;
  std::vector<LengthResult> lengths;
  std::vector<std::string> objectives;

  std::optional<double> measurement(std::string_view name) const;
  bool operator==(const Record &) const = default;
};

struct Recording {
  std::vector<Record> records;
  bool torn = false;      // the last line was cut off and is left out
  std::size_t whole = 0;  // bytes that hold whole lines: what follows is the torn one. Truncate to it before appending
  bool open_ended = false;  // the last whole line lacks its newline: write one before appending
};

// `name` is the file's name for messages.
Result<Recording> parse_recording(std::string_view text, std::string_view name);
Result<Recording> read_recording(const std::string &path);

// The record as one line of a recording, newline included. Numbers must be finite; bytes of texts that are no UTF-8
// become U+FFFD.
std::string record_line(const Record &record);

}  // namespace alnsmith::tool::tune
