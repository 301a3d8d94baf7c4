// See call.h.
#include "align/call.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>
#include <tuple>
#include <utility>

#include "align/pack.h"
#include "align/pack_planes.h"
#include "align/path_planes.h"
#include "align/shape.h"
#include "align/split.h"
#include "align/way_back.h"
#include "base/fork_join.h"
#include "base/guard.h"

namespace alnsmith::rt::align {

std::uint8_t *Buffer::reserve(std::size_t bytes) {
  if (bytes > size_ || !data_) {
    data_.reset();
    size_ = 0;
    data_.reset(static_cast<std::uint8_t *>(::operator new(std::max<std::size_t>(bytes, 64), std::align_val_t{64})));
    size_ = bytes;
  }
  return data_.get();
}

namespace {

// What is asked for, at most what oneTBB gives: more would make it print a warning.
int thread_count(int wanted) {
  const auto most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return wanted > 0 ? static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(wanted), most))
                    : static_cast<int>(most);
}

}  // namespace

Call::Call(sources::CpuKernels &kernels, const CallScoring &scoring, const Scoring &standing, const Options &options,
           ResultSink &sink, const CallShape &shape, OutputSet wanted)
    : kernels_(kernels),
      scoring_(scoring),
      standing_(standing),
      options_(options),
      threads_(thread_count(options.threads)),
      budget_(options.memory_bytes),
      sink_(sink),
      shape_(shape),
      wanted_(wanted) {}

Status Call::obtain(std::span<const int> kernels) {
  const auto begin = std::chrono::steady_clock::now();
  auto status = kernels_.obtain(kernels, options_.cancelled);
  obtaining_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return status;
}

Status Call::for_each(std::size_t n, std::size_t available, const std::function<std::size_t(std::size_t)> &need,
                      const std::function<void(std::size_t, Workspace &)> &body,
                      const std::function<std::string(std::size_t)> &describe,
                      const std::function<void(std::size_t)> &soon) {
  // Indices that all workers can hold at once run together; the few large ones before them, fewer at a time.
  const std::size_t share = available / static_cast<std::size_t>(threads_);
  std::vector<std::size_t> large;
  for (std::size_t i = 0; i < n; ++i)
    if (need(i) > share) large.push_back(i);
  std::sort(large.begin(), large.end(), [&](auto a, auto b) { return std::pair(need(b), a) < std::pair(need(a), b); });
  if (!large.empty() && need(large[0]) > available)
    return Error{describe(large[0]) + " needs " + std::to_string(need(large[0])) + " bytes; the memory limit of " +
                 std::to_string(budget_) + " bytes leaves " + std::to_string(available) + "; raise it"};

  const auto run = [&](std::size_t workers, std::size_t count, auto index) {
    std::atomic<std::size_t> next{0};
    workers = std::min({workers, count, static_cast<std::size_t>(threads_)});
    const auto work = [&](std::size_t) {
      const fork_join::Part part;
      Workspace workspace;
      for (std::size_t i = next++; i < count && !stopped();) {
        // The next one is taken early, so that its letters are fetched; but not where another worker would idle.
        const bool early = soon && i + 4 * workers < count;
        std::size_t then = early ? next++ : count;
        if (then < count) soon(index(then));
        // Buffers only grow: drop them where growing could exceed this worker's share.
        if (workspace.bytes() + need(index(i)) > available / workers) workspace = Workspace();
        body(index(i), workspace);
        i = early ? then : next++;
      }
    };
    if (workers <= 1) return work(0);
    if (!arena_) arena_.emplace(threads_);
    fork_join::fork();
    arena_->execute([&] { tbb::parallel_for(std::size_t{0}, workers, work, tbb::simple_partitioner()); });
    fork_join::join();
  };
  for (std::size_t begin = 0; begin < large.size() && !stopped();) {
    // The largest first; as memory allows more workers, the next group has them.
    const std::size_t workers = std::max<std::size_t>(1, available / need(large[begin]));
    std::size_t end = begin;
    while (end < large.size() && available / need(large[end]) == available / need(large[begin])) ++end;
    run(workers, end - begin, [&](std::size_t i) { return large[begin + i]; });
    begin = end;
  }
  if (large.empty()) {
    run(static_cast<std::size_t>(threads_), n, [](std::size_t i) { return i; });
  } else if (large.size() < n) {
    std::vector<std::size_t> small;
    for (std::size_t i = 0; i < n; ++i)
      if (need(i) <= share) small.push_back(i);
    run(static_cast<std::size_t>(threads_), small.size(), [&](std::size_t i) { return small[i]; });
  }
  stopped();
  return outcome();
}

