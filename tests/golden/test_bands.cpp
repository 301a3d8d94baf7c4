// Bands of a spec (`band: {width}`): what a call gives is the textbook's that knows no cell outside of the band, of any
// alignment type, gap model, width and length, pair by pair and each with each; a band that covers everything changes
// nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "../mutated.h"
#include "host_isas.h"
#include "random_problems.h"
#include "sample.h"
#include "whole_alignments.h"

#ifndef ALNSMITH_GENERATOR_PROGRAM
#define ALNSMITH_GENERATOR_PROGRAM ""
#endif

namespace {

using golden::random_letters;

// Types with what each leaves free, and gap models.
constexpr const char *alignments[] = {"global",
                                      "local",
                                      "semiglobal",
                                      "{free_ends: [target_begin, target_end]}",
                                      "{free_ends: [query_end]}",
                                      "{free_ends: [query_begin, target_end]}"};
constexpr const char *gaps[] = {
    "{model: affine, open: 3, extend: 1}", "{model: linear, extend: 2}",
    "{insertion: {model: dual_affine, open: 2, extend: 2, open2: 6, extend2: 1}, deletion: {model: affine, open: 5, "
    "extend: 1}}"};

std::string fields(const char *alignment, const char *gap) {
  return std::string("alignment: ") + alignment + "\ngap: " + gap +
         "\nalphabet: dna\nscore: {match: 2, mismatch: -3}\nmapping: strips\narithmetic: int32";
}
std::string with_band(const std::string &fields, int width) {
  return fields + "\nband: {width: " + std::to_string(width) + "}";
}

class Bands : public testing::TestWithParam<alnsmith::Isa> {
 protected:
  void SetUp() override {
    if (GetParam() != host_isas().front()) ONE_IN(3);
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
    if (GetParam().machine.empty()) GTEST_SKIP() << "one lane has nothing to share";
  }
  golden::WholeAligner open(const std::string &spec) const {
    return golden::open_whole(spec, GetParam(), {ALNSMITH_GENERATOR_PROGRAM});
  }
};

// Of several stages, alike or not, one much longer than the other, and letters alone.
golden::PairList some_pairs(unsigned seed) {
  std::mt19937 random(seed);
  golden::PairList pairs = golden::ragged_pairs(random, "ACGT", 60, 200);
  golden::add_corner_cases(pairs, "ACGT");
  for (const std::size_t length : {130u, 400u, 900u}) {
    const std::string query = random_letters(random, "ACGT", length), more = random_letters(random, "ACGT", 150);
    pairs.add(query, mutated(random, "ACGT", query, 12));
    pairs.add(query, more + mutated(random, "ACGT", query, 30));
    pairs.add(query + more, query);
    pairs.add(query, random_letters(random, "ACGT", length));
  }
  pairs.add(random_letters(random, "ACGT", 5), random_letters(random, "ACGT", 700));
  pairs.add(random_letters(random, "ACGT", 700), random_letters(random, "ACGT", 5));
  return pairs;
}

TEST_P(Bands, AreTheTextbooksWithoutTheCellsOutside) {
  const golden::PairList pairs = some_pairs(41);
  std::size_t narrower = 0;
  for (std::size_t i = 0; i < std::size(alignments); ++i) {
    const char *const gap = gaps[i % std::size(gaps)];
    const golden::Alignments whole = open(fields(alignments[i], gap)).align(pairs);
    // By default half of the widths, by turns.
    constexpr int widths[] = {0, 1, 7, 100};
    for (std::size_t w = 0; w < std::size(widths); ++w) {
      if ((i + w) % 2 != 0 && !sample::everything()) continue;
      const int width = widths[w];
      SCOPED_TRACE(std::string(alignments[i]) + " width " + std::to_string(width));
      const golden::WholeAligner banded = open(with_band(fields(alignments[i], gap), width));
      ASSERT_EQ(banded.problem.band, width);
      alnsmith::Report report;
      const golden::Alignments got = banded.align(pairs, &report);
      ASSERT_EQ(banded.complaint(pairs, got), "");
      EXPECT_EQ(report.banded, 0u) << "of these a band would be all that there is";
      for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
        ASSERT_LE(got.score[pair], whole.score[pair]);
        narrower += got.score[pair] < whole.score[pair];
      }
    }
  }
  EXPECT_GT(narrower, sample::everything() ? 200u : 100u);
}

