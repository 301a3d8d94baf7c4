// Planning for devices. templates/device_frame.h has the reasons for the ranges, exactness.h what follows from them.
#include "plan/device_plan.h"

#include <algorithm>

#include "plan/device_statics.h"
#include "plan/device_tiles.h"
#include "plan/lane_statics.h"
#include "plan/refusals.h"
#include "plan/scoring_values.h"
#include "plan/sliced_plan.h"
#include "plan/told.h"
#include "spec/canonical.h"
#include "targets/targets.h"

namespace alnsmith::plan {

namespace {

using backend::Device;
using backend::Language;
using spec::Spec;

constexpr int kUsualRows = 4;                     // of a turn where p = 1
constexpr int kWord = 32;                         // alignments of a lane of bit-sliced kernels
constexpr int kManyWarps = 16, kFewerWarps = 12;  // that a processor's registers are shared out among (CUDA)
// Pairs that a block takes, and others.
constexpr const char *kLong = "((query * target) >= 16777216)", *kShorter = "((query * target) < 16777216)";

// Everything that plans of one target share while the kernels of a spec are laid out.
class DevicePlanner {
 public:
  DevicePlanner(const Spec &s, const std::string &hash, const backend::Target &target,
                const frontend::Teller &templates, const Tuning &tuning, const Spilled &spilled)
      : s_(s),
        target_(target),
        templates_(templates),
        tuning_(tuning),
        spilled_(spilled),
        device_(*target.device),
        values_(scoring_values(s)) {
    plan_.spec_name = s.name;
    plan_.spec_hash = hash;
    plan_.target = &target;
    plan_.matrix = folded_matrix(s);
  }

  Result<Plan> run() {
    for (const Form form : {Form::pairwise, Form::shared_profile, Form::single_query}) {
      if (form != Form::pairwise && columns_key(s_)) break;  // a profile would have a row for each set
      int level = 0;
      for (const std::string &arithmetic : arithmetics(form)) {
        // Where a register holds one alignment anyway, form `shared_profile` has one query; what outgrows the first
        // level goes on pair by pair.
        const bool one = range_of(arithmetic, local(), device_.language).packing == 1;
        if (form == Form::single_query && (level > 0 || one)) break;
        if (!worth_trying(form, arithmetic)) continue;
        const std::size_t before = plan_.kernels.size();
        layer(form, arithmetic, level);
        level += plan_.kernels.size() > before;
        if (suffices(before)) break;
      }
    }
    if (!error_) add_sliced();
    if (error_) return *std::move(error_);
    if (plan_.kernels.empty())
      return Error{s_.name + ": the scoring does not fit the kernels of " + std::string(target_.name) +
                   "; scale the scores down, or leave arithmetic and tile to the generator"};
    return std::move(plan_);
  }

 private:
  bool local() const { return s_.alignment == spec::Alignment::local; }

  // Whether the kernels from `first` on hold every score of every call: a wider level would never be asked.
  bool suffices(std::size_t first) const {
    const auto always = [](const KernelPlan &kernel) {
      return kernel.usable.always() && (kernel.exact.always() || kernel.rebased());
    };
    return first < plan_.kernels.size() && std::all_of(plan_.kernels.begin() + first, plan_.kernels.end(), always);
  }

  // The narrow range of hybrid scores pays with borders where a cell has maxima enough, or comparisons besides, and
  // where a stage of 256 columns fits whatever the call brings.
  bool worth_trying(Form form, const std::string &arithmetic) {
    if (arithmetic != arithmetics::hybrid || local() || s_.arithmetic == arithmetics::hybrid ||
        tuning_.of(form, "").first == arithmetics::hybrid)
      return true;
    if (gap_states(s_) == 0 && !s_.output.begin) return false;
    const KernelPlan kernel = base(form, *find_mapping(mappings::wavefront), arithmetic, 0, {8, 32});
    return fits(kernel) && kernel.usable.always();
  }

