// The ways out of a call give the same whole alignments: columns with and without CIGARs, streams, best targets,
// prepared targets, pairs and each with each.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "host_isas.h"
#include "random_problems.h"
#include "whole_alignments.h"

namespace {

using alnsmith::Output;
using golden::Alignments;
using golden::PairList;

class CigarCalls : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
    std::mt19937 random(9);
    for (int i = 0; i < 9; ++i) queries_.push_back(golden::random_letters(random, "ACGT", 1 + random() % 150));
    for (int i = 0; i < 70; ++i)
      targets_.push_back(i % 8 == 3 ? "GG" + queries_[random() % 9].substr(0, 90) + "A"
                                    : golden::random_letters(random, "ACGT", 1 + random() % 150));
    queries_[4] = targets_[11] = "";
    targets_[12] = "n";
  }
  golden::WholeAligner open(const std::string &output = "[score, end, begin, cigar]") const {
    return golden::open_whole(
        "alignment: local\ngap: {model: affine, open: 3, extend: 1}\nalphabet: dna5\nscore: {match: 2, mismatch: -2}",
        host_isas().front(), {ALNSMITH_GENERATOR_PROGRAM}, output);
  }
  // Every query with every target, as pairs.
  PairList pairs() const {
    PairList pairs;
    for (const std::string &query : queries_)
      for (const std::string &target : targets_) pairs.add(query, target);
    return pairs;
  }
  std::vector<std::string_view> queries() const { return {queries_.begin(), queries_.end()}; }
  std::vector<std::string_view> targets() const { return {targets_.begin(), targets_.end()}; }

  std::vector<std::string> queries_, targets_;
};

// Kernels that walk back take pairs, whatever the call.
TEST_F(CigarCalls, each_with_each_is_as_its_pairs) {
  const golden::WholeAligner whole = open();
  const PairList pairs = this->pairs();
  const Alignments wanted = whole.align(pairs);
  EXPECT_EQ(whole.complaint(pairs, wanted), "");
  Alignments all(pairs.size()), prepared(pairs.size());
  const auto report = whole.aligner->align_all(queries(), targets(), all.columns(), whole.options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->pairs, pairs.size());
  EXPECT_EQ(golden::difference(all, wanted, pairs), "");
  const auto views = targets();
  const auto kept = whole.aligner->prepare(views, whole.options);
  ASSERT_TRUE(kept) << kept.error().message;
  const auto again = whole.aligner->align_all(queries(), *kept, prepared.columns(), whole.options);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(golden::difference(prepared, wanted, pairs), "");
}

