// What sinks are told, and what they say: a stop and an error end the call, and what does not fit is refused.
#include <atomic>
#include <stdexcept>

#include "sinks_fixture.h"

namespace {

using namespace sinks;

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

}  // namespace
