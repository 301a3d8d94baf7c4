// The two batch calls over a prepared Call: pair by pair, and each query with each target.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "align/call.h"

namespace alnsmith::rt::align {

class PackedGroups;

// Where a pair of parts of sequences comes from: its id among the whole ones, and where the parts begin.
struct Part {
  std::uint64_t id;
  std::uint32_t query_begin, target_begin;
};

// The sequences of a call and what a pair's id means: i-th with i-th, or query id / targets, target id % targets.
struct Sequences {
  std::span<const std::string_view> queries, targets;
  bool all = false;
  // Of a part of a call: what is added to its ids, and where it stands among all sequences, for messages.
  std::uint64_t first_id = 0;
  std::size_t first_query = 0, first_target = 0;
  const PackedGroups *packed = nullptr;  // the targets, where they are packed already
  // Of parts of the sequences of `whole`: where they come from, by id; never all with all.
  std::span<const Part> parts = {};
  const Sequences *whole = nullptr;

  std::uint64_t pairs() const { return all ? std::uint64_t{queries.size()} * targets.size() : queries.size(); }
  std::string_view query(std::uint64_t id) const { return queries[all ? id / targets.size() : id]; }
  std::string_view target(std::uint64_t id) const { return targets[all ? id % targets.size() : id]; }
  std::string name(std::uint64_t id) const;  // "pair 3" or "query 1 and target 3", counted from 1
  // The result at place `at`, of a pair of so many cells, as that of the whole pair.
  void add_to(Found &found, std::uint64_t id, std::uint64_t cells, const KernelResults &results, std::size_t at,
              bool minimize) const {
    if (!whole) return found.add(first_id + id, cells, results, at, minimize);
    add_part_to(found, id, results, at, minimize);
  }
  // The same of many pairs, of so many cells together.
  void add_to(Found &found, std::span<const std::uint64_t> ids, std::uint64_t cells, const KernelResults &results,
              std::span<const std::uint32_t> at, bool minimize) const;

 private:
  void add_part_to(Found &found, std::uint64_t id, const KernelResults &results, std::size_t at, bool minimize) const;
};

// What a sink is told of a call.
CallShape shape_of(const kernels::Manifest &manifest, const Sequences &sequences);

// A pair that another kernel could not hold.
struct Pending {
  std::uint64_t id;
  int width;  // of that kernel; 0 if none was tried
};

// Lengths within the spec's maxima and the runtime's limit; an error names the sequence.
Status check_length(const kernels::Manifest &manifest, std::size_t query, std::size_t target, const std::string &name);

// Before pairs are aligned: lengths are checked, cells counted, and a pair with an empty side gets its score. True if
// the pair is still to be aligned.
Result<bool> admit_pair(Call &call, const Sequences &sequences, std::uint64_t id);
// The same for all pairs of a call that aligns each with each; those without an empty side are still to be aligned.
Status admit_all(Call &call, const Sequences &sequences);

// Before the letters of all targets are read, where those are packed.
Status check_letters(const Sequences &sequences);

// All pairs of `sequences` with the kernels of form `pairwise`; `admitted`: by admit_all.
Status align_pairs(Call &call, const Sequences &sequences, bool admitted = false);
// Only those given, each with a kernel wider than the one that failed.
Status align_pending(Call &call, const Sequences &sequences, std::span<const Pending> pending);
// Each with each, with the kernels of form `shared_profile`; without them, align_pairs.
Status align_all(Call &call, const Sequences &sequences);
// The same for pairs that are admitted already; false if there are no such kernels, and nothing was done. Of form
// `extent`: how far the best alignments reach, as ends; there is no result of pairs that none of the kernels holds.
Result<bool> align_admitted(Call &call, const Sequences &sequences, Form form = Form::shared_profile,
                            const Chooser::Filter &possible = {});

}  // namespace alnsmith::rt::align
