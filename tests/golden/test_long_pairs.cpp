// Pairs that are aligned one at a time, all lanes of a vector on each: scores and ends are the textbook's whatever the
// mixture of lengths and the threads, what outgrows a width is aligned by a wider one, and faults are named.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "../mutated.h"
#include "host_isas.h"
#include "random_problems.h"
#include "sample.h"
#include "scratch.h"
#include "temporary_aligner.h"
#include "whole_alignments.h"

namespace {

using alnsmith::Output;
using golden::random_letters;

struct Pairs {
  std::vector<std::string> queries, targets;
  void add(std::string query, std::string target) {
    queries.push_back(std::move(query));
    targets.push_back(std::move(target));
  }
  static std::vector<std::string_view> views(const std::vector<std::string> &texts) {
    return {texts.begin(), texts.end()};
  }
};

struct Columns {
  explicit Columns(std::size_t n) : score(n), query_end(n), target_end(n) {}
  std::vector<std::int32_t> score, query_end, target_end;
  alnsmith::Columns columns() {
    alnsmith::Columns all;
    all.set(Output::score, score);
    all.set(Output::query_end, query_end);
    all.set(Output::target_end, target_end);
    return all;
  }
};

bool splits(const alnsmith::Report &report, const std::string &arithmetic) {
  return std::ranges::any_of(report.kernels, [&](const std::string &entry) {
    return entry.find("_split_" + arithmetic) != std::string::npos;
  });
}

class LongPairs : public testing::TestWithParam<alnsmith::Isa> {
 protected:
  void SetUp() override {
    if (GetParam() != host_isas().front()) ONE_IN(3);
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
    if (GetParam().machine.empty()) GTEST_SKIP() << "one lane has nothing to share";
    options_.isa = GetParam();
    options_.threads = 1;
  }
  golden::TemporaryAligner open(const std::string &keys) const {
    alnsmith::Sources sources;
    sources.generator = ALNSMITH_GENERATOR_PROGRAM;
    sources.cache_dir = scratch::kernel_cache();
    auto aligner = golden::TemporaryAligner::open(
        "version: 1\nname: long\nalphabet: dna5\noutput: [score, end]\n" + keys, sources, options_);
    if (!aligner) throw std::runtime_error(aligner.error().message);
    return *std::move(aligner);
  }
  // Whether a stage of the longest tile has more letters than short reads.
  bool wide() const {
    return GetParam() != *alnsmith::parse_isa("x86-64-v2") && GetParam() != *alnsmith::parse_isa("aarch64-neon");
  }
  alnsmith::Options options_;
};

// Most are short, some long, one very long and thin.
Pairs mixture(unsigned seed) {
  std::mt19937 random(seed);
  Pairs pairs;
  for (int i = 0; i < 70; ++i) {
    const std::string query = random_letters(random, "ACGT", i % 9 == 4 ? 700 + random() % 1500 : 1 + random() % 200);
    pairs.add(query, i % 3 ? mutated(random, "ACGT", query, 16) : random_letters(random, "ACGTN", 1 + random() % 300));
  }
  pairs.add(random_letters(random, "ACGT", 5), random_letters(random, "ACGT", 9000));
  pairs.add(random_letters(random, "ACGT", 9000), "A");
  pairs.add("", "ACGT");
  return pairs;
}

TEST_P(LongPairs, AmongShortOnesScoreAsTheTextbook) {
  const Pairs pairs = mixture(31);
  struct Row {
    const char *alignment;
    oracle::Mode mode;
    oracle::FreeEnds free;
    const char *arithmetic;  // of the split kernels
  };
  const Row rows[] = {
      {"global", oracle::Mode::global, {}, "i8"},
      {"local", oracle::Mode::local, {}, "i8"},
      {"{free_ends: [target_begin, target_end]}", oracle::Mode::semiglobal, {false, false, true, true}, "i8"},
      {"{free_ends: [query_begin, query_end, target_begin, target_end]}",
       oracle::Mode::semiglobal,
       {true, true, true, true},
       "i8"}};
  for (const Row &row : rows) {
    SCOPED_TRACE(row.alignment);
    const auto aligner = open(std::string("alignment: ") + row.alignment +
                              "\ngap: {model: affine, open: 3, extend: 1}\nscore: {match: 2, mismatch: -2}\n");
    const oracle::Problem problem{
        row.mode, row.free, {3, 1}, {3, 1}, oracle::Substitution::match_mismatch("ACGTN", 2, -2, 'N'), false};
    std::vector<oracle::Answer> want;
    for (std::size_t i = 0; i < pairs.queries.size(); ++i)
      want.push_back(oracle::align(problem, pairs.queries[i], pairs.targets[i]));
    for (const int threads : {1, 2, 3}) {
      alnsmith::Options options = options_;
      options.threads = threads;
      Columns got(pairs.queries.size());
      const auto report =
          aligner->align_pairs(Pairs::views(pairs.queries), Pairs::views(pairs.targets), got.columns(), options);
      ASSERT_TRUE(report) << report.error().message;
      EXPECT_TRUE(splits(*report, row.arithmetic));
      for (std::size_t i = 0; i < want.size(); ++i) {
        ASSERT_EQ(got.score[i], want[i].score) << i << ", threads " << threads;
        ASSERT_EQ(got.query_end[i], want[i].query_end) << i << ", threads " << threads;
        ASSERT_EQ(got.target_end[i], want[i].target_end) << i << ", threads " << threads;
      }
    }
  }
}

// Each query with each target goes the same way where there are few.
TEST_P(LongPairs, OfEachWithEachScoreAsPairs) {
  std::mt19937 random(32);
  Pairs pairs, crossed;
  for (int i = 0; i < 2; ++i)
    pairs.add(random_letters(random, "ACGT", 2400 + 50 * static_cast<std::size_t>(i)),
              random_letters(random, "ACGT", 2500));
  for (const std::string &query : pairs.queries)
    for (const std::string &target : pairs.targets) crossed.add(query, target);
  const auto aligner = open("alignment: local\ngap: {model: linear, extend: 2}\nscore: {match: 2, mismatch: -3}\n");
  Columns all(4), each(4);
  const auto report =
      aligner->align_all(Pairs::views(pairs.queries), Pairs::views(pairs.targets), all.columns(), options_);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(splits(*report, "i8"));
  ASSERT_TRUE(
      aligner->align_pairs(Pairs::views(crossed.queries), Pairs::views(crossed.targets), each.columns(), options_));
  EXPECT_EQ(all.score, each.score);
  EXPECT_EQ(all.query_end, each.query_end);
  EXPECT_EQ(all.target_end, each.target_end);
}

// 1,000 equal letters score 40,000, more than 16 bits have a number for.
TEST_P(LongPairs, OutgrowTheirWidth) {
  std::mt19937 random(33);
  Pairs pairs;
  for (int i = 0; i < 3; ++i) {
    const std::string query = random_letters(random, "ACGT", 1000);
    pairs.add(query, i == 1 ? random_letters(random, "ACGT", 1000) : query);
  }
  const auto aligner =
      open("alignment: local\ngap: {model: affine, open: 50, extend: 10}\nscore: {match: 40, mismatch: -30}\n");
  for (const int threads : {1, 2}) {
    alnsmith::Options options = options_;
    options.threads = threads;
    Columns got(3);
    const auto report =
        aligner->align_pairs(Pairs::views(pairs.queries), Pairs::views(pairs.targets), got.columns(), options);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(splits(*report, "i16"));
    EXPECT_EQ(report->promoted, 0u);
    EXPECT_EQ(got.score[0], 40000);
    EXPECT_EQ(got.query_end[0], 999);
    EXPECT_EQ(got.score[2], 40000);
    EXPECT_LT(got.score[1], 32768);
  }
}

// A spec may ask for them; then short pairs are aligned one at a time too.
TEST_P(LongPairs, AreAllPairsWhereTheSpecSaysSo) {
  const auto aligner =
      open("alignment: global\ngap: {model: linear, extend: 2}\nscore: {match: 2, mismatch: -3}\nmapping: strips\n");
  Columns got(1);
  const auto report = aligner->align_pairs({{"ACGTACGT"}}, {{"ACGACGT"}}, got.columns(), options_);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(got.score[0], 12);
  ASSERT_EQ(report->kernels.size(), 1u);
  EXPECT_TRUE(splits(*report, "i8"));
}

// Two kernels of one width: of short pairs and of long ones.
TEST_P(LongPairs, TakeTheKernelWhoseStageSuitsTheirLength) {
  const auto aligner = open(
      "alignment: global\ngap: {model: affine, open: 3, extend: 1}\nscore: {match: 2, mismatch: -2}\nmapping: "
      "strips\n");
  const oracle::Problem problem{
      oracle::Mode::global, {}, {3, 1}, {3, 1}, oracle::Substitution::match_mismatch("ACGTN", 2, -2, 'N'), false};
  std::mt19937 random(36);
  std::set<std::string> kernels;
  for (const std::size_t length : {150u, 250u, 800u}) {  // too short for a band
    const std::string query = random_letters(random, "ACGT", length), target = mutated(random, "ACGT", query, 16);
    Columns got(1);
    const auto report = aligner->align_pairs({{query}}, {{target}}, got.columns(), options_);
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_EQ(report->kernels.size(), 1u);
    kernels.insert(report->kernels[0]);
    EXPECT_EQ(kernels.size(), length > 250 && wide() ? 2u : 1u) << report->kernels[0];
    EXPECT_EQ(got.score[0], oracle::align(problem, query, target).score);
  }
}

// A band of unlike sequences, most of the matrix and in the narrow tile, takes longer than all of it in the wide one.
TEST_P(LongPairs, ThatAreUnlikeTakeNoBandOfAnotherTile) {
  if (!wide()) GTEST_SKIP() << "one tile";
  auto aligner = open("alignment: global\ngap: {model: affine, open: 2, extend: 1}\nscore: {match: 2, mismatch: -1}\n");
  std::mt19937 random(37);
  const std::string query = random_letters(random, "ACGT", 6000), target = random_letters(random, "ACGT", 6000);
  Columns got(1);
  const auto report = aligner->align_pairs({{query}}, {{target}}, got.columns(), options_);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->banded, 0u) << report->kernels[0];
}

