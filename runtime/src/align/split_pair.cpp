// See split_pair.h.
#include "align/split_pair.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "align/pack_planes.h"
#include "align/split.h"

namespace alnsmith::rt::align {
namespace {

// Bands: the least width; the share of the whole up to which one pays; and how much more, letter by letter, the other
// stages are assumed to lose than the first one has lost.
constexpr std::size_t kNarrow = 64;
constexpr double kMuchLess = 0.75, kMoreLost = 1.2;
// The first stage runs on trial where the rows of the narrowest band are so many times fewer than all.
constexpr std::int64_t kWorthProbing = 3;
// And where a query has more stages than this.
constexpr std::size_t kBandedStages = 2;

constexpr int all_rows = std::numeric_limits<int>::max();

}  // namespace

std::size_t SplitPair::least_for_band(const kernels::KernelInfo &kernel) {
  if (!kernel.split.windows) return std::numeric_limits<std::size_t>::max();
  return kBandedStages * static_cast<std::size_t>(kernel.lanes * kernel.k) + 1;
}

std::optional<Band> SplitPair::band_to_try(const Call &call, const kernels::KernelInfo &kernel, std::size_t query,
                                           std::size_t target) {
  if (!kernel.split.windows || split_stages(kernel, query) <= kBandedStages)
    return std::nullopt;  // soon told: short reads are many
  const std::optional<Band> band = Band::of(call.manifest(), call.scoring(), query, target);
  if (!band) return std::nullopt;
  const std::int64_t narrow = band->rows(kNarrow, 0, static_cast<std::size_t>(kernel.lanes * kernel.k)).end;
  return kWorthProbing * narrow < static_cast<std::int64_t>(target) ? band : std::nullopt;
}

void SplitPair::use(int kernel) {
  kernel_ = kernel;
  const auto query = static_cast<std::size_t>(query_length_), target = static_cast<std::size_t>(target_length_);
  whole_ = finds_begins() ? kept_stages(info(), query, target, allowed_) : KeptForWayBack{};
  const std::size_t count = split_stages(info(), query, useful_threads(info(), target, threads_));
  stages_ = static_cast<int>(count);
  for (const OutputInfo &output : kOutputs)
    results_[index_of(output.output)].assign(info().outputs.contains(output.output) ? count : 0, 0);
  status_.assign(count, 0);
}

bool SplitPair::start(Call &call, Kernels kernels, std::string_view query, std::string_view target, std::size_t allowed,
                      std::size_t threads) {
  call_ = &call;
  kernels_ = kernels;
  allowed_ = allowed;
  threads_ = threads;
  const kernels::Manifest &m = call.manifest();
  query_.resize(query.size());
  target_.resize(target.size() + ALN_STRIP_PAD);
  if (!encode(m.query_codes, query, query_.data()) || !encode(m.target_codes, target, target_.data())) {
    call.reject_letter();
    return false;
  }
  query_text_ = query;
  query_length_ = static_cast<int>(query.size());
  target_length_ = static_cast<int>(target.size());
  use(kernels.band);
  runs_.clear();
  width_.reset();
  exact_ = true;
  rows_run_ = 0;
  probing_ = merged_ = false;
  given_ = m.band_width.has_value();
  if (given_) {
    band_ = Band::given(m, call.scoring(), query.size(), target.size());
    run_given();
    return true;
  }
  band_ = band_to_try(call, info(), query.size(), target.size());
  if (band_)
    probe();
  else
    run_whole();
  return true;
}

std::size_t SplitPair::held() const {
  std::size_t bytes = scratch_.size() + planes_.size() + pack_room_.size();
  for (const Buffer &buffer : memory_) bytes += buffer.size();
  return bytes;
}

// Memory for borders of so many rows, and for that many stages of a section whose border and states are kept, or none.
void SplitPair::lay_out(int border_rows, int kept) {
  const auto rows = static_cast<std::size_t>(border_rows), stages = static_cast<std::size_t>(kept);
  border_rows_ = border_rows + 2 * ALN_STRIP_PAD;
  border_bytes_ = split_border(info(), rows);
  kept_ = kept;
  std::array<std::size_t, buffer_count> wanted{};
  wanted[handed_on] = border_bytes_;
  first_kept_ = 0;
  if (keeps()) {
    first_kept_ = (stages_ - 1) / kept_ * kept_;
    patches_ = split_patches(info(), rows);
    wanted[of_sections] = static_cast<std::size_t>(first_kept_ / kept_ + 1) * border_bytes_;
    wanted[kept_borders] = (stages - 1) * border_bytes_;
    wanted[states] = stages * patches_ * info().way_back.states;
    wanted[bases] = stages * patches_ * static_cast<std::size_t>(info().lanes) * sizeof(int);
  }
  // What a band or a pair before has left may stay where all is within what the pair takes.
  std::size_t all = 0;
  for (std::size_t i = 0; i < buffer_count; ++i) all += std::max(memory_[i].size(), wanted[i]);
  if (all > split_border(info(), static_cast<std::size_t>(target_length_)) + whole_.bytes) memory_ = {};
  for (std::size_t i = 0; i < buffer_count; ++i)
    if (wanted[i] > 0) memory_[i].reserve(wanted[i]);
}

void SplitPair::probe() {
  probing_ = true;
  lay_out(target_length_, 0);
  prepare(0, 1, std::min(stage_columns(), target_length_));
  run_columns_ = stage_columns();
}

void SplitPair::run_given() {
  width_ = call_->manifest().band_width;
  prepare(0, stages_, target_length_);
  const int most = most_rows();
  whole_.bytes =
      finds_begins() ? kept_bytes(info(), static_cast<std::size_t>(stages_), static_cast<std::size_t>(most)) : 0;
  lay_out(finds_begins() ? most : target_length_, finds_begins() ? stages_ : 0);
}

void SplitPair::run_whole() {
  width_.reset();
  if (kernel_ != kernels_.whole) use(kernels_.whole);
  if (info().sliced()) share_out();
  lay_out(target_length_, whole_.strips);
  prepare(0, stages_, target_length_);
}

// The letters of each stage are shared out among the lanes: those that the first lanes have one more of come first.
void SplitPair::share_out() {
  const auto lanes = static_cast<std::size_t>(info().lanes), stages = static_cast<std::size_t>(stages_);
  const std::size_t row_bytes = info().letter_bits.size() * lanes / 8;
  shares_.clear();
  planes_at_.clear();
  std::vector<Share> shares;
  std::size_t bytes = 0, most = 0;
  for (std::size_t stage = 0; stage < stages; ++stage) {
    const Share &own = shares.emplace_back(share_of_stage(info(), query_text_.size(), stages, stage));
    shares_.push_back(
        {query_length_, static_cast<int>(own.first), static_cast<int>(own.letters), static_cast<int>(own.rows)});
    planes_at_.push_back(bytes);
    bytes += own.rows * row_bytes;
    most = std::max(most, own.rows);
  }
  planes_.reserve(bytes);
  pack_room_.reserve(plane_room(most));
  std::vector<std::string_view> of_lanes(lanes);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    const auto &[first, letters, rows] = shares[stage];
    std::string_view left = query_text_.substr(first, letters);
    const std::size_t longer = letters - lanes * (rows - 1);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      of_lanes[lane] = left.substr(0, lane < longer ? rows : rows - 1);
      left.remove_prefix(of_lanes[lane].size());
    }
    pack_planes(call_->query_codes(), of_lanes, rows, call_->query_pad(), info().letter_bits, pack_room_.data(),
                planes_.data() + planes_at_[stage]);
  }
}

