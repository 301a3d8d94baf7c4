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

// Bands: the least width; what share of the whole pays; and how much more than the first stage has lost the others are
// taken to lose, for their share.
constexpr std::size_t kNarrow = 64;
constexpr double kMuchLess = 0.75, kMoreLost = 1.2;

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
  runs_.clear();
  kept_ = first_kept_ = 0;
  for (const OutputInfo &output : kOutputs)
    results_[index_of(output.output)].assign(info.outputs.contains(output.output) ? count : 0, 0);
  status_.assign(count, 0);
  allowed_ = allowed;
  band_ = Band::of(m, call.scoring(), query.size(), target.size());
  width_.reset();
  exact_ = true;
  merged_ = false;
  // A band is worth while where the rows of a narrow one are much less than all.
  const Band::Rows narrow = band_ ? band_->rows(kNarrow, 0, static_cast<std::size_t>(columns())) : Band::Rows{};
  probing_ = band_ && stages_ > 2 && 3 * narrow.end < target_length_;
  if (probing_) {
    lay_out(target_length_);
    prepare(0, 1, std::min(columns(), target_length_));
    columns_ = columns();
  } else {
    run_whole();
  }
  return true;
}

int SplitPair::columns() const { return call_->info(kernel_).lanes * call_->info(kernel_).k; }

// Borders of so many rows at most.
void SplitPair::lay_out(int rows) {
  border_rows_ = rows + 2 * ALN_STRIP_PAD;
  border_bytes_ = split_border(call_->info(kernel_), static_cast<std::size_t>(rows));
  border_.reserve(border_bytes_);
}

// Of so many stages a section.
void SplitPair::keep(int stages, int rows) {
  const KernelInfo &info = call_->info(kernel_);
  if (info.way_back.patch_rows == 0) return;
  kept_ = stages;
  first_kept_ = (stages_ - 1) / kept_ * kept_;
  patches_ = split_patches(info, static_cast<std::size_t>(rows));
  const auto kept = static_cast<std::size_t>(kept_), sections = static_cast<std::size_t>((stages_ - 1) / kept_ + 1);
  kept_borders_.reserve(kept * border_bytes_);
  section_borders_.reserve(sections * border_bytes_);
  states_.reserve(kept * patches_ * info.way_back.states);
  bases_.reserve(kept * patches_ * static_cast<std::size_t>(info.lanes) * sizeof(int));
}

void SplitPair::run_whole() {
  width_.reset();
  lay_out(target_length_);
  const auto query = static_cast<std::size_t>(query_length_), target = static_cast<std::size_t>(target_length_);
  const KernelInfo &info = call_->info(kernel_);
  if (info.way_back.patch_rows > 0) keep(kept_stages(info, query, target, allowed_).strips, target_length_);
  prepare(0, stages_, target_length_);
}

// A band that this score proves to do, if it is much less than the whole and takes no more memory.
bool SplitPair::run_band(__int128 score) {
  const auto width = band_->width_for(score);
  if (!width) return false;
  const KernelInfo &info = call_->info(kernel_);
  width_ = std::max(*width, kNarrow);
  prepare(0, stages_, target_length_);
  int most = 0, before = 0;
  double all = 0;
  for (int stage = 0; stage < stages_; ++stage) {
    const Band::Rows rows = rows_of(stage);
    most = std::max(most, rows.end - before);
    all += rows.end - rows.first;
    before = rows.first;
  }
  bool pays = all < kMuchLess * stages_ * target_length_;
  if (pays && info.way_back.patch_rows > 0) {
    const auto query = static_cast<std::size_t>(query_length_), target = static_cast<std::size_t>(target_length_);
    pays =
        kept_bytes(info, stages_, static_cast<std::size_t>(most)) <= kept_stages(info, query, target, allowed_).bytes;
  }
  if (!pays) {
    width_.reset();
    return false;
  }
  // Borders that nobody goes back through are written in place, row by row of the target.
  lay_out(info.way_back.patch_rows > 0 ? most : target_length_);
  keep(stages_, most);
  return true;
}