// What is kept for the way back, and the most runs that CIGARs can have.
static std::size_t of_way_back(const kernels::KernelInfo &kernel, std::size_t register_max, std::size_t stream_max) {
  const std::size_t kept = kernel.way_back.patch_rows > 0 ? kept_for(kernel, register_max, stream_max).bytes : 0;
  if (!kernel.outputs.contains(Output::cigar)) return kept;
  return kept + 4 * static_cast<std::size_t>(kernel.lanes) * (register_max + stream_max);
}

std::size_t Call::need(const kernels::KernelInfo &kernel, std::size_t register_max, std::size_t stream_max) {
  const std::size_t lanes = static_cast<std::size_t>(kernel.lanes);
  if (kernel.sliced()) {
    const std::size_t longest = std::max(kernel.register_rows(register_max), stream_max);
    // Of a path two planes per letter at most.
    const std::size_t path = kernel.way_back.patch_rows > 0
                                 ? (kernel.register_rows(register_max) + stream_max) * 2 * lanes / 8 +
                                       8 * path_words(stream_max, kernel.register_rows(register_max))
                                 : 0;
    return (kernel.register_rows(register_max) + stream_max) * kernel.letter_bits.size() * lanes / 8 +
           plane_room(longest) + kernel.scratch_fixed + kernel.scratch_per_letter * stream_max + path +
           of_way_back(kernel, register_max, stream_max) + lanes * 64 + 4096;
  }
  const std::size_t rows = static_cast<std::size_t>(kernel.letter_bytes) *
                           (packed_rows(kernel.register_rows(register_max)) + packed_rows(stream_max));
  return rows * lanes + kernel.scratch_fixed + kernel.scratch_per_letter * stream_max +
         of_way_back(kernel, register_max, stream_max) + lanes * 64 + 4096;
}

// Where a kernel's argument block has each output.
#define ALN_STORED_AT(Y, type, name, key, words) &aln_args_v1::name,
static constexpr int *aln_args_v1::*kStoredAt[] = {ALN_OUTPUTS(ALN_STORED_AT, )};
#undef ALN_STORED_AT

bool Call::invoke(int kernel, Workspace &ws, aln_args_v1 &args) {
  const kernels::KernelInfo &info = this->info(kernel);
  const std::size_t lanes = static_cast<std::size_t>(info.lanes);
  static constexpr int no_refill = -1;
  if (!args.refill_column) args.refill_column = &no_refill;
  const std::size_t results = (static_cast<std::size_t>(args.refills) + 1) * lanes;
  ws.status.resize(results);
  for (const OutputInfo &output : kOutputs) {
    std::vector<int> &stored = ws.results[index_of(output.output)];
    stored.resize(info.outputs.contains(output.output) ? results : 0);
    args.*kStoredAt[index_of(output.output)] = stored.data();
  }
  args.size = sizeof args;
  if (manifest().bounded) bound(info, ws, args);
  args.segments = static_cast<int>(ws.segment_end.size());
  args.segment_end = ws.segment_end.data();
  args.scoring = scoring_.value.data();
  args.matrix = scoring_.has_matrix ? scoring_.matrix.data() : nullptr;
  const auto stream_max = static_cast<std::size_t>(args.stream_max);
  std::size_t scratch = info.scratch_fixed + info.scratch_per_letter * stream_max;
  if (info.way_back.patch_rows > 0) {
    const KeptForWayBack kept = kept_for(info, static_cast<std::size_t>(args.register_max), stream_max);
    args.kept_strips = kept.strips;
    scratch += kept.bytes;
  }
  args.scratch = ws.scratch.reserve(scratch);
  args.status = ws.status.data();
  if (info.sliced() && info.way_back.patch_rows > 0) {
    const std::size_t elements =
        path_elements(stream_max, manifest().free_query_begin) +
        path_elements(info.register_rows(static_cast<std::size_t>(args.register_max)), manifest().free_target_begin);
    args.path = ws.path.reserve(elements * lanes / 8);
    if (!run(kernel, args)) return false;
    read_paths_of(info, ws, args);
    return true;
  }
  ws.cigar_first.clear();
  if (!info.outputs.contains(Output::cigar)) return run(kernel, args);
  // Where an alignment has more runs than there is room for, once more with as much as it takes.
  for (std::size_t room = cigar_room(static_cast<std::size_t>(args.register_max), stream_max);;) {
    ws.cigar_runs.resize(lanes);
    if (ws.cigar.size() < room * lanes) ws.cigar.resize(room * lanes);
    args.cigar_room = static_cast<int>(ws.cigar.size() / lanes);
    args.cigar = ws.cigar.data();
    args.cigar_runs = ws.cigar_runs.data();
    if (!run(kernel, args)) return false;
    const int most = *std::max_element(ws.cigar_runs.begin(), ws.cigar_runs.end());
    if (most <= args.cigar_room) return true;
    room = static_cast<std::size_t>(most);
  }
}

