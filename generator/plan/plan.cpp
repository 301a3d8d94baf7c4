// The planner.
#include "plan/plan.h"

#include <algorithm>
#include <array>
#include <span>

#include "plan/device_plan.h"
#include "plan/device_statics.h"
#include "plan/lane_statics.h"
#include "plan/scoring_values.h"
#include "plan/sliced_plan.h"
#include "plan/told.h"
#include "spec/canonical.h"
#include "targets/targets.h"

namespace alnsmith::plan {

namespace {

using spec::Spec;

// All lanes of a vector share an alignment, form `split`.
bool shares_vector(std::string_view mapping) { return mapping == "strips" || mapping == "striped"; }

// Kernels without a floor keep scores in 8 bits beside a base: borders and cells all exist, and what borders cost is
// the same in all lanes (templates/lane_base.h).
bool lanes_agree(const Spec &s) {
  return !s.has_bounds() && s.border.empty() && (s.ends.target_prefix || !s.deletion.at_flag);
}

// What a spec asks for and this generator has no template for; empty if it can be served.
std::string refusal(const Spec &s, const backend::Target &target, const std::vector<std::string> &mappings) {
  if (const char *key = columns_key(s)) {
    if (target.device) {
      if (const std::string why = columns_refusal(s, target, key); !why.empty()) return why;
    } else if (s.mapping != "auto" && s.mapping != "lanes") {
      return std::string(key) + " has no template in mapping: " + s.mapping;
    } else if (s.arithmetic == "int8" && s.alignment != spec::Alignment::local && !lanes_agree(s)) {
      return std::string(key) + " has no template in arithmetic: int8";
    }
  }
  if (s.output.begin && s.deletion.at_flag && !s.ends.target_prefix && !s.border.contains("target_begin") &&
      s.alignment != spec::Alignment::local)
    return "gap.deletion.at_flag has no template that finds begins (output: begin or cigar) unless `target_begin` is "
           "free or forbidden";
  if (s.score.kind == spec::ScoreKind::target_profile) return "score: {target: profile} has no template yet";
  if (s.band_width) {
    if (target.device || !target.strips()) return "band has no template for " + std::string(target.name);
    if (s.mapping != "auto" && s.mapping != "strips") return "band has no template in mapping: " + s.mapping;
    if (s.arithmetic != "auto" && s.arithmetic != "int32") return "band has no template in arithmetic: " + s.arithmetic;
  }
  const std::string entry = (target.device ? "device:" : "") + s.mapping;
  const bool missing =
      std::ranges::find(mappings, entry) == mappings.end() || (shares_vector(s.mapping) && !target.strips());
  if (s.mapping != "auto" && missing)
    return "mapping: " + s.mapping + " has no template for " + std::string(target.name);
  if (target.device) return device_refusal(s, target);
  if (s.mapping == "striped" && s.output.begin)
    return "mapping: striped has no template that finds begins (output: begin or cigar)";
  if (s.arithmetic == "bitsliced") return sliced_refusal(s, target);
  static constexpr std::array widths = {"auto", "int8", "int16", "int32"};
  if (std::ranges::find(widths, s.arithmetic) == widths.end())
    return "arithmetic: " + s.arithmetic + " is not generated for CPUs";
  return {};
}

// Range of a kept score; 32 bits keep a distance from int's own limits, so that sums of two never overflow.
std::pair<std::int64_t, std::int64_t> range(int width) {
  const std::int64_t half = width == 32 ? std::int64_t{1} << 30 : std::int64_t{1} << (width - 1);
  return {-half, half - 1};
}

// The way that takes less for a cell. A blend for each letter, and its share of a compare, are counted as they are. The
// operations of a look-up hide each other partly, so its weights are measured: on Zen 5 blends were faster for 4
// letters on x86-64-v4, and for up to 6 on v3 with k = 4. Sixteen vectors are turned, which sixteen registers do not
// hold. One lane has nothing to turn.
Pick pick(const Spec &s, const backend::Target &target, const KernelPlan &kernel) {
  const int letters = static_cast<int>(s.alphabet.letters.size());
  if (s.score.kind != spec::ScoreKind::matrix || kernel.form != "pairs" || letters >= 32) return Pick::blend;
  const double blend = letters * (1 + 1.0 / kernel.k);
  const double turned = target.registers > 16 ? 5 : 8.5, second_half = letters < 16 ? 0 : 3;
  const double look_up = kernel.lanes == 1 ? 3 : turned + second_half;
  return look_up < blend ? Pick::look_up : Pick::blend;
}

// Intel's cores take maxima and saturating differences of 64 bytes on one port of two, so that compares are better
// where these are more than half of what a cell takes: local alignment with affine gaps and a profile
// (docs/performance.md).
bool few_maxima_pay(const Spec &s, const backend::Target &target, const KernelPlan &kernel) {
  return target.vector_bytes == 64 && kernel.form == "shared" && kernel.width == 8 &&
         s.alignment == spec::Alignment::local && s.score.kind == spec::ScoreKind::matrix && gap_states(s) > 0;
}

// Letters of a query between two moves of a base (templates/lane_base.h), the best first; the last one fits most costs,
// and those from the second on patches of a way back. Where the call says the costs the second has a kernel beside the
// last one's, for costs that are not large.
constexpr int lane_chunks[] = {32, 16, 8};
constexpr int wider_chunk = lane_chunks[1];

// Of one of several circuits: its scheme.
std::string bits_name(const Spec &s, const circuits::Scheme &scheme) {
  if (!scoring_of_call(s)) return "bits";
  std::string name = "bits_" + std::to_string(scheme.total) + "_" + std::to_string(scheme.floor);
  if (gap_states(s) > 0)
    for (const int open : scheme.opens) name += "_" + std::to_string(open);
  return name;
}

// Of mapping `lanes`. The target's name is its end: texts for several targets append it (backend/unit.cpp).
std::string entry_name(const Spec &s, const std::string &hash, const backend::Target &target, const KernelPlan &kernel,
                       const SlicedKernel *sliced) {
  const std::string arithmetic = sliced ? bits_name(s, sliced->circuit.scheme)
                                        : "i" + std::to_string(kernel.width) + (kernel.chunk > 0 ? "b" : "");
  const bool beside = kernel.chunk == wider_chunk && scoring_of_call(s);
  return "aln_" + targets::identifier(s.name) + "_" + hash.substr(0, 8) + "_" + kernel.form + "_" + arithmetic + "_k" +
         std::to_string(kernel.k) + (kernel.rows != 1 ? "_r" + std::to_string(kernel.rows) : "") +
         (beside ? "_c" + std::to_string(kernel.chunk) : "") + (kernel.few_maxima() ? "_few_maxima" : "") + "_" +
         std::string(target.identifier);
}

int tile_k(const Spec &s, const backend::Target &target, const std::string &form, std::optional<int> tuned) {
  if (const spec::Tile tile = tile_of(s, target); tile.k) return *tile.k;
  if (tuned) return *tuned;
  // A column's registers: H, a letter, and the gap states.
  const int states = gap_states(s);
  if (states > 0) return std::max(1, target.affine_k * 3 / (2 + states));
  // A row's profile of a matrix is loaded once for all its columns, and where nothing floors or watches cells more of
  // them fit. Measured on Zen 5 (docs/performance.md).
  const bool more =
      form == "shared" && s.score.kind == spec::ScoreKind::matrix && s.alignment != spec::Alignment::local;
  return more ? target.linear_k * 3 / 2 : target.linear_k;
}

// Stream letters of a patch, which runs again on the way back; as many as are looked up at a time.
constexpr int way_patch_rows = 16;
// The same of mapping `strips`: steps, a multiple of every tile's chunk.
constexpr int strip_patch_rows = 128;

// Pairs find their begins one by one, those of local alignments where kernels of form `extent` say that they lie. Where
// each pair has a vector to itself there is nothing to share.
bool has_form(const Spec &s, const std::string &form) {
  if (form == "pairs") return true;
  if (shares_vector(s.mapping)) return false;
  if (form == "extent" && !s.alphabet.sets.empty()) return false;  // reversed, gaps at flags are others
  return form == "shared" ? !s.output.begin : s.output.begin && s.alignment == spec::Alignment::local;
}

constexpr int least_based_k = 4;  // columns: of fewer a row loads and stores more than it computes
// Whether kernels keep scores beside a base, so that 8 bits hold them all.
bool takes_base(const Spec &s, const KernelPlan &kernel) {
  if (kernel.width != 8) return false;
  if (s.alignment == spec::Alignment::local) return kernel.form == "pairs" && !columns_key(s);
  return lanes_agree(s);
}

// How a kernel of mapping `lanes` keeps scores.
struct Kind {
  int width;
  bool based;
  const SlicedKernel *sliced;
};
// From the narrowest on; `bits`: those that there may be.
std::vector<Kind> lane_kinds(const std::vector<SlicedKernel> &bits) {
  std::vector<Kind> kinds;
  for (const SlicedKernel &each : bits) kinds.push_back({1, false, &each});
  for (const auto &[width, based] : {std::pair{8, true}, {8, false}, {16, false}, {32, false}})
    kinds.push_back({width, based, nullptr});
  return kinds;
}

int width_of(const std::string &arithmetic) {
  if (arithmetic == "bitsliced") return 1;
  return arithmetic == "int32" ? 32 : arithmetic == "int16" ? 16 : 8;
}
std::string arithmetic_of(int width) { return width == 1 ? "bitsliced" : "int" + std::to_string(width); }

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

// The mappings of form `split` that a spec has kernels of. Under a matrix a cell of strips blends the scores of all
// letters, where one of stripes loads its own, so there are both; the model takes for each pair the one that is faster
// (split_cost in runtime/src/align/split.h).
std::vector<std::string> split_mappings(const Spec &s) {
  if (columns_key(s)) return {};
  if (s.mapping != "auto") return shares_vector(s.mapping) ? std::vector{s.mapping} : std::vector<std::string>();
  const bool stripes = s.score.kind == spec::ScoreKind::matrix && !s.output.begin && !s.band_width;
  return stripes ? std::vector<std::string>{"striped", "strips"} : std::vector<std::string>{"strips"};
}

// Plans the kernels of one of them, `strips` or `striped`. One text serves vectors of any width: `p` stays 0
// in what it is evaluated with, and only what is told of it knows how many lanes there are.
class StripPlanner {
 public:
  StripPlanner(const Spec &s, const ScoringValues &n, const backend::Target &target, const frontend::Teller &templates,
               const Tuning &tuning, std::string mapping)
      : s_(s), n_(n), target_(target), templates_(templates), tuning_(tuning), mapping_(std::move(mapping)) {}

