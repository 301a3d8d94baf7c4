// Targets of state sets: kernels score and align them as the textbook does, whatever the alphabet, flags, borders,
// bands, alignment types and gap models, pair by pair and each with each; PaPaRa 2.5's own scores are reproduced.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>

#include "golden.h"
#include "host_isas.h"
#include "random_problems.h"
#include "sample.h"
#include "state_set_points.h"
#include "whole_alignments.h"

#ifndef ALNSMITH_GENERATOR_PROGRAM
#define ALNSMITH_GENERATOR_PROGRAM ""
#endif

namespace {

using golden::ColumnTarget;
using namespace golden::state_sets;

class StateSets : public testing::TestWithParam<alnsmith::Isa> {
 protected:
  void SetUp() override {
    if (GetParam() != host_isas().front()) ONE_IN(3);
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
  }
  golden::WholeAligner open(const std::string &spec, const std::string &output) const {
    return golden::open_whole(spec, GetParam(), {ALNSMITH_GENERATOR_PROGRAM}, output);
  }
  std::vector<Point> of_this_isa(std::span<const Point> all) const {
    std::vector<Point> some;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (sample::falls_to(GetParam(), i)) some.push_back(all[i]);
    return some;
  }
};

TEST_P(StateSets, PairsAreTheTextbooksWithTheirCigars) {
  for (const Point &point : of_this_isa(points)) {
    SCOPED_TRACE(fields(point));
    std::mt19937 random(7);
    const golden::WholeAligner whole = open(fields(point), "[score, end, begin, cigar]");
    const Material made = pairs_that_exist(whole.problem, material(random, whole.problem, point, 90, 70));
    ASSERT_GT(made.queries.size(), 10u);
    golden::Alignments got(made.queries.size());
    const auto done = whole.aligner->align_pairs(made.query_views(), made.target_views(), got.columns(), whole.options);
    ASSERT_TRUE(done) << done.error().message;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const oracle::Answer answer = got.answer(i),
                           want = oracle::align(whole.problem, made.queries[i], made.targets[i].plain());
      ASSERT_EQ(golden::shown(answer), golden::shown(want)) << "pair " << i << " " << made.queries[i];
      if (answer.query_end >= 0) {
        ASSERT_EQ(golden::rescored(whole.problem, made.queries[i], made.targets[i].plain(), answer), want.score) << i;
      }
    }
  }
}

TEST_P(StateSets, EachWithEachIsTheTextbooks) {
  std::vector<Point> all(std::begin(points), std::end(points));
  all.insert(all.end(), std::begin(without_begins), std::end(without_begins));
  for (const Point &point : of_this_isa(all)) {
    for (const char *output : {"[score]", "[score, end]"}) {
      SCOPED_TRACE(fields(point) + output);
      std::mt19937 random(8);
      golden::WholeAligner whole = open(fields(point), output);
      const Material made = each_with_each(random, whole.problem, point);
      ASSERT_GT(made.targets.size(), 10u);
      const std::size_t n = made.queries.size() * made.targets.size();
      std::vector<std::int32_t> score(n), query_end(n), target_end(n);
      alnsmith::Columns columns{{alnsmith::Output::score, score}};
      const bool ends = std::string_view(output) != "[score]";
      if (ends) {
        columns.set(alnsmith::Output::query_end, query_end);
        columns.set(alnsmith::Output::target_end, target_end);
      }
      whole.options.threads = 1 + static_cast<int>(random() % 2);
      const auto done = whole.aligner->align_all(made.query_views(), made.target_views(), columns, whole.options);
      ASSERT_TRUE(done) << done.error().message;
      for (std::size_t i = 0; i < n; ++i) {
        const auto &query = made.queries[i / made.targets.size()];
        const auto &target = made.targets[i % made.targets.size()];
        const oracle::Answer want = oracle::align(whole.problem, query, target.plain());
        ASSERT_EQ(score[i], want.score) << i << " " << query;
        if (!ends) continue;
        ASSERT_EQ(query_end[i], want.query_end) << i;
        ASSERT_EQ(target_end[i], want.target_end) << i;
      }
    }
  }
}

