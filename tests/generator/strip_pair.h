// One pair laid out as the arguments of a kernel of form `split`, built here with plain loops: it shares nothing with
// the runtime.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alnsmith/strip_abi.h"
#include "lane_batch.h"
#include "output_lists.h"
#include "plan/plan.h"
#include "spec/spec.h"
#include "stages.h"

namespace strips {

// A kernel's call, however it runs; `memory`: all that the block points to.
using Call = std::function<int(const aln_strip_args_v1 &, std::span<const compiled::Region> memory)>;

// In process, a block for each stage. Both have to outlive it.
Call interpreted(const stages::Stage &stage, const direct::Machine &machine);

// Positions and runs are 77 less than none where the spec does not ask for them.
struct Answer {
  int score = -77, query_end = -77, target_end = -77, query_begin = -77, target_begin = -77;
  std::string cigar;  // "3M1D", from the begin to the end
  bool raised = false;
  bool operator==(const Answer &) const = default;
};

class Pair {
 public:
  // `element_bytes`: of one lane's score in scratch memory and states (4 for what runs in process).
  Pair(const alnsmith::spec::Spec &spec, const alnsmith::plan::KernelPlan &kernel, const std::string &query,
       const std::string &target, const lanes::Scoring &scoring, int element_bytes);
  Pair(const Pair &) = delete;

  // Of a bit-sliced kernel as well: `element_bytes` is then 0 for what is compiled, and any other number else.
  //
  // All stages, side by side or one behind another, and the way back. Throws std::runtime_error where a call fails.
  Answer align(const Call &call, bool side_by_side = false);
  // Of a band of the spec: the same, each stage in the rows alone that it has of the band.
  Answer align_windows(const Call &call);
  // The stages one behind another, each in the rows alone whose number is at most `width` and the difference of the
  // lengths away from its columns; global alignments. No way back.
  Answer align_band(const Call &call, int width);

 private:
  struct alignas(64) Line {
    unsigned char bytes[64];
  };
  using Scratch = std::vector<Line>;

  void share_out(bool as_bytes);
  aln_strip_args_v1 of_stage(int stage);
  // The same of a window of rows, the stage before having run its own, [., end_before).
  aln_strip_args_v1 of_window(int stage, int first, int end_before, const int &rows);
  // The rows of the band of this width in a stage's columns, and one above them; [first, end).
  std::pair<int, int> rows_of(int stage, int width) const;
  void run(const Call &call, const aln_strip_args_v1 &args) const;
  Answer best() const;
  void walk(const Call &call, Answer &answer);

  const alnsmith::spec::Output wanted_;
  const std::optional<int> band_;  // of the spec
  bool windows_ = false;
  const int columns_, lanes_, patches_;  // of a stage
  int query_length_, target_length_, stages_, all_rows_, window_rows_ = 0;
  std::size_t scratch_lines_, state_lines_;
  // Of a bit-sliced kernel, by stage.
  std::vector<std::vector<unsigned char>> planes_;
  std::vector<std::vector<int>> shares_;
  std::vector<unsigned char> query_, target_, status_;
  std::vector<std::vector<int>> borders_, bases_;  // by stage; of the borders one, which is written in place, or all
  std::vector<Scratch> states_;
  std::vector<int> rows_;
  OutputLists by_stage_;
  std::vector<int> walk_, runs_;  // where the way stands, and the CIGAR of one call
  Scratch scratch_;
  const lanes::Scoring &scoring_;
};

}  // namespace strips
