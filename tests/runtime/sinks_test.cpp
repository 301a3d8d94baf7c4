// Columns, streams and the best of each query: the same results, whatever threads and kernels they come from; and what
// a sink says ends a call.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <stdexcept>
#include <thread>

#include "alnsmith/alnsmith.hpp"
#include "tiny.h"

namespace {

using namespace alnsmith;

using Values = std::array<std::int32_t, kOutputCount>;
using Found = std::map<std::uint64_t, Values>;  // by pair

Aligner open(const std::string &name) {
  auto aligner = Aligner::open_file(std::string(FAKE_DIR) + "/" + name + ".so");
  if (!aligner) throw std::runtime_error(aligner.error().message);
  return *std::move(aligner);
}

Options on(int threads) {
  Options options;
  options.threads = threads;
  return options;
}

template <class Out>
Result<Report> align(const Aligner &a, const tiny::Pairs &p, bool all, Out &&out, const Options &options = {}) {
  return all ? a.align_all(p.query_views(), p.target_views(), out, options)
             : a.align_pairs(p.query_views(), p.target_views(), out, options);
}

// By columns.
Found dense(const Aligner &a, const tiny::Pairs &p, bool all, Report *report = nullptr) {
  const std::size_t n = all ? p.queries.size() * p.targets.size() : p.queries.size();
  std::array<std::vector<std::int32_t>, kOutputCount> values;
  Columns columns;
  for (const OutputInfo &info : kOutputs)
    if (a.outputs().contains(info.output)) {
      values[index_of(info.output)].assign(n, -999);
      columns.set(info.output, values[index_of(info.output)]);
    }
  const auto done = align(a, p, all, columns);
  EXPECT_TRUE(done) << done.error().message;
  if (done && report) *report = *done;
  Found found;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t o = 0; o < kOutputCount; ++o) found[i][o] = values[o].empty() ? 0 : values[o][i];
  return found;
}

void take(const ResultBlock &block, Found &found) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    Values values{};
    for (std::size_t o = 0; o < kOutputCount; ++o)
      if (!block.column[o].empty()) values[o] = block.column[o][i];
    EXPECT_TRUE(found.try_emplace(block.pair[i], values).second) << "pair " << block.pair[i] << " twice";
  }
}

// What a query's hits are by the definition: sorted by score, then index.
std::vector<std::pair<std::uint64_t, Values>> best(const Found &found, std::size_t targets, std::size_t query,
                                                   std::size_t most, std::optional<std::int32_t> worst) {
  std::vector<std::pair<std::uint64_t, Values>> list;
  for (std::size_t t = 0; t < targets; ++t)
    if (const Values &v = found.at(query * targets + t); !worst || v[0] >= *worst) list.emplace_back(t, v);
  std::stable_sort(list.begin(), list.end(), [](const auto &a, const auto &b) { return a.second[0] > b.second[0]; });
  list.resize(std::min(list.size(), most));
  return list;
}

void expect_hits(const TopSink &top, const tiny::Pairs &p, const Found &found, std::size_t most,
                 std::optional<std::int32_t> worst = {}) {
  for (std::size_t q = 0; q < p.queries.size(); ++q) {
    const auto want = best(found, p.targets.size(), q, most, worst);
    const auto hits = top.hits(q);
    ASSERT_EQ(hits.size(), want.size()) << q;
    for (std::size_t i = 0; i < hits.size(); ++i) {
      EXPECT_EQ(hits[i].target, want[i].first) << q << " " << i;
      EXPECT_EQ(hits[i].values, want[i].second) << q << " " << i;
    }
  }
}

// Related sequences, some of which outgrow 8 bits, and empty ones.
tiny::Pairs mixed(unsigned seed, int n, int queries) {
  tiny::Pairs p = tiny::random_pairs(seed, n, 180);
  p.targets[1] = p.queries[3] = "";
  if (queries > 0) p.queries.resize(static_cast<std::size_t>(queries));
  return p;
}

class Sinks : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Kernels, Sinks,
                         testing::Values("fake_local_end", "fake_global_end", "fake_local", "fake_local_cigar"),
                         [](const auto &i) { return std::string(i.param); });

