// See job.h.
#include "job.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>

namespace alnsmith::check {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Copies go through pinned memory of this size, so that large sets need no second copy of themselves.
constexpr std::size_t kPiece = std::size_t{64} << 20;

internal::Argument number(std::size_t value) { return {nullptr, 0, static_cast<int>(value), true}; }

}  // namespace

internal::Values values_of(const internal::CallScoring &scoring, std::size_t query, std::size_t target) {
  internal::Values values = scoring.values();
  values[internal::kQuery] = static_cast<std::int64_t>(query);
  values[internal::kTarget] = static_cast<std::int64_t>(target);
  return values;
}

Result<Side> Side::upload(internal::Executor &executor, internal::DeviceQueue &queue, const SequenceList &list,
                          const internal::Manifest &manifest, const internal::CodeTable &codes, double &seconds) {
  const auto begin = Clock::now();
  Side side;
  std::vector<int> offset;
  std::size_t total = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    offset.push_back(static_cast<int>(total));
    side.lengths_.push_back(static_cast<int>(list.length(i)));
    total += list.length(i);
  }
  if (total >= std::size_t{1} << 31) return Error{"a side of " + std::to_string(total) + " letters: 2^31 are too many"};
  std::string_view text(list.size() > 0 ? list[0].data() : "", total);  // sequences lie one behind another
  Result<internal::SetLetters> sets = internal::SetLetters();
  if (!manifest.sets.empty()) {
    sets = internal::encode_sets(manifest, codes, list.views(0, list.size()),
                                 [](std::size_t i) { return "sequence " + std::to_string(i); });
    if (!sets) return sets.error();
    text = {reinterpret_cast<const char *>(sets->bytes.data()), total};
  }
  const std::size_t letter_bytes = static_cast<std::size_t>(manifest.letter_bytes()), all = total * letter_bytes;
  const internal::LetterCodes letters{manifest.sets.empty() ? codes : internal::codes_as_they_are(), letter_bytes,
                                      sets->stride};
  const std::size_t ints = list.size() * sizeof(int);
  const std::size_t piece = std::clamp(total, ints, std::max(ints, kPiece));  // letters
  auto pinned = executor.allocate_pinned(piece * letter_bytes);
  if (!pinned) return pinned.error();
  auto *const host = static_cast<std::uint8_t *>((*pinned)->host());
  for (auto *memory : {&side.letters_, &side.offset_, &side.length_}) {
    auto made = executor.allocate(memory == &side.letters_ ? (all + 3) / 4 * 4 : ints);
    if (!made) return made.error();
    *memory = *std::move(made);
  }
  for (std::size_t done = 0; done < total; done += piece) {
    const std::size_t some = std::min(piece, total - done);
    if (!letters.encode(text.substr(done, some), host)) return Error{"a letter is outside the spec's alphabet"};
    if (auto ok = queue.copy_in(*side.letters_, done * letter_bytes, **pinned, 0, some * letter_bytes); !ok)
      return ok.error();
    if (auto ok = queue.finish(); !ok) return ok.error();
  }
  for (const auto &[memory, values] : {std::pair{&side.offset_, &offset}, std::pair{&side.length_, &side.lengths_}}) {
    std::memcpy(host, values->data(), ints);
    if (auto ok = queue.copy_in(**memory, 0, **pinned, 0, ints); !ok) return ok.error();
    if (auto ok = queue.finish(); !ok) return ok.error();
  }
  seconds += since(begin);
  return side;
}

Result<std::unique_ptr<internal::Memory>> Job::copied(const void *from, std::size_t bytes) {
  auto device = executor_.allocate(bytes);
  if (!device) return device.error();
  auto pinned = executor_.allocate_pinned(bytes);
  if (!pinned) return pinned.error();
  std::memcpy((*pinned)->host(), from, bytes);
  if (auto ok = queue_.copy_in(**device, 0, **pinned, 0, bytes); !ok) return ok.error();
  if (auto ok = queue_.finish(); !ok) return ok.error();
  return std::move(*device);
}

Result<std::unique_ptr<Job>> Job::make(internal::Executor &executor, internal::DeviceQueue &queue,
                                       const std::string &binary, const internal::Manifest &manifest,
                                       const internal::KernelInfo &kernel, const internal::CallScoring &scoring,
                                       const Side &queries, const Side &targets, std::vector<int> query,
                                       std::vector<int> target, internal::WayKept kept) {
  std::unique_ptr<Job> job(new Job(executor, queue));
  job->kernel_ = &kernel;
  job->kept_ = kept;
  auto loaded = executor.load(binary, kernel.entry);
  if (!loaded) return loaded.error();
  job->loaded_ = *std::move(loaded);
  if (auto ok = job->prepare(manifest, scoring, queries, targets, std::move(query), std::move(target)); !ok)
    return ok.error();
  return job;
}

