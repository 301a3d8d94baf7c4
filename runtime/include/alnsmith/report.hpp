/// @file
/// What a call did, and where.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace alnsmith {

/// Which targets of each with each took a block of a device each, and not a few of its lanes: those that would have
/// kept the others waiting, by a model of both kernels (docs/devices.md). Nothing of it is measured.
struct BlockThreshold {
  std::uint64_t pairs = 0;        ///< of launches over many targets; 0: there were none, or no kernel for blocks
  std::uint64_t block_pairs = 0;  ///< of these, given to blocks
  std::uint32_t least = 0;        ///< letters of the shortest target in a block; 0: there is none
  std::uint32_t most = 0;         ///< the same with the query for which it is the longest
  double time = 0;                ///< of all these pairs, by the model, in a unit of its own
  double time_without = 0;        ///< had none of them got a block
  /// Adds those of another call. @param other theirs
  void add(const BlockThreshold &other) {
    if (other.least > 0) least = least > 0 && least < other.least ? least : other.least;
    most = most > other.most ? most : other.most;
    pairs += other.pairs;
    block_pairs += other.block_pairs;
    time += other.time;
    time_without += other.time_without;
  }
};

/// What one device, or the CPU, did of a call.
struct DeviceShare {
  std::string id;            ///< "cuda:0", "cpu"
  std::uint64_t pairs = 0;   ///< alignments
  std::uint64_t cells = 0;   ///< sum of query length x target length over them
  BlockThreshold threshold;  ///< of a device
};

/// What a call did.
struct Report {
  std::uint64_t pairs = 0;           ///< alignments
  std::uint64_t cells = 0;           ///< sum of query length x target length
  std::uint64_t promoted = 0;        ///< pairs that a narrower kernel could not hold and a wider one scored
  std::uint64_t banded = 0;          ///< pairs of which a band was scored alone, proven to hold each best path; `cells`
                                     ///< counts the whole
  double seconds = 0;                ///< inside the batch call, packing included, obtaining kernels not
  std::vector<std::string> kernels;  ///< entries that scored at least one pair, sorted
  std::vector<DeviceShare> devices;  ///< those that scored at least one pair
  std::vector<std::string> warnings;  ///< devices that failed on the way, a line each; nothing is lost by it
};

}  // namespace alnsmith
#pragma GCC visibility pop
