// Rendezvous of a warp's lanes: which are complete, what each lane gets, and why one never completes.
#include <cstdio>

#include "block.h"

namespace simt {
namespace {

std::string hex(Word value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", value);
  return text;
}

Word present(std::size_t lanes) { return lanes >= 64 ? ~Word{0} : (Word{1} << lanes) - 1; }

Word mask_of(const Lane &lane, std::size_t lanes) { return lane.mask == WHOLE_WARP ? present(lanes) : lane.mask; }

bool same_place(const Lane &a, const Lane &b) {
  return b.state == Lane::State::at_collective && a.site == b.site && a.name == b.name && a.mask == b.mask;
}

bool complete(std::span<const Lane> warp, const Lane &lane) {
  const Word mask = mask_of(lane, warp.size());
  if (mask & ~present(warp.size())) return false;
  for (std::size_t i = 0; i < warp.size(); ++i) {
    if ((mask >> i & 1) && !same_place(lane, warp[i])) return false;
  }
  return true;
}

void answer(std::span<Lane> warp, Word mask) {
  Word votes = 0;
  for (std::size_t i = 0; i < warp.size(); ++i) {
    if ((mask >> i & 1) && warp[i].is_vote && warp[i].value) votes |= Word{1} << i;
  }
  for (std::size_t i = 0; i < warp.size(); ++i) {
    Lane &lane = warp[i];
    if (!(mask >> i & 1)) continue;
    if (lane.is_vote) {
      lane.result = votes;
    } else if (lane.source < 0) {
      lane.result = lane.value;
    } else if (lane.source >= 64 || !(mask >> lane.source & 1)) {
      throw BadRead(static_cast<unsigned>(i), std::string(lane.name) + " reads lane " + std::to_string(lane.source) +
                                                  ", which is not in the mask " + hex(mask));
    } else {
      lane.result = warp[static_cast<std::size_t>(lane.source)].value;
    }
    lane.state = Lane::State::ready;
  }
}

}  // namespace

bool answer_collectives(std::span<Lane> warp, Counters &counters) {
  bool any = false;
  for (Lane &lane : warp) {
    if (lane.state != Lane::State::at_collective || !complete(warp, lane)) continue;
    answer(warp, mask_of(lane, warp.size()));
    ++counters.collectives;
    any = true;
  }
  return any;
}

std::string explain_stall(std::span<const Lane> warp, unsigned &stalled) {
  for (std::size_t i = 0; i < warp.size(); ++i) {
    const Lane &lane = warp[i];
    if (lane.state != Lane::State::at_collective) continue;
    stalled = static_cast<unsigned>(i);
    const Word mask = mask_of(lane, warp.size());
    const std::string waits = std::string(lane.name) + " waits for lane ";
    for (std::size_t j = 0; j < 64; ++j) {
      if (!(mask >> j & 1)) continue;
      if (j >= warp.size()) return waits + std::to_string(j) + ", which the block does not have";
      const Lane &other = warp[j];
      if (same_place(lane, other)) continue;
      const std::string who = waits + std::to_string(j) + ", which ";
      if (other.state == Lane::State::exited) return who + "has exited";
      if (other.state == Lane::State::at_barrier) return who + "waits at " + other.name;
      if (other.mask != lane.mask) return who + "came to " + other.name + " with mask " + hex(other.mask);
      return who + "came to " + other.name + " at another place of the kernel (divergence)";
    }
  }
  return {};
}

}  // namespace simt