bool SplitPair::run_band(__int128 score) {
  const auto width = band_->width_for(score);
  if (!width) return false;
  width_ = std::max(*width, kNarrow);
  prepare(0, stages_, target_length_);
  const int most = most_rows();
  double rows_run = 0;
  for (int stage = 0; stage < stages_; ++stage) rows_run += rows_of(stage).end - rows_of(stage).first;
  const double whole = static_cast<double>(stages_) * target_length_;
  const auto cost = [&](int kernel) {
    return split_cost(call_->manifest(), call_->info(kernel), static_cast<std::size_t>(query_length_), target_length_);
  };
  const double dearer = kernels_.whole == kernel_ ? 1 : cost(kernel_) / cost(kernels_.whole);  // where all of it runs
  bool pays = dearer * rows_run * static_cast<double>(threads_) < kMuchLess * whole;
  // Of a band all stages are kept: its memory has to be within that of the whole.
  if (pays && finds_begins())
    pays = kept_bytes(info(), static_cast<std::size_t>(stages_), static_cast<std::size_t>(most)) <= whole_.bytes;
  if (!pays) {
    width_.reset();
    return false;
  }
  // Borders that nobody goes back through are written in place, row by row of the target.
  lay_out(finds_begins() ? most : target_length_, finds_begins() ? stages_ : 0);
  return true;
}

// What the sequences score if they are as alike as the letters of the first stage, and a little less.
__int128 SplitPair::expected_score() const {
  const double most = call_->scoring().value[ALN_SCORE_MAX];
  const double lost = most * std::min(run_rows_, run_columns_) - results_[index_of(Output::score)][0];
  const double shorter = std::min(query_length_, target_length_);
  return static_cast<__int128>(most * shorter - kMoreLost * lost * shorter / std::min(run_rows_, run_columns_));
}

