// The work of `place`: references and reads to blocks of placed reads, and those to results.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "alnsmith/placement.hpp"
#include "alnsmith/placement_blocks.hpp"
#include "common/named_spec.h"
#include "place_reads.h"
#include "place_results.h"
#include "progress.h"
#include "run_options.h"
#include "spec/spec.h"
#include "warnings.h"

namespace alnsmith::tool {

struct PlaceArguments {
  RunArguments run;
  PlaceOutputs outputs;
  std::string tree, reference, query, flags = "probability", shard;
};

// Kernels of a run: what aligns, and what there is to say of it.
class PlaceKernels {
 public:
  virtual ~PlaceKernels() = default;
  virtual placement::BranchAligner &aligner() = 0;
  virtual std::vector<std::string> warnings() const = 0;       // devices that are not used and the like
  virtual std::string closing(double wall_seconds) const = 0;  // of the closing line
  virtual void explain() const = 0;
};
// Opens them: for a spec, from its file; `call_memory` is the share of a batch call.
using OpenKernels = std::function<Result<std::unique_ptr<PlaceKernels>>(
    const RunArguments &run, const spec::Spec &spec, const std::string &path, std::size_t call_memory)>;

// The alphabet of a spec of state sets; an error where it is another.
Result<placement::StateAlphabet> states_of(const spec::Spec &spec);

class PlaceJob {
 public:
  PlaceJob(const PlaceArguments &arguments, OpenKernels open);
  Status run();

 private:
  Status check();       // what the arguments say by themselves
  Status references();  // spec, tree, alignment, vectors
  Status folder();      // what earlier runs left
  Status kernels();
  Status place();  // the blocks of this shard
  Status block(std::uint64_t number, const std::vector<placement::Read> &reads);
  Status finish();
  bool mine(std::uint64_t block) const { return block % shards_ == shard_ - 1; }

  const PlaceArguments &arguments_;
  const RunArguments &run_;
  OpenKernels open_;
  Watch watch_;
  Progress progress_;
  Warnings warnings_;
  std::size_t memory_ = 0;
  std::uint64_t shard_ = 1, shards_ = 1;
  std::optional<NamedSpec> spec_;
  std::optional<placement::StateAlphabet> alphabet_;
  std::optional<References> references_;
  std::optional<placement::BranchVectors> vectors_;
  std::string hash_, reads_label_;
  placement::RunFolder folder_;
  placement::RunState state_;
  bool was_complete_ = false, begun_ = false;  // begun: blocks are there
  std::unique_ptr<PlaceKernels> kernels_;
  std::uint64_t reads_ = 0, placed_ = 0, kept_blocks_ = 0, gapped_ = 0;
};

}  // namespace alnsmith::tool
