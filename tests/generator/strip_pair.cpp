#include "strip_pair.h"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <tuple>

namespace strips {

using namespace alnsmith;

namespace {

// Bytes behind the end are no letters: nothing may come of them.
std::vector<unsigned char> codes(const spec::Spec &s, spec::Side side, const std::string &text, std::size_t behind) {
  const auto code = lanes::codes_of(s, side);
  std::vector<unsigned char> all;
  for (const char c : text) all.push_back(static_cast<unsigned char>(code.at(static_cast<unsigned char>(c))));
  all.insert(all.end(), behind, 0);
  return all;
}

}  // namespace

Call interpreted(const stages::Stage &stage, const direct::Machine &machine) {
  return [&](const aln_strip_args_v1 &args, auto) {
    direct::Machine own = machine;
    direct::Block block;
    block.index = args.stage;
    own.block = &block;
    return stage.program.run(own, ir::fields_of(args));
  };
}

Pair::Pair(const spec::Spec &s, const plan::KernelPlan &kernel, const std::string &query, const std::string &target,
           const lanes::Scoring &scoring, int element_bytes)
    : wanted_(s.output),
      band_(s.band_width),
      columns_(kernel.lanes * kernel.k),
      lanes_(kernel.lanes),
      patches_(kernel.patch_rows == 0
                   ? 0
                   : (static_cast<int>(target.size()) + static_cast<int>(kernel.statics.at("skew")) * kernel.lanes) /
                             kernel.patch_rows +
                         1),
      query_length_(static_cast<int>(query.size())),
      target_length_(static_cast<int>(target.size())),
      stages_((query_length_ + columns_ - 1) / columns_),
      all_rows_(target_length_),
      query_(codes(s, spec::Side::query, query, 0)),
      target_(codes(s, spec::Side::target, target, ALN_STRIP_PAD)),
      scoring_(scoring) {
  const auto stages = static_cast<std::size_t>(stages_);
  const auto lines = [&](int bytes) {
    const auto elements = static_cast<std::size_t>(bytes) * 8 / static_cast<std::size_t>(kernel.width);
    // Bits of what runs in process take a byte each.
    const std::size_t all = kernel.sliced() ? (element_bytes > 0 ? elements : elements / 8)
                                            : elements * static_cast<std::size_t>(element_bytes);
    return all / sizeof(Line) + 1;
  };
  if (kernel.sliced()) share_out(element_bytes > 0);
  scratch_lines_ = lines(kernel.scratch_fixed);
  scratch_.resize(scratch_lines_);
  const bool walks = patches_ > 0;
  borders_.assign(walks ? stages + 1 : 1,
                  std::vector<int>(static_cast<std::size_t>((target_length_ + 2 * ALN_STRIP_PAD) * kernel.border_ints),
                                   0x5a5a5a5a));
  states_.assign(walks ? stages : 0, Scratch(lines(kernel.states_per_patch * patches_)));
  bases_.assign(walks ? stages : 0, std::vector<int>(static_cast<std::size_t>(patches_ * lanes_), 0x5a5a5a5a));
  rows_.assign(stages, 0);
  by_stage_.fill_outputs(stages, -77);
  status_.assign(stages, 77);
}

// About as many letters per stage; the first lanes of a stage have one more than the others.
void Pair::share_out(bool as_bytes) {
  const std::size_t lanes = static_cast<std::size_t>(lanes_);
  for (int stage = 0, at = 0; stage < stages_; ++stage) {
    const int letters = (query_length_ - at) / (stages_ - stage), rows = (letters + lanes_ - 1) / lanes_;
    shares_.push_back({query_length_, at, letters, rows});
    std::vector<unsigned char> share(static_cast<std::size_t>(rows) * lanes, ALN_CODE_QUERY_PAD);
    for (int lane = 0; lane < lanes_; ++lane)
      for (int row = 0; row < (letters - lane + lanes_ - 1) / lanes_; ++row)
        share[static_cast<std::size_t>(row * lanes_ + lane)] = query_[static_cast<std::size_t>(at++)];
    planes_.push_back(lanes::planes_of(share, lanes, as_bytes));
  }
}

aln_strip_args_v1 Pair::of_stage(int stage) {
  const auto at = static_cast<std::size_t>(stage);
  const bool walks = patches_ > 0;
  aln_strip_args_v1 args{};
  args.size = sizeof args;
  args.stage = stage;
  args.rows_before = stage > 0 ? &rows_[at - 1] : &all_rows_;
  args.rows_done = &rows_[at];
  args.query_letters = query_.data();
  args.target_letters = target_.data();
  args.query_length = &query_length_;
  args.target_length = &target_length_;
  args.scoring = scoring_.values.data();
  args.matrix = scoring_.matrix.empty() ? nullptr : scoring_.matrix.data();
  args.border = borders_[walks ? at : 0].data();
  args.border_right = borders_[walks ? at + 1 : 0].data();
  args.border_rows = target_length_ + 2 * ALN_STRIP_PAD;
  args.scratch = scratch_.data();
  by_stage_.point_outputs(args);
  args.status = status_.data();
  args.known_rows = target_length_;
  args.keep = walks;
  if (!planes_.empty()) {
    args.query_letters = planes_[at].data();
    args.query_length = shares_[at].data();
  }
  if (walks) {
    args.states = states_[at].data();
    args.bases = bases_[at].data();
  }
  if (!band_) return args;
  if (windows_) {
    const auto [first, end] = rows_of(stage, *band_);
    const int end_before = stage > 0 ? rows_of(stage - 1, *band_).second : all_rows_;
    window_rows_ = end - first;
    args.target_letters += first;
    args.target_length = &window_rows_;
    args.border += first;
    args.border_right += first;
    args.first_row = first;
    args.known_rows = end_before - first;
    args.rows_behind = target_length_ - end;
    args.rows_before = &all_rows_;
  }
  const int longer = target_length_ - query_length_;
  args.band_from = std::min(0, longer) - *band_ - args.first_row;
  args.band_to = std::max(0, longer) + *band_ - args.first_row;
  return args;
}

std::pair<int, int> Pair::rows_of(int stage, int width) const {
  const int more = std::max(0, target_length_ - query_length_), less = std::max(0, query_length_ - target_length_);
  return {std::clamp(stage * columns_ - less - width - 1, 0, target_length_ - 1),
          std::clamp((stage + 1) * columns_ + more + width, 1, target_length_)};
}

void Pair::run(const Call &call, const aln_strip_args_v1 &args) const {
  std::vector<compiled::Region> memory = {{&query_length_, sizeof(int)},
                                          {&target_length_, sizeof(int)},
                                          {&window_rows_, sizeof(int)},
                                          {&all_rows_, sizeof(int)},
                                          {args.scratch, scratch_lines_ * sizeof(Line)}};
  const auto add = [&](const auto &vector) {
    if (!vector.empty()) memory.push_back({vector.data(), vector.size() * sizeof vector[0]});
  };
  for (const auto *bytes : {&query_, &target_, &status_}) add(*bytes);
  for (const auto *numbers : {&rows_, &walk_, &runs_, &scoring_.values, &scoring_.matrix}) add(*numbers);
  by_stage_.for_each_output(add);
  for (const auto *lists : {&borders_, &bases_})
    for (const auto &list : *lists) add(list);
  for (const Scratch &states : states_) add(states);
  for (const auto &planes : planes_) add(planes);
  for (const auto &share : shares_) add(share);
  if (call(args, memory) != 0) throw std::runtime_error("a kernel's call failed");
}

Answer Pair::align(const Call &call, bool side_by_side) {
  if (side_by_side) {
    std::vector<std::jthread> cores;
    for (int stage = 0; stage < stages_; ++stage)
      cores.emplace_back([&, args = of_stage(stage)]() mutable {
        Scratch own(scratch_lines_);
        args.scratch = own.data();
        run(call, args);
      });
  } else {
    for (int stage = 0; stage < stages_; ++stage) run(call, of_stage(stage));
  }
  Answer answer = best();
  if (patches_ > 0) walk(call, answer);
  return answer;
}

Answer Pair::align_windows(const Call &call) {
  windows_ = true;
  for (int stage = 0; stage < stages_; ++stage) {
    run(call, of_stage(stage));
    // Ends count from the window's first row.
    int &end = by_stage_.target_end[static_cast<std::size_t>(stage)];
    if (wanted_.end && end >= 0) end += rows_of(stage, *band_).first;
  }
  Answer answer = best();
  if (patches_ > 0) walk(call, answer);
  return answer;
}

aln_strip_args_v1 Pair::of_window(int stage, int first, int end_before, const int &rows) {
  aln_strip_args_v1 args = of_stage(stage);
  args.rows_before = &all_rows_;  // which counts rows of its own window
  args.target_letters += first;
  args.target_length = &rows;
  args.border += first;
  args.border_right += first;
  args.first_row = first;
  args.corner = first > 0 ? args.border[ALN_STRIP_PAD - 1] : 0;
  args.known_rows = stage > 0 ? end_before - first : all_rows_;
  args.last_known = stage > 0 ? args.border[ALN_STRIP_PAD + args.known_rows - 1] : 0;
  return args;
}

Answer Pair::align_band(const Call &call, int width) {
  const int whole = target_length_;
  for (int stage = 0, end_before = whole; stage < stages_; ++stage) {
    const auto [first, end] = rows_of(stage, width);
    window_rows_ = end - first;
    run(call, of_window(stage, first, end_before, window_rows_));
    end_before = end;
  }
  Answer answer = best();
  answer.target_end = wanted_.end ? whole - 1 : answer.target_end;
  return answer;
}

// The best by the rule of strip_abi.h.
Answer Pair::best() const {
  const auto of = [&](std::size_t i) {
    return wanted_.end
               ? std::tuple(-static_cast<long>(by_stage_.score[i]), by_stage_.target_end[i], by_stage_.query_end[i])
               : std::tuple(-static_cast<long>(by_stage_.score[i]), -77, -77);
  };
  std::size_t best = 0;
  Answer answer;
  for (std::size_t i = 0; i < by_stage_.score.size(); ++i) {
    if (of(i) < of(best)) best = i;
    answer.raised = answer.raised || status_[i] != 0;
  }
  answer.score = by_stage_.score[best];
  answer.target_end = std::get<1>(of(best));
  answer.query_end = std::get<2>(of(best));
  return answer;
}

// Every stage on the way leaves it at the one before it, or at the begin.
void Pair::walk(const Call &call, Answer &answer) {
  answer.query_begin = answer.target_begin = -1;
  if (answer.query_end < 0) return;
  walk_ = {1, answer.target_end, answer.query_end, 0, 0, 0};
  std::vector<int> runs;
  for (int stage = answer.query_end / columns_; walk_[ALN_WALK_STATE] != 0; --stage) {
    if (stage < 0) throw std::runtime_error("the way does not arrive");
    runs_.assign(static_cast<std::size_t>(2 * columns_ + 4), -77);
    aln_strip_args_v1 args = of_stage(stage);
    args.walks = 1;
    args.walk = walk_.data();
    args.cigar = runs_.data();
    walk_[ALN_WALK_ROW] -= args.first_row;
    run(call, args);
    walk_[ALN_WALK_ROW] += args.first_row;
    runs.insert(runs.end(), runs_.begin(), runs_.begin() + walk_[ALN_WALK_RUNS]);
  }
  answer.target_begin = walk_[ALN_WALK_ROW] + 1;
  answer.query_begin = walk_[ALN_WALK_COLUMN] + 1;
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    (answer.cigar += std::to_string(*run / 16)) += "MID"[*run % 16];
}

}  // namespace strips
