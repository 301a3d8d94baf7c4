// One pair laid out as the arguments of a kernel of form `split`, built here with plain loops: it shares nothing with
// the runtime.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "alnsmith/device_abi.h"
#include "alnsmith/strip_abi.h"
#include "ir/interpreter.h"
#include "lane_batch.h"
#include "plan/plan.h"
#include "spec/spec.h"

namespace strips {

class Pair {
 public:
  Pair(const alnsmith::spec::Spec &spec, const alnsmith::plan::KernelPlan &kernel, const std::string &query,
       const std::string &target, const lanes::Scoring &scoring);
  Pair(const Pair &) = delete;

  int stages() const { return stages_; }
  // For templates and IR that run in process, which know the stage as the block's index.
  const aln_device_args_v1 *args() const { return &device_; }
  alnsmith::ir::Fields fields();
  void *scratch() { return scratch_.data(); }  // four bytes an element
  // The arguments of a stage as text takes them. The stages before it have run.
  aln_strip_args_v1 of_stage(int stage);

  // Of all stages: the best by the rule of strip_abi.h.
  struct Answer {
    int score, query_end, target_end;
    bool raised;
    bool operator==(const Answer &) const = default;
  };
  Answer answer(bool ends) const;

 private:
  int query_length_, target_length_, stages_, all_rows_;
  std::vector<unsigned char> query_, target_, status_;
  std::vector<int> border_, rows_, score_, query_end_, target_end_;
  struct alignas(64) Line {
    unsigned char bytes[64];
  };
  std::vector<Line> scratch_;
  aln_device_args_v1 device_{};
};

}  // namespace strips