TEST_P(Sinks, AStreamGivesWhatColumnsGet) {
  const Aligner a = open(GetParam());
  for (const bool all : {false, true}) {
    const tiny::Pairs p = mixed(all ? 5 : 6, 400, all ? 7 : 0);
    Report report;
    const Found expected = dense(a, p, all, &report);
    if (std::string(GetParam()) != "fake_global_end") {
      EXPECT_GT(report.promoted, 0U);
    }
    for (int threads = 1; threads <= 4; ++threads)
      for (const std::size_t most : {std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
        Found found;
        std::atomic<int> inside{0};
        StreamSink sink(
            [&](const ResultBlock &block) -> Result<Next> {
              EXPECT_EQ(++inside, 1) << "one thread at a time";
              EXPECT_LE(block.size(), most);
              EXPECT_GT(block.size(), 0U);
              EXPECT_EQ(block.query(0), all ? block.pair[0] / p.targets.size() : block.pair[0]);
              EXPECT_EQ(block.target(0), all ? block.pair[0] % p.targets.size() : block.pair[0]);
              take(block, found);
              --inside;
              return Next::more;
            },
            {}, most);
        const auto done = align(a, p, all, sink, on(threads));
        ASSERT_TRUE(done) << done.error().message;
        EXPECT_EQ(found, expected) << threads << " threads, blocks of " << most;
        EXPECT_EQ(done->pairs, expected.size());
      }
  }
}

TEST_P(Sinks, AThresholdLeavesOutWhatIsWorse) {
  const Aligner a = open(GetParam());
  const tiny::Pairs p = mixed(8, 300, 0);
  Found expected = dense(a, p, false);
  std::vector<std::int32_t> scores;
  for (const auto &[pair, values] : expected) scores.push_back(values[0]);
  std::nth_element(scores.begin(), scores.begin() + 150, scores.end());
  std::erase_if(expected, [&](const auto &entry) { return entry.second[0] < scores[150]; });
  Found found;
  StreamSink sink([&](const ResultBlock &block) -> Result<Next> { return take(block, found), Next::more; },
                  {scores[150], {}});
  ASSERT_TRUE(align(a, p, false, sink, on(3)));
  EXPECT_EQ(found, expected);
}

TEST_P(Sinks, TopKeepsTheBestTargetsOfEachQuery) {
  const Aligner a = open(GetParam());
  const tiny::Pairs p = mixed(9, 300, 9);
  const Found expected = dense(a, p, true);
  for (int threads = 1; threads <= 4; ++threads)
    for (const std::size_t most : {std::size_t{1}, std::size_t{5}, std::size_t{1000}}) {
      TopSink top(most), better(most, {20, {}});
      ASSERT_TRUE(align(a, p, true, top, on(threads)));
      expect_hits(top, p, expected, most);
      ASSERT_TRUE(align(a, p, true, better, on(threads)));
      expect_hits(better, p, expected, most, 20);
    }
}

TEST_P(Sinks, CallsWithPartsOfTheTargetsAddUp) {
  const Aligner a = open(GetParam());
  const tiny::Pairs p = mixed(10, 200, 6);
  const Found expected = dense(a, p, true);
  TopSink top(11);
  for (const auto &[first, count] : {std::pair<std::size_t, std::size_t>{150, 50}, {0, 60}, {60, 90}}) {
    tiny::Pairs part = p;
    part.targets.assign(p.targets.begin() + static_cast<std::ptrdiff_t>(first),
                        p.targets.begin() + static_cast<std::ptrdiff_t>(first + count));
    top.first_target(first);
    ASSERT_TRUE(align(a, part, true, top, on(2)));
  }
  expect_hits(top, p, expected, 11);
}

TEST_P(Sinks, PreparedTargetsTakeSinksToo) {
  const Aligner a = open(GetParam());
  const tiny::Pairs p = mixed(11, 100, 4);
  const auto targets = p.target_views();
  const auto prepared = a.prepare(targets);
  ASSERT_TRUE(prepared);
  TopSink top(3);
  ASSERT_TRUE(a.align_all(p.query_views(), *prepared, top));
  expect_hits(top, p, dense(a, p, true), 3);
}

TEST_P(Sinks, NoPairsAreNoResults) {
  const Aligner a = open(GetParam());
  StreamSink sink([](const ResultBlock &) -> Result<Next> { return Error{"called"}; });
  for (const tiny::Pairs &p : {tiny::Pairs{}, tiny::Pairs{{}, {"ACGT"}}, tiny::Pairs{{"ACGT"}, {}}}) {
    const auto done = align(a, p, true, sink);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->pairs, 0U);
    TopSink top(2);
    ASSERT_TRUE(align(a, p, true, top));
    EXPECT_TRUE(top.hits(0).empty());
  }
  ASSERT_TRUE(align(a, tiny::Pairs{}, false, sink));
}

