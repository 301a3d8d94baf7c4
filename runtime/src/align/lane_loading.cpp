// See lane_loading.hpp.
#include "align/lane_loading.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "align/pack.hpp"

namespace alnsmith::rt {
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

bool load_parts(const CodeTable &codes, const KernelInfo &kernel, std::span<const std::string_view> targets,
                Loaded &out) {
  const std::size_t lanes = static_cast<std::size_t>(kernel.lanes), k = static_cast<std::size_t>(kernel.k);
  const std::vector<std::size_t> lengths = lengths_of(targets);
  std::uint8_t *to = out.buffer.reserve(loaded_bytes(kernel, lengths));
  std::vector<std::string_view> views(lanes);
  for (std::size_t first = 0, at = 0; first < targets.size(); first += lanes) {
    LoadedPart part;
    part.at = at;
    std::size_t longest = 0;
    for (std::size_t l = 0; l < lanes; ++l) {
      views[l] = targets[std::min(first + l, targets.size() - 1)];
      part.loading.length.push_back(static_cast<int>(views[l].size()));
      longest = std::max(longest, views[l].size());
      if (first + l < targets.size()) part.slots.push_back({first + l, l});
    }
    const std::size_t rows = rounded_up(longest, k);
    if (!pack_lanes(codes, views.data(), kernel.lanes, rows, ALN_CODE_TARGET_PAD, to + at)) return false;
    out.parts.push_back(std::move(part));
    at += packed_rows(rows) * lanes;
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
void note_refills(std::span<const Placed> placed, std::size_t lanes, LoadedPart &part) {
  std::vector<int> &refills = part.loading.refill_column;
  refills.clear();
  for (const Placed &p : placed)
    if (p.begin > 0) refills.push_back(static_cast<int>(p.begin));
  std::sort(refills.begin(), refills.end());
  refills.erase(std::unique(refills.begin(), refills.end()), refills.end());
  const auto row = [&](std::size_t begin) {
    return static_cast<std::size_t>(std::lower_bound(refills.begin(), refills.end(), static_cast<int>(begin)) -
                                    refills.begin());
  };
  part.loading.refill_lanes.assign(refills.size() * lanes, 0);
  std::vector<std::size_t> last(lanes, SIZE_MAX);  // of `placed`, by lane
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const auto &[member, lane, begin] = placed[i];
    if (begin > 0) {
      part.loading.refill_lanes[row(begin) * lanes + lane] = 1;
      part.slots.push_back({placed[last[lane]].member, row(begin) * lanes + lane});
    }
    last[lane] = i;
  }
  for (std::size_t l = 0; l < lanes; ++l)
    if (last[l] != SIZE_MAX) part.slots.push_back({placed[last[l]].member, refills.size() * lanes + l});
  refills.push_back(-1);
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

Result<bool> load_refilled(const CodeTable &table, const KernelInfo &kernel, std::span<const std::string_view> targets,
                           Loaded &out) {
  const std::size_t lanes = static_cast<std::size_t>(kernel.lanes), k = static_cast<std::size_t>(kernel.k);
  std::size_t columns = 0;
  const std::vector<Placed> placed = place_targets(lengths_of(targets), lanes, k, columns);
  if (columns > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return Error{"a batch of " + std::to_string(targets.size()) + " targets fills a lane with " +
                 std::to_string(columns) +
                 " letters, more than 2,147,483,647: lower the memory limit, so that batches " +
                 "are smaller, or align fewer targets at a time"};
  std::uint8_t *codes = reserve(out.codes, columns * lanes);
  std::vector<std::size_t> ends(lanes);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (i + kFetchedAhead < placed.size()) fetch(targets[placed[i + kFetchedAhead].member]);
    const auto &[member, lane, begin] = placed[i];
    const std::string_view letters = targets[member];
    std::uint8_t *own = codes + lane * columns;
    if (!encode(table, letters, own + begin)) return false;
    ends[lane] = begin + rounded_up(letters.size(), k);
    std::fill(own + begin + letters.size(), own + ends[lane], std::uint8_t{ALN_CODE_TARGET_PAD});
  }

  LoadedPart part;
  std::vector<std::string_view> views(lanes);
  for (std::size_t l = 0; l < lanes; ++l) views[l] = {reinterpret_cast<const char *>(codes + l * columns), ends[l]};
  part.loading.length.assign(lanes, static_cast<int>(columns));
  note_refills(placed, lanes, part);
  static const CodeTable codes_as_they_are = [] {
    std::array<std::uint8_t, 256> same{};
    for (std::size_t i = 0; i < same.size(); ++i) same[i] = static_cast<std::uint8_t>(i);
    return CodeTable(same);
  }();
  std::uint8_t *to = reserve(out.buffer, packed_rows(columns) * lanes);
  pack_lanes(codes_as_they_are, views.data(), kernel.lanes, columns, ALN_CODE_TARGET_PAD, to);
  out.parts.push_back(std::move(part));
  return true;
}

}  // namespace

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

Result<bool> load_lanes(const CodeTable &codes, const KernelInfo &kernel, std::span<const std::string_view> targets,
                        Loaded &out) {
  out.parts.clear();
  return kernel.refill ? load_refilled(codes, kernel, targets, out) : load_parts(codes, kernel, targets, out);
}

std::size_t refilled_columns(const KernelInfo &kernel, std::span<const std::size_t> lengths) {
  std::size_t columns = 0;
  place_targets(lengths, static_cast<std::size_t>(kernel.lanes), static_cast<std::size_t>(kernel.k), columns);
  return columns;
}

std::size_t loaded_bytes(const KernelInfo &kernel, std::span<const std::size_t> lengths) {
  const std::size_t k = static_cast<std::size_t>(kernel.k), lanes = static_cast<std::size_t>(kernel.lanes);
  const auto packed = [&](std::size_t columns) { return packed_rows(rounded_up(columns, k)) * lanes; };
  if (!kernel.refill) return packed(lengths.back()) * ((lengths.size() + lanes - 1) / lanes);
  std::size_t columns = 0;
  for (std::size_t length : lengths) columns += rounded_up(length, k);
  const std::size_t result = sizeof(int) * kernel.outputs.size() + 2;  // bytes of outputs, status and refill
  return 2 * packed(columns / lanes + lengths.back() + k) + lengths.size() * lanes * result;
}

}  // namespace alnsmith::rt