// What the sequences score if they are as alike as the letters of the first stage, and a little less.
__int128 SplitPair::expected_score() const {
  const double most = call_->scoring().value[ALN_SCORE_MAX];
  const double lost = most * std::min(rows_, columns_) - results_[index_of(Output::score)][0];
  const double shorter = std::min(query_length_, target_length_);
  return static_cast<__int128>(most * shorter - kMoreLost * lost * shorter / std::min(rows_, columns_));
}

// The stages to run next, and up to which row.
void SplitPair::prepare(int first, int end, int rows) {
  progress_.assign(static_cast<std::size_t>(stages_), {});
  next_ = first;
  end_ = end;
  rows_ = rows;
  columns_ = query_length_;
  taken_ = false;
}

Band::Rows SplitPair::rows_of(int stage) const {
  if (!width_) return {0, rows_};
  const auto first = static_cast<std::size_t>(stage) * static_cast<std::size_t>(columns());
  Band::Rows rows = band_->rows(*width_, first, first + static_cast<std::size_t>(columns()));
  rows.end = std::min(rows.end, rows_);
  return rows;
}

// Of the border left of a stage: those of the stage before it, which begin earlier.
int SplitPair::first_row_left(int stage) const { return walks() && stage > 0 ? rows_of(stage - 1).first : 0; }

// Left of the stage, from that row on.
int *SplitPair::border(int stage, int first_row) {
  const auto at = [&](Buffer &borders, int i) {
    return reinterpret_cast<int *>(borders.data() + static_cast<std::size_t>(i) * border_bytes_) + first_row -
           first_row_left(stage);
  };
  if (!walks() || stage == stages_) return at(border_, 0);
  if (stage % kept_ == 0) return at(section_borders_, stage / kept_);
  return stage > first_kept_ ? at(kept_borders_, stage - first_kept_) : at(border_, 0);
}

aln_strip_args_v1 SplitPair::of_stage(int stage) {
  const Band::Rows rows = rows_of(stage);
  Progress &progress = progress_[static_cast<std::size_t>(stage)];
  progress.of_window = rows.end - rows.first;
  aln_strip_args_v1 args{};
  args.size = sizeof args;
  args.stage = stage;
  args.rows_done = &progress.rows;
  args.query_letters = query_.data();
  args.target_letters = target_.data() + rows.first;
  args.query_length = &columns_;
  args.target_length = &progress.of_window;
  args.scoring = call_->scoring().value.data();
  args.matrix = call_->scoring().has_matrix ? call_->scoring().matrix.data() : nullptr;
  args.border = border(stage, rows.first);
  args.border_right = border(stage + 1, rows.first);
  args.border_rows = border_rows_;
  args.first_row = rows.first;
  args.known_rows = stage > 0 ? rows_of(stage - 1).end - rows.first : progress.of_window;
  // One thread runs a band's stages, so the stage before has ended; on the way back its border is as it was.
  args.corner = rows.first > 0 ? args.border[ALN_STRIP_PAD - 1] : 0;
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
  // Of a band each stage needs nearly all of the one before it.
  if (width_ && taken_.exchange(true)) return;
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
  if (probing_) {
    probing_ = false;
    if (!run_band(expected_score())) run_whole();
    return true;
  }
  if (!merged_) {
    merge();
    if (width_ && band_->most_outside(*width_) >= result(Output::score)) {
      if (!run_band(result(Output::score))) run_whole();
      return true;
    }
    merged_ = true;
    if (!walks()) return false;
    result(Output::query_begin) = result(Output::target_begin) = ALN_NONE;
    const bool aligned = result(Output::query_end) >= 0;
    walk_ = {aligned ? 1 : 0, result(Output::target_end), result(Output::query_end), 0, 0, 0};
    if (!aligned) return false;
  }
  while (walk_[ALN_WALK_STATE] != 0) {
    const int stage = walk_[ALN_WALK_COLUMN] / columns();
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
  walk_[ALN_WALK_ROW] -= args.first_row;
  const std::size_t runs = runs_.size();
  runs_.resize(runs + static_cast<std::size_t>(2 * info.lanes * info.k + 4));
  args.cigar = runs_.data() + runs;
  if (!call_->run_stage(kernel_, args)) return false;
  walk_[ALN_WALK_ROW] += args.first_row;
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
  // Of a window.
  if (!target.empty()) result(Output::target_end) += rows_of(static_cast<int>(best)).first;
  run_count_ = 0;
}

}  // namespace alnsmith::rt
