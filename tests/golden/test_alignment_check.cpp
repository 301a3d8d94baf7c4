// The checker of alignments sees the faults that are planted, and says which they are.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "alignment_check.h"
#include "mutated.h"
#include "oracle.h"
#include "random_problems.h"

namespace {

using golden::complaint;
using oracle::Answer;
using oracle::Mode;
using oracle::Problem;

struct Fault {
  const char *said;              // a part of the complaint
  bool (*plant)(Answer &right);  // false: this alignment has no place for it
};

// Whatever the alignment is, each of these makes it wrong.
constexpr Fault faults[] = {
    {" letters of the ", [](Answer &a) { return ++a.cigar.back().length > 0; }},
    {" letters of the ", [](Answer &a) { return --a.cigar.front().length > 0; }},
    {" letters of the query", [](Answer &a) { return ++a.query_begin > 0; }},
    {" letters of the target", [](Answer &a) { return --a.target_begin < a.target_end; }},
    {" letters of the query", [](Answer &a) { return --a.query_end >= 0; }},
    {" letters of the target", [](Answer &a) { return ++a.target_end > 0; }},
    {"the CIGAR scores ", [](Answer &a) { return ++a.score != 0; }},
    {"the CIGAR scores ", [](Answer &a) { return --a.score != 0; }},
    {"there is no CIGAR", [](Answer &a) { return a.cigar = {}, true; }},
    {"is neither M nor I nor D", [](Answer &a) { return a.cigar.front().op = '=', true; }},
    {"has 0 letters", [](Answer &a) { return a.cigar.push_back({'D', 0}), true; }},
    {"as the one before it",
     [](Answer &a) {
       if (a.cigar.back().length < 2) return false;
       --a.cigar.back().length;
       return a.cigar.push_back({a.cigar.back().op, 1}), true;
     }},
    {" letters of the ",
     [](Answer &a) {
       if (a.cigar.front().op == 'M' || (a.cigar.size() > 1 && a.cigar[1].op != 'M')) return false;
       return a.cigar.front().op = a.cigar.front().op == 'I' ? 'D' : 'I', true;
     }},
    {"not all begins and ends", [](Answer &a) { return a.query_end = -1, true; }},
};

TEST(AlignmentCheck, sees_what_is_wrong_in_any_alignment) {
  std::mt19937 random(8);
  std::array<int, std::size(faults)> planted{};
  for (unsigned round = 0; round < 1700; ++round) {
    const Problem problem = golden::random_problem(random, round % golden::alignment_types);
    const std::string query = golden::random_letters(random, "AC", 1 + random() % 20);
    const std::string target = mutated(random, "AC", query, 6);
    const Answer right = oracle::align(problem, query, target);
    ASSERT_EQ(complaint(problem, query, target, right), "");
    if (right.cigar.empty()) continue;
    for (std::size_t n = 0; n < std::size(faults); ++n) {
      Answer wrong = right;
      if (!faults[n].plant(wrong)) continue;
      ++planted[n];
      const std::string said = complaint(problem, query, target, wrong);
      ASSERT_NE(said.find(faults[n].said), std::string::npos) << "fault " << n << ": '" << said << "'";
    }
  }
  for (std::size_t n = 0; n < planted.size(); ++n) EXPECT_GE(planted[n], 50) << "fault " << n;
}

// Match 2, mismatch -2, a gap of L letters 2 + L.
Problem checked_problem(Mode mode, oracle::FreeEnds free = {}) {
  return {mode, free, {2, 1}, {2, 1}, oracle::Substitution::match_mismatch("ACGT", 2, -2), false};
}

Answer alignment(long score, long query_begin, long target_begin, long query_end, long target_end,
                 std::vector<oracle::Run> cigar) {
  return {.score = score,
          .query_end = query_end,
          .target_end = target_end,
          .query_begin = query_begin,
          .target_begin = target_begin,
          .cigar = std::move(cigar)};
}

TEST(AlignmentCheck, holds_begins_and_ends_to_the_borders_of_the_alignment_type) {
  const Answer inner = alignment(4, 1, 1, 2, 2, {{'M', 2}});
  EXPECT_EQ(complaint(checked_problem(Mode::global), "ACGT", "ACGT", inner), "the query's begin is not free");
  EXPECT_EQ(complaint(checked_problem(Mode::semiglobal, {true, true, true, true}), "ACGT", "ACGT", inner),
            "the alignment begins at no border");
  EXPECT_EQ(complaint(checked_problem(Mode::local), "ACGT", "ACGT", inner), "");
  const Answer left = alignment(4, 0, 0, 1, 1, {{'M', 2}});
  EXPECT_EQ(complaint(checked_problem(Mode::semiglobal, {.query_end = true}), "AC", "ACGT", left),
            "the target's end is not free");
  EXPECT_EQ(complaint(checked_problem(Mode::semiglobal, {.query_end = true, .target_end = true}), "ACGT", "ACGT", left),
            "the alignment ends at no border");
  const Answer right = alignment(4, 0, 2, 1, 3, {{'M', 2}});
  EXPECT_EQ(complaint(checked_problem(Mode::semiglobal, {.target_begin = true}), "GT", "ACGT", right), "");
  EXPECT_EQ(complaint(checked_problem(Mode::semiglobal, {.query_begin = true}), "GT", "ACGT", right),
            "the target's begin is not free");
}

TEST(AlignmentCheck, has_no_gap_on_a_free_border) {
  EXPECT_EQ(complaint(checked_problem(Mode::semiglobal, {.query_begin = true}), "GGAC", "AC",
                      alignment(0, 0, 0, 3, 1, {{'I', 2}, {'M', 2}})),
            "the first run is a gap at the query's begin, which is free");
  EXPECT_EQ(complaint(checked_problem(Mode::semiglobal, {.target_end = true}), "AC", "ACGG",
                      alignment(0, 0, 0, 1, 3, {{'M', 2}, {'D', 2}})),
            "the last run is a gap at the target's end, which is free");
  // On the other borders they belong to the alignment.
  EXPECT_EQ(complaint(checked_problem(Mode::semiglobal, {.target_begin = true}), "GGAC", "AC",
                      alignment(0, 0, 0, 3, 1, {{'I', 2}, {'M', 2}})),
            "");
  // An alignment that is a gap alone ends where both sequences have letters.
  EXPECT_EQ(complaint(checked_problem(Mode::semiglobal, {true, true, true, true}), "A", "C",
                      alignment(-3, 1, 0, 0, 0, {{'D', 1}})),
            "");
}

TEST(AlignmentCheck, takes_a_local_alignment_for_its_best_part_only) {
  EXPECT_EQ(complaint(checked_problem(Mode::local), "ATGG", "ACGG", alignment(4, 0, 0, 3, 3, {{'M', 4}})),
            "a local alignment scores 0 up to a column in it");
  EXPECT_EQ(complaint(checked_problem(Mode::local), "GGTA", "GGCA", alignment(4, 0, 0, 3, 3, {{'M', 4}})),
            "a local alignment scores 0 behind a column in it");
  EXPECT_EQ(complaint(checked_problem(Mode::local), "A", "C", alignment(-2, 0, 0, 0, 0, {{'M', 1}})),
            "a local alignment scores -2");
}

TEST(AlignmentCheck, knows_when_nothing_is_aligned) {
  EXPECT_EQ(complaint(checked_problem(Mode::local), "A", "C", Answer{}), "");
  EXPECT_EQ(complaint(checked_problem(Mode::global), "A", "C", Answer{}),
            "nothing is aligned, though both sequences have letters");
  EXPECT_EQ(complaint(checked_problem(Mode::global), "", "ACG", Answer{}),
            "nothing is aligned, which scores -5, not 0");
  EXPECT_EQ(complaint(checked_problem(Mode::semiglobal, {.target_end = true}), "", "ACG", Answer{}), "");
  EXPECT_EQ(complaint(checked_problem(Mode::local), "A", "C", alignment(0, -1, -1, -1, -1, {{'M', 1}})),
            "nothing is aligned, but there is a CIGAR");
}

TEST(AlignmentCheck, prices_a_gap_by_the_cheapest_of_its_lines) {
  Problem problem = checked_problem(Mode::global);
  problem.deletion.more = {{4, 0}};
  EXPECT_EQ(complaint(problem, "AC", "AGGGGC", alignment(0, 0, 0, 1, 5, {{'M', 1}, {'D', 4}, {'M', 1}})), "");
  problem.minimize = true;
  EXPECT_EQ(complaint(problem, "AC", "AGGGGC", alignment(8, 0, 0, 1, 5, {{'M', 1}, {'D', 4}, {'M', 1}})), "");
}

TEST(AlignmentCheck, reads_runs_as_in_BAM) {
  const std::uint32_t runs[] = {3 << 4 | 0, 1 << 4 | 1, 2 << 4 | 2, 5 << 4 | 7};
  EXPECT_EQ(golden::runs_of(runs), (std::vector<oracle::Run>{{'M', 3}, {'I', 1}, {'D', 2}, {'?', 5}}));
}

}  // namespace