  std::vector<std::string> arithmetics(Form form) const {
    if (columns_key(s_)) return {std::string(columns_arithmetic)};
    auto list = words(local() ? device_.local : device_.bordered);
    if (s_.output.begin) {
      const auto first = words(device_.traced);
      list.insert(list.begin(), first.begin(), first.end());
    }
    const std::string known = device_.arithmetics();
    const std::string tuned = tuning_.of(form, "").first;
    const bool from_table = s_.arithmetic == "auto" && s_.half_precision == spec::Switch::off && contains(known, tuned);
    if (s_.arithmetic == "auto" && !from_table) {
      if (s_.half_precision == spec::Switch::off) return list;
      std::vector<std::string> half{std::string(arithmetics::half2)};
      for (const std::string &word : list)
        if (targets::find_arithmetic(word)->sums != targets::Numbers::halves) half.push_back(word);
      return half;
    }
    if (s_.arithmetic == arithmetics::bitsliced) return list;  // what comes behind it
    // What was asked for, and for what it cannot hold the widest.
    std::vector<std::string> asked{from_table ? tuned : s_.arithmetic};
    if (asked[0] != arithmetics::int32) asked.emplace_back(arithmetics::int32);
    return asked;
  }

  // All kernels of one form and arithmetic.
  void layer(Form form, const std::string &arithmetic, int level) {
    const std::string tuned = tuning_.of(form, arithmetic).mapping;
    if (const targets::Mapping *mapping = find_mapping(s_.mapping == "auto" ? tuned : s_.mapping))
      return tile_all(*mapping, form, arithmetic, level, "1");
    // Long pairs are few: a block each fills the device sooner.
    if (level == 0) add_block(form, arithmetic);
    tile_all(*find_mapping(mappings::wavefront), form, arithmetic, level, "1");
  }

  // Bit by bit, before all others, where there is a circuit and so many pairs that all lanes have some: the runtime
  // passes few on. Scoring that comes with the call has too many circuits to have them all compiled.
  void add_sliced() {
    const bool asked = s_.arithmetic == arithmetics::bitsliced;
    if ((!asked && s_.arithmetic != "auto") || s_.half_precision == spec::Switch::on) return;
    if (!sliced_refusal(s_, target_).empty()) return;
    const std::string other = tuning_.of(Form::pairwise, "").first;  // a table begins with something else
    if (!asked && !other.empty() && other != arithmetics::bitsliced) return;
    const std::string none = scoring_of_call(s_) ? "scoring comes with the call" : sliced_missing(s_, target_);
    if (asked && !none.empty()) plan_.note = "arithmetic: bitsliced: " + none + "; others instead";
    if (!none.empty()) return;
    const SlicedKernel found = sliced_kernels(s_, target_).front();
    if (!found.pays && !asked) return;
    const Choice tuned = tuning_.of(Form::pairwise, arithmetics::bitsliced);
    const int wanted = tuning_.by_hand().k.value_or(tuned.k.value_or(found.k));
    KernelPlan kernel = sliced(found, tuned, asked ? tile_of(s_, target_).k.value_or(wanted) : wanted);
    while (!error_ && spilled_.contains(kernel.entry)) {
      if (leave_registers(kernel)) continue;
      if (kernel.k == 1) return;  // others serve
      kernel = sliced(found, tuned, std::max(1, kernel.k - 4));
    }
    if (error_ || kernel.usable.never()) return;
    for (KernelPlan &other : plan_.kernels) ++other.level;
    plan_.kernels.insert(plan_.kernels.begin(), std::move(kernel));
  }

