// See trace.h.
#include "trace.h"

#include <algorithm>
#include <bit>

#include "shared_memory.h"

namespace simt {
namespace {

constexpr unsigned BANKS = 32, BANK_BYTES = 4, SECTOR = 32;
constexpr std::size_t FAR_AHEAD = 4096;  // open accesses of one load or store

}  // namespace

Traffic &Traffic::operator+=(const Traffic &other) {
  accesses += other.accesses;
  bytes += other.bytes;
  transactions += other.transactions;
  conflicts += other.conflicts;
  return *this;
}

Counters &Counters::operator+=(const Counters &other) {
  collectives += other.collectives;
  barriers += other.barriers;
  shared_load += other.shared_load;
  shared_store += other.shared_store;
  shared_load16 += other.shared_load16;
  global_load += other.global_load;
  global_store += other.global_store;
  constant_load += other.constant_load;
  return *this;
}

Traffic bank_traffic(const WarpAccess &access) {
  Traffic traffic{1, 0, 0, 0};
  const unsigned phase = access.bytes <= 4 ? 32 : 32 * 4 / access.bytes;
  for (std::size_t first = 0; first < access.address.size(); first += phase) {
    std::vector<std::uintptr_t> words;
    for (std::size_t i = first; i < std::min(access.address.size(), first + phase); ++i) {
      if (!(access.lanes >> i & 1)) continue;
      traffic.bytes += access.bytes;
      const std::uintptr_t last = (access.address[i] + access.bytes - 1) / BANK_BYTES;
      for (std::uintptr_t word = access.address[i] / BANK_BYTES; word <= last; ++word) words.push_back(word);
    }
    if (words.empty()) continue;
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    std::uint64_t in_bank[BANKS] = {};
    for (const std::uintptr_t word : words) ++in_bank[word % BANKS];
    const std::uint64_t passes = *std::max_element(in_bank, in_bank + BANKS);
    traffic.transactions += passes;
    traffic.conflicts += passes - 1;
  }
  return traffic;
}

Traffic sector_traffic(const WarpAccess &access) {
  Traffic traffic{1, 0, 0, 0};
  std::vector<std::uintptr_t> sectors;
  for (std::size_t i = 0; i < access.address.size(); ++i) {
    if (!(access.lanes >> i & 1)) continue;
    traffic.bytes += access.bytes;
    sectors.push_back(access.address[i] / SECTOR);  // accesses are aligned: one never spans two
  }
  std::sort(sectors.begin(), sectors.end());
  traffic.transactions = static_cast<std::uint64_t>(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
  return traffic;
}

Trace::Trace(unsigned threads, unsigned warp, const SharedMemory &shared, Range image, Counters &counters)
    : threads_(threads),
      warp_(warp),
      shared_(shared),
      image_(image),
      counters_(counters),
      warps_((threads + warp - 1) / warp) {}

Trace::Outcome Trace::add(unsigned thread, const void *at, const void *address, unsigned bytes, bool store) {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  if (number % bytes) return {"a load or store is not aligned to its size", false};
  if (shared_.region(address, bytes) == SharedMemory::Region::red_zone) {
    return {"an access behind the end of the block's shared memory", false};
  }
  const unsigned first = thread / warp_ * warp_, lane = thread - first;
  const unsigned lanes = std::min(warp_, threads_ - first);
  Site &site = warps_[thread / warp_][at];
  site.store = store;
  site.made.resize(lanes);
  const std::uint64_t turn = site.made[lane]++;
  if (turn < site.charged) {  // the others gave up waiting for this lane
    WarpAccess late{std::uint64_t{1} << lane, bytes, std::vector<std::uintptr_t>(lanes)};
    late.address[lane] = number;
    charge(site, late);
    return {};
  }
  while (site.open.size() <= turn - site.charged) {
    site.open.push_back({0, bytes, std::vector<std::uintptr_t>(lanes)});
  }
  WarpAccess &access = site.open[turn - site.charged];
  access.lanes |= std::uint64_t{1} << lane;
  access.address[lane] = number;
  while (!site.open.empty() && static_cast<unsigned>(std::popcount(site.open.front().lanes)) == lanes) {
    charge(site, site.open.front());
    site.open.pop_front();
    ++site.charged;
  }
  if (site.open.size() >= 2 * FAR_AHEAD) {  // giving way did not help: some lanes never come here
    for (std::size_t i = 0; i < FAR_AHEAD; ++i, ++site.charged) {
      charge(site, site.open.front());
      site.open.pop_front();
    }
  }
  return {nullptr, site.open.size() >= FAR_AHEAD && turn - site.charged + 1 == site.open.size()};
}

void Trace::charge(const Site &site, const WarpAccess &access) {
  std::size_t some = 0;
  while (!(access.lanes >> some & 1)) ++some;
  const auto *address = reinterpret_cast<const void *>(access.address[some]);
  if (shared_.region(address, access.bytes) == SharedMemory::Region::inside) {
    const Traffic traffic = bank_traffic(access);
    (site.store ? counters_.shared_store : counters_.shared_load) += traffic;
    if (!site.store && access.bytes == 16) counters_.shared_load16 += traffic;
  } else if (image_.holds(address)) {
    counters_.constant_load += sector_traffic(access);
  } else {
    (site.store ? counters_.global_store : counters_.global_load) += sector_traffic(access);
  }
}

void Trace::flush(unsigned warp) {
  for (auto &[at, site] : warps_[warp]) {
    for (const WarpAccess &access : site.open) charge(site, access);
    site.open.clear();
    std::fill(site.made.begin(), site.made.end(), 0);
    site.charged = 0;
  }
}

void Trace::flush_all() {
  for (unsigned warp = 0; warp < warps_.size(); ++warp) flush(warp);
}

}  // namespace simt
