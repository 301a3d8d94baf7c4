// What a pair's stages have found, and the way back through them (split_pair.h).
#include <algorithm>
#include <tuple>

#include "align/split_pair.h"

namespace alnsmith::rt::align {

// Through the stages that are kept; whether those of another section are to run for it.
bool SplitPair::go_back() {
  while (walk_[ALN_WALK_STATE] != 0) {
    const int stage = walk_[ALN_WALK_COLUMN] / stage_columns();
    if (stage < first_kept_) {
      first_kept_ = stage / kept_ * kept_;
      prepare(first_kept_, stage + 1, walk_[ALN_WALK_ROW] + 1);
      return true;
    }
    if (call_->stopped() || !walk(stage)) return false;
  }
  result(kBegins.target) = walk_[ALN_WALK_ROW] + 1;
  result(kBegins.query) = walk_[ALN_WALK_COLUMN] + 1;
  run_count_ = static_cast<int>(runs_.size());
  return false;
}

bool SplitPair::walk(int stage) {
  aln_strip_args_v1 args = of_stage(stage);
  args.scratch = scratch_.reserve(info().scratch_fixed);
  args.walks = 1;
  args.walk = walk_.data();
  walk_[ALN_WALK_ROW] -= args.first_row;
  const std::size_t runs = runs_.size();
  runs_.resize(runs + static_cast<std::size_t>(2 * stage_columns() + 4));
  args.cigar = runs_.data() + runs;
  if (!call_->run_stage(kernel_, args)) return false;
  // Each best path stays inside of a band that has been proven to do.
  if (walk_[ALN_WALK_ROW] < 0 && args.first_row > 0)
    return call_->fail(Error{"kernel " + info().entry + " has left the band on its way back"}), false;
  walk_[ALN_WALK_ROW] += args.first_row;
  runs_.resize(runs + static_cast<std::size_t>(walk_[ALN_WALK_RUNS]));
  return true;
}

KernelResults SplitPair::stored() const {
  KernelResults places;
  for (std::size_t i = 0; i < kOutputCount; ++i) places.column[i] = &result_[i];
  places.cigar = runs_.data();
  places.cigar_runs = &run_count_;
  places.cigar_stride = 1;
  return places;
}

// The best of the stages', by the rule of strip_abi.h.
void SplitPair::merge() {
  const auto &score = results_[index_of(Output::score)], &query = results_[index_of(kEnds.query)],
             &target = results_[index_of(kEnds.target)];
  // Ends of a window count from its first row.
  const auto of_target = [&](std::size_t at) {
    return target[at] < 0 ? target[at] : target[at] + rows_of(static_cast<int>(at)).first;
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < score.size(); ++i) {
    const auto key = [&](std::size_t at) {
      const bool ends = !target.empty();
      return std::tuple(-std::int64_t{score[at]}, ends ? of_target(at) : 0, ends ? query[at] : 0);
    };
    if (key(i) < key(best)) best = i;
  }
  exact_ = std::ranges::none_of(status_, [](std::uint8_t raised) { return raised != 0; });
  for (std::size_t i = 0; i < kOutputCount; ++i)
    if (!results_[i].empty()) result_[i] = results_[i][best];
  if (!target.empty()) result(kEnds.target) = of_target(best);
  run_count_ = 0;
}

}  // namespace alnsmith::rt::align
