// Long pairs: when kernels of form `split` pay, whose lanes share an alignment (strip_abi.h), and what a pair takes
// then.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "align/batch.hpp"
#include "kernels/manifest.hpp"

namespace alnsmith::rt {

// Moves the pairs that are faster alone to the end of each batch's part of `items`, and takes them out of `batches`
// into the result, as indices. `possible(item)`: a split kernel holds the pair; `split`: the one that most would take;
// `work`: of its vectors of cells, by those of `lanes`.
std::vector<std::uint32_t> split_off(std::vector<Item> &items, std::vector<Batch> &batches, const KernelInfo &lanes,
                                     const KernelInfo &split, double work,
                                     const std::function<bool(const Item &)> &possible);

// Stages of a query, and rows that one of them runs.
std::size_t split_stages(const KernelInfo &kernel, std::size_t query);
double split_rows(const KernelInfo &kernel, std::size_t target);

// Bytes of memory for a pair. `allowed`: as of kept_stages (way_back.hpp).
std::size_t split_need(const KernelInfo &kernel, std::size_t query, std::size_t target, std::size_t allowed);

}  // namespace alnsmith::rt