void Call::read_paths_of(const kernels::KernelInfo &info, Workspace &ws, const aln_args_v1 &args) const {
  const std::size_t lanes = static_cast<std::size_t>(info.lanes);
  const auto rows = static_cast<std::size_t>(args.stream_max), columns = static_cast<std::size_t>(args.register_max);
  const bool free_query = manifest().free_query_begin, free_target = manifest().free_target_begin;
  const PathSide query = {ws.path.data(), rows, free_query, args.query_end, args.query_begin};
  const PathSide target = {ws.path.data() + path_elements(rows, free_query) * lanes / 8, columns, free_target,
                           args.target_end, args.target_begin};
  if (!info.outputs.contains(Output::cigar)) return read_paths(lanes, query, target, {}, ws.path_words);
  ws.cigar_runs.resize(lanes);
  ws.cigar_first.resize(lanes);
  read_paths(lanes, query, target, {&ws.cigar, ws.cigar_first.data(), ws.cigar_runs.data()}, ws.path_words);
}

std::pair<int, int> Call::band_of(std::size_t query, std::size_t target) const {
  return manifest().band(
      kernels::with_lengths(scoring_.values(), static_cast<std::int64_t>(query), static_cast<std::int64_t>(target)));
}

void Call::bound(const kernels::KernelInfo &kernel, Workspace &ws, aln_args_v1 &args) const {
  const std::size_t lanes = static_cast<std::size_t>(kernel.lanes);
  ws.band_from.resize(lanes);
  ws.band_to.resize(lanes);
  for (std::size_t l = 0; l < lanes; ++l)
    std::tie(ws.band_from[l], ws.band_to[l]) =
        band_of(static_cast<std::size_t>(args.stream_length[l]), static_cast<std::size_t>(args.register_length[l]));
  args.lane_band_from = ws.band_from.data();
  args.lane_band_to = ws.band_to.data();
  args.band_from_most = *std::ranges::max_element(ws.band_from);
  args.band_to_least = *std::ranges::min_element(ws.band_to);
}

bool Call::run(int kernel, aln_args_v1 &args) { return ran(kernel, kernels_.kernel(kernel)(&args)); }

bool Call::run_stage(int kernel, aln_strip_args_v1 &args) {
  const auto function = reinterpret_cast<int (*)(const aln_strip_args_v1 *)>(kernels_.kernel(kernel));
  return ran(kernel, function(&args));
}

bool Call::ran(int kernel, int code) {
  if (code != 0)
    fail(Error{"kernel " + info(kernel).entry + " returned " + std::to_string(code) +
               ": made for another version of alnsmith"});
  return code == 0;
}

// Where lanes end, as kernels ask for it.
static void set_segments(const kernels::KernelInfo &kernel, Workspace &ws) {
  std::vector<int> &ends = ws.segment_end;
  const bool asks = kernel.ends == kernels::LaneEnds::segments;
  if (kernel.sliced() || !asks) {
    const auto [least, most] = std::ranges::minmax(ws.stream_length);
    ends.assign(1, most);
    if (asks && least < most) ends.insert(ends.begin(), least);
    return;
  }
  ends.assign(ws.stream_length.begin(), ws.stream_length.end());
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
}

