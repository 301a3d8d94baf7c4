// Whole alignments of parts of sequences are those of the whole: where the part holds all best cells, and where the
// library looks for such parts by itself, because pairs share their query.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "best_cells.h"
#include "host_isas.h"
#include "random_problems.h"
#include "whole_alignments.h"

namespace {

using golden::Alignments;
using golden::PairList;

std::string reversed(std::string_view letters) { return {letters.rbegin(), letters.rend()}; }

// What runtime/src/align/extent.h proves, by the textbook alone: scorings and sequences full of ties.
TEST(Extents, hold_the_path_that_counts) {
  std::mt19937 random(21);
  int smaller = 0, gaps = 0;
  for (int i = 0; i < 6000; ++i) {
    const oracle::Problem problem = golden::random_problem(random, 16);
    const std::string_view letters = random() % 4 == 0 ? "A" : random() % 2 ? "AC" : "ACN";
    const std::string query = golden::random_letters(random, letters, 1 + random() % 14);
    const std::string target = golden::random_letters(random, letters, 1 + random() % 14);
    const oracle::Answer want = oracle::align(problem, query, target);
    const golden::BestCells last = golden::best_cells(problem, query, target);
    ASSERT_EQ(last.score, want.score);
    if (want.score == 0) continue;
    const auto rows = static_cast<std::size_t>(last.row + 1), columns = static_cast<std::size_t>(last.column + 1);
    const golden::BestCells back =
        golden::best_cells(problem, reversed(query.substr(0, rows)), reversed(target.substr(0, columns)));
    ASSERT_EQ(back.score, want.score);
    const long row = last.row - back.row, column = last.column - back.column;
    oracle::Answer got = oracle::align(problem, query.substr(row, rows - row), target.substr(column, columns - column));
    got.query_begin += row;
    got.query_end += row;
    got.target_begin += column;
    got.target_end += column;
    ASSERT_EQ(golden::shown(got), golden::shown(want)) << query << " / " << target;
    smaller += rows - row < query.size() && columns - column < target.size();
    gaps += want.cigar.size() > 1;
  }
  EXPECT_GT(smaller, 500);
  EXPECT_GT(gaps, 500);
}

struct Searched {
  const char *name, *letters, *fields;
};

class SharedQueries : public testing::TestWithParam<Searched> {
 protected:
  void SetUp() override {
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
    std::mt19937 random(5);
    const std::string_view letters = GetParam().letters;
    for (int q = 0; q < 5; ++q) {
      std::string query = golden::random_letters(random, letters, 1500 + random() % 1500);
      query += query.substr(200, 150) + std::string(40, letters[1]);  // what is there twice
      for (int t = 0; t < 90; ++t) add(random, query, t);
    }
    pairs_.add(golden::random_letters(random, letters, 80), golden::random_letters(random, letters, 90));
  }
  // Parts of the query with errors, among other letters; alike enough to leave 8 bits; unrelated; of one letter; empty;
  // very long.
  void add(std::mt19937 &random, const std::string &query, int t) {
    const std::string_view letters = GetParam().letters;
    const auto other = [&](std::size_t most) { return golden::random_letters(random, letters, random() % most); };
    const std::size_t size = t % 6 == 0 ? 300 : 30 + random() % 100, at = random() % (query.size() - size);
    std::string part = query.substr(at, size);
    for (char &letter : part)
      if (random() % 7 == 0 && t % 6 != 0) letter = letters[random() % letters.size()];
    part.erase(part.size() / 2, random() % 4);
    std::string target = other(120) + part + other(120);
    if (t % 9 == 4) target = query.substr(190, 170) + other(60) + query.substr(200, 150);  // ties far from each other
    if (t % 13 == 7) target = std::string(1 + random() % 60, letters[1]);
    if (t == 40) target = "";
    if (t == 41) target = std::string(1, letters[2]);
    if (t == 42) target = other(100) + query + query;
    pairs_.add(query, target);
  }
  // Pairs that have the same letters next to each other share them.
  std::vector<std::string_view> shared() const {
    std::vector<std::string_view> views = pairs_.query_views();
    for (std::size_t i = 1; i < views.size(); ++i)
      if (views[i] == views[i - 1]) views[i] = views[i - 1];
    return views;
  }

  PairList pairs_;
};

bool found_extents(const alnsmith::Report &report) {
  return std::ranges::any_of(report.kernels,
                             [](const auto &name) { return name.find("_extent_") != std::string::npos; });
}

TEST_P(SharedQueries, align_as_pairs_of_their_own) {
  const golden::WholeAligner whole =
      golden::open_whole(GetParam().fields, host_isas().front(), {ALNSMITH_GENERATOR_PROGRAM});
  alnsmith::Report report;
  const Alignments wanted = whole.align(pairs_, &report);
  EXPECT_FALSE(found_extents(report));
  alnsmith::Options options = whole.options;
  for (const int threads : {1, 2, 4})
    for (const std::size_t memory : {std::size_t{24} << 20, std::size_t{1} << 30}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(memory) + " bytes");
      options.threads = threads;
      options.memory_bytes = memory;
      Alignments got(pairs_.size());
      const auto done = whole.aligner->align_pairs(shared(), pairs_.target_views(), got.columns(), options);
      ASSERT_TRUE(done) << done.error().message;
      EXPECT_TRUE(found_extents(*done));
      EXPECT_EQ(done->cells, report.cells);
      EXPECT_EQ(done->pairs, report.pairs);
      EXPECT_EQ(golden::difference(got, wanted, pairs_), "");
    }
}

