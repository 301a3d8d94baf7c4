// See lane_loading.h.
#include "align/lane_loading.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>

#include "align/pack.h"
#include "alnsmith/memory_abi.h"

namespace alnsmith::rt::align {
namespace {

// A target of a refilled lane, and the column it begins in.
struct Placed {
  std::size_t member, lane, begin;
};

std::size_t rounded_up(std::size_t n, std::size_t k) { return (n + k - 1) / k * k; }

std::vector<std::size_t> lengths_of(std::span<const std::string_view> targets) {
  std::vector<std::size_t> lengths;
  lengths.reserve(targets.size());
  for (std::string_view target : targets) lengths.push_back(target.size());
  return lengths;
}

bool load_parts(const TargetLetters &letters, const kernels::KernelInfo &kernel,
                std::span<const std::string_view> targets, Loaded &out) {
  const std::size_t lanes = static_cast<std::size_t>(kernel.lanes);
  std::size_t longest_of_all = 0;
  for (std::string_view target : targets) longest_of_all = std::max(longest_of_all, target.size());
  std::uint8_t *to = out.buffer.reserve(loaded_bytes(kernel, {targets.size(), 0, longest_of_all}));
  for (std::size_t i = 0; i < targets.size(); ++i) out.at[i] = static_cast<std::uint32_t>(i % lanes);
  std::vector<std::string_view> views(lanes);
  for (std::size_t first = 0; first < targets.size(); first += lanes) {
    LoadedPart part;
    part.letters = to;
    part.first = first;
    part.at = std::span(out.at).subspan(first, std::min(lanes, targets.size() - first));
    std::size_t longest = 0;
    for (std::size_t l = 0; l < lanes; ++l) {
      views[l] = targets[std::min(first + l, targets.size() - 1)];
      part.loading.length.push_back(static_cast<int>(views[l].size()));
      longest = std::max(longest, views[l].size());
    }
    const std::size_t rows = kernel.register_rows(longest);
    part.loading.rows = static_cast<int>(packed_rows(rows));
    if (!pack_bytes(letters.codes, views, rows, letters.pad, kernel.letter_bytes, letters.stride, to)) return false;
    out.parts.push_back(std::move(part));
    to += packed_rows(rows) * lanes * static_cast<std::size_t>(kernel.letter_bytes);
  }
  return true;
}

// Targets lie anywhere, and each begins a stream that the CPU has to notice first: its lines are asked for while those
// before it are encoded.
constexpr std::size_t kFetchedAhead = 2, kFetchedBytes = 1024, kLine = 64;
void fetch(std::string_view letters) {
  for (std::size_t at = 0; at < std::min(letters.size(), kFetchedBytes); at += kLine)
    __builtin_prefetch(letters.data() + at);
}

// Where lanes are refilled and whose result stands where.
void note_refills(std::span<const Placed> placed, std::size_t lanes, std::span<std::uint32_t> at, Loading &loading) {
  std::vector<int> &refills = loading.refill_column;
  refills.clear();
  for (const Placed &p : placed)
    if (p.begin > 0) refills.push_back(static_cast<int>(p.begin));
  std::sort(refills.begin(), refills.end());
  refills.erase(std::unique(refills.begin(), refills.end()), refills.end());
  const auto row = [&](std::size_t begin) {
    return static_cast<std::size_t>(std::lower_bound(refills.begin(), refills.end(), static_cast<int>(begin)) -
                                    refills.begin());
  };
  const auto put = [&](const Placed &p, std::size_t result_row) {
    at[p.member] = static_cast<std::uint32_t>(result_row * lanes + p.lane);
  };
  std::vector<std::size_t> last(lanes, SIZE_MAX);  // of `placed`, by lane
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (placed[i].begin > 0) put(placed[last[placed[i].lane]], row(placed[i].begin));
    last[placed[i].lane] = i;
  }
  for (std::size_t i : last)
    if (i != SIZE_MAX) put(placed[i], refills.size());
  refills.push_back(-1);
  set_refill_lanes(at, lanes, loading);
}

// Memory of a task before this one is kept where it is not far too large.
std::uint8_t *reserve(Buffer &buffer, std::size_t bytes) {
  if (buffer.size() / 2 > bytes) buffer = {};
  return buffer.reserve(bytes);
}

// Longest target first, each to the lane that ends first. `columns`: of the longest lane.
std::vector<Placed> place_targets(std::span<const std::size_t> lengths, std::size_t lanes, std::size_t k,
                                  std::size_t &columns) {
  using End = std::pair<std::size_t, std::size_t>;  // columns of a lane so far, lane
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  for (std::size_t l = 0; l < lanes; ++l) ends.emplace(0, l);
  std::vector<Placed> placed;
  columns = k;
  for (std::size_t member = lengths.size(); member-- > 0;) {
    const auto [begin, lane] = ends.top();
    ends.pop();
    const std::size_t end = begin + rounded_up(lengths[member], k);
    placed.push_back({member, lane, begin});
    ends.emplace(end, lane);
    columns = std::max(columns, end);
  }
  return placed;
}

// The lanes' targets one behind another, of their letters' byte `byte`, `columns` per lane; false if a letter is
// invalid.
bool join_lanes(const TargetLetters &letters, std::span<const Placed> placed, std::span<const std::string_view> targets,
                std::size_t byte, std::size_t k, std::size_t columns, std::uint8_t *codes,
                std::vector<std::string_view> &views) {
  std::vector<std::size_t> ends(views.size());
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (i + kFetchedAhead < placed.size()) fetch(targets[placed[i + kFetchedAhead].member]);
    const auto &[member, lane, begin] = placed[i];
    const std::string_view target = {targets[member].data() + byte * letters.stride, targets[member].size()};
    std::uint8_t *own = codes + lane * columns;
    if (!kernels::encode(letters.codes, target, own + begin)) return false;
    ends[lane] = begin + rounded_up(target.size(), k);
    std::fill(own + begin + target.size(), own + ends[lane], letters.pad);
  }
  for (std::size_t l = 0; l < views.size(); ++l)
    views[l] = {reinterpret_cast<const char *>(codes + l * columns), ends[l]};
  return true;
}

