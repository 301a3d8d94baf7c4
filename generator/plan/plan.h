// Spec and target to the kernels that serve them: which template, which static values, exact for which lengths.
//
// Pure: no files, no clock, no search. A spec that no registered template can serve is refused, naming the key.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "../../templates/policies.h"
#include "alnsmith/forms.hpp"
#include "alnsmith/result.hpp"
#include "frontend/facts.h"
#include "spec/spec.h"
#include "target/target.h"
#include "targets/arithmetics.h"
#include "targets/mappings.h"
#include "tuning/tuning.h"

namespace alnsmith::plan {

namespace arithmetics = targets::arithmetics;
namespace layouts = targets::layouts;
namespace mappings = targets::mappings;
using targets::LaneEnds;

struct KernelPlan {
  std::string entry;  // C name; spells every parameter that changes the text
  Form form = Form::pairwise;
  std::string mapping;     // mappings.def
  std::string arithmetic;  // arithmetics.def
  int width = 0, lanes = 0;
  int k = 0;  // letters of a lane: of the register side; of bit-sliced kernels of form `split` of a stage, at most
  int unroll =
      1;  // stream letters per turn, where one lane has an alignment for itself; `rows` in choices and manifests
  int chunk = 0;  // of mapping `lanes`: stream letters between two moves of a base of each lane's own; 0: there is none
  bool one_gap = false;  // of mapping `lanes`: for calls whose costs are the same for both sides
  LaneEnds ends = LaneEnds::padded;
  int scratch_per_stream_letter = 0, scratch_fixed = 0;  // bytes
  // For begins: rows of a patch; bytes of a kept border, and of a strip's or stage's kept states.
  int patch_rows = 0, border_per_stream_letter = 0, states_per_stream_letter = 0, states_per_patch = 0;
  frontend::Fact usable, exact, lengths;  // predicates, docs/manifest.md
  bool checked = false;
  // Devices, docs/devices.md.
  int level = 0, p = 0, packing = 0, warps = 0;
  int grid = 0;            // most blocks per processor; 0: as many as fit
  int residents = 1;       // blocks per processor that registers leave room for (CUDA)
  bool block = false;      // a block, not a warp, takes an alignment
  int replicas = 1;        // of a matrix in shared memory
  int exchange_words = 0;  // OpenCL: first in shared memory, two rows through which lanes exchange (opencl.inc)
  int shared_bytes = 0, shared_bytes_per_row = 0, shared_rows = 0, border_ints = 0;
  int trace_row_words = 0, trace_rows = 0;  // for begins: words of a row of codes, rows beside the target's letters
  int walk_words = 0;                       // and of where an alignment's way stands
  int spare_rows = 0;                       // of the border, beside those of the longest sequence
  std::string suits = "1";
  // CPUs: all lanes share one alignment.
  bool split() const { return form == Form::split; }
  // One query for all lanes, or as many as share a register; on CPUs a lane may hold several targets.
  bool shares_query() const { return form == Form::shared_profile || form == Form::extent; }
  Sharing sharing() const {
    return form == Form::single_query ? Sharing::single_query : shares_query() ? Sharing::query : Sharing::none;
  }
  // What the templates are told it by: `split` kernels do not know how many lanes there are, but what holds of them
  // does.
  frontend::Statics told_statics() const {
    frontend::Statics told = statics;
    if (split()) told["p"] = told["warp"] = lanes;
    return told;
  }
  // The row of its arithmetic.
  const targets::Arithmetic &numbers() const { return *targets::find_arithmetic(arithmetic); }
  // A lane is a bit of a vector.
  bool sliced() const { return width == 1; }
  int work = 0;  // of these: of a vector of cells, in percent of what kernels of form `pairwise` and int8 take for one
  // What of templates/ it is made from.
  std::string template_name() const { return !sliced() ? mapping : split() ? "sliced_strips" : "sliced"; }
  std::string device_template() const { return "device:" + template_name(); }
  // Letters that a row of its hot loop has, of each lane.
  int columns() const { return static_cast<int>(statics.at("k")); }
  // CPUs: it is for cores that start fewer maxima a cycle than other operations.
  bool few_maxima() const { return statics.at("off_pipe_columns") > 0; }
  // It holds as much as totals do, so that no wider arithmetic holds more.
  bool rebased() const { return statics.at("base") != static_cast<int>(Base::fixed); }
  // Devices: whether the halves of a packed score are never negative, and whether letters' scores are looked up by a
  // permutation of bytes (templates/policies.h).
  bool unsigned_halves() const { return statics.at("base") == static_cast<int>(Base::moving_unsigned_halves); }
  bool permutes() const { return statics.at("scores") == static_cast<int>(Scores::permute); }
  // Devices: how many queries all alignments of a launch share; 0: each has its own.
  int queries() const { return form == Form::pairwise ? 0 : form == Form::single_query ? 1 : packing; }
  frontend::Statics statics;  // templates/spec.h
};

struct Plan {
  std::string spec_name, spec_hash;
  const backend::Target *target = nullptr;
  std::vector<int> matrix;          // 32 x 32 if the spec's matrix is folded in, else empty
  std::vector<KernelPlan> kernels;  // by form, then ascending width
  std::string note;                 // what was asked for and is not there; may be empty
};

// What the spec says of a target's tile: for every target, and for this one, under its name or that of a variant.
spec::Tile tile_of(const spec::Spec &spec, const backend::Target &target);

// What entries of a spec's kernels begin with.
std::string entry_prefix(const spec::Spec &spec, const std::string &hash);

// Entries of a device's kernels that a compiler could not keep in registers.
using Spilled = std::set<std::string, std::less<>>;

// `templates`: what they register, and what they tell of kernels. `spilled`: a tile of these that is the planner's own
// gives way to the next narrower one; what spec or hand gave stays.
Result<Plan> make_plan(const spec::Spec &spec, const backend::Target &target, const frontend::Teller &templates,
                       const Tuning &tuning = {}, const Spilled &spilled = {});

// The manifest (docs/manifest.md) of the kernels in `plan`, as JSON.
std::string manifest(const spec::Spec &spec, const Plan &plan);

}  // namespace alnsmith::plan