bool Call::run_pairs(int kernel, Workspace &ws) {
  const kernels::KernelInfo &info = this->info(kernel);
  const std::size_t lanes = static_cast<std::size_t>(info.lanes);
  ws.register_length.resize(lanes);
  ws.stream_length.resize(lanes);
  for (std::size_t l = 0; l < lanes; ++l) ws.register_length[l] = static_cast<int>(ws.register_side[l].size());
  for (std::size_t l = 0; l < lanes; ++l) ws.stream_length[l] = static_cast<int>(ws.stream_side[l].size());
  const auto [least, most] = std::minmax_element(ws.register_length.begin(), ws.register_length.end());
  set_segments(info, ws);

  aln_args_v1 args{};
  args.register_min = *least;
  args.register_max = *most;
  args.stream_max = ws.segment_end.back();
  args.register_length = ws.register_length.data();
  args.stream_length = ws.stream_length.data();
  const std::size_t rows = info.register_rows(static_cast<std::size_t>(*most)),
                    columns = static_cast<std::size_t>(args.stream_max),
                    bytes = static_cast<std::size_t>(info.letter_bytes);
  args.register_rows = static_cast<int>(packed_rows(rows));
  args.stream_rows = static_cast<int>(packed_rows(columns));
  const bool query = info.query_in_registers;
  if (info.sliced()) {
    const auto planes = [&](bool is_query, const auto &side, std::size_t n, Buffer &out) {
      out.reserve(n * info.letter_bits.size() * lanes / 8);
      ws.letters.reserve(plane_room(n));
      return pack_planes(is_query ? query_codes() : target_codes(), side, n, is_query ? query_pad() : target_pad(),
                         info.letter_bits, ws.letters.data(), out.data());
    };
    if (!planes(query, ws.register_side, rows, ws.registers) || !planes(!query, ws.stream_side, columns, ws.stream))
      return reject_letter(), false;
    args.register_letters = ws.registers.data();
    args.stream_letters = ws.stream.data();
    return invoke(kernel, ws, args);
  }
  std::uint8_t *registers = ws.registers.reserve(packed_rows(rows) * lanes * bytes);
  std::uint8_t *stream = ws.stream.reserve(packed_rows(columns) * lanes * bytes);
  const auto pack = [&](bool is_query, const auto &side, std::size_t n, std::uint8_t *out) {
    return pack_bytes(is_query ? query_codes() : target_codes(), side, n, is_query ? query_pad() : target_pad(),
                      info.letter_bytes, is_query ? strides.query : strides.target, out);
  };
  if (!pack(query, ws.register_side, rows, registers) || !pack(!query, ws.stream_side, columns, stream))
    return reject_letter(), false;
  args.register_letters = registers;
  args.stream_letters = stream;
  return invoke(kernel, ws, args);
}

bool Call::run_shared(int kernel, Workspace &ws, const std::uint8_t *packed, const Loading &loading,
                      const std::uint8_t *query, std::size_t query_length, std::span<const int> sets) {
  const kernels::KernelInfo &info = this->info(kernel);
  const auto [least, most] = std::minmax_element(loading.length.begin(), loading.length.end());
  const int length = static_cast<int>(query_length);
  ws.stream_length.assign(static_cast<std::size_t>(info.lanes), length);
  ws.segment_end.assign(1, length);
  aln_args_v1 args{};
  args.register_min = *least;
  args.register_max = *most;
  args.stream_max = length;
  args.register_length = loading.length.data();
  args.stream_length = ws.stream_length.data();
  args.register_letters = packed;
  args.stream_letters = query;
  args.register_rows = loading.rows;
  args.stream_sets = static_cast<int>(sets.size()) / info.letter_bytes;
  args.stream_set = sets.data();
  args.refills = static_cast<int>(loading.refills());
  args.refill_column = loading.refill_column.data();
  args.refill_lanes = loading.refill_lanes.data();
  return invoke(kernel, ws, args);
}

bool Call::stopped() {
  if (!stop_ && options_.cancelled && options_.cancelled()) fail(Error{"interrupted", 130});
  return stop_;
}

void Call::fail(Error error) {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::move(error);
  stop_ = true;
}

void Call::deliver(Found &found) {
  const std::size_t pairs = found.size();
  if (pairs == 0 || stop_) return found.clear();
  const auto next = guarded([&]() -> Result<Next> {
    auto said = sink_.put(found.block(shape_));
    if (!said) return said;
    const std::uint64_t total = done_ += pairs;
    done_cells_ += found.cells();
    if (options_.progress) options_.progress(total);
    return said;
  });
  found.clear();
  if (!next) return fail(next.error());
  if (*next == Next::more) return;
  ended_ = true;
  stop_ = true;
}

std::optional<Error> Call::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

Status Call::outcome() const {
  const std::lock_guard lock(mutex_);
  if (error_) return *error_;
  if (invalid_) return Error{"a letter outside the alphabet"};  // the aligner names it
  return Ok{};
}

std::optional<Error> invalid_letter(const kernels::CodeTable &codes, const kernels::Manifest &manifest,
                                    std::string_view letters, const std::string &where) {
  const auto at = codes.first_invalid(letters);
  if (!at) return std::nullopt;
  const unsigned char letter = static_cast<unsigned char>(letters[*at]);
  std::string shown = "byte " + std::to_string(letter);
  if (letter > 32 && letter < 127) shown = {'\'', static_cast<char>(letter), '\''};
  return Error{where + ", position " + std::to_string(*at + 1) + ": letter " + shown + " is not in the alphabet " +
               manifest.letters};
}

}  // namespace alnsmith::rt::align
