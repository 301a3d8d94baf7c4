// Which kernels suit a call of each query with each target: those that fill their lanes with targets, or those that
// fill them with pairs.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "align/align.h"

namespace alnsmith::rt::align {

// Calls of fewer cells are done in milliseconds either way: not worth a second set of kernels.
inline constexpr double kSmallCall = 1 << 24;

// Whether kernels of form `pairwise` are the faster ones, by what lanes stay empty and how much work a cell is. Decided
// from lengths, the manifest and the call's scoring alone, so that it is the same in every run.
bool pairs_suit(const kernels::Manifest &manifest, const kernels::Values &scoring, const Sequences &sequences);

// What is left of a call for one query: the lengths of targets, short to long.
struct Rest {
  std::size_t query;
  std::vector<std::size_t> targets;
};

// Of the targets of each query, the longest first, how many take less as pairs than as targets in lanes of
// `shared_profile`, which kernels narrower than it could not hold: all where pairs side by side fill their lanes
// better, else those that are faster alone.
std::vector<std::size_t> pairs_suit_rests(const kernels::Manifest &manifest, const kernels::Values &scoring,
                                          const kernels::KernelInfo &shared, std::span<const Rest> rests);

// Places of the sequences that are not empty, by length, equal ones in order; fewer than 2^32 sequences of fewer
// letters.
std::vector<std::uint32_t> by_length(std::span<const std::string_view> sequences);

// Operations on a vector of cells, of kernels of that form; of `split` of mapping `strips`.
double cell_work(const kernels::Manifest &manifest, Form form);
// Those of a kernel of form `split` by those of form `pairwise`.
double split_work(const kernels::Manifest &manifest, const kernels::KernelInfo &kernel);

// The widest of a form's kernels, bit-sliced ones aside, which may be left for others; null if there is none.
const kernels::KernelInfo *widest(const kernels::Manifest &manifest, Form form);

}  // namespace alnsmith::rt::align