// Of many pairs a few are tried: what a band takes less of them decides for all.
TEST_P(LongPairs, ThatAreManyTakeABandIfAFewOfThemAreAlike) {
  std::mt19937 random(36);
  auto aligner = open("alignment: global\ngap: {model: affine, open: 2, extend: 1}\nscore: {match: 2, mismatch: -1}\n");
  auto lanes = open(
      "alignment: global\ngap: {model: affine, open: 2, extend: 1}\nscore: {match: 2, mismatch: -1}\nmapping: lanes\n");
  for (const bool alike : {true, false}) {
    SCOPED_TRACE(alike);
    golden::PairList pairs;
    for (int i = 0; i < 320; ++i) {  // full vectors
      const std::string query = random_letters(random, "ACGT", 4000);
      pairs.add(query, alike ? mutated(random, "ACGT", query, 100) : random_letters(random, "ACGT", 4000));
    }
    Columns ends(pairs.size()), wanted(pairs.size());
    const auto report = aligner->align_pairs(pairs.query_views(), pairs.target_views(), ends.columns(), options_);
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_TRUE(lanes->align_pairs(pairs.query_views(), pairs.target_views(), wanted.columns(), options_));
    EXPECT_EQ(ends.score, wanted.score);
    EXPECT_EQ(report->banded, alike ? 320u : 0u);
    EXPECT_EQ(splits(*report, "i"), alike);
  }
}

