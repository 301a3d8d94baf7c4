// The oracle earns its name: it reproduces the golden rows, and agrees with two brute forces.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "alignment_check.h"
#include "full_run.h"
#include "golden.h"
#include "oracle.h"
#include "random_problems.h"

namespace {

using golden::random_letters;
using golden::random_problem;
using oracle::Mode;

TEST(Oracle, agrees_with_all_gap_lengths) {
  std::mt19937 random(1);
  for (int round = 0; round < 6000; ++round) {
    const oracle::Problem problem = random_problem(random, static_cast<unsigned>(round) % golden::alignment_types);
    const std::string query = random_letters(random, "ACN", random() % 11);
    const std::string target = random_letters(random, "ACN", random() % 11);
    ASSERT_EQ(oracle::score(problem, query, target), oracle::score_by_all_gap_lengths(problem, query, target))
        << "round " << round << ": " << query << " / " << target;
  }
}

TEST(Oracle, agrees_with_enumeration) {
  std::mt19937 random(2);
  for (int round = 0; round < 8500; ++round) {
    oracle::Problem problem = random_problem(random, static_cast<unsigned>(round) % golden::alignment_types);
    if (round % 3 == 0) problem.band = static_cast<long>(random() % 4);
    const std::string query = random_letters(random, "ACN", random() % 6);
    const std::string target = random_letters(random, "ACN", random() % 6);
    ASSERT_EQ(oracle::score(problem, query, target), oracle::score_by_enumeration(problem, query, target))
        << "round " << round << ": " << query << " / " << target;
  }
}

oracle::Problem dna(Mode mode, oracle::FreeEnds free = {}) {
  return {mode, free, {2, 1}, {3, 1}, oracle::Substitution::match_mismatch("ACGTN", 2, -1, 'N'), false};
}

TEST(Oracle, wildcard_scores_mismatch_with_everything_under_match_mismatch) {
  EXPECT_EQ(oracle::score(dna(Mode::global), "N", "N"), -1);
  EXPECT_EQ(oracle::score(dna(Mode::global), "NAN", "AAN"), 0);
  EXPECT_EQ(oracle::score(dna(Mode::local), "NNN", "NNN"), 0);
}

TEST(Oracle, wildcard_row_decides_under_a_matrix) {
  oracle::Problem problem = dna(Mode::global);
  problem.substitution = oracle::Substitution::matrix("ACN", {5, -4, -2, -4, 5, -2, -2, -2, -1});
  EXPECT_EQ(oracle::score(problem, "N", "N"), -1);
  EXPECT_EQ(oracle::score(problem, "N", "A"), -2);
}

TEST(Oracle, letters_fold_case_and_invalid_ones_are_refused) {
  EXPECT_EQ(oracle::score(dna(Mode::global), "acgt", "ACGT"), 8);
  EXPECT_THROW((void)oracle::score(dna(Mode::global), "ACX", "ACG"), std::invalid_argument);
}

TEST(Oracle, empty_sequences_score_as_the_manifest_says) {
  EXPECT_EQ(oracle::score(dna(Mode::global), "", ""), 0);
  EXPECT_EQ(oracle::score(dna(Mode::global), "ACG", ""), -5);  // an insertion of three
  EXPECT_EQ(oracle::score(dna(Mode::global), "", "ACG"), -6);  // a deletion of three
  EXPECT_EQ(oracle::score(dna(Mode::local), "", "ACG"), 0);
  EXPECT_EQ(oracle::score(dna(Mode::semiglobal, {.query_end = true}), "ACG", ""), 0);
  EXPECT_EQ(oracle::score(dna(Mode::semiglobal, {.query_end = true}), "", "ACG"), -6);
  EXPECT_EQ(oracle::score(dna(Mode::semiglobal, {.target_begin = true}), "", "ACG"), 0);
}

TEST(Oracle, ties_go_to_the_smallest_target_end_then_query_end) {
  const oracle::Answer local = oracle::align(dna(Mode::local), "ACTTAC", "AC");
  EXPECT_EQ(local.score, 4);
  EXPECT_EQ(local.ends, 2);
  EXPECT_EQ(local.target_end, 1);
  EXPECT_EQ(local.query_end, 1);
  const oracle::Answer none = oracle::align(dna(Mode::local), "A", "C");
  EXPECT_EQ(none.query_end, -1);
  EXPECT_EQ(none.ends, 0);
}

TEST(Golden, matrices_say_what_their_publishers_say) {
  for (const golden::Data &data : golden::present_data()) {
    SCOPED_TRACE(data.matrices);
    const auto b62 = golden::problem(data, "nw", "b62_aff11_1");
    EXPECT_EQ(oracle::score(b62, "W", "W"), 11);
    EXPECT_EQ(oracle::score(b62, "A", "R"), -1);
    EXPECT_EQ(oracle::score(b62, "X", "X"), -1);
    EXPECT_EQ(oracle::score(b62, "*", "*"), 1);
    EXPECT_EQ(oracle::score(b62, "WWW", ""), -14);
    const auto two_one = golden::problem(data, "nw", "dna_2_1_lin1");
    EXPECT_EQ(oracle::score(two_one, "N", "N"), -1);
    EXPECT_EQ(oracle::score(two_one, "A", "A"), 2);
    const auto nuc44 = golden::problem(data, "nw", "nuc44_aff10_1");
    EXPECT_EQ(oracle::score(nuc44, "N", "A"), -2);
    EXPECT_EQ(oracle::score(nuc44, "N", "N"), -1);
  }
}

TEST(Golden, match_mismatch_with_a_wildcard_is_the_matrix_DNA_2_1) {
  const auto data = golden::data_dir();
  if (!data) GTEST_SKIP() << golden::missing_data();
  const golden::MatrixFile file = golden::read_matrix(*data + "/matrices/DNA_2_1.mat");
  const auto table = oracle::Substitution::match_mismatch(file.letters, 2, -1, 'N');
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(table.score(i, j), file.scores[i * 5 + j]);
}

// Keeps problems by (mode, scoring), and compares one row.
class Rows {
 public:
  explicit Rows(golden::Data data) : data_(std::move(data)) {}
  void expect(const golden::Row &row, const golden::Pair &pair) {
    auto [at, fresh] = problems_.try_emplace({row.mode, row.scoring}, std::nullopt);
    if (fresh) at->second = golden::problem(data_, row.mode, row.scoring);
    const oracle::Answer answer = oracle::align(*at->second, pair.query, pair.target);
    const auto where = [&] { return row.pair + " " + row.mode + " " + row.scoring; };
    EXPECT_EQ(answer.score, row.score) << where();
    EXPECT_EQ(golden::complaint(*at->second, pair.query, pair.target, answer), "") << where();
    if (!row.query_end) return;
    EXPECT_EQ(answer.ends, 1) << where();
    EXPECT_EQ(answer.query_end, *row.query_end) << where();
    EXPECT_EQ(answer.target_end, *row.target_end) << where();
  }

