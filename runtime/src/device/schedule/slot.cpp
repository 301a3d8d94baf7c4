// See slot.h.
#include "device/schedule/slot.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/fork_join.h"
#include "kernels/encode.h"

namespace alnsmith::rt::schedule {

bool LetterCodes::encode(std::string_view letters, std::uint8_t *out) const {
  if (bytes == 1) return rt::kernels::encode(codes, letters, out);
  for (std::size_t i = 0; i < letters.size(); ++i)
    for (std::size_t b = 0; b < bytes; ++b)
      out[i * bytes + b] = static_cast<std::uint8_t>(letters.data()[i + b * stride]);
  return true;
}

std::size_t Slot::list_bytes(std::size_t queries, std::size_t targets, std::size_t alignments) {
  return (queries + targets) * 2 * sizeof(int) + alignments * ((4 + kOutputCount) * sizeof(int) + 1);
}

std::size_t Slot::border_bytes(const kernels::KernelInfo &info, int blocks, std::size_t border_rows) {
  return sizeof(int) * static_cast<std::size_t>(info.device.border_ints) * border_rows *
         static_cast<std::size_t>(blocks) * static_cast<std::size_t>(info.device.groups());
}

std::size_t Slot::trace_bytes(const kernels::KernelInfo &info, int blocks, std::size_t trace_words) {
  return sizeof(int) * trace_words * static_cast<std::size_t>(blocks) * static_cast<std::size_t>(info.device.groups());
}

std::size_t Slot::bytes() const {
  std::size_t sum = 0;
  for (const Array &array : arrays_) sum += array.device ? array.device->size() : 0;
  return sum;
}

void Slot::release() {
  for (Array &array : arrays_) array = {};
}

Slot::Sizes Slot::sizes_of(const Launch &launch, bool matrix) {
  const auto letters = [](const std::vector<std::string_view> &sequences) {
    std::size_t sum = 0;
    for (std::string_view sequence : sequences) sum += sequence.size();
    return sum;
  };
  const std::size_t list = launch.pair_query.size() * sizeof(int);
  const auto bytes = static_cast<std::size_t>(launch.info->letter_bytes);
  Sizes sizes{};
  sizes[kQueryLetters] = letters(launch.queries) * bytes;
  sizes[kQueryOffset] = sizes[kQueryLength] = launch.queries.size() * sizeof(int);
  sizes[kTargetLetters] = letters(launch.targets) * bytes;
  sizes[kTargetOffset] = sizes[kTargetLength] = launch.targets.size() * sizeof(int);
  sizes[kPairTarget] = list;
  sizes[kPairQuery] = list + launch.bands.size() * sizeof(int);
  for (const OutputInfo &info : kOutputs)
    sizes[of(info.output)] = launch.info->outputs.contains(info.output) ? list : 0;
  sizes[kStatus] = launch.pair_query.size();
  sizes[kScoring] = sizeof(align::CallScoring::value);
  sizes[kMatrix] = matrix ? sizeof(align::CallScoring::matrix) : 0;
  sizes[kBorder] = std::max<std::size_t>(
      border_bytes(*launch.info, launch.blocks, static_cast<std::size_t>(launch.border_rows)), 16);
  sizes[kTrace] = trace_bytes(*launch.info, launch.blocks, launch.trace_words);
  if (launch.info->outputs.contains(Output::cigar)) {
    sizes[kCigar] = launch.cigar_room * sizeof(int);
    sizes[kCigarClaimed] = sizeof(int);
    sizes[kCigarFirst] = sizes[kCigarRuns] = list;
  }
  return sizes;
}

Status Slot::reserve(const Sizes &sizes, std::size_t most) {
  std::size_t together = 0;
  for (std::size_t name = 0; name < kNames; ++name)
    together += std::max(sizes[name], arrays_[name].device ? arrays_[name].device->size() : 0);
  if (together > most) release();
  for (std::size_t name = 0; name < kNames; ++name)
    if (auto ok = reserve(static_cast<Name>(name), sizes[name]); !ok) return ok;
  return Ok{};
}

// Half as much again as is needed: drivers wait for the whole device when memory is freed, so growing is expensive.
Status Slot::reserve(Name name, std::size_t bytes) {
  Array &array = arrays_[name];
  if (bytes == 0 || (array.device && array.device->size() >= bytes)) return Ok{};
  array = {};
  const std::size_t size = (bytes + bytes / 2 + 255) / 256 * 256;
  auto device = executor_.allocate(size);
  if (!device) return device.error();
  if (name != kBorder && name != kTrace) {
    auto host = executor_.allocate_pinned(size);
    if (!host) return host.error();
    array.pinned = *std::move(host);
  }
  array.device = *std::move(device);
  return Ok{};
}

Status Slot::copy_in(Name name, std::size_t bytes) {
  return queue_->copy_in(*arrays_[name].device, 0, *arrays_[name].pinned, 0, bytes);
}

Status Slot::copy_out(Name name, std::size_t bytes) {
  return queue_->copy_out(*arrays_[name].pinned, 0, *arrays_[name].device, 0, bytes);
}

Status Slot::put(Name name, std::span<const int> values, std::span<const int> behind) {
  int *to = static_cast<int *>(arrays_[name].pinned->host());
  std::ranges::copy(behind, std::ranges::copy(values, to).out);
  return copy_in(name, values.size_bytes() + behind.size_bytes());
}

// Letters, offsets and lengths of one side; the three arrays follow each other in Name.
Result<bool> Slot::put_side(std::span<const std::string_view> sequences, const LetterCodes &codes, Name letters,
                            tbb::task_arena &arena) {
  const auto offset = static_cast<Name>(letters + 1), length = static_cast<Name>(letters + 2);
  const std::size_t list = sequences.size() * sizeof(int);
  int *begin = static_cast<int *>(arrays_[offset].pinned->host());
  int *count = static_cast<int *>(arrays_[length].pinned->host());
  std::size_t total = 0;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    begin[i] = static_cast<int>(total);
    count[i] = static_cast<int>(sequences[i].size());
    total += sequences[i].size();
  }
  auto *codes_out = static_cast<std::uint8_t *>(arrays_[letters].pinned->host());
  std::atomic<bool> known{true};
  fork_join::fork();
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, sequences.size(), 256), [&](const auto &range) {
      const fork_join::Part part;
      for (std::size_t i = range.begin(); i < range.end(); ++i)
        if (!codes.encode(sequences[i], codes_out + static_cast<std::size_t>(begin[i]) * codes.bytes)) known = false;
    });
  });
  fork_join::join();
  if (!known) return false;
  if (auto ok = copy_in(letters, total * codes.bytes); !ok) return ok.error();
  for (Name name : {offset, length})
    if (auto ok = copy_in(name, list); !ok) return ok.error();
  return true;
}

