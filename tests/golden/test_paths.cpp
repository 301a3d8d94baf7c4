// The oracle's paths: ties by hand, a brute force over all paths, and the checker on random answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "alignment_check.h"
#include "mutated.h"
#include "oracle.h"
#include "random_problems.h"

namespace {

using golden::random_gap;
using golden::random_letters;
using golden::random_problem;
using oracle::Answer;
using oracle::Mode;
using oracle::Problem;

// "2,0-5,3 3M1D score 4": begins, ends (query's first), CIGAR.
std::string shown(const Answer &a) {
  const auto place = [](long query, long target) { return std::to_string(query) + "," + std::to_string(target); };
  return place(a.query_begin, a.target_begin) + "-" + place(a.query_end, a.target_end) + " " +
         (a.cigar.empty() ? "-" : text(a.cigar)) + " score " + std::to_string(a.score);
}

std::string shown(const Problem &problem, std::string_view query, std::string_view target) {
  return shown(oracle::align(problem, query, target));
}

// Match 2, mismatch -1 over DNA.
Problem path_problem(Mode mode, oracle::FreeEnds free = {}, const oracle::Gap &gap = {2, 1}) {
  return {mode, free, gap, gap, oracle::Substitution::match_mismatch("ACGT", 2, -1), false};
}

TEST(Path, takes_the_diagonal_before_any_gap) {
  // Any of the As may be skipped. Walked from the end, the diagonal comes first, so it stands last.
  EXPECT_EQ(shown(path_problem(Mode::global), "A", "AA"), "0,0-0,1 1D1M score -1");
  EXPECT_EQ(shown(path_problem(Mode::global), "AAA", "A"), "0,0-2,0 2I1M score -2");
}

TEST(Path, takes_the_deletion_before_the_insertion) {
  // A mismatch costs more than two gaps; walked from the end, the deletion comes first, so it stands last.
  Problem problem = path_problem(Mode::global, {}, {0, 1});
  problem.substitution = oracle::Substitution::match_mismatch("ACGT", 2, -3);
  EXPECT_EQ(shown(problem, "GAG", "GCG"), "0,0-2,2 1M1I1D1M score 2");
}

TEST(Path, leaves_a_gap_before_it_extends_it) {
  // Extending is free: the gap could as well begin behind the first A.
  EXPECT_EQ(shown(path_problem(Mode::semiglobal, {.target_begin = true}, {1, 0}), "A", "AAT"), "0,1-0,2 1M1D score 1");
}

TEST(Path, takes_the_line_with_the_larger_extension_first) {
  // One letter behind the C (2) by the steep line, three behind the A (5) by the flat one: both score -1.
  for (const oracle::Gap &gap : {oracle::Gap{1, 2, {{3, 1}}}, oracle::Gap{3, 1, {{1, 2}}}}) {
    Problem problem = path_problem(Mode::semiglobal, {.target_begin = true}, gap);
    problem.substitution = oracle::Substitution::matrix("ACGT", {5, 2, -9, -9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(shown(problem, "A", "AGCG"), "0,2-0,3 1M1D score -1");
  }
}

TEST(Path, stops_at_a_free_border_and_takes_the_rest_of_another_as_one_gap) {
  const oracle::FreeEnds all = {true, true, true, true};
  EXPECT_EQ(shown(path_problem(Mode::semiglobal, all), "ACG", "TTACGTT"), "0,2-2,4 3M score 6");
  EXPECT_EQ(shown(path_problem(Mode::global), "ACG", "TTACGTT"), "0,0-2,6 2D3M2D score -2");
  EXPECT_EQ(shown(path_problem(Mode::semiglobal, {.query_begin = true}), "GGAC", "AC"), "2,0-3,1 2M score 4");
  EXPECT_EQ(shown(path_problem(Mode::semiglobal, {.target_begin = true}), "GGAC", "AC"), "0,0-3,1 2I2M score 0");
}

TEST(Path, may_be_a_gap_alone) {
  Problem problem = path_problem(Mode::semiglobal, {true, true, true, true});
  problem.substitution = oracle::Substitution::match_mismatch("ACGT", 2, -9);
  EXPECT_EQ(shown(problem, "A", "C"), "1,0-0,0 1D score -3");
}

TEST(Path, stops_at_the_first_0_of_a_local_alignment) {
  Problem problem = path_problem(Mode::local);
  problem.substitution = oracle::Substitution::match_mismatch("ACGT", 2, -2);
  EXPECT_EQ(shown(problem, "ATGG", "ACGG"), "2,2-3,3 2M score 4");
}

TEST(Path, is_empty_where_nothing_is_aligned) {
  EXPECT_EQ(shown(path_problem(Mode::global), "ACG", ""), "-1,-1--1,-1 - score -5");
  EXPECT_EQ(shown(path_problem(Mode::global), "", ""), "-1,-1--1,-1 - score 0");
  EXPECT_EQ(shown(path_problem(Mode::local), "A", "C"), "-1,-1--1,-1 - score 0");
}

TEST(Path, has_one_run_for_one_gap) {
  EXPECT_EQ(shown(path_problem(Mode::global, {}, {0, 1}), "A", "ATTT"), "0,0-0,3 1M3D score -1");
  Problem distance = path_problem(Mode::global, {}, {0, 1});
  distance.substitution = oracle::Substitution::match_mismatch("ACGT", 0, 1);
  distance.minimize = true;
  EXPECT_EQ(shown(distance, "AC", "AGGC"), "0,0-1,3 1M2D1M score 2");
}

TEST(Path, agrees_with_enumeration) {
  std::mt19937 random(4);
  for (int round = 0; round < 17000; ++round) {
    Problem problem = random_problem(random, static_cast<unsigned>(round) % golden::alignment_types);
    if (round % 3 == 0) problem.band = static_cast<long>(random() % 3);
    const std::string query = random_letters(random, "ACN", 1 + random() % 4);
    const std::string target = random_letters(random, "ACN", 1 + random() % 4);
    const Answer right = oracle::align_by_enumeration(problem, query, target);
    const Answer answer = oracle::align(problem, query, target);
    ASSERT_EQ(shown(answer), shown(right)) << "round " << round << ": " << query << " / " << target;
    ASSERT_EQ(answer.ends, right.ends) << "round " << round << ": " << query << " / " << target;
  }
}

// Every alignment type and pair of gap models, maximised and minimised: each holds water, whatever its length.
TEST(Path, is_an_alignment_of_its_score) {
  std::mt19937 random(5);
  std::size_t aligned = 0, gaps = 0, rounds = 0;
  for (unsigned which = 0; which < golden::alignment_types * 9 * 2; ++which)
    for (int pair = 0; pair < 12; ++pair, ++rounds) {
      const unsigned type = which % golden::alignment_types, models = which / golden::alignment_types;
      Problem problem = random_problem(random, type);
      problem.insertion = random_gap(random, models % 3);
      problem.deletion = random_gap(random, models / 3 % 3);
      problem.minimize = models >= 9 && problem.mode != Mode::local;
      const std::string query = random_letters(random, pair % 2 == 0 ? "ACN" : "AC", random() % 40);
      const std::string target =
          pair % 3 == 0 ? random_letters(random, "ACN", random() % 40) : mutated(random, "AC", query, 8);
      const Answer answer = oracle::align(problem, query, target);
      ASSERT_EQ(golden::complaint(problem, query, target, answer), "")
          << "type " << type << ", gaps " << models << ": " << query << " / " << target << ": " << shown(answer);
      aligned += !answer.cigar.empty();
      gaps += answer.cigar.size() > 1;
    }
  EXPECT_GT(aligned, rounds * 3 / 4);
  EXPECT_GT(gaps, rounds / 3);
}

// Linear gaps by H alone, as kernels may run them: the same path as over E and F with an open of 0.
std::string path_without_gap_states(const Problem &problem, const std::string &query, const std::string &target,
                                    const Answer &end) {
  const oracle::FreeEnds free = problem.mode == Mode::semiglobal ? problem.free : oracle::FreeEnds{};
  const bool local = problem.mode == Mode::local;
  const long insertion = problem.insertion.extend, deletion = problem.deletion.extend;
  std::vector<std::vector<long>> H(query.size() + 1, std::vector<long>(target.size() + 1));
  const auto pair = [&](std::size_t i, std::size_t j) {
    const oracle::Substitution &table = problem.substitution;
    const long score = table.score(table.code(query[i - 1]), table.code(target[j - 1]));
    return H[i - 1][j - 1] + (problem.minimize ? -score : score);
  };
  for (std::size_t i = 0; i < H.size(); ++i)
    for (std::size_t j = 0; j < H[i].size(); ++j)
      if (i == 0 || j == 0)
        H[i][j] = local || (i > 0 ? free.query_begin : free.target_begin)
                      ? 0
                      : -static_cast<long>(i) * insertion - static_cast<long>(j) * deletion;
      else
        H[i][j] = std::max({pair(i, j), H[i][j - 1] - deletion, H[i - 1][j] - insertion, local ? 0 : pair(i, j)});

  std::string ops;
  std::size_t i = static_cast<std::size_t>(end.query_end + 1), j = static_cast<std::size_t>(end.target_end + 1);
  while (i + j > 0 && !(local && H[i][j] == 0)) {
    if ((j == 0 && free.query_begin) || (i == 0 && free.target_begin)) break;
    const bool diagonal = i > 0 && j > 0 && H[i][j] == pair(i, j);
    const bool skips_target = !diagonal && j > 0 && (i == 0 || H[i][j] == H[i][j - 1] - deletion);
    ops += diagonal ? 'M' : skips_target ? 'D' : 'I';
    i -= !skips_target;
    j -= diagonal || skips_target;
  }
  std::string text;
  for (std::size_t at = ops.size(); at > 0;) {
    std::size_t length = 0;
    const char op = ops[at - 1];
    while (at > 0 && ops[at - 1] == op) --at, ++length;
    text += std::to_string(length) + op;
  }
  return text;
}

TEST(Path, of_linear_gaps_needs_no_gap_states) {
  std::mt19937 random(6);
  for (unsigned round = 0; round < 3400; ++round) {
    Problem problem = random_problem(random, round % golden::alignment_types);
    problem.insertion = random_gap(random, golden::linear);
    problem.deletion = random_gap(random, golden::linear);
    const std::string query = random_letters(random, "AC", 1 + random() % 15);
    const std::string target = mutated(random, "AC", query, 5);
    const Answer answer = oracle::align(problem, query, target);
    if (answer.cigar.empty()) continue;
    ASSERT_EQ(text(answer.cigar), path_without_gap_states(problem, query, target, answer)) << query << " / " << target;
  }
}

// Kernels that hold as many lines for both sides give one of them a line twice; packs keep lines in an order of theirs.
TEST(Path, is_the_same_whatever_the_order_of_lines_and_with_a_line_twice) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 1700; ++round) {
    Problem problem = random_problem(random, round % golden::alignment_types);
    problem.insertion = random_gap(random, golden::dual_affine);
    problem.deletion = random_gap(random, round % 2);
    const std::string query = random_letters(random, "AC", 1 + random() % 20);
    const std::string target = mutated(random, "AC", query, 5);
    Problem other = problem;
    other.insertion = {problem.insertion.more[0].open,
                       problem.insertion.more[0].extend,
                       {{problem.insertion.open, problem.insertion.extend}}};
    other.deletion.more = {{problem.deletion.open, problem.deletion.extend}};
    ASSERT_EQ(shown(problem, query, target), shown(other, query, target)) << query << " / " << target;
  }
}

}  // namespace
