// See slot.hpp.
#include "device/slot.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "alnsmith/device_abi.h"
#include "encode.hpp"

namespace alnsmith::rt {

std::size_t Slot::list_bytes(std::size_t queries, std::size_t targets, std::size_t alignments) {
  return (queries + targets) * 2 * sizeof(int) + alignments * (5 * sizeof(int) + 1);
}

std::size_t Slot::border_bytes(const KernelInfo &info, int blocks, int border_rows) {
  return sizeof(int) * static_cast<std::size_t>(info.device.border_ints) * static_cast<std::size_t>(border_rows) *
         static_cast<std::size_t>(blocks) * static_cast<std::size_t>(info.device.groups());
}

std::size_t Slot::bytes() const {
  std::size_t sum = 0;
  for (const Array &array : arrays_) sum += array.device ? array.device->size() : 0;
  return sum;
}

void Slot::release() {
  for (Array &array : arrays_) array = {};
}

// An eighth more than is needed, so that slightly larger launches find room.
Status Slot::reserve(Name name, std::size_t bytes, bool pinned) {
  Array &array = arrays_[name];
  if (array.device && array.device->size() >= bytes && (array.pinned || !pinned)) return Ok{};
  array = {};
  const std::size_t size = (bytes + bytes / 8 + 255) / 256 * 256;
  auto device = executor_.allocate(size);
  if (!device) return device.error();
  array.device = *std::move(device);
  if (!pinned) return Ok{};
  auto host = executor_.allocate_pinned(size);
  if (!host) {
    array = {};
    return host.error();
  }
  array.pinned = *std::move(host);
  return Ok{};
}

Status Slot::copy_in(Name name, std::size_t bytes) {
  return queue_->copy_in(*arrays_[name].device, 0, *arrays_[name].pinned, 0, bytes);
}

Status Slot::copy_out(Name name, std::size_t bytes) {
  return queue_->copy_out(*arrays_[name].pinned, 0, *arrays_[name].device, 0, bytes);
}

Status Slot::put(Name name, std::span<const int> values) {
  if (auto ok = reserve(name, values.size_bytes()); !ok) return ok;
  std::memcpy(arrays_[name].pinned->host(), values.data(), values.size_bytes());
  return copy_in(name, values.size_bytes());
}

// Letters, offsets and lengths of one side; the three arrays follow each other in Name.
Result<bool> Slot::put_side(std::span<const std::string_view> sequences, const CodeTable &codes, Name letters,
                            tbb::task_arena &arena) {
  const auto offset = static_cast<Name>(letters + 1), length = static_cast<Name>(letters + 2);
  const std::size_t list = sequences.size() * sizeof(int);
  for (Name name : {offset, length})
    if (auto ok = reserve(name, list); !ok) return ok.error();
  int *begin = static_cast<int *>(arrays_[offset].pinned->host());
  int *count = static_cast<int *>(arrays_[length].pinned->host());
  std::size_t total = 0;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    begin[i] = static_cast<int>(total);
    count[i] = static_cast<int>(sequences[i].size());
    total += sequences[i].size();
  }
  if (auto ok = reserve(letters, total); !ok) return ok.error();
  auto *codes_out = static_cast<std::uint8_t *>(arrays_[letters].pinned->host());
  std::atomic<bool> known{true};
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, sequences.size(), 256), [&](const auto &range) {
      for (std::size_t i = range.begin(); i < range.end(); ++i)
        if (!encode(codes, sequences[i], codes_out + begin[i])) known = false;
    });
  });
  if (!known) return false;
  if (auto ok = copy_in(letters, total); !ok) return ok.error();
  for (Name name : {offset, length})
    if (auto ok = copy_in(name, list); !ok) return ok.error();
  return true;
}

Result<bool> Slot::submit(const Launch &launch, const Manifest &manifest, const CallScoring &scoring,
                          tbb::task_arena &arena) {
  busy_ = true;  // copies may be under way whatever happens next
  auto packed = put_side(launch.queries, manifest.query_codes, kQueryLetters, arena);
  if (packed && *packed && !launch.resident)
    packed = put_side(launch.targets, manifest.target_codes, kTargetLetters, arena);
  if (!packed || !*packed) return packed;
  if (auto ok = put(kPairQuery, launch.pair_query); !ok) return ok.error();
  if (auto ok = put(kPairTarget, launch.pair_target); !ok) return ok.error();
  if (auto ok = put(kScoring, scoring.value); !ok) return ok.error();
  if (scoring.has_matrix)
    if (auto ok = put(kMatrix, scoring.matrix); !ok) return ok.error();
  if (auto ok = reserve(
          kBorder, std::max<std::size_t>(border_bytes(*launch.info, launch.blocks, launch.border_rows), 16), false);
      !ok)
    return ok.error();
  const std::size_t alignments = launch.pair_query.size();
  for (Name name : {kScore, kQueryEnd, kTargetEnd})
    if (name == kScore || launch.info->end)
      if (auto ok = reserve(name, alignments * sizeof(int)); !ok) return ok.error();
  if (auto ok = reserve(kStatus, alignments); !ok) return ok.error();
  if (auto ok = start(launch, scoring.has_matrix); !ok) return ok.error();
  return true;
}

Status Slot::start(const Launch &launch, bool matrix) {
  const auto number = [](std::size_t value) { return Argument{nullptr, 0, static_cast<int>(value), true}; };
  const auto memory = [&](Name name, bool there = true) {
    return Argument{there ? arrays_[name].device.get() : nullptr, 0, 0, false};
  };
  const auto target = [&](Name name, const std::unique_ptr<Memory> OnDevice::*resident) {
    return launch.resident ? Argument{(launch.resident->*resident).get(), 0, 0, false} : memory(name);
  };
  const std::size_t alignments = launch.pair_query.size();
  const bool end = launch.info->end;
  // In the order of ALN_DEVICE_ARGS_V1.
  const std::array arguments = {number(alignments),
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
                                memory(kScore),
                                memory(kQueryEnd, end),
                                memory(kTargetEnd, end),
                                memory(kStatus)};
#define ALN_FIELD(type, name) +1
  static_assert(std::tuple_size_v<decltype(arguments)> == 0 ALN_DEVICE_ARGS_V1(ALN_FIELD));
#undef ALN_FIELD
  const DeviceShape &shape = launch.info->device;
  if (auto ok =
          queue_->launch(*launch.kernel, launch.blocks, shape.threads, shape.shared(launch.border_rows), arguments);
      !ok)
    return ok;
  if (auto ok = copy_out(kScore, alignments * sizeof(int)); !ok) return ok;
  for (Name name : {kQueryEnd, kTargetEnd})
    if (end)
      if (auto ok = copy_out(name, alignments * sizeof(int)); !ok) return ok;
  return copy_out(kStatus, alignments);
}

Status Slot::finish() {
  if (!busy_) return Ok{};
  busy_ = false;
  return queue_->finish();
}

}  // namespace alnsmith::rt