Result<bool> Slot::submit(const Launch &launch, const kernels::Manifest &manifest, const align::CallScoring &scoring,
                          tbb::task_arena &arena, std::size_t most) {
  if (manifest.matrix == kernels::MatrixKind::runtime && !scoring.has_matrix)
    return Error{"the kernels of the spec '" + manifest.spec_name + "' read a matrix that the call does not have"};
  busy_ = true;  // copies may be under way whatever happens next
  cigar_room_ = 0;
  if (auto ok = reserve(sizes_of(launch, scoring.has_matrix), most); !ok) return ok.error();
  const auto bytes = static_cast<std::size_t>(manifest.letter_bytes());
  const auto codes = [&](const kernels::CodeTable &own) -> const kernels::CodeTable & {
    return manifest.sets.empty() ? own : kernels::codes_as_they_are();
  };
  auto packed =
      put_side(launch.queries, {codes(manifest.query_codes), bytes, launch.strides.query}, kQueryLetters, arena);
  if (packed && *packed && !launch.resident)
    packed =
        put_side(launch.targets, {codes(manifest.target_codes), bytes, launch.strides.target}, kTargetLetters, arena);
  if (!packed || !*packed) return packed;
  if (auto ok = put(kPairQuery, launch.pair_query, launch.bands); !ok) return ok.error();
  if (auto ok = put(kPairTarget, launch.pair_target); !ok) return ok.error();
  if (auto ok = put(kScoring, scoring.value); !ok) return ok.error();
  if (scoring.has_matrix)
    if (auto ok = put(kMatrix, scoring.matrix); !ok) return ok.error();
  if (auto ok = start(launch, scoring.has_matrix); !ok) return ok.error();
  return true;
}

