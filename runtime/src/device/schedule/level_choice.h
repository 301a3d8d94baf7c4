// Which of a device's kernels a pair takes, and with which levels pairs are still tried.
//
// In:  lengths, and how often each level could not hold what it tried. Out: a level of a form and whether it is exact.
#pragma once

#include <array>
#include <vector>

#include "align/call.h"
#include "device/schedule/device.h"

namespace alnsmith::rt::schedule {

class LevelChoice {
 public:
  LevelChoice(const Device &device, const align::CallScoring &scoring);

  // From level `from` on; a level that is not exact is passed over where it no longer pays.
  align::SuitableLevel choose(Form form, int from, std::uint32_t query, std::uint32_t target);
  // By the kernel that gives an alignment a block, whatever lengths it is meant for; level -1: there is none, it does
  // not hold the pair, or trying it no longer pays.
  align::SuitableLevel choose_block(std::uint32_t query, std::uint32_t target) const;
  int block() const { return block_; }  // that kernel; -1: there is none
  int block_level() const { return block_level_; }
  void leave_blocks() { block_ = -1; }  // it cannot be had
  // The form for this many queries of one launch: a register holds a query each for its alignments, or the last one
  // alone with a target each, as long as its one level holds most scores.
  Form form_for(std::size_t queries) const;
  const align::Chooser &chooser(Form form) const { return choosers_[static_cast<std::size_t>(form)]; }

  // Of `tried` pairs that a level was not sure to hold, it could not hold `flagged`.
  void learn(Form form, int level, std::uint64_t tried, std::uint64_t flagged);

 private:
  struct PromotionStats {
    std::uint64_t tried = 0, flagged = 0;
    bool pays() const { return tried < 1024 || flagged * 4 <= tried; }
  };
  std::vector<PromotionStats> &stats(Form form) { return stats_[static_cast<std::size_t>(form)]; }
  const std::vector<PromotionStats> &stats(Form form) const { return stats_[static_cast<std::size_t>(form)]; }

  const kernels::Manifest &manifest_;
  int block_ = -1, block_level_ = -1;
  std::array<align::Chooser, 3> choosers_;            // by form
  std::array<std::vector<PromotionStats>, 3> stats_;  // by form and level
};

}  // namespace alnsmith::rt::schedule