  Status add_to(Plan &plan, const std::vector<SlicedKernel> &sliced) const {
    for (const SlicedKernel &each : sliced) {
      if (striped() || s_.output.begin || !(each.pays || s_.arithmetic == "bitsliced")) continue;
      if (s_.arithmetic != "auto" && s_.arithmetic != "bitsliced") continue;
      auto kernel = planned(plan.spec_hash, sliced_tile, &each);
      if (!kernel) return kernel.error();
      if (!kernel->usable.never()) plan.kernels.push_back(*std::move(kernel));
    }
    for (const int width : {8, 16, 32}) {
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
  bool striped() const { return mapping_ == "striped"; }

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
    return tuning_.of("split", "int" + std::to_string(width)).k;
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
      kernel.rows = std::max(1, tile.skew);  // a turn of the hot loop takes as many
    }
    kernel.statics["striped"] = striped();
    kernel.statics["skew"] = tile.skew;
    kernel.statics["chunk"] = tile.chunk;
    kernel.statics["patch_rows"] = kernel.patch_rows;
    kernel.statics["p"] = kernel.statics["warp"] = 0;
  }

  // `sliced`: of a bit-sliced one.
  Result<KernelPlan> planned(const std::string &hash, const StripTile &tile,
                             const SlicedKernel *sliced = nullptr) const {
    KernelPlan kernel;
    kernel.form = "split";
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
    kernel.entry = "aln_" + targets::identifier(s_.name) + "_" + hash.substr(0, 8) +
                   (striped() ? "_striped_" : "_split_") + arithmetic + "_k" + std::to_string(kernel.k) + "_" +
                   std::string(target_.identifier);
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

frontend::Statics lane_statics(const Spec &s, const ScoringValues &n, const backend::Target &target,
                               const KernelPlan &kernel, const SlicedKernel *sliced) {
  const auto [lowest, highest] = range(kernel.width);
  const bool local = s.alignment == spec::Alignment::local;
  frontend::Statics v;
  v["k"] = kernel.k;
  v["unroll"] = kernel.rows;
  v["patch_rows"] = kernel.patch_rows;
  v["pick"] = static_cast<int>(pick(s, target, kernel));
  v["lowest"] = lowest;
  v["highest"] = highest;
  v["floor"] = static_cast<int>(!local ? Floor::none : kernel.chunk > 0 ? Floor::moving : Floor::saturating);
  v["goal"] = static_cast<int>(kernel.form == "extent" ? Goal::extent_of_several
                               : kernel.refill         ? Goal::best_of_several
                                                       : goal(s, s.ends.query_suffix, s.ends.target_suffix));
  v["form"] = static_cast<int>(kernel.shares_query() ? Form::shared_profile : Form::pairwise);
  v["base"] = static_cast<int>(kernel.chunk > 0 ? Base::moving_by_lane : Base::fixed);
  v["chunk"] = kernel.chunk;
  for (const char *device_only :
       {"warp", "warps", "p", "packing", "skew", "sum_last", "off_pipe_columns", "replicas", "shared_rows", "striped"})
    v[device_only] = 0;
  v["stream_begin_free"] = !local && s.ends.query_prefix;
  v["register_begin_free"] = !local && s.ends.target_prefix;
  put_scoring(v, s, n, spec::Side::query);
  sliced ? put_circuit(v, sliced->circuit) : put_no_circuit(v);
  if (kernel.form == "extent") v["output"] = static_cast<int>(Output::end);
  return v;
}

spec::Tile tile_of(const Spec &s, const backend::Target &target) {
  spec::Tile tile = s.tile;
  for (const auto &[name, own] : s.target_tile) {  // the name itself comes before its variants
    const backend::Target *row = backend::find_target(name);
    if (!row || row->name != target.name) continue;
    if (own.p) tile.p = own.p;
    if (own.k) tile.k = own.k;
    break;
  }
  return tile;
}

Result<Plan> make_plan(const Spec &spec, const backend::Target &target, const frontend::Teller &templates,
                       const Tuning &tuning, const Spilled &spilled) {
  const Spec s = tuning.applied_to(spec, std::string(target.name));
  if (const std::string why = refusal(s, target, templates.mappings()); !why.empty())
    return Error{s.name + ": " + why + "; take it out, or keep the spec for a build that has one"};
  if (target.device) return make_device_plan(s, spec::hash(spec), target, templates, tuning, spilled);
  for (const auto &[key, value] : {std::pair{"p", tuning.by_hand().p}, std::pair{"block", tuning.by_hand().block},
                                   std::pair{"grid", tuning.by_hand().grid}})
    if (value) return Error{s.name + ": " + key + " is for devices; leave it out for " + std::string(target.name)};
  Plan plan;
  plan.spec_name = s.name;
  plan.spec_hash = spec::hash(spec);
  plan.target = &target;
  plan.matrix = folded_matrix(s);
  const std::string no_bits = s.arithmetic == "bitsliced" ? sliced_missing(s, target) : "";
  if (!no_bits.empty()) plan.note = "arithmetic: bitsliced: " + no_bits + "; int8 instead";
  const ScoringValues n = scoring_values(s);
  const bool local = s.alignment == spec::Alignment::local;
  const bool may_slice = sliced_refusal(s, target).empty();
  const std::vector<SlicedKernel> sliced = may_slice ? sliced_kernels(s, target) : std::vector<SlicedKernel>();
  for (const std::string form : {"pairs", "shared", "extent"}) {
    if (spec.band_width) break;  // lanes that each have a band of their own would run all rows of all of them
    if (!has_form(s, form)) continue;
    const std::string first = s.arithmetic == "auto" ? tuning.of(form, "").first : s.arithmetic;
    const bool bits = form == "pairs" && !shares_vector(s.mapping) && (first.empty() || first == "bitsliced");
    for (const auto &[width, based, circuit] : lane_kinds(sliced)) {
      if (circuit ? !bits || !(circuit->pays || s.arithmetic == "bitsliced") : width < width_of(first)) continue;
      if (width == 8 && !based && columns_key(s) && !local) continue;  // scores stand for themselves (columns.h)
      KernelPlan kernel;
      kernel.form = form;
      kernel.mapping = "lanes";
      kernel.width = width;
      kernel.arithmetic = arithmetic_of(width);
      kernel.lanes = target.lanes(width);
      kernel.work = circuit ? circuit->work : 0;
      const Choice tuned = tuning.of(form, kernel.arithmetic);
      kernel.k = !circuit                 ? tile_k(s, target, form, tuned.k)
                 : s.arithmetic == "auto" ? tuning.by_hand().k.value_or(tuned.k.value_or(circuit->k))
                                          : tile_k(s, target, form, tuned.k.value_or(circuit->k));
      kernel.rows = tuned.rows.value_or(1);
      kernel.patch_rows = s.output.begin && form == "pairs" ? way_patch_rows : 0;
      kernel.segments = !local && form == "pairs";
      kernel.refill = local && kernel.shares_query();
      if (based && !takes_base(s, kernel)) continue;
      const auto asked = [&](int chunk) {
        kernel.chunk = chunk;
        kernel.statics = lane_statics(s, n, target, kernel, circuit);
        return told(templates, kernel.template_name(), kernel.statics, {"usable", "exact", "lengths"},
                    {"checked", "scratch_per_stream_letter", "scratch_fixed", "border_per_stream_letter",
                     "states_per_stream_letter"});
      };
      const std::size_t first_chunk = kernel.patch_rows > 0 ? 1 : 0;
      auto facts = asked(based ? lane_chunks[first_chunk] : 0);
      // A base holds more with fewer rows, then with fewer columns where they are ours to choose.
      const bool narrows = !tile_of(s, target).k && !tuned.k;
      for (std::size_t chunk = first_chunk; based && facts && !facts->at("usable").always();) {
        if (++chunk == std::size(lane_chunks)) {
          if (!facts->at("usable").never() || !narrows || kernel.k <= least_based_k) break;
          kernel.k = std::max(least_based_k, kernel.k - 2);
          chunk = first_chunk;
        }
        facts = asked(lane_chunks[chunk]);
      }
      if (!facts) return facts.error();
      const auto tell = [&](const frontend::Facts &told) {
        kernel.usable = told.at("usable");
        kernel.exact = told.at("exact");
        kernel.lengths = told.at("lengths");
        kernel.checked = size_of(told, "checked") != 0;
        const int element = kernel.width * kernel.lanes / 8;  // bytes of one score, or bit, per lane
        kernel.scratch_per_stream_letter = element * size_of(told, "scratch_per_stream_letter");
        kernel.scratch_fixed = element * size_of(told, "scratch_fixed");
        kernel.border_per_stream_letter = element * size_of(told, "border_per_stream_letter");
        kernel.states_per_stream_letter = element * size_of(told, "states_per_stream_letter");
        kernel.entry = entry_name(s, plan.spec_hash, target, kernel, circuit);
      };
      tell(*facts);
      if (kernel.usable.never()) continue;  // the folded scoring does not fit this width
      if (kernel.chunk > 0 && kernel.chunk < wider_chunk && scoring_of_call(s)) {
        KernelPlan last = kernel;
        facts = asked(wider_chunk);
        if (!facts) return facts.error();
        tell(*facts);
        if (!kernel.usable.never()) plan.kernels.push_back(kernel);
        kernel = std::move(last);
      }
      const bool all = based && kernel.usable.always();  // no wider arithmetic holds more
      plan.kernels.push_back(kernel);
      if (few_maxima_pay(s, target, kernel)) {
        kernel.statics["off_pipe_columns"] = 8;
        kernel.entry = entry_name(s, plan.spec_hash, target, kernel, circuit);
        plan.kernels.push_back(std::move(kernel));
      }
      if (all) break;
    }
  }
  for (const std::string &mapping : target.strips() ? split_mappings(s) : std::vector<std::string>())
    if (auto ok = StripPlanner(s, n, target, templates, tuning, mapping).add_to(plan, sliced); !ok) return ok.error();
  if (plan.kernels.empty())
    return Error{s.name + ": the scoring does not fit the kernels of " + std::string(target.name) +
                 "; scale the scores down or leave arithmetic: auto"};
  return plan;
}

}  // namespace alnsmith::plan
