// See strip_plan.h.
#include "plan/strip_plan.h"

#include <algorithm>
#include <span>

#include "plan/cpu_plan.h"
#include "plan/device_statics.h"
#include "plan/lane_statics.h"
#include "plan/told.h"

namespace alnsmith::plan {
namespace {

using spec::Spec;

// Steps of a patch, which runs again on the way back; a multiple of every tile's chunk.
constexpr int strip_patch_rows = 128;

// How scores are kept where all lanes share an alignment: beside a base that moves along, so that 8 and 16 bits serve
// any length; each lane's own where the range is narrow or a floor has to be met.
Range split_range(int width, bool local) {
  const auto [lowest, highest] = range(width);
  if (width == 32) return {lowest, highest, width, 1, Base::fixed, local ? Floor::saturating : Floor::none};
  const Base base = width == 8 || local ? Base::moving_by_lane : Base::moving;
  return {lowest, highest, width, 1, base, local ? Floor::moving : Floor::none};
}

// Tiles of mapping `strips` by width, the best one first: letters of a lane, rows between two rebases, and rows from
// lane to lane, which hide each other's latency. Measured on Zen 5 (docs/performance.md). Where 8 bits are relative to
// a base, what a tile can grow by has to fit.
struct StripTile {
  int width, k, chunk, skew;
};
constexpr StripTile strip_tiles[] = {
    {8, 16, 32, 2}, {8, 16, 16, 2}, {8, 8, 16, 2}, {8, 8, 8, 2}, {16, 16, 64, 2}, {32, 8, 64, 2},
};
// Letters of a stage that suits short reads: where those of the best tile are more, a second kernel has so many, and
// the model takes for each pair the one that is faster (split_cost in runtime/src/align/split.h).
constexpr int short_stage = 256;

// The same of mapping `striped`: k is what a stripe has at most, so that short queries need no kernel of their own, and
// all rows of a chunk are waited for together.
constexpr StripTile striped_tiles[] = {{8, 32, 64, 0}, {16, 32, 64, 0}, {32, 64, 64, 0}};

// The same of bit-sliced kernels: letters of a lane, at most, and of the target that go from lane to lane together, a
// power of two: the fewer, the sooner all lanes are at work.
constexpr StripTile sliced_tile = {1, 32, 0, 2};

// Plans the kernels of one mapping, `strips` or `striped`. One text serves vectors of any width: `p` stays 0
// in what it is evaluated with, and only what is told of it knows how many lanes there are.
class StripPlanner {
 public:
  StripPlanner(const Spec &s, const ScoringValues &n, const backend::Target &target, const frontend::Teller &templates,
               const Tuning &tuning, std::string mapping)
      : s_(s), n_(n), target_(target), templates_(templates), tuning_(tuning), mapping_(std::move(mapping)) {}

  Status add_to(Plan &plan, const std::vector<SlicedKernel> &sliced) const {
    for (const SlicedKernel &each : sliced) {
      if (striped() || s_.output.begin || !(each.pays || s_.arithmetic == arithmetics::bitsliced)) continue;
      if (s_.arithmetic != "auto" && s_.arithmetic != arithmetics::bitsliced) continue;
      auto kernel = planned(plan.spec_hash, sliced_tile, &each);
      if (!kernel) return kernel.error();
      if (!kernel->usable.never()) plan.kernels.push_back(*std::move(kernel));
    }
    for (const int width : score_widths()) {
      if (s_.arithmetic != "auto" && width < width_of(s_.arithmetic)) continue;
      if (s_.band_width && width < 32) continue;  // a base that moves follows the first column, which may be outside
      if (striped() && s_.mapping == "auto" && width == 32) break;  // strips hold what is left
      auto found = fitting(plan.spec_hash, width);
      if (!found) return found.error();
      const auto &[tile, kernel] = *found;
      if (kernel.usable.never()) continue;
      plan.kernels.push_back(kernel);
      if (const int k = short_stage / kernel.lanes; !striped() && k < kernel.k && !given_k(width)) {
        auto beside = planned(plan.spec_hash, {tile.width, k, tile.chunk, tile.skew});
        if (!beside) return beside.error();
        plan.kernels.push_back(*std::move(beside));
      }
      if (kernel.usable.always() && (kernel.exact.always() || kernel.rebased())) break;
    }
    return Ok{};
  }

 private:
  bool striped() const { return mapping_ == mappings::striped; }