TEST_F(CigarCalls, columns_may_be_left_out) {
  const golden::WholeAligner whole = open(), without = open("[score, end, begin]");
  const PairList pairs = this->pairs();
  const Alignments wanted = whole.align(pairs);
  const auto align = [&](const golden::WholeAligner &with, const alnsmith::Columns &columns) {
    const auto done = with.aligner->align_pairs(pairs.query_views(), pairs.target_views(), columns, with.options);
    return done ? "" : done.error().message;
  };
  // All but the CIGARs, from kernels that have them and from kernels that have not.
  for (const golden::WholeAligner *with : {&whole, &without}) {
    Alignments got(pairs.size());
    ASSERT_EQ(align(*with, got.columns(false)), "");
    EXPECT_EQ(got.score, wanted.score);
    EXPECT_EQ(got.query_end, wanted.query_end);
    EXPECT_EQ(got.target_end, wanted.target_end);
    EXPECT_EQ(got.query_begin, wanted.query_begin);
    EXPECT_EQ(got.target_begin, wanted.target_begin);
  }
  // One alone.
  Alignments one(pairs.size());
  ASSERT_EQ(align(whole, {{Output::target_begin, one.target_begin}}), "");
  EXPECT_EQ(one.target_begin, wanted.target_begin);
  alnsmith::Columns columns;
  columns.set(one.cigars);
  ASSERT_EQ(align(whole, columns), "");
  ASSERT_EQ(one.cigars.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    EXPECT_EQ(alnsmith::cigar_text(one.cigars[i]), alnsmith::cigar_text(wanted.cigars[i])) << i;
  EXPECT_EQ(align(without, columns),
            "align_pairs: the spec 'whole' gives no cigar; write `output: [score, cigar]` there");
}

TEST_F(CigarCalls, streams_hand_on_whole_alignments_in_blocks) {
  const golden::WholeAligner whole = open();
  const PairList pairs = this->pairs();
  const Alignments wanted = whole.align(pairs);
  for (const int worst : {-1, 20}) {
    alnsmith::Selection selection;
    if (worst >= 0) selection.worst = worst;
    Alignments got(pairs.size());
    got.cigars.reset(pairs.size());
    std::vector<int> seen(pairs.size());
    alnsmith::StreamSink stream(
        [&](const alnsmith::ResultBlock &block) -> alnsmith::Result<alnsmith::Next> {
          EXPECT_LE(block.size(), 7u);
          for (std::size_t i = 0; i < block.size(); ++i) {
            const auto pair = static_cast<std::size_t>(block.query(i) * targets_.size() + block.target(i));
            ++seen[pair];
            got.score[pair] = block[Output::score][i];
            got.query_end[pair] = block[Output::query_end][i];
            got.target_end[pair] = block[Output::target_end][i];
            got.query_begin[pair] = block[Output::query_begin][i];
            got.target_begin[pair] = block[Output::target_begin][i];
            got.cigars.set(pair, block.cigar(i));
          }
          return alnsmith::Next::more;
        },
        selection, 7);
    const auto report = whole.aligner->align_all(queries(), targets(), stream, whole.options);
    ASSERT_TRUE(report) << report.error().message;
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const bool counts = worst < 0 || wanted.score[i] >= worst;
      left_out += !counts;
      EXPECT_EQ(seen[i], counts ? 1 : 0) << i;
      if (!counts) continue;
      EXPECT_EQ(golden::shown(got.answer(i)), golden::shown(wanted.answer(i))) << i;
    }
    EXPECT_EQ(left_out > 0, worst >= 0);
    EXPECT_LT(left_out, pairs.size());
  }
}

TEST_F(CigarCalls, best_targets_keep_theirs) {
  const golden::WholeAligner whole = open();
  const PairList pairs = this->pairs();
  const Alignments wanted = whole.align(pairs);
  // The targets in two calls, which add up.
  alnsmith::TopSink best(5);
  const auto views = targets();
  const std::size_t half = 41;
  for (const std::size_t first : {std::size_t{0}, half}) {
    const auto part = std::span(views).subspan(first, first == 0 ? half : views.size() - half);
    best.first_target(first);
    const auto report = whole.aligner->align_all(queries(), part, best, whole.options);
    ASSERT_TRUE(report) << report.error().message;
  }
  for (std::size_t q = 0; q < queries_.size(); ++q) {
    const auto hits = best.hits(q);
    ASSERT_EQ(hits.size(), 5u);
    for (const alnsmith::Hit &hit : hits) {
      const oracle::Answer want = wanted.answer(q * targets_.size() + static_cast<std::size_t>(hit.target));
      EXPECT_EQ(hit[Output::score], want.score);
      EXPECT_EQ(hit[Output::query_begin], want.query_begin);
      EXPECT_EQ(hit[Output::target_begin], want.target_begin);
      EXPECT_EQ(hit[Output::query_end], want.query_end);
      EXPECT_EQ(hit[Output::target_end], want.target_end);
      EXPECT_EQ(alnsmith::cigar_text(hit.cigar), oracle::text(want.cigar));
    }
  }
  // Without CIGARs there are none.
  alnsmith::Selection selection;
  selection.outputs = {Output::score, Output::query_begin};
  alnsmith::TopSink begins(2, selection);
  const auto report = whole.aligner->align_all(queries(), targets(), begins, whole.options);
  ASSERT_TRUE(report) << report.error().message;
  for (const alnsmith::Hit &hit : begins.hits(0)) {
    EXPECT_TRUE(hit.cigar.empty());
    EXPECT_EQ(hit[Output::query_begin], wanted.query_begin[static_cast<std::size_t>(hit.target)]);
  }
}

}  // namespace