Status Slot::start(const Launch &launch, bool matrix) {
  const auto number = [](std::size_t value) { return driver::Argument{nullptr, 0, static_cast<int>(value), true}; };
  const auto memory = [&](Name name, bool there = true) {
    return driver::Argument{there ? arrays_[name].device.get() : nullptr, 0, 0, false};
  };
  const auto target = [&](Name name, const std::unique_ptr<driver::Memory> OnDevice::*resident) {
    return launch.resident ? driver::Argument{(launch.resident->*resident).get(), 0, 0, false} : memory(name);
  };
  const std::size_t alignments = launch.pair_query.size();
  // In the order of ALN_DEVICE_ARGS_V1.
  const std::array inputs = {number(alignments),
                             memory(kQueryLetters),
                             memory(kQueryOffset),
                             memory(kQueryLength),
                             target(kTargetLetters, &OnDevice::letters),
                             target(kTargetOffset, &OnDevice::offset),
                             target(kTargetLength, &OnDevice::length),
                             memory(kPairQuery),
                             memory(kPairTarget),
                             memory(kScoring),
                             memory(kMatrix, matrix),
                             memory(kBorder),
                             number(static_cast<std::size_t>(launch.border_rows)),
                             memory(kTrace),
                             number(launch.trace_words)};
  const OutputSet stored = launch.info->outputs;
  const bool cigars = stored.contains(Output::cigar);
  const std::array ways = {memory(kCigar, cigars), number(launch.cigar_room), memory(kCigarClaimed, cigars),
                           memory(kCigarFirst, cigars), memory(kCigarRuns, cigars)};
  static_assert(std::tuple_size_v<decltype(inputs)> + kOutputCount + 1 + std::tuple_size_v<decltype(ways)> ==
                driver::kKernelArguments);
  std::vector<driver::Argument> arguments(inputs.begin(), inputs.end());
  for (const OutputInfo &info : kOutputs) arguments.push_back(memory(of(info.output), stored.contains(info.output)));
  arguments.push_back(memory(kStatus));
  arguments.insert(arguments.end(), ways.begin(), ways.end());
  cigar_room_ = cigars ? launch.cigar_room : 0;
  if (cigars)
    if (auto ok = put(kCigarClaimed, std::array{0}); !ok) return ok;
  const kernels::DeviceShape &shape = launch.info->device;
  if (auto ok =
          queue_->launch(*launch.kernel, launch.blocks, shape.threads, shape.shared(launch.border_rows), arguments);
      !ok)
    return ok;
  for (const OutputInfo &info : kOutputs)
    if (stored.contains(info.output))
      if (auto ok = copy_out(of(info.output), alignments * sizeof(int)); !ok) return ok;
  if (cigars) {
    if (auto ok = copy_out(kCigarClaimed, sizeof(int)); !ok) return ok;
    for (const Name name : {kCigarFirst, kCigarRuns})
      if (auto ok = copy_out(name, alignments * sizeof(int)); !ok) return ok;
  }
  return copy_out(kStatus, alignments);
}

std::size_t Slot::cigar_claimed() const {
  return static_cast<std::size_t>(*static_cast<const unsigned *>(arrays_[kCigarClaimed].pinned->host()));
}

bool Slot::has_cigar(std::size_t alignment) const {
  const int first = static_cast<const int *>(arrays_[kCigarFirst].pinned->host())[alignment];
  const int runs = static_cast<const int *>(arrays_[kCigarRuns].pinned->host())[alignment];
  return first >= 0 && runs >= 0 && static_cast<std::size_t>(first) + static_cast<std::size_t>(runs) <= cigar_room_;
}

align::KernelResults Slot::results(OutputSet stored) const {
  align::KernelResults places;
  for (const OutputInfo &info : kOutputs)
    if (stored.contains(info.output))
      places.column[index_of(info.output)] = static_cast<const int *>(arrays_[of(info.output)].pinned->host());
  if (stored.contains(Output::cigar)) {
    const auto ints = [&](Name name) { return static_cast<const int *>(arrays_[name].pinned->host()); };
    places.cigar = ints(kCigar);
    places.cigar_runs = ints(kCigarRuns);
    places.cigar_first = ints(kCigarFirst);
  }
  return places;
}

Status Slot::finish() {
  if (!busy_) return Ok{};
  busy_ = false;
  if (auto ok = queue_->finish(); !ok || cigar_room_ == 0) return ok;
  // Now it is known how many runs there are to copy.
  const std::size_t runs = std::min(cigar_claimed(), cigar_room_);
  if (auto ok = copy_out(kCigar, runs * sizeof(int)); !ok) return ok;
  return queue_->finish();
}

}  // namespace alnsmith::rt::schedule