// Where the score of a band proves that no better path leaves it, the rest of the matrix is not scored; where the first
// letters promise too much, a wider band or all of it is.
TEST_P(LongPairs, ThatAreAlikeTakeABandAlone) {
  std::mt19937 random(35);
  golden::PairList pairs;
  const auto like = [&](std::size_t length, std::uint32_t one_in) {
    const std::string query = random_letters(random, "ACGT", length);
    pairs.add(query, mutated(random, "ACGT", query, one_in));
  };
  like(9000, 100);
  like(7000, 20);
  like(8000, 6);
  // Alike at first: 1,500 letters are left out, others put in their place; and one after the other.
  const std::string query = random_letters(random, "ACGT", 8000), other = random_letters(random, "ACGT", 1500);
  pairs.add(query, query.substr(0, 3000) + query.substr(4500));
  pairs.add(query.substr(0, 3000) + query.substr(4500), query);
  pairs.add(query, query.substr(0, 5000) + other + query.substr(6500));
  pairs.add(query, query.substr(0, 2500) + query.substr(4000, 3000) + other + query.substr(7000));
  pairs.add(query, query.substr(0, 4000) + random_letters(random, "ACGT", 4000));
  pairs.add(query, random_letters(random, "ACGT", 7500));
  pairs.add(std::string(6000, 'A'), std::string(6000, 'C'));
  // Ways at the very edge of the narrowest band where a stage ends, on either side.
  const std::string base = random_letters(random, "ACGT", 6000);
  for (const std::size_t before : {0u, 7u, 21u, 40u, 61u}) {
    const std::size_t at = 2048 - 64 - before;
    const std::string bent =
        base.substr(0, at) + random_letters(random, "ACGT", 64) + base.substr(at, 61) + base.substr(at + 61 + 64);
    pairs.add(bent, base);
    pairs.add(base, bent);
  }
  std::size_t turn = 0;
  for (const char *gap :
       {"{model: affine, open: 3, extend: 1}", "{model: linear, extend: 2}",
        "{model: dual_affine, open: 4, extend: 2, open2: 13, extend2: 1}",
        "{insertion: {model: affine, open: 1, extend: 2}, deletion: {model: affine, open: 6, extend: 1}}"}) {
    if (!sample::falls_to(GetParam(), turn++)) continue;
    SCOPED_TRACE(gap);
    const auto open = [&](const std::string &mapping, const std::string &output) {
      return golden::open_whole(
          std::string("alignment: global\nalphabet: dna5\nscore: {match: 2, mismatch: -3}\ngap: ") + gap +
              "\nmapping: " + mapping,
          GetParam(), {ALNSMITH_GENERATOR_PROGRAM}, output);
    };
    const std::string all = "[score, end, begin, cigar]";
    const golden::Alignments wanted = open("lanes", all).align(pairs);
    for (const int threads : {1, 2}) {
      auto whole = open("strips", all);
      whole.options.threads = threads;
      alnsmith::Report report;
      ASSERT_EQ(golden::difference(whole.align(pairs, &report), wanted, pairs), "");
      EXPECT_GT(report.banded, 2u);
      EXPECT_LT(report.banded, pairs.size());
    }
    // Scores alone write the border between stages in place. By default one of the widths, by turns.
    constexpr const char *arithmetics[] = {"int8", "int16", "int32"};
    for (std::size_t a = 0; a < std::size(arithmetics); ++a) {
      if (a != turn % std::size(arithmetics) && !sample::everything()) continue;
      const char *const arithmetic = arithmetics[a];
      const auto scores = open(std::string("strips\narithmetic: ") + arithmetic, "[score]");
      std::vector<std::int32_t> got(pairs.size());
      alnsmith::Columns column;
      column.set(Output::score, got);
      const auto scored =
          scores.aligner->align_pairs(pairs.query_views(), pairs.target_views(), column, scores.options);
      ASSERT_TRUE(scored) << scored.error().message;
      EXPECT_EQ(got, wanted.score) << arithmetic;
      EXPECT_GT(scored->banded, 2u) << arithmetic;
    }
  }
}