  KernelPlan sliced(const SlicedKernel &found, const Choice &tuned, int k) {
    KernelPlan kernel;
    kernel.form = Form::pairwise;
    kernel.mapping = mappings::lanes;
    kernel.arithmetic = arithmetics::bitsliced;
    kernel.width = kernel.p = 1;
    kernel.k = k;
    kernel.unroll = tuned.unroll.value_or(1);
    kernel.packing = kWord;
    kernel.lanes = device_.warp > 0 ? device_.warp : kWord;
    kernel.warps = usual_warps(kernel.form, false);
    if (device_.warp > 0) kernel.warps = tuned.block.value_or(kernel.warps);
    kernel.grid = tuned.grid.value_or(0);
    kernel.suits = kShorter;
    kernel.residents = usual_residents(kernel);
    kernel.statics = lane_statics(s_, values_, target_, kernel, &found);
    kernel.statics["warp"] = kernel.lanes;
    kernel.statics["warps"] = kernel.warps;
    kernel.statics["exchange_rows"] = device_.exchange_rows();
    kernel.statics["p"] = kernel.statics["packing"] = kernel.statics["replicas"] = 1;
    const frontend::Facts facts = told_of(kernel);
    if (error_) return kernel;
    take(kernel, facts);
    kernel.entry = entry_of(kernel);
    return kernel;
  }

  // A block's stage is wide: where its scores do not fit the arithmetic of the others, the next one of that packing.
  void add_block(Form form, const std::string &first) {
    const auto packing = [&](const std::string &one) { return range_of(one, local(), device_.language).packing; };
    const auto list = arithmetics(form);
    const std::size_t before = plan_.kernels.size();
    for (auto it = std::ranges::find(list, first); it != list.end() && plan_.kernels.size() == before; ++it)
      if (packing(*it) == packing(first)) tile_all(*find_mapping(mappings::block), form, *it, 0, kLong);
  }

  // A kernel that is not known to spill: with fewer warps per processor, and a smaller tile as long as that is ours to
  // choose.
  KernelPlan unspilled(Form form, const targets::Mapping &mapping, const std::string &arithmetic, int level,
                       DeviceTile tile) {
    KernelPlan kernel = base(form, mapping, arithmetic, level, tile);
    while (!error_ && spilled_.contains(kernel.entry)) {
      if (leave_registers(kernel)) continue;
      if (tile.k == 1 || tile_of(s_, target_).k) break;
      tile.k = tile.k > 4 ? (tile.k - 1) / 4 * 4 : tile.k - 1;  // profiles are read four letters at a time
      kernel = base(form, mapping, arithmetic, level, tile);
    }
    return kernel;
  }

  // With the next fewer warps per processor, if there are fewer.
  bool leave_registers(KernelPlan &kernel) const {
    if (kernel.residents == 1) return false;
    const int fewer = blocks_of(kFewerWarps, kernel);
    kernel.residents = kernel.residents > fewer ? fewer : 1;
    kernel.entry = entry_of(kernel);
    return true;
  }

  // The kernels of one mapping, each but the widest for queries that it takes in one stage. `suits`: of the widest.
  void tile_all(const targets::Mapping &mapping, Form form, const std::string &arithmetic, int level,
                const std::string &suits) {
    // Begins are wanted of few hits of a search, which go pair by pair.
    if (form != Form::pairwise && (takes_block(mapping) || s_.output.begin)) return;
    std::vector<KernelPlan> fitting;
    for (const DeviceTile &tile : device_tiles(s_, target_, tuning_, {mapping, level, form, arithmetic})) {
      KernelPlan kernel = unspilled(form, mapping, arithmetic, level, tile);
      const bool same = !fitting.empty() && fitting.back().entry == kernel.entry;  // two that became as narrow
      if (fits(kernel) && !same) fitting.push_back(std::move(kernel));
    }
    for (std::size_t i = 0; i < fitting.size(); ++i) {
      const int width = fitting[i].p * fitting[i].k;
      fitting[i].suits = i + 1 < fitting.size() ? "(query <= " + std::to_string(width) + ")" : suits;
      plan_.kernels.push_back(std::move(fitting[i]));
    }
  }

