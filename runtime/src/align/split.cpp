// See split.hpp.
#include "align/split.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "align/way_back.hpp"

namespace alnsmith::rt {
namespace {

// What a stage's begin and end cost beyond its rows, in vectors of cells of form `pairs`. Measured on Zen 5
// (docs/performance.md).
constexpr double kStage = 4000;

// What a row of a patch takes on the way back, by one without codes (measured as above).
constexpr double kPatchRow = 2.5;

// Rows of its stages, those on the way back counted as what they take. The way goes through all rows once, and in each
// stage from its last lane to its first, which is as many rows behind; half a patch more than it needs runs again.
double rows_run(const KernelInfo &kernel, const Item &item) {
  const double stages = static_cast<double>(split_stages(kernel, item.query));
  const double rows = stages * split_rows(kernel, item.target);
  if (kernel.way_back.patch_rows == 0) return rows;
  return rows + kPatchRow * (item.target +
                             stages * (kernel.split.skew * (kernel.lanes - 1.0) + kernel.way_back.patch_rows / 2.0));
}

// In the same.
double split_cost(const KernelInfo &kernel, double work, const Item &item) {
  return work * rows_run(kernel, item) * kernel.k + static_cast<double>(split_stages(kernel, item.query)) * kStage;
}

double cells(const Item &item) { return static_cast<double>(item.query) * item.target; }

std::uint32_t registers_of(const KernelInfo &lanes, const Item &item) {
  return lanes.query_in_registers ? item.query : item.target;
}
std::uint32_t stream_of(const KernelInfo &lanes, const Item &item) {
  return lanes.query_in_registers ? item.target : item.query;
}

// False where no part of a batch can be faster alone, seen without asking each pair: short reads feel the difference.
bool may_pay(std::span<const Item> part, const KernelInfo &lanes, const KernelInfo &split, double work) {
  Item least = part[0];
  double registers = 0, stream = 0, least_registers = 1e10, least_stream = 1e10;
  for (const Item &item : part) {
    const double r = registers_of(lanes, item), s = stream_of(lanes, item);
    registers = std::max(registers, r);
    stream = std::max(stream, s);
    least_registers = std::min(least_registers, r);
    least_stream = std::min(least_stream, s);
    least.query = std::min(least.query, item.query);
    least.target = std::min<std::uint32_t>(least.target, item.target);
  }
  const double together = registers * stream, one = split_cost(split, work, least);
  return together - least_registers * least_stream > one || static_cast<double>(part.size()) * one < together;
}

}  // namespace

std::size_t split_stages(const KernelInfo &kernel, std::size_t query) {
  const std::size_t stage = static_cast<std::size_t>(kernel.lanes * kernel.k);
  return (query + stage - 1) / stage;
}

double split_rows(const KernelInfo &kernel, std::size_t target) {
  return static_cast<double>(target) + kernel.split.skew * (kernel.lanes - 1.0);
}

std::vector<std::uint32_t> split_off(std::vector<Item> &items, std::vector<Batch> &batches, const KernelInfo &lanes,
                                     const KernelInfo &split, double work,
                                     const std::function<bool(const Item &)> &possible) {
  std::vector<std::uint32_t> alone;
  for (Batch &batch : batches) {
    const auto part = std::span(items).subspan(batch.begin, batch.count);
    if (!split.split.always && !may_pay(part, lanes, split, work)) continue;
    // Those that can go, the longest first; then the others.
    const auto others = std::stable_partition(part.begin(), part.end(), possible);
    std::stable_sort(part.begin(), others, [](const Item &a, const Item &b) { return cells(a) > cells(b); });
    // The cheapest of all first parts to go.
    std::uint32_t registers = 0, stream = 0;
    const auto stay = [&](const Item &item) {
      registers = std::max(registers, registers_of(lanes, item));
      stream = std::max(stream, stream_of(lanes, item));
    };
    for (auto it = others; it != part.end(); ++it) stay(*it);
    const auto together = [&] { return static_cast<double>(registers) * stream; };
    double gone = 0;
    for (auto it = part.begin(); it != others; ++it) gone += split_cost(split, work, *it);
    std::size_t most = static_cast<std::size_t>(others - part.begin());
    double least = gone + together();
    for (std::size_t n = split.split.always ? 0 : most; n-- > 0;) {
      gone -= split_cost(split, work, part[n]);
      stay(part[n]);
      if (gone + together() <= least) {
        least = gone + together();
        most = n;
      }
    }
    std::rotate(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(most), part.end());
    batch.count -= static_cast<std::uint32_t>(most);
    for (std::uint32_t i = 0; i < most; ++i) alone.push_back(batch.begin + batch.count + i);
  }
  std::erase_if(batches, [](const Batch &batch) { return batch.count == 0; });
  return alone;
}

std::size_t split_need(const KernelInfo &kernel, std::size_t query, std::size_t target, std::size_t allowed) {
  const std::size_t count = split_stages(kernel, query);
  const std::size_t kept = kernel.way_back.patch_rows > 0 ? kept_stages(kernel, query, target, allowed).bytes : 0;
  const std::size_t cigar = kernel.outputs.contains(Output::cigar) ? sizeof(int) * cigar_room(query, target) : 0;
  return query + target + kernel.scratch_fixed + split_border(kernel, target) + kept + cigar +
         count * (sizeof(int) * kOutputCount + 64 + 1) + 4096;
}

bool SplitPair::start(Call &call, int kernel, std::string_view query, std::string_view target, std::size_t allowed) {
  call_ = &call;
  kernel_ = kernel;
  const KernelInfo &info = call.info(kernel);
  const Manifest &m = call.manifest();
  query_.resize(query.size());
  target_.resize(target.size() + ALN_STRIP_PAD);
  if (!encode(m.query_codes, query, query_.data()) || !encode(m.target_codes, target, target_.data())) {
    call.reject_letter();
    return false;
  }
  query_length_ = static_cast<int>(query.size());
  target_length_ = static_cast<int>(target.size());
  stages_ = static_cast<int>(split_stages(info, query.size()));
  const std::size_t count = static_cast<std::size_t>(stages_);
  border_bytes_ = split_border(info, target.size());
  border_.reserve(border_bytes_);
  if (info.way_back.patch_rows > 0) {
    kept_ = kept_stages(info, query.size(), target.size(), allowed).strips;
    first_kept_ = (stages_ - 1) / kept_ * kept_;
    patches_ = split_patches(info, target.size());
    const std::size_t kept = static_cast<std::size_t>(kept_);
    kept_borders_.reserve(kept * border_bytes_);
    section_borders_.reserve(((count - 1) / kept + 1) * border_bytes_);
    states_.reserve(kept * patches_ * info.way_back.states);
    bases_.reserve(kept * patches_ * static_cast<std::size_t>(info.lanes) * sizeof(int));
  }
  status_.assign(count, 0);
  for (const OutputInfo &output : kOutputs)
    results_[index_of(output.output)].assign(info.outputs.contains(output.output) ? count : 0, 0);
  runs_.clear();
  exact_ = true;
  merged_ = false;
  prepare(0, stages_, target_length_);
  return true;
}

// The stages to run next, and rows of theirs.
void SplitPair::prepare(int first, int end, int rows) {
  progress_.assign(static_cast<std::size_t>(stages_), {});
  next_ = first;
  end_ = end;
  rows_ = rows;
}

// Left of the stage.
int *SplitPair::border(int stage) {
  const auto at = [&](Buffer &borders, int i) {
    return reinterpret_cast<int *>(borders.data() + static_cast<std::size_t>(i) * border_bytes_);
  };
  if (!walks() || stage == stages_) return at(border_, 0);
  if (stage % kept_ == 0) return at(section_borders_, stage / kept_);
  return stage > first_kept_ ? at(kept_borders_, stage - first_kept_) : at(border_, 0);
}

aln_strip_args_v1 SplitPair::of_stage(int stage) {
  aln_strip_args_v1 args{};
  args.size = sizeof args;
  args.stage = stage;
  args.rows_done = &progress_[static_cast<std::size_t>(stage)].rows;
  args.query_letters = query_.data();
  args.target_letters = target_.data();
  args.query_length = &query_length_;
  args.target_length = &rows_;
  args.scoring = call_->scoring().value.data();
  args.matrix = call_->scoring().has_matrix ? call_->scoring().matrix.data() : nullptr;
  args.border = border(stage);
  args.border_right = border(stage + 1);
  args.border_rows = target_length_ + 2 * ALN_STRIP_PAD;
#define ALN_PLACE(Y, type, name, shape, key, words) args.name = results_[index_of(Output::name)].data();
  ALN_OUTPUTS(ALN_PLACE, )
#undef ALN_PLACE
  args.status = status_.data();
  if (walks() && stage >= first_kept_) {
    const KernelInfo &info = call_->info(kernel_);
    const std::size_t patches = static_cast<std::size_t>(stage - first_kept_) * patches_;
    args.keep = 1;
    args.states = states_.data() + patches * info.way_back.states;
    args.bases = reinterpret_cast<int *>(bases_.data()) + patches * static_cast<std::size_t>(info.lanes);
  }
  return args;
}

void SplitPair::work() {
  static constexpr int all_rows = std::numeric_limits<int>::max();
  Buffer scratch;
  scratch.reserve(call_->info(kernel_).scratch_fixed);
  const int first = walks() && merged_ ? first_kept_ : 0;
  // A stage is begun after the one before it, so that what it waits for is under way.
  for (int stage; !call_->stopped() && (stage = next_++) < end_;) {
    aln_strip_args_v1 args = of_stage(stage);
    args.scratch = scratch.data();
    args.rows_before = stage > first ? &progress_[static_cast<std::size_t>(stage) - 1].rows : &all_rows;
    // However it ends, who waits for it goes on.
    struct Done {
      int *rows;
      ~Done() { __atomic_store_n(rows, all_rows, __ATOMIC_RELEASE); }
    } const done{args.rows_done};
    call_->run_stage(kernel_, args);
  }
}

bool SplitPair::go_back() {
  if (call_->stopped()) return false;
  if (!merged_) {
    merge();
    merged_ = true;
    if (!walks()) return false;
    result(Output::query_begin) = result(Output::target_begin) = ALN_NONE;
    const bool aligned = result(Output::query_end) >= 0;
    walk_ = {aligned ? 1 : 0, result(Output::target_end), result(Output::query_end), 0, 0, 0};
    if (!aligned) return false;
  }
  const int columns = call_->info(kernel_).lanes * call_->info(kernel_).k;
  while (walk_[ALN_WALK_STATE] != 0) {
    const int stage = walk_[ALN_WALK_COLUMN] / columns;
    if (stage < first_kept_) {
      first_kept_ = stage / kept_ * kept_;
      prepare(first_kept_, stage + 1, walk_[ALN_WALK_ROW] + 1);
      return true;
    }
    if (!walk(stage)) return false;
  }
  result(Output::target_begin) = walk_[ALN_WALK_ROW] + 1;
  result(Output::query_begin) = walk_[ALN_WALK_COLUMN] + 1;
  run_count_ = static_cast<int>(runs_.size());
  return false;
}

bool SplitPair::walk(int stage) {
  const KernelInfo &info = call_->info(kernel_);
  Buffer scratch;
  aln_strip_args_v1 args = of_stage(stage);
  args.scratch = scratch.reserve(info.scratch_fixed);
  args.walks = 1;
  args.walk = walk_.data();
  const std::size_t runs = runs_.size();
  runs_.resize(runs + static_cast<std::size_t>(2 * info.lanes * info.k + 4));
  args.cigar = runs_.data() + runs;
  if (!call_->run_stage(kernel_, args)) return false;
  runs_.resize(runs + static_cast<std::size_t>(walk_[ALN_WALK_RUNS]));
  return true;
}

KernelResults SplitPair::stored() const {
  KernelResults places;
  for (std::size_t i = 0; i < kOutputCount; ++i) places.column[i] = &result_[i];
  places.cigar = runs_.data();
  places.cigar_runs = &run_count_;
  places.cigar_stride = 1;
  return places;
}

// The best of the stages', by the rule of strip_abi.h.
void SplitPair::merge() {
  const auto &score = results_[index_of(Output::score)], &query = results_[index_of(Output::query_end)],
             &target = results_[index_of(Output::target_end)];
  std::size_t best = 0;
  for (std::size_t i = 1; i < score.size(); ++i) {
    const auto key = [&](std::size_t at) {
      const bool ends = !target.empty();
      return std::tuple(-std::int64_t{score[at]}, ends ? target[at] : 0, ends ? query[at] : 0);
    };
    if (key(i) < key(best)) best = i;
  }
  exact_ = std::ranges::none_of(status_, [](std::uint8_t raised) { return raised != 0; });
  for (std::size_t i = 0; i < kOutputCount; ++i)
    if (!results_[i].empty()) result_[i] = results_[i][best];
  run_count_ = 0;
}

}  // namespace alnsmith::rt