TEST_P(Sinks, StopEndsTheCallWithoutAnError) {
  const Aligner a = open(GetParam());
  for (const bool all : {false, true})
    for (int threads = 1; threads <= 4; ++threads) {
      const tiny::Pairs p = mixed(12, 2000, all ? 3 : 0);
      int calls = 0;
      StreamSink sink([&](const ResultBlock &) -> Result<Next> { return ++calls == 2 ? Next::stop : Next::more; }, {},
                      64);
      const auto done = align(a, p, all, sink, on(threads));
      ASSERT_TRUE(done) << done.error().message;
      EXPECT_EQ(calls, 2);
      EXPECT_GE(done->pairs, 128U);
      EXPECT_LT(done->pairs, all ? 6000U : 2000U);
    }
}

// Counts what it is given, and stops.
class Third : public ResultSink {
 public:
  explicit Third(const tiny::Pairs &pairs) : pairs_(pairs) {}
  Result<OutputSet> begin(const CallShape &) override { return OutputSet{Output::score}; }
  Result<Next> put(const ResultBlock &block) override {
    for (std::size_t i = 0; i < block.size(); ++i)
      cells += pairs_.queries[block.query(i)].size() * pairs_.targets[block.target(i)].size();
    pairs += block.size();
    return ++calls_ >= 3 ? Next::stop : Next::more;
  }
  std::atomic<std::uint64_t> pairs{0}, cells{0};

 private:
  const tiny::Pairs &pairs_;
  std::atomic<int> calls_{0};
};

TEST_P(Sinks, AReportCountsWhatWasDoneUntilAStop) {
  const Aligner a = open(GetParam());
  for (const bool all : {false, true})
    for (int threads = 1; threads <= 4; threads += 3) {
      const tiny::Pairs p = mixed(13, 2000, all ? 3 : 0);
      Third sink(p);
      const auto done = align(a, p, all, sink, on(threads));
      ASSERT_TRUE(done) << done.error().message;
      EXPECT_EQ(done->pairs, sink.pairs);
      EXPECT_EQ(done->cells, sink.cells);
      ASSERT_EQ(done->devices.size(), 1U);
      EXPECT_EQ(done->devices[0].cells, sink.cells);
    }
}

// Stops at the first result.
class First : public ResultSink {
 public:
  Result<OutputSet> begin(const CallShape &) override { return OutputSet{Output::score}; }
  Result<Next> put(const ResultBlock &) override { return Next::stop; }
};

TEST_P(Sinks, WhatIsWrongBehindAStopIsNotAskedFor) {
  const Aligner a = open(GetParam());
  First sink;
  for (const bool all : {false, true}) {
    const auto done = align(a, {{"", ""}, {"ACGT", "AxGT"}}, all, sink);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->pairs, 1U);
  }
}

TEST_P(Sinks, AnErrorOfTheSinkIsTheCalls) {
  const Aligner a = open(GetParam());
  const tiny::Pairs p = mixed(13, 2000, 0);
  for (int threads = 1; threads <= 4; ++threads)
    for (const int nth : {1, 3}) {
      int calls = 0;
      StreamSink failing(
          [&](const ResultBlock &) -> Result<Next> {
            if (++calls == nth) return Error{"no room", 28};
            return Next::more;
          },
          {}, 64);
      const auto failed = align(a, p, false, failing, on(threads));
      ASSERT_FALSE(failed);
      EXPECT_EQ(failed.error().message, "no room");
      EXPECT_EQ(failed.error().exit_code, 28);
      EXPECT_EQ(calls, nth);
      StreamSink throwing([](const ResultBlock &) -> Result<Next> { throw std::runtime_error("thrown"); }, {}, 64);
      const auto thrown = align(a, p, false, throwing, on(threads));
      ASSERT_FALSE(thrown);
      EXPECT_EQ(thrown.error().message, "unexpected: thrown");
    }
  // The last block is handed on when all pairs are scored.
  StreamSink last([](const ResultBlock &) -> Result<Next> { return Error{"at the end", 3}; });
  const auto failed = align(a, p, false, last);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "at the end");
}

