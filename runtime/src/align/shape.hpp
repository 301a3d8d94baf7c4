// Which kernels suit a call of each query with each target: those that fill their lanes with targets, or those that
// fill them with pairs.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "align/align.hpp"

namespace alnsmith::rt {

// Calls of fewer cells are done in milliseconds either way: not worth a second set of kernels.
inline constexpr double kSmallCall = 1 << 24;

// Whether kernels of form `pairs` are the faster ones, by what lanes stay empty and how much work a cell is. Decided
// from lengths and the manifest alone, so that it is the same in every run.
bool pairs_suit(const Manifest &manifest, const Sequences &sequences);

// The same of parts of a call, a number of targets for each query, in kernels of `lanes` lanes: side by side in
// `pairs`, or query by query.
bool pairs_suit_parts(const Manifest &manifest, std::span<const std::size_t> targets, int lanes);

// Places of the sequences that are not empty, by length, equal ones in order; fewer than 2^32 sequences of fewer
// letters.
std::vector<std::uint32_t> by_length(std::span<const std::string_view> sequences);

// Operations on a vector of cells, of kernels of that form; of `split` of mapping `strips`.
double cell_work(const Manifest &manifest, Form form);
// Those of a kernel of form `split` by those of form `pairs`.
double split_work(const Manifest &manifest, const KernelInfo &kernel);

}  // namespace alnsmith::rt