 private:
  golden::Data data_;
  std::map<std::pair<std::string, std::string>, std::optional<oracle::Problem>> problems_;
};

TEST(Golden, oracle_reproduces_the_rows) {
  for (const golden::Data &data : golden::present_data()) {
    SCOPED_TRACE(data.pairs);
    const golden::Set set = golden::load(data);
    ASSERT_GE(set.rows.size(), data.bundled ? 1796u : 100000u);
    Rows rows(data);
    std::mt19937 random(3);
    std::size_t compared = 0;
    for (const golden::Row &row : set.rows) {
      const golden::Pair &pair = set.pairs.at(row.pair);
      // Of the large data by default about 3,000 rows; its few largest pairs only in the full run.
      const bool chosen = random() % set.rows.size() < 3300 && pair.cells() <= 1000000;
      if (!data.bundled && !sample::full() && !chosen) continue;
      rows.expect(row, pair);
      ++compared;
      if (HasFailure()) return;
    }
    EXPECT_GE(compared, data.bundled ? set.rows.size() : 2500u);
  }
}

TEST(Golden, oracle_reproduces_the_long_rows) {
  if (!sample::full()) GTEST_SKIP() << "long pairs are for ALNSMITH_FULL=1";
  const auto folder = golden::data_dir();
  if (!folder) GTEST_SKIP() << golden::missing_data();
  const golden::Data data = golden::large_data(*folder);
  const golden::Set set = golden::load_long(data);
  Rows rows(data);
  for (const golden::Row &row : set.rows) {
    const golden::Pair &pair = set.pairs.at(row.pair);
    if (pair.cells() <= 60000000) rows.expect(row, pair);  // three full matrices: 24 bytes per cell
  }
}

}  // namespace