TEST_P(Bands, ThatCoverEverythingChangeNothing) {
  const golden::PairList pairs = some_pairs(42);
  for (const char *alignment : {alignments[0], alignments[1], alignments[2]})
    for (const int width : {900, 1 << 30}) {
      SCOPED_TRACE(alignment);
      const std::string spec = fields(alignment, gaps[0]);
      ASSERT_EQ(golden::difference(open(with_band(spec, width)).align(pairs), open(spec).align(pairs), pairs), "");
    }
}

// In threads, and each query with each target.
TEST_P(Bands, AreTheSameHoweverTheyAreAskedFor) {
  std::mt19937 random(43);
  const golden::PairList pairs = golden::ragged_pairs(random, "ACGT", 12, 300);
  auto aligner = open(with_band(fields("semiglobal", gaps[0]), 9));
  const std::size_t n = pairs.size();
  std::vector<std::int32_t> all(n * n), one(n);
  for (const int threads : {1, 3}) {
    aligner.options.threads = threads;
    alnsmith::Columns columns;
    columns.set(alnsmith::Output::score, all);
    const auto report = aligner.aligner->align_all(pairs.query_views(), pairs.target_views(), columns, aligner.options);
    ASSERT_TRUE(report) << report.error().message;
    for (std::size_t q = 0; q < n; ++q)
      for (std::size_t t = 0; t < n; ++t)
        ASSERT_EQ(all[q * n + t], oracle::score(aligner.problem, pairs.queries[q], pairs.targets[t])) << q << ", " << t;
  }
}

// A long pair takes the rows of its band alone: what is kept for the way back says so.
TEST_P(Bands, TakeMemoryForTheirRowsAlone) {
  std::mt19937 random(44);
  const std::string query = random_letters(random, "ACGT", 30000);
  golden::PairList pairs;
  pairs.add(query, mutated(random, "ACGT", query, 50));
  auto banded = open(with_band(fields("global", gaps[0]), 300));
  auto whole = open(fields("global", gaps[0]));
  banded.options.memory_bytes = std::size_t{24} << 20;
  const golden::Alignments got = banded.align(pairs);
  EXPECT_EQ(golden::difference(got, whole.align(pairs), pairs), "") << "all of the best path lies inside";
  banded.options.memory_bytes = std::size_t{1} << 20;
  try {
    banded.align(pairs);
    FAIL() << "a pair of 30,000 letters fits 1 MB";
  } catch (const std::exception &refusal) {
    EXPECT_NE(std::string(refusal.what()).find("memory limit"), std::string::npos) << refusal.what();
  }
}

// Where scores of letters are looked up sixteen rows at a time, a strip may begin at any row of the band: this one
// never came to an end.
TEST_P(Bands, MayLeaveOutRowsWhoseLettersAreNotLookedUp) {
  for (const char *alignment : {"global", "{free_ends: [query_begin, query_end, target_begin, target_end]}"}) {
    SCOPED_TRACE(alignment);
    const golden::WholeAligner whole =
        golden::open_whole(std::string("alignment: ") + alignment +
                               "\ngap: {model: affine, open: 7, extend: 5}\nalphabet: protein\nscore: {matrix: "
                               "BLOSUM62}\nband: {from: target - query - 30, to: target - query + 20}",
                           GetParam(), {ALNSMITH_GENERATOR_PROGRAM, "mapping=lanes,k=2"}, "[score, end]");
    std::mt19937 random(7);
    golden::PairList pairs;
    for (int i = 0; i < 150; ++i) {
      const std::string query = random_letters(random, "ARNDCQEGHILKMFPSTWYV", 20 + random() % 60);
      pairs.add(query, mutated(random, "ARNDCQEGHILKMFPSTWYV", query, 6));
    }
    std::vector<std::int32_t> scores(pairs.size()), query_ends = scores, target_ends = scores;
    const auto done = whole.aligner->align_pairs(pairs.query_views(), pairs.target_views(),
                                                 {{alnsmith::Output::score, scores},
                                                  {alnsmith::Output::query_end, query_ends},
                                                  {alnsmith::Output::target_end, target_ends}},
                                                 whole.options);
    ASSERT_TRUE(done) << done.error().message;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const oracle::Answer want = oracle::align(whole.problem, pairs.queries[i], pairs.targets[i]);
      ASSERT_EQ(std::tuple(scores[i], query_ends[i], target_ends[i]),
                std::tuple(want.score, want.query_end, want.target_end))
          << pairs.queries[i] << " " << pairs.targets[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(isa, Bands, testing::ValuesIn(host_isas()),
                         [](const auto &info) { return test_name(info.param); });

}  // namespace
