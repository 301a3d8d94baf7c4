// Memory traffic of one block, warp by warp.
//
// Lanes run one after another, so the accesses that a device would make together come one at a time: the n-th time
// that each lane executes the same load or store since the warp last met is one access of the warp.  An access is
// charged when all lanes have made it, or when the warp meets; lanes that skipped it were inactive.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "simt.h"

namespace simt {

class SharedMemory;

struct Range {
  const void *begin = nullptr, *end = nullptr;
  bool holds(const void *address) const { return address >= begin && address < end; }
};

// What the lanes of a warp touch at once. Unused lanes have address 0.
struct WarpAccess {
  std::uint64_t lanes = 0;
  unsigned bytes = 0;  // a lane
  std::vector<std::uintptr_t> address;
};

// Shared memory: 32 banks of 4 bytes.  16 bytes per lane go in phases of 8 lanes, 8 bytes in phases of 16, less in
// phases of 32; within a phase, lanes that want different words of one bank are served one after another.
Traffic bank_traffic(const WarpAccess &access);
// Other memory: sectors of 32 bytes.
Traffic sector_traffic(const WarpAccess &access);

class Trace {
 public:
  Trace(unsigned threads, unsigned warp, const SharedMemory &shared, Range image, Counters &counters);

  struct Outcome {
    const char *error = nullptr;
    bool give_way = false;  // this lane is far ahead of the others
  };
  Outcome add(unsigned thread, const void *site, const void *address, unsigned bytes, bool store);
  void flush(unsigned warp);  // the warp's lanes have met
  void flush_all();

 private:
  struct Site {
    bool store = false;
    std::vector<std::uint64_t> made;  // by lane: how often since the warp last met
    std::uint64_t charged = 0;        // that many left `open`
    std::deque<WarpAccess> open;
  };
  using Warp = std::unordered_map<const void *, Site>;
  void charge(const Site &site, const WarpAccess &access);

  unsigned threads_, warp_;
  const SharedMemory &shared_;
  Range image_;
  Counters &counters_;
  std::vector<Warp> warps_;
};

}  // namespace simt
