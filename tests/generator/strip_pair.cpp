#include "strip_pair.h"

#include <map>
#include <tuple>

#include "spec/codes.h"

namespace strips {

using namespace alnsmith;

namespace {

// Bytes behind the end are no letters: nothing may come of them.
std::vector<unsigned char> codes(const spec::Spec &s, spec::Side side, const std::string &text, std::size_t behind) {
  std::map<unsigned char, int> code;
  for (const auto &[byte, number] : spec::letter_codes(s, side)) code[byte] = number;
  std::vector<unsigned char> all;
  for (const char c : text) all.push_back(static_cast<unsigned char>(code.at(static_cast<unsigned char>(c))));
  all.insert(all.end(), behind, 0);
  return all;
}

}  // namespace

Pair::Pair(const spec::Spec &s, const plan::KernelPlan &kernel, const std::string &query, const std::string &target,
           const lanes::Scoring &scoring)
    : query_length_(static_cast<int>(query.size())),
      target_length_(static_cast<int>(target.size())),
      stages_((query_length_ + kernel.lanes * kernel.k - 1) / (kernel.lanes * kernel.k)),
      all_rows_(target_length_),
      query_(codes(s, spec::Side::query, query, 0)),
      target_(codes(s, spec::Side::target, target, ALN_STRIP_PAD)) {
  const int rows = target_length_ + 2 * ALN_STRIP_PAD;
  border_.assign(static_cast<std::size_t>(rows * kernel.border_ints), 0x5a5a5a5a);
  scratch_.resize(static_cast<std::size_t>(kernel.scratch_fixed) * 4 / static_cast<std::size_t>(kernel.width / 8) / 64 +
                  1);
  const auto stages = static_cast<std::size_t>(stages_);
  rows_.assign(stages, 0);
  score_.assign(stages, -77);
  query_end_.assign(stages, -77);
  target_end_.assign(stages, -77);
  status_.assign(stages, 77);
  device_.alignments = 1;
  device_.query_letters = query_.data();
  device_.query_length = &query_length_;
  device_.target_letters = target_.data();
  device_.target_length = &target_length_;
  device_.scoring = scoring.values.data();
  device_.matrix = scoring.matrix.empty() ? nullptr : scoring.matrix.data();
  device_.border = border_.data();
  device_.border_rows = rows;
  device_.score = score_.data();
  device_.query_end = query_end_.data();
  device_.target_end = target_end_.data();
  device_.status = status_.data();
}

aln_strip_args_v1 Pair::of_stage(int stage) {
  aln_strip_args_v1 args{};
  args.size = sizeof args;
  args.stage = stage;
  args.rows_before = stage > 0 ? &rows_[static_cast<std::size_t>(stage) - 1] : &all_rows_;
  args.rows_done = &rows_[static_cast<std::size_t>(stage)];
  args.query_letters = device_.query_letters;
  args.target_letters = device_.target_letters;
  args.query_length = device_.query_length;
  args.target_length = device_.target_length;
  args.scoring = device_.scoring;
  args.matrix = device_.matrix;
  args.border = device_.border;
  args.scratch = scratch_.data();
  args.border_rows = device_.border_rows;
  args.score = device_.score;
  args.query_end = device_.query_end;
  args.target_end = device_.target_end;
  args.status = device_.status;
  return args;
}

ir::Fields Pair::fields() {
  ir::Fields fields = ir::fields_of(device_);
  fields["scratch"] = static_cast<const void *>(scratch_.data());
  return fields;
}

Pair::Answer Pair::answer(bool ends) const {
  const auto of = [&](std::size_t i) {
    return ends ? std::tuple(-static_cast<long>(score_[i]), target_end_[i], query_end_[i])
                : std::tuple(-static_cast<long>(score_[i]), -77, -77);
  };
  std::size_t best = 0;
  bool raised = false;
  for (std::size_t i = 0; i < score_.size(); ++i) {
    if (of(i) < of(best)) best = i;
    raised = raised || status_[i] != 0;
  }
  return {score_[best], std::get<2>(of(best)), std::get<1>(of(best)), raised};
}

}  // namespace strips
