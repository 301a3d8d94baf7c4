// One vector batch of pairs laid out as a kernel's argument block, built here with plain loops: it shares nothing with
// the runtime's packing, so that either can find the other's mistake.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alnsmith/kernel_abi.h"
#include "compiled.h"
#include "output_lists.h"
#include "plan/plan.h"
#include "spec/codes.h"
#include "spec/spec.h"

namespace lanes {

struct Scoring {
  std::vector<int> values;  // ALN_SCORING_COUNT
  std::vector<int> matrix;  // 32 x 32 or empty
};
// Folded values of the spec with the call's runtime values and matrix put in.
Scoring make_scoring(const alnsmith::spec::Spec &spec, const std::map<std::string, int> &runtime,
                     const std::vector<int> &runtime_matrix);

// The codes of the bytes that a side accepts.
// Where a pair's cells begin and end by the spec's band: target position - query position.
std::pair<int, int> band_of(const alnsmith::spec::Spec &s, std::size_t query, std::size_t target);

std::map<unsigned char, int> codes_of(const alnsmith::spec::Spec &spec, alnsmith::spec::Side side);

// A bit-sliced kernel with so few lanes that its template and its IR can run in process: of any other kernel itself.
alnsmith::plan::KernelPlan narrowed(alnsmith::plan::KernelPlan kernel);

// The letters of bit-sliced kernels: planes of bits, each of them a byte where `as_bytes`.
std::vector<unsigned char> planes_of(const std::vector<unsigned char> &letters, std::size_t lanes, bool as_bytes);

class Batch : public OutputLists {
 public:
  using Pair = std::pair<std::string, std::string>;  // query, target; neither empty
  // `pairs`: exactly `kernel.lanes`. For the shared form all queries are equal. `element_bytes`: of one lane's score
  // in scratch memory (4 for a template that runs directly; 0: a bit).
  Batch(const alnsmith::spec::Spec &spec, const alnsmith::plan::KernelPlan &kernel, std::span<const Pair> pairs,
        const Scoring &scoring, int element_bytes);
  Batch(const Batch &) = delete;

  const aln_args_v1 *args() const { return &args_; }
  // All that the block points to.
  std::vector<compiled::Region> memory() const;
  std::vector<int> cigar_runs;  // untouched by kernels without, like outputs
  // Of a bit-sliced kernel that has run: begins and CIGARs from what it says of paths.
  void read_paths();
  // A lane's CIGAR, "3M1D"; as kernels have it, from the end to the begin, turned round.
  std::string cigar(std::size_t lane) const;
  std::vector<unsigned char> status;

 private:
  // Letters of state sets, as bytes of seven states each.
  void put_sets(const alnsmith::spec::Spec &spec, std::span<const Pair> pairs, bool shared, std::size_t rows,
                std::size_t columns);
  void put_bands(const alnsmith::spec::Spec &spec, std::span<const Pair> pairs);
  std::vector<int> sets_, band_from_, band_to_;
  std::vector<int> register_length_, stream_length_, segment_end_;
  std::vector<unsigned char> register_letters_, stream_letters_;
  std::vector<unsigned char> scratch_;
  std::vector<int> cigar_, cigar_first_;  // where each lane's runs begin, of a bit-sliced kernel
  // Elements of paths, a byte for each lane or a bit; whose begins are free.
  std::vector<unsigned char> path_;
  bool path_is_bytes_ = false, free_query_ = false, free_target_ = false;
  int no_refill_ = -1;
  const Scoring &scoring_;
  aln_args_v1 args_{};
};

}  // namespace lanes