Status Job::prepare(const internal::Manifest &manifest, const internal::CallScoring &scoring, const Side &queries,
                    const Side &targets, std::vector<int> query, std::vector<int> target) {
  alignments_ = query.size();
  int rows = 1, columns = 1;
  std::size_t runs = 0;  // of all CIGARs, at most
  for (std::size_t i = 0; i < alignments_; ++i) {
    const int target_length = targets.lengths()[static_cast<std::size_t>(target[i])];
    const int query_length = queries.lengths()[static_cast<std::size_t>(query[i])];
    cells_ += double(query_length) * target_length;
    rows = std::max(rows, target_length);
    columns = std::max(columns, query_length);
    runs += static_cast<std::size_t>(2 * std::min(query_length, target_length) + 1);
  }
  const internal::DeviceShape &shape = kernel_->device;
  const internal::DeviceWork work =
      internal::device_work(*kernel_, kept_, static_cast<std::uint64_t>(columns), static_cast<std::uint64_t>(rows));
  const std::uint64_t trace = work.trace_words;
  if (std::max(trace, work.border_rows) > std::numeric_limits<int>::max())
    return Error{kernel_->entry + ": the way back of such pairs needs too much"};
  shared_bytes_ = work.shared_bytes(*kernel_);
  const std::size_t a_block = static_cast<std::size_t>(shape.alignments() * shape.groups());
  const std::size_t wanted = (alignments_ + a_block - 1) / a_block;
  // Borders and ways back take no more than half of the memory, borders less than 2^31 numbers.
  const std::size_t border = static_cast<std::size_t>(shape.border_ints) * static_cast<std::size_t>(work.border_rows) *
                             static_cast<std::size_t>(shape.groups());
  const std::size_t needed = border + static_cast<std::size_t>(trace) * static_cast<std::size_t>(shape.groups());
  std::size_t most =
      internal::most_blocks(*kernel_,
                            static_cast<std::size_t>(std::max(1, executor_.info().processors)) *
                                static_cast<std::size_t>(loaded_->blocks_per_processor(shape.threads, shared_bytes_)),
                            needed * sizeof(int));
  if (border > 0) most = std::min(most, ((std::size_t{1} << 31) - 1) / border);
  if (needed > 0) most = std::min(most, executor_.free_memory() / 2 / sizeof(int) / needed);
  most = std::max<std::size_t>(1, most);
  blocks_ = static_cast<int>(std::min(wanted, most));

  const auto keep = [&](Result<std::unique_ptr<internal::Memory>> made) -> Result<internal::Memory *> {
    if (!made) return made.error();
    memory_.push_back(*std::move(made));
    return memory_.back().get();
  };
  std::vector<int> list = query;
  if (manifest.bounded) {
    const std::vector<int> bands = internal::listed_bands(alignments_, [&](std::size_t i) {
      return manifest.band(values_of(scoring,
                                     static_cast<std::size_t>(queries.lengths()[static_cast<std::size_t>(query[i])]),
                                     static_cast<std::size_t>(targets.lengths()[static_cast<std::size_t>(target[i])])));
    });
    list.insert(list.end(), bands.begin(), bands.end());
  }
  std::vector<internal::Memory *> lists;
  const auto add = [&](Result<std::unique_ptr<internal::Memory>> made) -> Status {
    auto kept = keep(std::move(made));
    if (!kept) return kept.error();
    lists.push_back(*kept);
    return Ok{};
  };
  for (const auto *values : {&list, &target})
    if (auto ok = add(copied(values->data(), values->size() * sizeof(int))); !ok) return ok;
  if (auto ok = add(copied(scoring.value.data(), sizeof scoring.value)); !ok) return ok;
  if (scoring.has_matrix)
    if (auto ok = add(copied(scoring.matrix.data(), sizeof scoring.matrix)); !ok) return ok;
  internal::Memory *const matrix = scoring.has_matrix ? lists[3] : nullptr;
  auto border_memory =
      keep(executor_.allocate(std::max<std::size_t>(16, border * sizeof(int) * static_cast<std::size_t>(blocks_))));
  if (!border_memory) return border_memory.error();
  for (const OutputInfo &info : kOutputs) {
    if (!kernel_->outputs.contains(info.output)) continue;
    auto made = keep(executor_.allocate(alignments_ * sizeof(int)));
    if (!made) return made.error();
    stored_[index_of(info.output)] = *made;
  }
  auto status = keep(executor_.allocate(alignments_));
  if (!status) return status.error();
  status_ = *status;
  if (auto ok = prepare_trace(trace, runs); !ok) return ok;
  const auto at = [](const internal::Memory *memory) { return internal::Argument{memory, 0, 0, false}; };
  arguments_ = {number(alignments_),
                at(queries.letters_.get()),
                at(queries.offset_.get()),
                at(queries.length_.get()),
                at(targets.letters_.get()),
                at(targets.offset_.get()),
                at(targets.length_.get()),
                at(lists[0]),
                at(lists[1]),
                at(lists[2]),
                at(matrix),
                at(*border_memory),
                number(static_cast<std::size_t>(work.border_rows)),
                at(trace_),
                number(static_cast<std::size_t>(trace))};
  for (const internal::Memory *stored : stored_) arguments_.push_back(at(stored));
  arguments_.insert(arguments_.end(), {at(status_), at(cigar_), number(runs), at(claimed_), at(first_), at(runs_)});
  if (arguments_.size() != internal::kKernelArguments) return Error{"gpu-check knows another list of arguments"};
  return Ok{};
}

