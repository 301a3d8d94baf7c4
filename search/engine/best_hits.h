// Keeps the best targets of each query, on both strands: the sink of a search's batch calls.
//
// A list grows to twice what is wanted, then only the best stay, so that a result costs a constant time whatever the
// wanted number. What stays does not depend on the order in which results come.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "alnsmith/search.hpp"

namespace alnsmith::search {

class BestHits : public ResultSink {
 public:
  // `strands`: of how many each query is aligned; a call has the queries of one behind those of the other, in the order
  // of `strands`. `most`: hits in all lists together, above which a call fails.
  BestHits(std::size_t queries, std::vector<Strand> strands, const FindOptions &options, std::size_t most);
  ~BestHits() override;

  // The portion whose targets the next call has.
  void begin_portion(const Portion &portion);
  Result<OutputSet> begin(const CallShape &shape) override;
  Result<Next> put(const ResultBlock &block) override;
  // Of a query: a target once, the best first.
  std::vector<Found> hits(std::size_t query) const;
  // Of all queries.
  ScoreCounts counts() const;
  // What counting takes for a query.
  static constexpr std::size_t kCountBytes = kLengthBins * kScoreBins * sizeof(std::uint64_t);

 private:
  struct Row;
  void count(const ResultBlock &block);
  std::size_t queries_;
  std::vector<Strand> strands_;
  std::size_t top_;
  Ties ties_;
  std::optional<std::int32_t> worst_;
  std::size_t most_;
  bool minimize_ = false;
  const Portion *portion_ = nullptr;
  std::unique_ptr<Row[]> rows_;  // by query, then by strand
  std::atomic<std::size_t> total_{0};
  std::int32_t unit_;
  std::vector<CountedTargets> targets_;                  // by length
  std::vector<std::uint32_t> length_bins_;               // of the portion's targets
  std::unique_ptr<std::atomic<std::uint64_t>[]> pairs_;  // by query, length and score
};

}  // namespace alnsmith::search
