// Long pairs, one at a time: kernels of form `split`, whose lanes share an alignment (strip_abi.h), and when they pay.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "align/batch.hpp"
#include "align/call.hpp"

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

// Bytes of memory for a pair.
std::size_t split_need(const KernelInfo &kernel, std::size_t query, std::size_t target);

// One pair: its stages are taken in turn by those who call work(), in any number of threads.
class SplitPair {
 public:
  // The views are read until the end. False where a letter is outside the alphabet: the call is told.
  bool start(Call &call, int kernel, std::string_view query, std::string_view target);
  void work();
  // After all work(): whether the result is exact; its columns, at place 0.
  bool exact() const { return exact_; }
  KernelResults stored();

 private:
  void merge();

  Call *call_ = nullptr;
  int kernel_ = 0, stages_ = 0;
  int query_length_ = 0, target_length_ = 0;
  std::vector<std::uint8_t> query_, target_, status_;
  std::vector<int> border_;
  // By stage; a cache line each, so that cores that wait do not disturb each other.
  struct alignas(64) Progress {
    int rows = 0;
  };
  std::vector<Progress> progress_;
  std::array<std::vector<int>, kOutputCount> results_;
  std::atomic<int> next_{0};
  bool exact_ = true;
};

}  // namespace alnsmith::rt