TEST_P(SharedQueries, align_with_each_target_alike) {
  const golden::WholeAligner whole =
      golden::open_whole(GetParam().fields, host_isas().front(), {ALNSMITH_GENERATOR_PROGRAM});
  const std::vector<std::string_view> queries{pairs_.queries[0], pairs_.queries[100]}, targets = pairs_.target_views();
  PairList each;
  for (const std::string_view query : queries)
    for (const std::string_view target : targets) each.add(std::string(query), std::string(target));
  const Alignments wanted = whole.align(each);
  Alignments got(each.size());
  const auto done = whole.aligner->align_all(queries, targets, got.columns(), whole.options);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(found_extents(*done));
  EXPECT_EQ(golden::difference(got, wanted, each), "");
}

// Hits that leave 8 bits, of a query so long that a batch in lanes does not fit: each alone, as without extents.
TEST_P(SharedQueries, whose_hits_lanes_do_not_hold_align_alone) {
  if (host_isas().front() == alnsmith::Isa{}) GTEST_SKIP() << "one lane: nothing that is aligned alone";
  const golden::WholeAligner whole =
      golden::open_whole(GetParam().fields, host_isas().front(), {ALNSMITH_GENERATOR_PROGRAM});
  std::mt19937 random(9);
  const std::string query = golden::random_letters(random, GetParam().letters, 30000);
  PairList pairs;
  for (std::size_t t = 0; t < 40; ++t)
    pairs.add(query,
              t < 2 ? query.substr(10000 * (t + 1), 400) : golden::random_letters(random, GetParam().letters, 400));
  alnsmith::Options options = whole.options;
  Alignments wanted(pairs.size()), got(pairs.size());
  const auto alone = whole.aligner->align_pairs(pairs.query_views(), pairs.target_views(), wanted.columns(), options);
  ASSERT_TRUE(alone) << alone.error().message;
  options.memory_bytes = std::size_t{32} << 20;
  const std::vector<std::string_view> queries(pairs.size(), query);
  const auto done = whole.aligner->align_pairs(queries, pairs.target_views(), got.columns(), options);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(found_extents(*done));
  EXPECT_EQ(golden::difference(got, wanted, pairs), "");
  options.memory_bytes = std::size_t{4} << 20;  // too little for extents
  const auto less = whole.aligner->align_pairs(queries, pairs.target_views(), got.columns(), options);
  ASSERT_TRUE(less) << less.error().message;
  EXPECT_FALSE(found_extents(*less));
  EXPECT_EQ(golden::difference(got, wanted, pairs), "");
}

// Where the best alignments fill the matrix, extents only cost time.
TEST_P(SharedQueries, that_are_like_their_targets_align_as_a_whole) {
  const golden::WholeAligner whole =
      golden::open_whole(GetParam().fields, host_isas().front(), {ALNSMITH_GENERATOR_PROGRAM});
  const std::string &query = pairs_.queries[0];
  PairList alike;
  for (int i = 0; i < 70; ++i) alike.add(query, query.substr(static_cast<std::size_t>(i)));
  const Alignments wanted = whole.align(alike);
  Alignments got(alike.size());
  const std::vector<std::string_view> queries(alike.size(), query);
  const auto done = whole.aligner->align_pairs(queries, alike.target_views(), got.columns(), whole.options);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(golden::difference(got, wanted, alike), "");
}

constexpr const char *kProtein =
    "alignment: local\ngap: {model: affine, open: 11, extend: 1}\nalphabet: protein\nscore: {matrix: BLOSUM62}";
constexpr const char *kLinear =
    "alignment: local\ngap: {model: linear, extend: 2}\nalphabet: dna5\nscore: {match: 1, mismatch: -2}";
constexpr const char *kSides =
    "alignment: local\ngap: {insertion: {model: affine, open: 3, extend: 1}, deletion: {model: affine, open: 5, "
    "extend: "
    "2}}\nalphabet: dna\nscore: {match: 2, mismatch: -3}";

INSTANTIATE_TEST_SUITE_P(Specs, SharedQueries,
                         testing::Values(Searched{"protein", "ARNDCQEGHILKMFPSTWYV", kProtein},
                                         Searched{"linear", "ACGT", kLinear}, Searched{"sides", "ACGT", kSides},
                                         Searched{"dual_affine", "ACGT", golden::kLocal}),
                         [](const auto &info) { return info.param.name; });

}  // namespace
