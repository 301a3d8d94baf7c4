// From which length on the targets of a portion take a block each in place of a few lanes: the threshold between
// inter-task and intra-task of a search (Hains et al. 2011 saw a fixed one halve and double the speed, by the
// database).
//
// In:  the portion's lengths, the query's, and what both kernels have of the device. Out: a place in the portion.
//
// The model. A unit of time is what the device, full, takes for one column of one lane. A step of a kernel takes
// `columns` units, those of all lanes that it keeps busy together, and a target `steps` of them. Workers take sorted
// targets in turn, the longest last, so a launch takes at most b + l,
//
//   b = sum of steps / targets at once,   l = steps of the longest * (1 - 1 / targets at once),
//
// which is less than twice max(b, steps of the longest), and no order of work takes less than that (longest first, by
// who is free: at most 4/3 of the best, Graham 1969). Two launches over a portion are under way at a time, and one's
// last targets run beside the next one's first; so n launches take
//
//   n * b + l + (ceil(n / 2) - 1) * max(l - b, 0),
//
// and the launches of blocks, which come behind them with the targets of all n together, n * b' + l'. A lane that is
// left alone is faster than reckoned here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace alnsmith::rt::schedule {

// One query, or as many as share a register, with one target, by one kernel.
struct ThresholdKernel {
  int p = 1, k = 1;    // lanes of a stage, letters of the query in each
  int warps = 1;       // stages at a time: of a block
  double at_once = 1;  // targets, on the whole device
  double columns = 1;  // of all lanes that this makes busy
  double steps(std::uint64_t query, double target) const;
};

// Of launches over a portion: what the work alone takes, evenly spread, and the time.
struct LaunchTime {
  double work = 0, time = 0;
};
LaunchTime time_of_launches(std::size_t launches, double body, double longest);  // b, l, and both in one unit
LaunchTime shared_time(std::size_t targets, std::uint64_t letters, std::uint32_t longest, std::uint64_t query,
                       std::size_t launches, const ThresholdKernel &lanes);

struct Threshold {
  std::size_t place = 0;              // the first target that takes a block; as many as there are: none does
  double time = 0, time_without = 0;  // of all launches, in the model's unit
};

// What promises less than this is within the model's error: no threshold.
inline constexpr double kWorthAThreshold = 0.95;

// The threshold with the least time. `lengths`: ascending, `letters` together; targets of one length stay together.
// `launches`: over this portion, with queries of about this length, 1 and more. Linear in the targets that are long,
// with no memory.
Threshold find_threshold(std::span<const std::uint32_t> lengths, std::uint64_t letters, std::uint64_t query,
                         std::size_t launches, const ThresholdKernel &lanes, const ThresholdKernel &blocks);

}  // namespace alnsmith::rt::schedule