// Reads whose first letters fit where the band begins and whose others fit nowhere: a strip's last row may lie below
// the band, and what its columns had above does not count there.
TEST_P(StateSets, NoAlignmentEndsBelowTheBand) {
  const golden::WholeAligner whole = open(
      "alignment: {free_ends: [target_begin, target_end]}\ngap: {model: affine, open: 2, extend: 1}\nalphabet: "
      "{state_sets: dna}\nscore: {match: 2, mismatch: -3}\nband: {from: 0, to: target - query}",
      "[score]");
  Material made;
  for (std::size_t fits = 20; fits < 46; ++fits) {
    ColumnTarget target;
    target.sets.assign(fits, whole.problem.substitution.code('A'));
    target.sets.resize(fits + 20, whole.problem.substitution.code('G'));
    made.targets.push_back(target);
    made.queries.push_back(std::string(fits, 'A') + std::string(7, 'C'));
  }
  std::erase_if(made.targets, [](const ColumnTarget &target) { return target.sets.size() < 53; });
  std::vector<std::int32_t> score(made.queries.size() * made.targets.size());
  const auto done = whole.aligner->align_all(made.query_views(), made.target_views(),
                                             alnsmith::Columns{{alnsmith::Output::score, score}}, whole.options);
  ASSERT_TRUE(done) << done.error().message;
  for (std::size_t i = 0; i < score.size(); ++i) {
    const auto &query = made.queries[i / made.targets.size()];
    const auto &target = made.targets[i % made.targets.size()];
    ASSERT_EQ(score[i], oracle::align(whole.problem, query, target.plain()).score) << query;
  }
}

// A pair's own letters are met anew for each cell, so that a last group of targets whose lanes are empty but for one
// costs less.
TEST_P(StateSets, TargetsFillLanesThoughTheLastGroupIsSmall) {
  std::mt19937 random(12);
  const golden::WholeAligner whole = open(fields(points[0]), "[score]");
  Material made;
  for (int i = 0; i < 97; ++i)
    made.targets.push_back(golden::random_columns(random, points[0].states, 1800, points[0].flags));
  for (int i = 0; i < 2; ++i)
    made.queries.push_back(near_columns(random, whole.problem, points[0], made.targets.front(), 50));
  std::vector<std::int32_t> score(made.queries.size() * made.targets.size());
  const auto done = whole.aligner->align_all(made.query_views(), made.target_views(),
                                             alnsmith::Columns{{alnsmith::Output::score, score}}, whole.options);
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_FALSE(done->kernels.empty());
  for (const std::string &kernel : done->kernels) EXPECT_NE(kernel.find("_shared_"), std::string::npos) << kernel;
}

// Borders and bands are of any alphabet.
TEST_P(StateSets, BordersAndBandsHoldForPlainLettersToo) {
  constexpr const char *scores[] = {"alphabet: dna\nscore: {match: 2, mismatch: -3}",
                                    "alphabet: protein\nscore: {matrix: BLOSUM62}"};
  constexpr const char *more[] = {kForbidden, "\nborder: {target_begin: forbidden}", kPaperBand,
                                  "\nband: {from: -7, to: 9}"};
  std::mt19937 random(9);
  for (const char *alphabet : scores)
    for (const char *rule : more) {
      const bool free = std::string_view(rule).find("target_begin") == std::string_view::npos;
      const std::string spec = std::string("alignment: ") + (free ? kTargetEnds : "{free_ends: [target_end]}") +
                               "\ngap: {model: affine, open: 4, extend: 1}\n" + alphabet + rule;
      SCOPED_TRACE(spec);
      const golden::WholeAligner whole = open(spec, "[score, end, begin, cigar]");
      golden::PairList all = golden::ragged_pairs(random, "ACGT", 80, 90), pairs;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (oracle::align(whole.problem, all.queries[i], all.targets[i]).score != oracle::no_alignment)
          pairs.add(all.queries[i], all.targets[i]);
      ASSERT_GT(pairs.size(), 10u);
      EXPECT_EQ(whole.complaint(pairs, whole.align(pairs)), "");
    }
}

// A gap along the border above, of two lines: at a flagged column each goes on from the better one, and far from one
// the steeper line falls no further than what opening it anew takes.
TEST_P(StateSets, GapsAlongTheBorderGoOnFromTheBestLine) {
  struct Case {
    const char *fields;
    std::string query, target;
    std::vector<std::size_t> flagged;
  };
  const std::string insertion = ", insertion: {model: affine, open: 200, extend: 100}}";
  const Case cases[] = {
      {"{match: 5, mismatch: -200}\ngap: {deletion: {model: dual_affine, open: 0, extend: 10, open2: 60, extend2: 1, "
       "at_flag: 0}",
       "C",
       "AAAAAAAAAAAAAAC",
       {2}},
      {"{match: 2, mismatch: -2}\ngap: {deletion: {model: dual_affine, open: 0, extend: 130, open2: 140, extend2: 1, "
       "at_flag: 0}",
       "ACGT",
       std::string(300, 'A'),
       {}},
  };
  for (const Case &c : cases) {
    const golden::WholeAligner whole =
        open("alignment: global\nalphabet: {state_sets: dna}\ncolumn_flags: 1\nscore: " + std::string(c.fields) +
                 insertion + "\ntile: {k: 4}",
             "[score, end]");
    ColumnTarget target;
    for (const char letter : c.target)
      target.sets.push_back(static_cast<std::uint32_t>(whole.problem.substitution.code(letter)));
    target.flags.assign(c.target.size(), 0);
    for (const std::size_t column : c.flagged) target.flags[column] = 1;
    const std::vector<std::string_view> queries{c.query};
    const std::vector<alnsmith::StateColumns> targets{target.view()};
    std::vector<std::int32_t> score(1);
    const auto done = whole.aligner->align_pairs(queries, targets, alnsmith::Columns{{alnsmith::Output::score, score}},
                                                 whole.options);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(score[0], oracle::align(whole.problem, c.query, target.plain()).score);
  }
}

