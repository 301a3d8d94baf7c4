// The two batch calls over a prepared Call: pair by pair, and each query with each target.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "align/call.hpp"

namespace alnsmith::rt {

// The sequences of a call and what a pair's id means: i-th with i-th, or query id / targets, target id % targets.
struct Sequences {
  std::span<const std::string_view> queries, targets;
  bool all = false;
  // Of a part of a call: what is added to its ids, and where it stands among all sequences, for messages.
  std::uint64_t first_id = 0;
  std::size_t first_query = 0, first_target = 0;

  std::uint64_t pairs() const { return all ? std::uint64_t{queries.size()} * targets.size() : queries.size(); }
  std::string_view query(std::uint64_t id) const { return queries[all ? id / targets.size() : id]; }
  std::string_view target(std::uint64_t id) const { return targets[all ? id % targets.size() : id]; }
  std::string name(std::uint64_t id) const;  // "pair 3" or "query 1 and target 3", counted from 1
};

// What a sink is told of a call.
CallShape shape_of(const Manifest &manifest, const Sequences &sequences);

// A pair that another kernel could not hold.
struct Pending {
  std::uint64_t id;
  int width;  // of that kernel; 0 if none was tried
};

// Lengths within the spec's maxima and the runtime's limit; an error names the sequence.
Status check_length(const Manifest &manifest, std::size_t query, std::size_t target, const std::string &name);

// Before pairs are aligned: lengths are checked, cells counted, and a pair with an empty side gets its score. True if
// the pair is still to be aligned.
Result<bool> admit_pair(Call &call, const Sequences &sequences, std::uint64_t id);
// The same for all pairs of a call that aligns each with each; those without an empty side are still to be aligned.
Status admit_all(Call &call, const Sequences &sequences);

// All pairs of `sequences` with the kernels of form `pairs`; `admitted`: by admit_all.
Status align_pairs(Call &call, const Sequences &sequences, bool admitted = false);
// Only those given, each with a kernel wider than the one that failed.
Status align_pending(Call &call, const Sequences &sequences, std::span<const Pending> pending);
// Each with each, with the kernels of form `shared`; without them, align_pairs.
Status align_all(Call &call, const Sequences &sequences);
// The same for pairs that are admitted already; false if there are no shared kernels, and nothing was done.
Result<bool> align_admitted(Call &call, const Sequences &sequences);

}  // namespace alnsmith::rt