  // Two warps for each of a processor's four schedulers wait for their own results in two fifths of the cycles
  // (docs/performance.md): more, as far as tiles of so many columns, and ways back, leave registers for them.
  int usual_residents(const KernelPlan &kernel) const {
    if (device_.language != Language::cuda || kernel.k > 24 || (s_.output.begin && gap_states(s_) > 1)) return 1;
    const bool many = kernel.k <= 16 && !kernel.sliced() && !s_.output.begin && !crowded(kernel);
    return blocks_of(many ? kManyWarps : kFewerWarps, kernel);
  }
  static int blocks_of(int warps, const KernelPlan &kernel) { return std::max(1, warps / kernel.warps); }

  // Whether columns with gap states keep so much besides that 16 of them do not fit a quarter of the registers: sets of
  // states; a place in the matrix for each letter or half, and a border; the masks of a free end of the stream, and
  // where the best cell is, or in half2 another free end.
  bool crowded(const KernelPlan &kernel) const {
    if (gap_states(s_) == 0) return false;
    if (columns_key(s_)) return true;
    if (local()) return false;
    const bool matrix = s_.score.kind == spec::ScoreKind::matrix;
    if (matrix && kernel.form != Form::shared_profile) return true;
    return s_.ends.target_suffix && (s_.output.end || (kernel.arithmetic == arithmetics::half2 &&
                                                       (s_.ends.query_prefix || s_.ends.query_suffix)));
  }

  int usual_warps(Form form, bool block) const {
    if (device_.warp == 0) return 1;
    if (block) return device_.block_warps;
    return (form == Form::pairwise ? 128 : 256) / device_.warp;
  }

  KernelPlan base(Form form, const targets::Mapping &mapping, const std::string &arithmetic, int level,
                  DeviceTile tile) {
    const Range range = range_of(arithmetic, local(), device_.language);
    KernelPlan kernel;
    kernel.form = form;
    kernel.mapping = mapping.name;
    kernel.block = takes_block(mapping);
    kernel.arithmetic = arithmetic;
    kernel.width = range.width;
    kernel.level = level;
    kernel.p = tile.p;
    kernel.k = tile.k;
    const Choice tuned = tuning_.of(form, arithmetic);
    if (tile.p == 1) kernel.unroll = tuned.unroll.value_or(kUsualRows);
    kernel.packing = range.packing;
    kernel.lanes = device_.warp > 0 ? device_.warp : std::max(tile.p, mapping.devices == targets::Share::lane ? 32 : 1);
    kernel.warps = usual_warps(form, kernel.block);
    kernel.grid = tuned.grid.value_or(0);
    if (device_.warp > 0) kernel.warps = tuned.block.value_or(kernel.warps);
    kernel.residents = usual_residents(kernel);
    tell(kernel, range);
    kernel.entry = entry_of(kernel);
    return kernel;
  }

  frontend::Facts told_of(const KernelPlan &kernel) {
    auto facts = told(templates_, kernel.device_template(), kernel.statics, {"usable", "exact", "lengths"},
                      {"checked", "exchange_words", "table_words", "shared_words", "border_words", "trace_row_words",
                       "trace_rows", "walk_words", "spare_rows", "permute_bits"});
    if (facts) return *std::move(facts);
    if (!error_) error_ = facts.error();
    return {};
  }

  static void take(KernelPlan &kernel, const frontend::Facts &facts) {
    kernel.usable = facts.at("usable");
    kernel.exact = facts.at("exact");
    kernel.lengths = facts.at("lengths");
    kernel.checked = size_of(facts, "checked") != 0;
    kernel.exchange_words = size_of(facts, "exchange_words");
    kernel.shared_bytes = 4 * size_of(facts, "shared_words");
    kernel.border_ints = size_of(facts, "border_words");
    kernel.trace_row_words = size_of(facts, "trace_row_words");
    kernel.trace_rows = size_of(facts, "trace_rows");
    kernel.walk_words = size_of(facts, "walk_words");
    kernel.spare_rows = size_of(facts, "spare_rows");
  }

