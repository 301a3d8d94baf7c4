// Results on their way to the sink of a call: what kernels have stored, gathered pair by pair into columns.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "alnsmith/sinks.hpp"

namespace alnsmith::rt::align {

// What a kernel stored, by output; null where it stores none. CIGARs: run r of the result at place `at` is
// cigar[r * cigar_stride + at] (kernel_abi.h), or cigar[cigar_first[at] + r] (device_abi.h, path_planes.h).
struct KernelResults {
  std::array<const int *, kOutputCount> column{};
  const int *cigar = nullptr, *cigar_runs = nullptr, *cigar_first = nullptr;
  std::size_t cigar_stride = 0;

  CigarRun run(std::size_t at, int r) const {
    const auto n = static_cast<std::size_t>(r);
    return static_cast<CigarRun>(cigar_first ? cigar[static_cast<std::size_t>(cigar_first[at]) + n]
                                             : cigar[n * cigar_stride + at]);
  }
};

class Found {
 public:
  // Empty, with room for `most` results; scores are always among what is wanted.
  void begin(OutputSet wanted, std::size_t most) {
    wanted_ = wanted;
    clear();
    if (pair_.size() < most) pair_.resize(most);
    for (const OutputInfo &info : kOutputs)
      if (auto &column = columns_[index_of(info.output)]; holds(info.output) && column.size() < most)
        column.resize(most);
  }
  std::size_t size() const { return size_; }
  std::uint64_t cells() const { return cells_; }  // of their pairs

  // The results at place `at` for a pair of so many cells; scores change their sign where the spec minimizes.
  void add(std::uint64_t pair, std::uint64_t cells, const KernelResults &from, std::size_t at, bool minimize) {
    constexpr std::uint64_t none = 0;
    const auto place = static_cast<std::uint32_t>(at);
    add(pair, {&none, 1}, cells, from, {&place, 1}, minimize);
  }
  // The same of the pairs `first` + ids, as many as there are places, of so many cells together.
  void add(std::uint64_t first, std::span<const std::uint64_t> ids, std::uint64_t cells, const KernelResults &from,
           std::span<const std::uint32_t> at, bool minimize) {
    for (std::size_t i = 0; i < ids.size(); ++i) pair_[size_ + i] = first + ids[i];
    cells_ += cells;
    for (std::size_t i = 0; i < kOutputCount; ++i) {
      if (!holds(kOutputs[i].output)) continue;
      const int *const stored = from.column[i], sign = i == 0 && minimize ? -1 : 1;
      std::int32_t *const to = columns_[i].data() + size_;
      for (std::size_t p = 0; p < at.size(); ++p) to[p] = sign * stored[at[p]];
    }
    if (wanted_.contains(Output::cigar))
      for (const std::uint32_t place : at) {
        // Kernels walk from the end to the begin.
        for (int run = from.cigar_runs ? from.cigar_runs[place] : 0; run-- > 0;) runs_.push_back(from.run(place, run));
        cigar_ends_.push_back(runs_.size());
      }
    size_ += at.size();
  }
  // The last result is that of parts which begin at these letters.
  void move_last(int query_begin, int target_begin) {
    for (const auto &[output, by] : {std::pair{kEnds.query, query_begin},
                                     {kEnds.target, target_begin},
                                     {kBegins.query, query_begin},
                                     {kBegins.target, target_begin}})
      if (wanted_.contains(output))
        if (int &place = columns_[index_of(output)][size_ - 1]; place != ALN_NONE) place += by;
  }
  // A pair of which nothing is aligned.
  void add_unaligned(std::uint64_t pair, std::int32_t score) {
    constexpr int none = ALN_NONE;
    KernelResults from;
    from.column.fill(&none);
    from.column[0] = &score;
    add(pair, 0, from, 0, false);
  }

  ResultBlock block(const CallShape &shape) const {
    ResultBlock block;
    block.pair = std::span(pair_).first(size_);
    for (const OutputInfo &info : kOutputs)
      if (wanted_.contains(info.output))
        block.column[index_of(info.output)] = std::span(columns_[index_of(info.output)]).first(size_);
    block.runs = runs_;
    block.cigar_ends = cigar_ends_;
    block.targets = shape.all ? shape.targets : 0;
    return block;
  }
  void clear() {
    size_ = cells_ = 0;
    runs_.clear();
    cigar_ends_.clear();
  }

 private:
  bool holds(Output output) const { return output == Output::score || wanted_.contains(output); }

  OutputSet wanted_;
  std::size_t size_ = 0;
  std::uint64_t cells_ = 0;
  std::vector<std::uint64_t> pair_;
  std::array<std::vector<std::int32_t>, kOutputCount> columns_;
  std::vector<CigarRun> runs_;
  std::vector<std::size_t> cigar_ends_;
};
static_assert(index_of(Output::score) == 0);

}  // namespace alnsmith::rt::align