TEST_P(StateSets, TargetsThatTakeMoreThanHalfOfTheMemoryAreRefused) {
  const golden::WholeAligner whole = open(fields(points[0]), "[score]");
  const std::vector<std::uint32_t> sets(600000, 15);
  const std::vector<alnsmith::StateColumns> targets(1, alnsmith::StateColumns{sets, {}});
  const std::vector<std::string_view> queries{"ACGT"};
  std::vector<std::int32_t> score(1);
  alnsmith::Options options = whole.options;
  options.memory_bytes = 1 << 20;
  const auto done =
      whole.aligner->align_all(queries, targets, alnsmith::Columns{{alnsmith::Output::score, score}}, options);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message.rfind("600004 letters of state sets take 600036 bytes, more than half of", 0), 0u)
      << done.error().message;
}

// Letters are sets too, of a spec's targets; no column of theirs is flagged.
TEST_P(StateSets, LettersAreColumnsWithoutFlags) {
  for (const Point &point : {points[0], points[11]}) {
    std::mt19937 random(10);
    const golden::WholeAligner whole = open(fields(point), "[score]");
    std::vector<std::string> texts;
    std::vector<ColumnTarget> columns;
    for (int i = 0; i < 70; ++i) {
      texts.push_back(golden::random_letters(random, point.letters, 1 + random() % 50));
      ColumnTarget target;
      for (const char letter : texts.back())
        target.sets.push_back(static_cast<std::uint32_t>(whole.problem.substitution.code(letter)));
      columns.push_back(target);
    }
    const std::vector<std::string_view> queries(texts.rbegin(), texts.rend()), targets(texts.begin(), texts.end());
    std::vector<alnsmith::StateColumns> views;
    for (const ColumnTarget &target : columns) views.push_back(target.view());
    std::vector<std::int32_t> by_letters(queries.size() * 70), by_columns(by_letters.size());
    ASSERT_TRUE(whole.aligner->align_all(queries, targets, by_letters, whole.options));
    const alnsmith::Columns out{{alnsmith::Output::score, by_columns}};
    ASSERT_TRUE(whole.aligner->align_all(queries, views, out, whole.options));
    EXPECT_EQ(by_letters, by_columns);
  }
}

TEST_P(StateSets, WhatIsWrongIsSaidByName) {
  const golden::WholeAligner flags = open(fields(points[0]), "[score]"), plain = open(fields(points[7]), "[score]"),
                             paper = open(std::string("alignment: ") + kTargetEnds + "\ngap: " + kAtFlag +
                                              "\nalphabet: {state_sets: dna}\nscore: " + kMatchFlag + kPaperBand +
                                              "\ncolumn_flags: 1",
                                          "[score]"),
                             letters = open(
                                 "alignment: global\ngap: {model: linear, extend: 1}\nalphabet: dna\nscore: "
                                 "{match: 1, mismatch: -1}",
                                 "[score]");
  const std::vector<std::uint32_t> good = {1, 2, 15}, empty = {1, 0, 2}, beyond = {1, 16, 2};
  const std::vector<std::uint8_t> marks = {0, 1, 0}, two = {0, 2, 0}, one = {1};
  struct Case {
    const golden::WholeAligner *aligner;
    std::string query;
    alnsmith::StateColumns target;
    std::string says;
  };
  const Case cases[] = {
      {&flags, "AC", {empty, {}}, "pair 1, target, column 2: an empty set"},
      {&flags, "AC", {beyond, {}}, "pair 1, target, column 2: a state beyond the 4"},
      {&flags, "AC", {good, two}, "pair 1, target, column 2: a flag is 0 or 1, not 2"},
      {&flags, "AC", {good, one}, "pair 1, target: 3 sets and 1 flags"},
      {&flags, "A!", {good, marks}, "pair 1, query, position 2: letter '!' is not in the alphabet ACGT"},
      {&plain, "AC", {good, marks}, "has no flags; write `column_flags: 1`"},
      {&paper, "ACGT", {good, marks}, "pair 1: the spec's band, 0 to -1"},
      {&paper, "ACG", {{}, {}}, "an empty sequence leaves an alignment"},
      {&letters, "AC", {good, {}}, "has no columns of state sets"},
  };
  for (const auto &[aligner, query, target, says] : cases) {
    std::vector<std::int32_t> score(1);
    const std::string_view view = query;
    const alnsmith::Columns out{{alnsmith::Output::score, score}};
    const auto done = aligner->aligner->align_pairs(std::span(&view, 1), std::span(&target, 1), out, aligner->options);
    ASSERT_FALSE(done) << says;
    EXPECT_NE(done.error().message.find(says), std::string::npos) << done.error().message;
    EXPECT_EQ(done.error().message.find('\n'), std::string::npos);
  }
}

