// One launch on a device: its sequences and lists on the way in, its results on the way out, in a queue of its own.
//
// In:  which sequences, which of them belong together, which kernel. Out: what kernels store, by alignment, in pinned
//      memory. submit() packs and starts, finish() waits; the buffers stay for the next launch.
#pragma once

#include <tbb/task_arena.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "align/call.h"
#include "align/scoring.h"
#include "device/driver/executor.h"

namespace alnsmith::rt::schedule {

// Sequences that lie on the device already: letters one behind another, where each begins, how long it is.
struct OnDevice {
  std::unique_ptr<driver::Memory> letters, offset, length;
  std::size_t bytes() const { return letters->size() + offset->size() + length->size(); }
};

// How a side's letters become a kernel's: codes; or of state sets, whose bytes lie `stride` apart, one behind another.
struct LetterCodes {
  const kernels::CodeTable &codes;
  std::size_t bytes, stride;
  bool encode(std::string_view letters, std::uint8_t *out) const;
};

struct Launch {
  const kernels::KernelInfo *info = nullptr;
  const driver::DeviceKernel *kernel = nullptr;
  int blocks = 1;
  std::vector<std::string_view> queries, targets;  // `targets` is empty where they are resident
  const OnDevice *resident = nullptr;
  std::vector<int> pair_query, pair_target;  // by alignment
  std::vector<int> bands;                    // where each has a band of its own: where they begin, then where they end
  align::Call::Strides strides;              // of letters of state sets
  int border_rows = 0;                       // of a group: kernels/device_work.h
  // Kernels that store begins and CIGARs: words per group for the way back, runs of all alignments together.
  std::size_t trace_words = 0, cigar_room = 0;
};

class Slot {
 public:
  Slot(driver::Executor &executor, std::unique_ptr<driver::DeviceQueue> queue)
      : executor_(executor), queue_(std::move(queue)) {}

  // Packs with the threads of the arena. False: a letter is outside the alphabet, and nothing was started. Buffers that
  // would hold more than `most` bytes of the device with those of earlier launches begin anew.
  Result<bool> submit(const Launch &launch, const kernels::Manifest &manifest, const align::CallScoring &scoring,
                      tbb::task_arena &arena, std::size_t most);
  Status finish();
  bool busy() const { return busy_; }
  // Runs that the launch's alignments have asked for, whether or not there was room for them; and whether there was for
  // those of an alignment.
  std::size_t cigar_claimed() const;
  bool has_cigar(std::size_t alignment) const;

  // Of the launch that finish() waited for.
  align::KernelResults results(OutputSet stored) const;
  const std::uint8_t *status() const { return static_cast<const std::uint8_t *>(arrays_[kStatus].pinned->host()); }

  std::size_t bytes() const;  // held on the device
  void release();             // gives them back; not while busy

  // Bytes on the device for a launch's arrays, letters and border left out.
  static std::size_t list_bytes(std::size_t queries, std::size_t targets, std::size_t alignments);
  static std::size_t border_bytes(const kernels::KernelInfo &info, int blocks, std::size_t border_rows);
  static std::size_t trace_bytes(const kernels::KernelInfo &info, int blocks, std::size_t trace_words);

 private:
  enum Name {
    kQueryLetters,
    kQueryOffset,
    kQueryLength,
    kTargetLetters,
    kTargetOffset,
    kTargetLength,
    kPairQuery,
    kPairTarget,
    kScoring,
    kMatrix,
    kBorder,
    kTrace,
    kFirstOutput,  // and the others, in the order of kOutputs
    kStatus = kFirstOutput + static_cast<int>(kOutputCount),
    kCigar,
    kCigarClaimed,
    kCigarFirst,
    kCigarRuns,
    kNames
  };
  struct Array {
    std::unique_ptr<driver::Memory> device, pinned;
  };

  using Sizes = std::array<std::size_t, kNames>;  // bytes; 0: not needed

  static Sizes sizes_of(const Launch &launch, bool matrix);
  Status reserve(const Sizes &sizes, std::size_t most);
  Status reserve(Name name, std::size_t bytes);
  Status copy_in(Name name, std::size_t bytes);
  Status copy_out(Name name, std::size_t bytes);
  Status put(Name name, std::span<const int> values, std::span<const int> behind = {});
  Result<bool> put_side(std::span<const std::string_view> sequences, const LetterCodes &codes, Name letters,
                        tbb::task_arena &arena);
  Status start(const Launch &launch, bool matrix);
  static Name of(Output output) { return static_cast<Name>(kFirstOutput + index_of(output)); }

  driver::Executor &executor_;
  std::array<Array, kNames> arrays_;
  std::unique_ptr<driver::DeviceQueue> queue_;  // after the arrays: it ends first
  bool busy_ = false;
  std::size_t cigar_room_ = 0;  // of the launch under way
};

}  // namespace alnsmith::rt::schedule