  // What the templates tell of the kernel, and what follows from it.
  void tell(KernelPlan &kernel, const Range &range) {
    kernel.statics = statics(s_, values_, range, kernel);
    kernel.statics["exchange_rows"] = device_.exchange_rows();
    // A replica of the matrix for each lane of a warp keeps lanes out of each other's banks; fewer, where a processor
    // would not have room for eight warps, or a block's border needs it. A work-group is a few lanes.
    const int room = device_.shared_bytes / (kernel.block ? 8 : std::max(1, 8 / kernel.warps));
    kernel.replicas =
        device_.warp == 0 || kernel.form != Form::pairwise || s_.score.kind != spec::ScoreKind::matrix ? 1 : 32;
    frontend::Facts facts;
    for (;; kernel.replicas /= 2) {
      kernel.statics["replicas"] = kernel.replicas;
      facts = told_of(kernel);
      if (error_) return;
      if (kernel.replicas == 1 || 4 * size_of(facts, "table_words") <= room) break;
    }
    take(kernel, facts);
    if (kernel.block && device_.block_border) {
      kernel.shared_bytes_per_row = 4 * kernel.border_ints;
      kernel.shared_rows = std::max(0, (device_.shared_bytes - kernel.shared_bytes) / kernel.shared_bytes_per_row);
      kernel.shared_rows = kernel.shared_rows / 512 * 512;
    }
    const bool permutes = permuted(s_, kernel, device_.language, size_of(facts, "permute_bits"));
    if (permutes) kernel.statics["scores"] = static_cast<int>(Scores::permute);
    // There a sum has a pipe of its own, and three values one maximum (docs/performance.md).
    kernel.statics["sum_last"] = device_.language == Language::cuda && kernel.arithmetic == arithmetics::s16x2;
    kernel.statics["off_pipe_columns"] = off_pipe_columns(s_, kernel, permutes);
    kernel.statics["shared_rows"] = kernel.shared_rows;
  }

  bool fits(const KernelPlan &kernel) const {
    if (error_ || kernel.shared_bytes > device_.shared_bytes || kernel.p > kernel.lanes) return false;
    return kernel.lanes * kernel.warps <= 1024 && !kernel.usable.never();
  }

  std::string entry_of(const KernelPlan &kernel) const {
    std::string entry = entry_prefix(s_, plan_.spec_hash) + name_of(kernel.form) + "_" + kernel.mapping + "_" +
                        kernel.arithmetic + "_p" + std::to_string(kernel.p) + "k" + std::to_string(kernel.k) + "_" +
                        std::string(target_.identifier);
    if (const int usual = usual_warps(kernel.form, kernel.block); kernel.warps != usual)
      entry += "_w" + std::to_string(kernel.warps);
    if (kernel.residents < usual_residents(kernel)) entry += "_o" + std::to_string(kernel.residents);
    if (kernel.p == 1 && kernel.unroll != (kernel.sliced() ? 1 : kUsualRows))
      entry += "_r" + std::to_string(kernel.unroll);
    return entry;
  }

  const Spec &s_;
  const backend::Target &target_;
  const frontend::Teller &templates_;
  const Tuning &tuning_;
  const Spilled &spilled_;
  const Device &device_;
  ScoringValues values_;
  Plan plan_;
  std::optional<Error> error_;  // the first of the templates'
};

}  // namespace

Result<Plan> make_device_plan(const Spec &s, const std::string &hash, const backend::Target &target,
                              const frontend::Teller &templates, const Tuning &tuning, const Spilled &spilled) {
  if (tuning.by_hand().block && target.device->warp == 0)
    return Error{s.name + ": block: the group of " + std::string(target.name) +
                 " is one alignment's lanes; leave it out"};
  auto plan = DevicePlanner(s, hash, target, templates, tuning, spilled).run();
  const auto one_lane = [](const KernelPlan &kernel) { return kernel.p == 1; };
  if (plan && tuning.by_hand().unroll && std::ranges::none_of(plan->kernels, one_lane))
    return Error{s.name + ": rows is for one lane per alignment; leave it out, or take mapping lanes"};
  return plan;
}

}  // namespace alnsmith::plan