Status Job::prepare_trace(std::uint64_t words, std::size_t runs) {
  if (words == 0) return Ok{};
  const auto take = [&](internal::Memory *&place, std::size_t bytes) -> Status {
    auto made = executor_.allocate(std::max<std::size_t>(bytes, 16));
    if (!made) return made.error();
    memory_.push_back(*std::move(made));
    place = memory_.back().get();
    return Ok{};
  };
  const auto groups = static_cast<std::size_t>(blocks_) * static_cast<std::size_t>(kernel_->device.groups());
  if (auto ok = take(trace_, static_cast<std::size_t>(words) * groups * sizeof(int)); !ok) return ok;
  if (!kernel_->outputs.contains(Output::cigar)) return Ok{};
  if (runs >= static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return Error{kernel_->entry + ": the CIGARs of so many pairs need too much"};
  if (auto ok = take(cigar_, runs * sizeof(int)); !ok) return ok;
  if (auto ok = take(claimed_, sizeof(int)); !ok) return ok;
  if (auto ok = take(first_, alignments_ * sizeof(int)); !ok) return ok;
  return take(runs_, alignments_ * sizeof(int));
}

Result<double> Job::run() {
  if (claimed_) {
    auto zero = executor_.allocate_pinned(sizeof(int));
    if (!zero) return zero.error();
    std::memset((*zero)->host(), 0, sizeof(int));
    if (auto ok = queue_.copy_in(*claimed_, 0, **zero, 0, sizeof(int)); !ok) return ok.error();
    if (auto ok = queue_.finish(); !ok) return ok.error();
  }
  const auto begin = Clock::now();
  if (auto ok = queue_.launch(*loaded_, blocks_, kernel_->device.threads, shared_bytes_, arguments_); !ok)
    return ok.error();
  if (auto ok = queue_.finish(); !ok) return ok.error();
  return since(begin);
}

Result<JobResults> Job::fetch(double &seconds) {
  const auto begin = Clock::now();
  auto pinned = executor_.allocate_pinned(alignments_ * sizeof(int));
  if (!pinned) return pinned.error();
  JobResults results;
  const auto copy = [&](internal::Memory *from, auto &to) -> Status {
    if (!from) return Ok{};
    to.resize(alignments_);
    const std::size_t bytes = alignments_ * sizeof to[0];
    if (auto ok = queue_.copy_out(**pinned, 0, *from, 0, bytes); !ok) return ok;
    if (auto ok = queue_.finish(); !ok) return ok;
    std::memcpy(to.data(), (*pinned)->host(), bytes);
    return Ok{};
  };
  for (std::size_t i = 0; i < kOutputCount; ++i)
    if (auto ok = copy(stored_[i], results.scores.values[i]); !ok) return ok.error();
  if (auto ok = copy(status_, results.status); !ok) return ok.error();
  if (auto ok = fetch_cigars(results); !ok) return ok.error();
  seconds += since(begin);
  return results;
}

Status Job::fetch_cigars(JobResults &results) {
  if (!cigar_) return Ok{};
  const auto copy = [&](internal::Memory *from, std::size_t count) -> Result<std::vector<int>> {
    auto pinned = executor_.allocate_pinned(std::max<std::size_t>(count, 1) * sizeof(int));
    if (!pinned) return pinned.error();
    if (auto ok = queue_.copy_out(**pinned, 0, *from, 0, count * sizeof(int)); !ok) return ok.error();
    if (auto ok = queue_.finish(); !ok) return ok.error();
    const int *begin = static_cast<const int *>((*pinned)->host());
    return std::vector<int>(begin, begin + count);
  };
  const auto claimed = copy(claimed_, 1), first = copy(first_, alignments_), runs = copy(runs_, alignments_);
  for (const auto *one : {&claimed, &first, &runs})
    if (!*one) return one->error();
  const auto count = static_cast<std::size_t>(std::max(0, (*claimed)[0]));
  if (count * sizeof(int) > cigar_->size()) return Error{kernel_->entry + ": claims more runs than there can be"};
  const auto all = copy(cigar_, count);
  if (!all) return all.error();
  for (std::size_t i = 0; i < alignments_; ++i) {
    CigarSum sum;
    const int from = (*first)[i];
    if (from < 0 || (*runs)[i] < 0 || static_cast<std::size_t>(from) + static_cast<std::size_t>((*runs)[i]) > count)
      return Error{kernel_->entry + ": a CIGAR lies where there are none"};
    for (int run = (*runs)[i]; run-- > 0;) sum.add(static_cast<CigarRun>((*all)[static_cast<std::size_t>(from + run)]));
    results.scores[Output::cigar].push_back(sum.value());
  }
  return Ok{};
}

}  // namespace alnsmith::check
