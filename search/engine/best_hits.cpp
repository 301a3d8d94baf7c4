// See best_hits.h.
#include "best_hits.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ranking.h"

namespace alnsmith::search {

// `limit`: no result that is worse has a place any more; read without the lock.
struct BestHits::Row {
  std::mutex mutex;
  std::vector<Found> list;
  std::size_t room = 0;  // the list's length at which only the best stay
  std::atomic<std::int32_t> limit{0};
  std::atomic<bool> full{false};
};

BestHits::BestHits(std::size_t queries, std::vector<Strand> strands, const FindOptions &options, std::size_t most)
    : queries_(queries),
      strands_(std::move(strands)),
      top_(std::max<std::size_t>(options.top, 1)),
      ties_(options.ties),
      worst_(options.worst),
      most_(most),
      rows_(std::make_unique<Row[]>(queries * strands_.size())),
      unit_(options.count_unit) {
  for (std::size_t i = 0; i < queries_ * strands_.size(); ++i) rows_[i].room = 2 * top_;
  if (unit_ <= 0) return;
  targets_.resize(kLengthBins);
  pairs_ = std::make_unique<std::atomic<std::uint64_t>[]>(queries * kLengthBins * kScoreBins);
}
BestHits::~BestHits() = default;

void BestHits::begin_portion(const Portion &portion) {
  portion_ = &portion;
  if (unit_ <= 0) return;
  length_bins_.clear();
  for (const std::string_view letters : portion.letters) {
    const std::size_t bin = length_bin(letters.size());
    length_bins_.push_back(static_cast<std::uint32_t>(bin));
    ++targets_[bin].sequences;
    targets_[bin].letters += letters.size();
  }
}

Result<OutputSet> BestHits::begin(const CallShape &shape) {
  minimize_ = shape.minimize;
  return OutputSet{Output::score};
}

Result<Next> BestHits::put(const ResultBlock &block) {
  const auto scores = block[Output::score];
  if (unit_ > 0) count(block);
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (worst_ && worse(scores[i], *worst_, minimize_)) continue;
    Row &row = rows_[block.query(i)];
    if (row.full.load(std::memory_order_acquire) &&
        worse(scores[i], row.limit.load(std::memory_order_relaxed), minimize_))
      continue;
    const std::lock_guard lock(row.mutex);
    row.list.push_back(
        {portion_->number(static_cast<std::size_t>(block.target(i))), scores[i], strands_[block.query(i) / queries_]});
    if (total_.fetch_add(1, std::memory_order_relaxed) >= most_)
      return Error{
          "the hits of the queries need more memory than there is: ask for fewer (--top), take --ties first, "
          "give fewer queries at a time, or raise --memory"};
    if (row.list.size() < row.room) continue;
    const std::size_t before = row.list.size();
    keep_best(row.list, top_, ties_, minimize_);
    total_.fetch_sub(before - row.list.size(), std::memory_order_relaxed);
    row.room = std::max(2 * top_, 2 * row.list.size());
    row.limit.store(row.list.back().score, std::memory_order_relaxed);
    row.full.store(true, std::memory_order_release);
  }
  return Next::more;
}

void BestHits::count(const ResultBlock &block) {
  const auto scores = block[Output::score];
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::size_t query = static_cast<std::size_t>(block.query(i)) % queries_;  // of either strand
    const std::size_t length = length_bins_[static_cast<std::size_t>(block.target(i))];
    const std::size_t score = score_bin(static_cast<std::uint32_t>(std::max(scores[i], 0) / unit_));
    pairs_[(query * kLengthBins + length) * kScoreBins + score].fetch_add(1, std::memory_order_relaxed);
  }
}

ScoreCounts BestHits::counts() const {
  ScoreCounts out;
  if (unit_ <= 0) return out;
  out.unit = unit_;
  out.targets = targets_;
  out.queries.resize(queries_);
  for (std::size_t q = 0; q < queries_; ++q)
    for (std::size_t bin = 0; bin < kLengthBins * kScoreBins; ++bin)
      if (const std::uint64_t n = pairs_[q * kLengthBins * kScoreBins + bin].load(std::memory_order_relaxed); n > 0)
        out.queries[q].push_back({static_cast<std::uint32_t>(bin), n});
  return out;
}

std::vector<Found> BestHits::hits(std::size_t query) const {
  // Each strand's list holds all targets that may be wanted. A target counts with its better strand, the first if both
  // are equal.
  std::vector<Found> all;
  for (std::size_t s = 0; s < strands_.size(); ++s) {
    std::vector<Found> own = rows_[s * queries_ + query].list;
    keep_best(own, top_, ties_, minimize_);
    all.insert(all.end(), own.begin(), own.end());
  }
  if (strands_.size() > 1) {
    std::stable_sort(all.begin(), all.end(), [&](const Found &a, const Found &b) {
      return a.number != b.number ? a.number < b.number : before(a, b, minimize_);
    });
    all.erase(std::unique(all.begin(), all.end(), [](const Found &a, const Found &b) { return a.number == b.number; }),
              all.end());
    keep_best(all, top_, ties_, minimize_);
  }
  return all;
}

}  // namespace alnsmith::search