// In whatever width the model takes; stages run side by side.
TEST_P(LongPairs, StripedScoreAsTheTextbook) {
  const Pairs pairs = mixture(35);
  const oracle::Problem problem{
      oracle::Mode::local, {}, {3, 1}, {3, 1}, oracle::Substitution::match_mismatch("ACGTN", 2, -2, 'N'), false};
  const auto aligner = open(
      "alignment: local\ngap: {model: affine, open: 3, extend: 1}\nscore: {match: 2, mismatch: -2}\n"
      "mapping: striped\ntile: {k: 4}\n");
  for (const int threads : {1, 2}) {
    alnsmith::Options options = options_;
    options.threads = threads;
    Columns got(pairs.queries.size());
    const auto report =
        aligner->align_pairs(Pairs::views(pairs.queries), Pairs::views(pairs.targets), got.columns(), options);
    ASSERT_TRUE(report) << report.error().message;
    for (const std::string &entry : report->kernels) EXPECT_NE(entry.find("_striped_i"), std::string::npos) << entry;
    for (std::size_t i = 0; i < pairs.queries.size(); ++i) {
      const oracle::Answer want = oracle::align(problem, pairs.queries[i], pairs.targets[i]);
      ASSERT_EQ(got.score[i], want.score) << i << ", threads " << threads;
      ASSERT_EQ(got.query_end[i], want.query_end) << i << ", threads " << threads;
      ASSERT_EQ(got.target_end[i], want.target_end) << i << ", threads " << threads;
    }
  }
}

TEST_P(LongPairs, FaultsAreNamed) {
  std::mt19937 random(34);
  const auto aligner = open("alignment: global\ngap: {model: linear, extend: 2}\nscore: {match: 2, mismatch: -3}\n");
  const std::string query = random_letters(random, "ACGT", 20000);
  std::string wrong = query;
  wrong[12345] = '\n';
  for (const int threads : {1, 2}) {
    alnsmith::Options options = options_;
    options.threads = threads;
    Columns got(1);
    options.memory_bytes = 100000;
    auto report = aligner->align_pairs({{query}}, {{query}}, got.columns(), options);
    ASSERT_FALSE(report);
    EXPECT_NE(report.error().message.find("pair 1: a query of 20000 and a target of 20000 letters needs"),
              std::string::npos)
        << report.error().message;
    options.memory_bytes = options_.memory_bytes;
    options.cancelled = [] { return true; };
    report = aligner->align_pairs({{query}}, {{query}}, got.columns(), options);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().exit_code, 130);
  }
}

INSTANTIATE_TEST_SUITE_P(isa, LongPairs, testing::ValuesIn(host_isas()),
                         [](const auto &info) { return test_name(info.param); });

}  // namespace