Result<bool> load_refilled(const TargetLetters &letters, const kernels::KernelInfo &kernel,
                           std::span<const std::string_view> targets, Loaded &out) {
  const std::size_t lanes = static_cast<std::size_t>(kernel.lanes), k = static_cast<std::size_t>(kernel.k);
  std::size_t columns = 0;
  const std::vector<Placed> placed = place_targets(lengths_of(targets), lanes, k, columns);
  const auto bytes = static_cast<std::size_t>(kernel.letter_bytes);
  const std::size_t most = static_cast<std::size_t>(kernel_memory::kMostElements) / bytes - k;
  if (columns > most)
    return Error{"a batch of " + std::to_string(targets.size()) + " targets fills a lane with " +
                 std::to_string(columns) + " letters, more than " + std::to_string(most) +
                 ": lower the memory limit, so that batches are smaller, or align fewer targets at a time"};
  LoadedPart part;
  part.loading.length.assign(lanes, static_cast<int>(columns));
  part.at = out.at;
  note_refills(placed, lanes, out.at, part.loading);
  const std::size_t rows = kernel.register_rows(columns);
  part.loading.rows = static_cast<int>(packed_rows(rows));
  std::uint8_t *codes = reserve(out.codes, columns * lanes);
  std::vector<std::string_view> views(lanes);
  std::uint8_t *to = reserve(out.buffer, packed_rows(rows) * lanes * bytes);
  part.letters = to;
  for (std::size_t byte = 0; byte < bytes; ++byte, to += packed_rows(rows) * lanes) {
    if (!join_lanes(letters, placed, targets, byte, k, columns, codes, views)) return false;
    pack_lanes(kernels::codes_as_they_are(), views.data(), kernel.lanes, rows, letters.pad, to);
  }
  out.parts.push_back(std::move(part));
  return true;
}

}  // namespace

void set_refill_lanes(std::span<const std::uint32_t> at, std::size_t lanes, Loading &loading) {
  const std::size_t end = loading.refills() * lanes;
  loading.refill_lanes.assign(end, 0);
  for (const std::uint32_t place : at)
    if (place < end) loading.refill_lanes[place] = 1;
}

LoadedPool::Loan::Loan(LoadedPool &pool, std::size_t count) : pool_(pool) {
  const std::lock_guard lock(pool_.mutex_);
  if (!pool_.spare_.empty()) {
    loaded_ = std::move(pool_.spare_.back());
    pool_.spare_.pop_back();
  }
  if (!loaded_) loaded_ = std::make_unique<std::vector<Loaded>>();
  loaded_->resize(count);
}

LoadedPool::Loan::~Loan() {
  for (Loaded &loaded : *loaded_) loaded.parts.clear();
  const std::lock_guard lock(pool_.mutex_);
  pool_.spare_.push_back(std::move(loaded_));
}

Result<bool> load_lanes(const TargetLetters &letters, const kernels::KernelInfo &kernel,
                        std::span<const std::string_view> targets, Loaded &out) {
  out.parts.clear();
  out.at.resize(targets.size());
  return kernel.refills() ? load_refilled(letters, kernel, targets, out) : load_parts(letters, kernel, targets, out);
}

std::size_t refilled_columns(const kernels::KernelInfo &kernel, std::span<const std::size_t> lengths) {
  std::size_t columns = 0;
  place_targets(lengths, static_cast<std::size_t>(kernel.lanes), static_cast<std::size_t>(kernel.k), columns);
  return columns;
}

std::size_t loaded_bytes(const kernels::KernelInfo &kernel, const Lengths &lengths) {
  const std::size_t k = static_cast<std::size_t>(kernel.k), lanes = static_cast<std::size_t>(kernel.lanes);
  const auto packed = [&](std::size_t columns) {
    return packed_rows(kernel.register_rows(columns)) * lanes * static_cast<std::size_t>(kernel.letter_bytes);
  };
  if (!kernel.refills()) return packed(lengths.longest) * ((lengths.count + lanes - 1) / lanes);
  const std::size_t columns = lengths.letters + lengths.count * (k - 1);
  const std::size_t result = sizeof(int) * kernel.outputs.size() + 2;  // bytes of outputs, status and refill
  return 2 * packed(columns / lanes + lengths.longest + k) + lengths.count * lanes * result;
}

}  // namespace alnsmith::rt::align
