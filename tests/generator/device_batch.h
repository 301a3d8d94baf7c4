// Pairs laid out as a device kernel's arguments, built here with plain loops: it shares nothing with the runtime.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alnsmith/device_abi.h"
#include "lane_batch.h"
#include "output_lists.h"
#include "plan/plan.h"
#include "spec/spec.h"

namespace devices {

// What is kept for the way back: the codes of all cells; the borders of all units; those of one section at a time.
enum class Kept { codes, borders, sections };

class Batch : public OutputLists {
 public:
  using Pair = std::pair<std::string, std::string>;  // query, target; neither empty
  // For a form that shares n queries pair i * n + h has query h and target i. `blocks`: of the grid.
  Batch(const alnsmith::spec::Spec &spec, const alnsmith::plan::KernelPlan &kernel, std::span<const Pair> pairs,
        const lanes::Scoring &scoring, int blocks, Kept kept = Kept::codes);
  Batch(const Batch &) = delete;

  const aln_device_args_v1 *args() const { return &args_; }
  // A pointer to each argument, as launches take them.
  std::vector<void *> pointers();
  // The arguments for memory of another kind: a number, or an array that is copied in and, where `out`, back.
  struct Argument {
    void *data = nullptr;  // null: a number, or no array
    std::size_t bytes = 0;
    int number = 0;
    bool is_number = false, out = false;
  };
  std::vector<Argument> arguments();
  int blocks() const { return blocks_; }
  int shared_bytes() const { return shared_bytes_; }  // of a block

  std::vector<unsigned char> status;
  // A pair's CIGAR, "3M1D"; as kernels have it, from the end to the begin, turned round. "none": no room was left.
  std::string cigar(std::size_t pair) const;

 private:
  struct Side {
    std::vector<unsigned char> letters;
    std::vector<int> offset, length;
  };
  Side query_, target_;
  std::vector<int> pair_query_, pair_target_, border_, trace_, cigar_, cigar_first_, cigar_runs_, cigar_claimed_{0};
  const lanes::Scoring &scoring_;
  // Memory for the way back; rows of a border of each group.
  int make_trace(const alnsmith::plan::KernelPlan &kernel, Kept kept, int query, int target, int groups);

  int blocks_, shared_bytes_, trace_words_ = 0;
  aln_device_args_v1 args_{};
};

}  // namespace devices
