// Long pairs: when kernels of form `split` pay, whose lanes share an alignment (strip_abi.h), and what a pair takes
// then.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "align/batch.h"
#include "kernels/manifest.h"

namespace alnsmith::rt::align {

// Moves the pairs that are faster alone to the end of each batch's part of `items`, and takes them out of `batches`
// into the result, as indices. `possible(item)`: a split kernel holds the pair; `cost(item)`: what it takes then, more
// for longer sequences; `always`: all that are possible go, as they do where a batch does not fit: `fits(letters in
// registers, letters that stream)`, of its longest. Threads share pairs that are alone, and one has a batch: where the
// others would wait for it, their time counts for it.
std::vector<std::uint32_t> split_off(std::vector<Item> &items, std::vector<Batch> &batches,
                                     const kernels::KernelInfo &lanes, const std::function<double(const Item &)> &cost,
                                     bool always, const std::function<bool(const Item &)> &possible,
                                     const std::function<bool(std::size_t, std::size_t)> &fits, int threads = 1);

// What a pair takes alone, by the model, in vectors of cells of form `pairwise`. Grows with the target's letters as a
// line does.
double split_cost(const kernels::Manifest &manifest, const kernels::KernelInfo &kernel, std::size_t query,
                  double target);

// What a row of a band takes, by one of the whole matrix: its stages are short. Measured on Zen 5.
constexpr double kBandRow = 1.2;
// The same where a band of it does, as wide as sequences that are alike may ask for; not in stripes.
double band_cost(const kernels::Manifest &manifest, const kernels::KernelInfo &kernel, std::size_t query,
                 double target);

// Stages of a query, which bit-sliced kernels share out as so many threads need it, that many threads as a target keeps
// at work side by side; and rows that one of them runs.
std::size_t split_stages(const kernels::KernelInfo &kernel, std::size_t query, std::size_t threads = 1);
std::size_t useful_threads(const kernels::KernelInfo &kernel, std::size_t target, std::size_t threads);
double split_rows(const kernels::KernelInfo &kernel, double target);

// The query's letters of a stage of a bit-sliced kernel: those before it, its own, and rows that they make of all
// lanes.
struct Share {
  std::size_t first, letters, rows;
};
Share share_of_stage(const kernels::KernelInfo &kernel, std::size_t query, std::size_t stages, std::size_t stage);

// Bytes of memory for a pair. `allowed`: as of kept_stages (way_back.h); `band`: the spec's.
std::size_t split_need(const kernels::KernelInfo &kernel, std::size_t query, std::size_t target, std::size_t allowed,
                       std::optional<std::size_t> band);
// Of them those of a stage more than one thread's, where threads share the pair.
std::size_t stage_bytes(const kernels::KernelInfo &kernel);

}  // namespace alnsmith::rt::align