// What a sink of one's own is told.
class Counting : public ResultSink {
 public:
  Result<OutputSet> begin(const CallShape &shape) override {
    shape_ = shape;
    return OutputSet{Output::score};
  }
  Result<Next> put(const ResultBlock &block) override {
    results_ += block.size();
    scores_only_ = scores_only_ && block[Output::score].size() == block.size() && block.column.back().empty();
    return Next::more;
  }
  Status finish() override { return ++finished_, Ok{}; }
  CallShape shape_;
  std::atomic<std::uint64_t> results_{0};
  std::atomic<bool> scores_only_{true};
  int finished_ = 0;
};

TEST_P(Sinks, ASinkIsToldWhatTheCallIsAboutAndWhenItIsOver) {
  const Aligner a = open(GetParam());
  tiny::Pairs p = mixed(14, 50, 3);
  Counting sink;
  ASSERT_TRUE(align(a, p, true, sink, on(4)));
  EXPECT_EQ(sink.shape_.queries, 3U);
  EXPECT_EQ(sink.shape_.targets, 50U);
  EXPECT_TRUE(sink.shape_.all && !sink.shape_.minimize && sink.shape_.outputs == a.outputs());
  EXPECT_EQ(sink.shape_.spec, "fake");
  EXPECT_EQ(sink.results_, 150U);
  EXPECT_TRUE(sink.scores_only_);
  EXPECT_EQ(sink.finished_, 1);
  p.targets[30] = "ACxT";
  EXPECT_FALSE(align(a, p, true, sink));
  EXPECT_EQ(sink.finished_, 1) << "not called after an error";
}

TEST(SinkErrors, WhatDoesNotFitIsSaid) {
  const Aligner ends = open("fake_local_end"), scores = open("fake_local");
  const tiny::Pairs p = mixed(15, 20, 0);
  TopSink top(2);
  auto done = align(ends, p, false, top);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "a TopSink takes calls of each query with each target: align_all");
  EXPECT_EQ(done.error().exit_code, 2);
  ASSERT_TRUE(align(ends, p, true, top));
  done = align(ends, mixed(15, 20, 4), true, top);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "a TopSink holds hits of 20 queries: the call has 4");
  done = align(scores, p, true, top);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "a TopSink holds hits of a spec with another objective or other outputs than 'fake'");
  EXPECT_EQ(done.error().exit_code, 2);
  TopSink largest(2);
  CallShape shape{1, 1, true, false, {Output::score}, "mine"};
  ASSERT_TRUE(largest.begin(shape));
  ASSERT_TRUE(largest.begin(shape));
  shape.minimize = true;
  EXPECT_FALSE(largest.begin(shape)) << "its smallest are no hits among the largest";
  TopSink asking(2, {{}, {Output::query_end}});
  done = align(scores, p, true, asking);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "the spec 'fake' gives no query_end; write `output: [score, end]` there");
  done = align(scores, p, true, Columns{});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "align_all: no column is given: one at least is needed");
  std::vector<std::int32_t> few(19);
  done = align(ends, p, false, Columns{{Output::target_end, few}});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message,
            "align_pairs: 20 queries and 20 targets make 20 pairs; the column target_end has room for 19");
}