  // The first tile that serves every call, else the last, and its kernel.
  Result<std::pair<StripTile, KernelPlan>> fitting(const std::string &hash, int width) const {
    std::pair<StripTile, KernelPlan> found;
    for (const StripTile &tile :
         striped() ? std::span<const StripTile>(striped_tiles) : std::span<const StripTile>(strip_tiles)) {
      if (tile.width != width) continue;
      auto kernel = planned(hash, tile);
      if (!kernel) return kernel.error();
      found = {tile, *std::move(kernel)};
      if (found.second.usable.always()) break;
    }
    return found;
  }

  // The letters of a lane that spec or tuned table, which knows strips alone, ask for.
  std::optional<int> given_k(int width) const {
    if (const spec::Tile wanted = tile_of(s_, target_); wanted.k && s_.mapping == mapping_) return wanted.k;
    if (striped()) return std::nullopt;
    return tuning_.of(Form::split, arithmetic_of(width)).k;
  }

  void put_statics(KernelPlan &kernel, const StripTile &tile, const SlicedKernel *sliced) const {
    if (sliced) {
      kernel.statics = lane_statics(s_, n_, target_, kernel, sliced);
      kernel.statics["k"] = tile.skew;
    } else {
      const bool local = s_.alignment == spec::Alignment::local;
      Range range = split_range(tile.width, local);
      if (striped()) range.base = Base::fixed, range.floor = local ? Floor::saturating : Floor::none;
      kernel.statics = statics(s_, n_, range, kernel);
      kernel.unroll = std::max(1, tile.skew);  // a turn of the hot loop takes as many
    }
    kernel.statics["skew"] = tile.skew;
    kernel.statics["chunk"] = tile.chunk;
    kernel.statics["patch_rows"] = kernel.patch_rows;
    kernel.statics["p"] = kernel.statics["warp"] = 0;
  }

  // `sliced`: of a bit-sliced one.
  Result<KernelPlan> planned(const std::string &hash, const StripTile &tile,
                             const SlicedKernel *sliced = nullptr) const {
    KernelPlan kernel;
    kernel.form = Form::split;
    kernel.mapping = mapping_;
    kernel.width = tile.width;
    kernel.arithmetic = arithmetic_of(tile.width);
    kernel.lanes = target_.lanes(tile.width);
    kernel.k = sliced ? tile.k : given_k(tile.width).value_or(tile.k);
    kernel.work = sliced ? sliced->work : 0;
    kernel.packing = kernel.warps = 1;
    kernel.patch_rows = s_.output.begin ? strip_patch_rows : 0;
    put_statics(kernel, tile, sliced);
    const auto facts = told(templates_, kernel.template_name(), kernel.told_statics(), {"usable", "exact", "lengths"},
                            {"checked", "border_ints", "scratch", "states"});
    if (!facts) return facts.error();
    kernel.usable = facts->at("usable");
    kernel.exact = facts->at("exact");
    kernel.lengths = facts->at("lengths");
    kernel.checked = size_of(*facts, "checked") != 0;
    kernel.border_ints = size_of(*facts, "border_ints");
    kernel.scratch_fixed = size_of(*facts, "scratch") * (tile.width * kernel.lanes / 8) * (sliced ? kernel.k : 1);
    kernel.states_per_patch = size_of(*facts, "states") * (tile.width * kernel.lanes / 8);
    const std::string arithmetic = sliced ? bits_name(s_, sliced->circuit.scheme) : "i" + std::to_string(tile.width);
    kernel.entry = entry_prefix(s_, hash) + (striped() ? "striped_" : "split_") + arithmetic + "_k" +
                   std::to_string(kernel.k) + "_" + std::string(target_.identifier);
    return kernel;
  }

  const Spec &s_;
  const ScoringValues &n_;
  const backend::Target &target_;
  const frontend::Teller &templates_;
  const Tuning &tuning_;
  std::string mapping_;
};

}  // namespace

std::vector<std::string> split_mappings(const Spec &s) {
  if (columns_key(s)) return {};
  if (s.mapping != "auto") return shares_vector(s.mapping) ? std::vector{s.mapping} : std::vector<std::string>();
  const bool stripes = s.score.kind == spec::ScoreKind::matrix && !s.output.begin && !s.band_width;
  std::vector<std::string> list = {std::string(mappings::strips)};
  if (stripes) list.insert(list.begin(), std::string(mappings::striped));
  return list;
}

Status add_split(Plan &plan, const std::string &mapping, const Spec &spec, const ScoringValues &values,
                 const frontend::Teller &templates, const Tuning &tuning, const std::vector<SlicedKernel> &sliced) {
  return StripPlanner(spec, values, *plan.target, templates, tuning, mapping).add_to(plan, sliced);
}

}  // namespace alnsmith::plan
