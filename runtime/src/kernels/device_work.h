// What a group of a device's kernel works in beside its sequences: borders between stages, and the way back.
//
// In:  a kernel, lengths, and what is kept for the way back (templates/device_checkpoints.h). Out: rows and words.
#pragma once

#include <tuple>
#include <vector>

#include "kernels/manifest.h"

namespace alnsmith::rt::kernels {

// The codes of all cells; of one unit (a stage, or those that a block's warps take side by side), with the borders of
// all units; or with the borders of sections and those of the units of one.
enum class WayKept { codes, borders, sections };
inline constexpr std::array kWaysKept = {WayKept::codes, WayKept::borders, WayKept::sections};
// How often a cell is scored at most.
inline int passes(WayKept kept) { return 1 + static_cast<int>(kept); }

struct DeviceWork {
  std::uint64_t border_rows = 0, trace_words = 0;  // as in aln_device_args_v1
  // What a block is launched with: what of the borders lies there goes by all that are kept.
  std::size_t shared_bytes(const KernelInfo &kernel) const {
    return kernel.device.shared(static_cast<int>(border_rows));
  }
  std::size_t bytes(const KernelInfo &kernel) const {
    return sizeof(int) *
           static_cast<std::size_t>(static_cast<std::uint64_t>(kernel.device.border_ints) * border_rows + trace_words);
  }
};

// Whether `kept` is something of its own for such queries: the kernel does it, and there is more than one unit.
bool keeps(const KernelInfo &kernel, WayKept kept, std::uint64_t query);
// Of a group whose longest sequences have so many letters, 1 and more.
DeviceWork device_work(const KernelInfo &kernel, WayKept kept, std::uint64_t query, std::uint64_t target);
// Most blocks of a launch, where `at_once` run at a time and each works in so many bytes: several turns of them, where
// that takes little memory. Warps of a processor do not come forward alike, so that some would be done early; who is
// done takes a block of the next turn.
std::size_t most_blocks(const KernelInfo &kernel, std::size_t at_once, std::size_t bytes);

// Whether a launch of so many pairs is worth a bit-sliced kernel, whose lanes take 32 each: it takes a share of the
// next kernel's time where some eight warps of each processor have work, and longer with fewer. By the model: no device
// has measured it.
bool fills(const KernelInfo &kernel, int processors, double pairs);

// As kernels read them behind the queries of all alignments: where the bands begin, then where they end.
template <class BandOf>
std::vector<int> listed_bands(std::size_t alignments, BandOf band_of) {
  std::vector<int> list(2 * alignments);
  for (std::size_t i = 0; i < alignments; ++i) std::tie(list[i], list[alignments + i]) = band_of(i);
  return list;
}

}  // namespace alnsmith::rt::kernels