// Blocks from several threads at once, made up, for both objectives.
TEST(TopSinkAlone, ThreadsMergeIntoTheSameHits) {
  constexpr std::size_t kQueries = 5, kTargets = 400, kMost = 9;
  tiny::Random random(16);
  std::vector<std::int32_t> scores;
  for (std::size_t i = 0; i < kQueries * kTargets; ++i) scores.push_back(random.below(40) - 20);
  for (const bool minimize : {false, true}) {
    TopSink top(kMost, {minimize ? 5 : -5, {}});
    CallShape shape;
    shape.queries = kQueries;
    shape.targets = kTargets;
    shape.all = true;
    shape.minimize = minimize;
    shape.outputs = {Output::score};
    ASSERT_TRUE(top.begin(shape));
    std::atomic<std::size_t> next{0};
    {
      std::vector<std::jthread> threads;
      for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
          for (std::size_t at = next++; at < scores.size(); at = next++) {
            const std::uint64_t pair = at * 7 % scores.size();  // every pair once, out of order
            ResultBlock block;
            block.pair = {&pair, 1};
            block.column[0] = {&scores[pair], 1};
            block.targets = kTargets;
            ASSERT_TRUE(top.put(block));
          }
        });
    }
    for (std::size_t q = 0; q < kQueries; ++q) {
      std::vector<std::pair<int, std::uint64_t>> want;
      for (std::size_t t = 0; t < kTargets; ++t)
        if (const int s = scores[q * kTargets + t]; minimize ? s <= 5 : s >= -5)
          want.emplace_back(minimize ? s : -s, t);
      std::sort(want.begin(), want.end());
      const auto hits = top.hits(q);
      ASSERT_EQ(hits.size(), kMost);
      for (std::size_t i = 0; i < kMost; ++i) {
        EXPECT_EQ(hits[i].target, want[i].second);
        EXPECT_EQ(hits[i][Output::score], minimize ? want[i].first : -want[i].first);
      }
    }
  }
}

// Threads hand CIGARs to one place, in any order.
TEST(CigarsOfCalls, AreTheSameByColumnsStreamsAndBests) {
  for (const char *name : {"fake_local_cigar", "fake_global_cigar"}) {
    const Aligner a = open(name);
    tiny::Pairs p = mixed(21, 300, 6);
    p.targets[2] = p.queries[1] += p.queries[0];  // outgrows 8 bits
    const std::size_t pairs = p.queries.size() * p.targets.size();
    std::vector<std::string> expected;
    std::size_t aligned = 0;
    for (const int threads : {1, 4}) {
      Cigars cigars;
      Columns columns;
      columns.set(cigars);
      const auto done = align(a, p, true, columns, on(threads));
      ASSERT_TRUE(done) << done.error().message;
      EXPECT_EQ(done->promoted > 0, name == std::string("fake_local_cigar"));
      ASSERT_EQ(cigars.size(), pairs);
      std::vector<std::string> texts;
      for (std::size_t i = 0; i < pairs; ++i) texts.push_back(cigar_text(cigars[i]));
      if (expected.empty()) expected = texts;
      EXPECT_EQ(texts, expected) << threads;
    }
    for (const std::string &text : expected) aligned += !text.empty();
    EXPECT_GT(aligned, pairs / 2);
    EXPECT_EQ(expected[1], "");  // an empty target

    std::vector<std::string> streamed(pairs);
    StreamSink stream(
        [&](const ResultBlock &block) -> Result<Next> {
          for (std::size_t i = 0; i < block.size(); ++i) streamed[block.pair[i]] = cigar_text(block.cigar(i));
          return Next::more;
        },
        {}, 5);
    ASSERT_TRUE(align(a, p, true, stream, on(4)));
    EXPECT_EQ(streamed, expected);
    TopSink top(3);
    ASSERT_TRUE(align(a, p, true, top, on(4)));
    for (std::size_t q = 0; q < p.queries.size(); ++q)
      for (const Hit &hit : top.hits(q)) EXPECT_EQ(cigar_text(hit.cigar), expected[q * p.targets.size() + hit.target]);
  }
}

// An output that is no number has no column of numbers.
TEST(CigarsOfCalls, TakeNoSpanOfNumbers) {
  const Aligner a = open("fake_local_cigar");
  const tiny::Pairs p = tiny::random_pairs(22, 3, 20);
  std::vector<std::int32_t> numbers(3);
  const auto refused = align(a, p, false, Columns{{Output::score, numbers}, {Output::cigar, numbers}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit_code, 2);
  EXPECT_EQ(refused.error().message, "align_pairs: CIGARs go into no column of numbers: use Columns::set(Cigars &)");
}

}  // namespace