// Each with each, a pair of lengths that the band has no alignment for is named by the first query and target of it.
TEST_P(StateSets, EachWithEachNamesTheFirstPairThatABandRefuses) {
  const golden::WholeAligner whole =
      open(std::string("alignment: ") + kTargetEnds + "\ngap: " + kAtFlag +
               "\nalphabet: {state_sets: dna}\nscore: " + kMatchFlag + kPaperBand + "\ncolumn_flags: 1",
           "[score]");
  const std::vector<std::uint32_t> six(6, 15), four(4, 15);
  const std::vector<alnsmith::StateColumns> targets{{six, {}}, {four, {}}, {six, {}}, {four, {}}};
  const std::vector<std::string_view> fitting{"ACG", "ACG", "ACGT"}, queries{"ACG", "ACG", "ACGTA", "ACGTA"};
  std::vector<std::int32_t> score(16);
  const auto aligned = [&](std::span<const std::string_view> some) {
    const std::span out = std::span(score).first(some.size() * targets.size());
    return whole.aligner->align_all(some, targets, alnsmith::Columns{{alnsmith::Output::score, out}}, whole.options);
  };
  EXPECT_TRUE(aligned(fitting));
  const auto done = aligned(queries);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message.rfind("query 3 and target 2: the spec's band, 0 to -1", 0), 0u)
      << done.error().message;
}

// A gap over a whole target costs what its flags say.
TEST_P(StateSets, EmptyQueriesScoreAsBorders) {
  std::mt19937 random(11);
  for (const Point &point : {without_begins[0], without_begins[2]}) {
    const golden::WholeAligner whole = open(fields(point), "[score]");
    for (int round = 0; round < 20; ++round) {
      const ColumnTarget target = golden::random_columns(random, point.states, 1 + random() % 9, true);
      std::vector<std::int32_t> score(1);
      const std::string_view query;
      const auto view = target.view();
      const alnsmith::Columns out{{alnsmith::Output::score, score}};
      ASSERT_TRUE(whole.aligner->align_pairs(std::span(&query, 1), std::span(&view, 1), out, whole.options));
      EXPECT_EQ(score[0], oracle::align(whole.problem, "", target.plain()).score);
    }
  }
}

// An empty side leaves the border alone, of which a band has to hold what costs something, and a cell at least.
TEST_P(StateSets, EmptyQueriesOutsideOfTheBandAreRefused) {
  struct Case {
    const char *alignment, *band;
    bool holds;
  };
  const Case cases[] = {{"global", "{from: -2, to: 5}", true},
                        {"global", "{from: -2, to: 4}", false},
                        {"global", "{from: 1, to: 9}", false},
                        {kTargetEnds, "{from: 3, to: 3}", true},
                        {kTargetEnds, "{from: 6, to: 9}", false},
                        {"{free_ends: [target_end]}", "{to: 0}", true},
                        {"{free_ends: [target_end]}", "{from: 1}", false}};
  const std::vector<std::uint32_t> sets(5, 1);
  for (const Case &c : cases) {
    SCOPED_TRACE(std::string(c.alignment) + c.band);
    const golden::WholeAligner whole = open(std::string("alignment: ") + c.alignment + "\ngap: " + kAffine +
                                                "\nalphabet: " + kDna + "\nscore: " + kMatch + "\nband: " + c.band,
                                            "[score]");
    std::vector<std::int32_t> score(1);
    const std::string_view query;
    const alnsmith::StateColumns target{sets, {}};
    const alnsmith::Columns out{{alnsmith::Output::score, score}};
    const auto done = whole.aligner->align_pairs(std::span(&query, 1), std::span(&target, 1), out, whole.options);
    EXPECT_EQ(static_cast<bool>(done), c.holds);
    if (!done) {
      EXPECT_NE(done.error().message.find("holds no alignment"), std::string::npos) << done.error().message;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(isa, StateSets, testing::ValuesIn(host_isas()),
                         [](const auto &info) { return test_name(info.param); });

}  // namespace
