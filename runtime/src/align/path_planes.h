// The ways of alignments as bit-sliced kernels leave them, a bit per lane (`path` in kernel_abi.h), as begins and
// CIGARs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "alnsmith/memory_abi.h"

namespace alnsmith::rt::align {

// One side of a batch: its planes, letter by letter, and where each lane's path ends in it.
struct PathSide {
  const std::uint8_t *planes = nullptr;  // [letters][1, or 2 where the begin is free][lanes / 8]
  std::size_t letters = 0;               // of the batch's longest
  bool begin_free = false;
  const int *end = nullptr;  // [lanes] last letter, from 0
  int *begin = nullptr;      // [lanes] out: first letter
};

// Elements of a bit per lane that the planes of a side of so many letters take.
inline std::size_t path_elements(std::size_t letters, bool begin_free) {
  return letters * static_cast<std::size_t>(kernel_memory::path_planes(begin_free));
}

// Runs of CIGARs, each letters * 16 + operation as kernels have them, lane behind lane; a lane's from its end on.
struct PathRuns {
  std::vector<int> *runs = nullptr;        // null: begins alone
  int *first = nullptr, *count = nullptr;  // [lanes] where a lane's are, how many
};

// Fills in begins and runs of all lanes, a multiple of 64. `words`: room for the bits of 64 lanes, kept from call to
// call; so many of them.
std::size_t path_words(std::size_t query, std::size_t target);
void read_paths(std::size_t lanes, const PathSide &query, const PathSide &target, const PathRuns &runs,
                std::vector<std::uint64_t> &words);

}  // namespace alnsmith::rt::align
