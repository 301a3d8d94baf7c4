// Columns, streams and the best of each query: the same results, whatever threads and kernels they come from.
#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "sinks_fixture.h"

namespace {

using namespace sinks;

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
  for (const auto &[threads, most] : {std::pair<int, std::size_t>{1, 1}, {2, 5}, {3, 1000}, {4, 2}}) {
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
