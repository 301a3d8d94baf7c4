// What a run's batch calls did, added up, and its closing line.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"

namespace alnsmith::tool {

struct Totals {
  std::uint64_t pairs = 0, cells = 0, promoted = 0, banded = 0;
  double batch_seconds = 0;
  std::set<std::string> kernels, devices;  // devices: ids of those that scored pairs

  std::map<std::string, BlockThreshold> thresholds;  // by device

  // `count_pairs` false: they are counted already.
  void add(const Report &report, bool count_pairs);
  // "pairs=... cells=...", as `align --help` describes it.
  std::string line(double wall_seconds, const Aligner &aligner, const std::string &gap,
                   std::uint64_t as_wildcard) const;
  // For --explain, a line for each device that took portions of targets: which of them got a block each.
  std::vector<std::string> explained() const;
};

// Time since it was made.
class Watch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// A line on stderr.
void print_line(const std::string &text);

}  // namespace alnsmith::tool