// The stages to run next, and up to which row.
void SplitPair::prepare(int first, int end, int rows) {
  progress_.assign(static_cast<std::size_t>(stages_), {});
  next_ = first;
  end_ = end;
  run_rows_ = rows;
  run_columns_ = query_length_;
  taken_ = false;
}

Band::Rows SplitPair::rows_of(int stage) const {
  if (!width_) return {0, run_rows_};
  const auto first = static_cast<std::size_t>(stage) * static_cast<std::size_t>(stage_columns());
  Band::Rows rows = band_->rows(*width_, first, first + static_cast<std::size_t>(stage_columns()));
  rows.end = std::min(rows.end, run_rows_);
  return rows;
}

int SplitPair::most_rows() const {
  int most = 0, before = 0;
  for (int stage = 0; stage < stages_; ++stage) {
    const Band::Rows rows = rows_of(stage);
    most = std::max(most, rows.end - before);
    before = rows.first;
  }
  return most;
}

// Of the border left of a stage: that of the stage before it, which begins earlier.
int SplitPair::first_row_left(int stage) const { return keeps() && stage > 0 ? rows_of(stage - 1).first : 0; }

// Left of the stage, from that row on.
int *SplitPair::border(int stage, int first_row) {
  int which = handed_on, place = 0;
  if (keeps() && stage < stages_ && stage % kept_ == 0)
    which = of_sections, place = stage / kept_;
  else if (keeps() && stage < stages_ && stage > first_kept_)
    which = kept_borders, place = stage - first_kept_ - 1;
  std::uint8_t *const bytes = memory_[static_cast<std::size_t>(which)].data();
  return reinterpret_cast<int *>(bytes + static_cast<std::size_t>(place) * border_bytes_) +
         (first_row - first_row_left(stage));
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
  args.query_length = &run_columns_;
  args.target_length = &progress.of_window;
  if (info().sliced()) {
    args.query_letters = planes_.data() + planes_at_[static_cast<std::size_t>(stage)];
    args.query_length = shares_[static_cast<std::size_t>(stage)].data();
  }
  args.scoring = call_->scoring().value.data();
  args.matrix = call_->scoring().has_matrix ? call_->scoring().matrix.data() : nullptr;
  args.border = border(stage, rows.first);
  args.border_right = border(stage + 1, rows.first);
  args.border_rows = border_rows_;
  args.known_rows = all_rows;
  if (width_ && stage > 0) {
    // The stage before has ended; on the way back its border is as it was.
    args.first_row = rows.first;
    args.known_rows = rows_of(stage - 1).end - rows.first;
  }
  if (given_) {
    args.band_from = band_->from(*width_) - rows.first;
    args.band_to = band_->to(*width_) - rows.first;
    args.rows_behind = target_length_ - rows.end;
  } else if (width_ && stage > 0) {
    args.corner = rows.first > 0 ? args.border[ALN_STRIP_PAD - 1] : 0;
    args.last_known = args.border[ALN_STRIP_PAD + args.known_rows - 1];
  }
#define ALN_PLACE(Y, type, name, key, words) args.name = results_[index_of(Output::name)].data();
  ALN_OUTPUTS(ALN_PLACE, )
#undef ALN_PLACE
  args.status = status_.data();
  if (keeps() && stage >= first_kept_) {
    const std::size_t patches = static_cast<std::size_t>(stage - first_kept_) * patches_;
    args.keep = 1;
    args.states = memory_[states].data() + patches * info().way_back.states;
    args.bases = reinterpret_cast<int *>(memory_[bases].data()) + patches * static_cast<std::size_t>(info().lanes);
  }
  return args;
}

void SplitPair::work() {
  if (width_ && taken_.exchange(true)) return;
  Buffer scratch;
  scratch.reserve(info().scratch_fixed);
  const int first = merged_ ? first_kept_ : 0;
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
    rows_run_ += progress_[static_cast<std::size_t>(args.stage)].of_window;
  }
}

bool SplitPair::go_on() {
  if (call_->stopped()) return false;
  if (std::exchange(probing_, false)) {
    if (!run_band(expected_score())) run_whole();
    return true;
  }
  if (!merged_) {
    merge();
    if (banded() && band_->most_outside(*width_) >= result(Output::score)) {
      if (!run_band(result(Output::score))) run_whole();
      return true;
    }
    merged_ = true;
    if (!keeps()) return false;
    result(kBegins.query) = result(kBegins.target) = ALN_NONE;
    const bool aligned = result(kEnds.query) >= 0;
    walk_ = {aligned ? 1 : 0, result(kEnds.target), result(kEnds.query), 0, 0, 0};
    if (!aligned) return false;
  }
  return go_back();
}

}  // namespace alnsmith::rt::align
