// How targets are laid into the lanes of a kernel that takes one query for all of them.
//
// In:  letters of targets, short to long; the kernel's lanes, k and whether it refills its lanes. Out: codes in the
// kernel's layout, in one part or several, and where each target's result will stand. Plain kernels take one target per
// lane, in parts of as many as there are lanes; refilling ones take all in one part, a lane's targets one behind
// another, so that only the ends of the lanes are uneven.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "align/call.h"

namespace alnsmith::rt::align {

// Targets from `first` on, in the lanes of one run of a kernel.
struct LoadedPart {
  const std::uint8_t *letters = nullptr;
  Loading loading;
  std::size_t first = 0;
  std::span<const std::uint32_t> at;  // where each one's result stands: row * lanes + lane
};
struct Loaded {
  Buffer buffer;
  Buffer codes;                   // of refilled lanes, before they are transposed
  std::vector<std::uint32_t> at;  // of all parts
  std::vector<LoadedPart> parts;
};

// Which lanes begin a target at each refill, by where results stand: what is not there at the end was followed.
void set_refill_lanes(std::span<const std::uint32_t> at, std::size_t lanes, Loading &loading);

// Memory for what tasks load, lent to one after the other; any number of threads.
class LoadedPool {
 public:
  class Loan {
   public:
    Loan(LoadedPool &pool, std::size_t count);
    ~Loan();
    Loan(const Loan &) = delete;
    Loan &operator=(const Loan &) = delete;
    std::vector<Loaded> &operator*() const { return *loaded_; }

   private:
    LoadedPool &pool_;
    std::unique_ptr<std::vector<Loaded>> loaded_;  // empty ones
  };

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<std::vector<Loaded>>> spare_;
};

// What targets are read by: their codes, what stands behind their ends, of state sets how far apart a letter's bytes
// lie.
struct TargetLetters {
  const kernels::CodeTable &codes;
  std::uint8_t pad = ALN_CODE_TARGET_PAD;
  std::size_t stride = 0;
};

// False: a letter is outside the alphabet. An error: the targets of a lane have more columns than kernels count.
Result<bool> load_lanes(const TargetLetters &letters, const kernels::KernelInfo &kernel,
                        std::span<const std::string_view> targets, Loaded &out);

// Most targets of a lane in one part of a kernel that refills its lanes.
inline constexpr std::size_t kTargetsPerLane = 32;

// What the memory of targets depends on.
struct Lengths {
  std::size_t count = 0, letters = 0, longest = 0;
};

// Columns of the longest lane, of targets of these lengths, short to long, in one part; the kernel refills its lanes.
std::size_t refilled_columns(const kernels::KernelInfo &kernel, std::span<const std::size_t> lengths);

// Bytes that targets take at most; with a refilling kernel also the letters before they are transposed, the results
// and the refills.
std::size_t loaded_bytes(const kernels::KernelInfo &kernel, const Lengths &lengths);

}  // namespace alnsmith::rt::align
