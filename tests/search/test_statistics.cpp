// Significance without kernels: E and bits as DIAMOND prints them, NCBI's tables found by what a matrix holds, JSON.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "alnsmith/statistics.hpp"
#include "statistics/simulate.h"
#include "statistics/tables.h"
#include "statistics_bits.h"
#include "statistics_scorings.h"

namespace alnsmith::search {
namespace {

using test::dna_scoring;
using test::protein_scoring;

std::string printed(const char *format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

TEST(Statistics, EAndBitsAreDiamondsAtEveryDigit) {
  const std::optional<Statistics> row = tabulated(protein_scoring("BLOSUM62", 11, 1));
  ASSERT_TRUE(row);
  std::ifstream file(DIAMOND_HITS);
  int hits = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line[0] == 'q') continue;
    std::istringstream words(line);
    std::uint64_t query = 0, target = 0;
    std::int64_t score = 0;
    std::string e, bits;
    words >> query >> target >> score >> e >> bits;
    const double own = expected_hits(*row, score, 1, query, target, 6514948), own_bits = bit_score(*row, score, 1);
    if (std::strtod(e.c_str(), nullptr) == 0)
      EXPECT_LT(own, 1e-300) << line;  // DIAMOND's end
    else
      EXPECT_EQ(printed("%.2e", own), e) << line;
    EXPECT_EQ(own_bits < 100 ? printed("%.1f", own_bits) : printed("%.0f", std::floor(own_bits)), bits) << line;
    ++hits;
  }
  EXPECT_EQ(hits, 200);
}

TEST(Statistics, EIsThePaperOnesByHand) {
  // ADH1A's best other protein, worked out from the formula on paper: 8.7e-4.
  const Statistics row = *tabulated(protein_scoring("BLOSUM62", 11, 1));
  EXPECT_EQ(printed("%.1e", expected_hits(row, 92, 1, 375, 408, 6514948)), "8.7e-04");
}

TEST(Statistics, EFallsWithTheScoreAndGrowsWithTheDatabase) {
  const Statistics row = *tabulated(protein_scoring("BLOSUM62", 11, 1));
  double before = expected_hits(row, 0, 1, 10, 30, 1000);
  for (int score = 1; score < 4000; ++score) {
    const double e = expected_hits(row, score, 1, 10, 30, 1000);
    ASSERT_LE(e, before) << score;
    ASSERT_GE(e, 0) << score;
    before = e;
  }
  EXPECT_DOUBLE_EQ(expected_hits(row, 50, 1, 300, 300, 2000000), 2 * expected_hits(row, 50, 1, 300, 300, 1000000));
  EXPECT_GT(expected_hits(row, 50, 0.8, 300, 300, 1000000), expected_hits(row, 50, 1, 300, 300, 1000000));
}

TEST(Statistics, ScoresBetweenPeriodsAreRoundedDown) {
  Statistics row = *tabulated(protein_scoring("BLOSUM62", 11, 1));
  row.period = 2;
  EXPECT_EQ(expected_hits(row, 51, 1, 300, 300, 1000000), expected_hits(row, 50, 1, 300, 300, 1000000));
  EXPECT_NE(expected_hits(row, 52, 1, 300, 300, 1000000), expected_hits(row, 50, 1, 300, 300, 1000000));
  EXPECT_EQ(bit_score(row, 51, 1), bit_score(row, 50, 1));
}

// Outputs of shards are compared byte for byte, whatever machine made them; statistics_bits.sh has aarch64.
TEST(Statistics, EveryBitIsPinned) { EXPECT_EQ(test::hash_of_figures(), test::kHashOfFigures); }

TEST(Tables, MatricesAreKnownByTheirEntries) {
  // The ungapped lambda that NCBI tabulates beside each matrix, computed here from its entries.
  const std::pair<const char *, double> known[] = {{"BLOSUM45", 0.2291}, {"BLOSUM50", 0.2318}, {"BLOSUM62", 0.3176},
                                                   {"BLOSUM80", 0.3430}, {"BLOSUM90", 0.3346}, {"PAM250", 0.2252},
                                                   {"PAM30", 0.3400},    {"PAM70", 0.3345}};
  int rows = 0;
  for (const auto &[name, lambda] : known) {
    int own = 0;
    for (int open = 0; open < 40; ++open)
      for (int extend = 0; extend < 6; ++extend) {
        const std::optional<Statistics> row = tabulated(protein_scoring(name, open, extend));
        if (!row) continue;
        ++own;
        EXPECT_NEAR(row->ungapped_lambda, lambda, 0.00011) << name;
        EXPECT_LT(row->lambda, row->ungapped_lambda) << row->source;
        EXPECT_NEAR(row->h, row->lambda / row->query.a, 0.08 * row->h) << row->source;  // rounded, each to two digits
        EXPECT_GE(row->sigma, row->query.alpha) << row->source;
      }
    EXPECT_GE(own, 6) << name;
    rows += own;
  }
  EXPECT_EQ(rows, 82);
}

TEST(Tables, OneOtherEntryIsAnotherMatrix) {
  ScoringSystem scoring = protein_scoring("BLOSUM62", 11, 1);
  const std::size_t letters = scoring.letters.size();
  const std::size_t unknown = scoring.letters.find('X');
  scoring.matrix[unknown * letters + unknown] = -9;  // no amino acid
  EXPECT_TRUE(tabulated(scoring));
  scoring.matrix[scoring.letters.find('W') * letters + scoring.letters.find('Y')] += 1;
  EXPECT_FALSE(tabulated(scoring));
}

TEST(Tables, LettersMayComeInAnyOrder) {
  const ScoringSystem scoring = protein_scoring("PAM30", 9, 1);
  ScoringSystem turned = scoring;
  const std::size_t letters = scoring.letters.size();
  turned.letters.assign(scoring.letters.rbegin(), scoring.letters.rend());
  for (std::size_t i = 0; i < letters; ++i)
    for (std::size_t j = 0; j < letters; ++j)
      turned.matrix[i * letters + j] = scoring.matrix[(letters - 1 - i) * letters + (letters - 1 - j)];
  const auto row = tabulated(scoring), same = tabulated(turned);
  ASSERT_TRUE(row && same);
  EXPECT_EQ(row->source, "NCBI: PAM30, 9 + 1*L");
  EXPECT_EQ(row->lambda, same->lambda);
}

TEST(Tables, GapsAreComparedByWhatTheyCost) {
  ScoringSystem scoring = protein_scoring("BLOSUM62", 11, 1);
  scoring.insertion = scoring.deletion = {{11, 1}, {24, 1}};  // the second line never serves
  EXPECT_TRUE(tabulated(scoring));
  scoring.insertion = scoring.deletion = {{11, 2}, {24, 1}};
  EXPECT_FALSE(tabulated(scoring));
  EXPECT_EQ(gap_words(scoring), "min(11 + 2*L, 24 + 1*L)");
  scoring.insertion = {{11, 1}};
  scoring.deletion = {{10, 1}};
  EXPECT_FALSE(tabulated(scoring));
  EXPECT_EQ(gap_words(scoring), "insertion 11 + 1*L, deletion 10 + 1*L");
}

TEST(Statistics, MethodsThatCannotBeAreRefused) {
  const auto never = []() -> Result<Aligner> { return Error{"opened"}; };
  StatisticsRequest request;
  request.use_known = false;
  request.method = Method::none;
  EXPECT_EQ(find_statistics(dna_scoring(2, -1, 2, 1), request, never)->method, Method::none);
  request.method = Method::table;
  EXPECT_EQ(find_statistics(protein_scoring("BLOSUM62", 11, 1), request, never)->method, Method::table);
  const auto none = find_statistics(protein_scoring("BLOSUM62", 10, 3), request, never);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().exit_code, 2);
  EXPECT_NE(none.error().message.find("10 + 3*L"), std::string::npos);
  request.method.reset();
  const auto grows = find_statistics(dna_scoring(3, -1, 5, 2), request, never);  // 0 on average
  ASSERT_FALSE(grows);
  EXPECT_NE(grows.error().message.find("match 2, mismatch -3, gaps 5 + 2*L"), std::string::npos);
  EXPECT_EQ(find_statistics(dna_scoring(2, -3, 5, 2), request, never).error().message, "opened");
  request.frequencies = Frequencies::standard(protein_scoring("BLOSUM62", 11, 1));
  request.frequencies->parts[0] += 0.01;
  EXPECT_EQ(find_statistics(protein_scoring("BLOSUM62", 11, 1), request, never).error().message, "opened");
}

TEST(Frequencies, StandardOnesFollowTheAlphabet) {
  const ScoringSystem protein = protein_scoring("BLOSUM62", 11, 1);
  const Frequencies robinson = Frequencies::standard(protein);
  EXPECT_EQ(robinson.name, "robinson");
  EXPECT_NEAR(robinson.parts[protein.letters.find('L')], 0.09019, 1e-12);
  EXPECT_EQ(robinson.parts[protein.letters.find('X')], 0);
  ScoringSystem iupac = dna_scoring(2, -3, 5, 2);
  iupac.letters = "ACGTRYN";
  iupac.matrix.assign(49, -1);
  EXPECT_EQ(Frequencies::standard(iupac).parts, (std::vector<double>{0.25, 0.25, 0.25, 0.25, 0, 0, 0}));
  ScoringSystem custom = iupac;
  custom.letters = "HECX";
  custom.wildcard = 'X';
  EXPECT_EQ(Frequencies::standard(custom).parts[2], 1.0 / 3);
  EXPECT_EQ(Frequencies::standard(custom).parts[3], 0);
}

TEST(Frequencies, CountedOnesKnowCasesAndSynonyms) {
  const ScoringSystem dna = dna_scoring(2, -3, 5, 2);
  std::array<std::uint64_t, 256> counts{};
  counts['A'] = 1;
  counts['a'] = 2;
  counts['U'] = 1;
  counts['N'] = 100;
  const auto counted = Frequencies::counted(dna, "mine", counts);
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted->parts, (std::vector<double>{0.75, 0, 0, 0.25}));
  EXPECT_FALSE(Frequencies::counted(dna, "none", std::array<std::uint64_t, 256>{}));
}

TEST(Json, EveryBitComesBack) {
  Statistics one = *tabulated(protein_scoring("BLOSUM62", 11, 1));
  one.source = "with \"quotes\", [brackets] and {braces}";
  one.lambda = 0.1 + 0.2;
  one.k = 5e-324;
  one.query.beta = -1.0 / 3;
  one.tau = 1.7976931348623157e308;
  one.period = 5;
  const auto back = statistics_from_json(to_json(one));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, one);
  EXPECT_EQ(to_json(*back), to_json(one));
  EXPECT_EQ(*statistics_from_json(to_json(Statistics{})), Statistics{});
}

TEST(Json, WhatIsWrongIsNamed) {
  const std::string good = to_json(*tabulated(protein_scoring("BLOSUM62", 11, 1)));
  const auto with = [&](const std::string &old, const std::string &now) {
    std::string text = good;
    text.replace(text.find(old), old.size(), now);
    const auto got = statistics_from_json(text);
    return got ? "taken" : got.error().message;
  };
  EXPECT_NE(with("\"K\"", "\"k\"").find("\"K\""), std::string::npos);
  EXPECT_NE(with("\"lambda\":0.267", "\"lambda\":\"0.267\"").find("\"lambda\""), std::string::npos);
  EXPECT_NE(with("\"lambda\":0.267", "\"lambda\":0").find("lambda"), std::string::npos);
  EXPECT_NE(with("\"table\"", "\"fable\"").find("method"), std::string::npos);
  EXPECT_NE(with("\"period\":1", "\"period\":0").find("period"), std::string::npos);
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(statistics_from_json(std::string_view(good).substr(0, length))) << length;
  EXPECT_FALSE(statistics_from_json(std::string(100000, '[')));
}

TEST(SimulationKey, NamesAllThatAResultDependsOn) {
  const ScoringSystem scoring = dna_scoring(2, -3, 5, 2);
  const Frequencies frequencies = Frequencies::standard(scoring);
  const std::string key = simulation_key(scoring, frequencies);
  EXPECT_EQ(key.size(), 64U);
  EXPECT_EQ(key, simulation_key(dna_scoring(2, -3, 5, 2), frequencies));
  EXPECT_NE(key, simulation_key(dna_scoring(2, -3, 5, 1), frequencies));
  EXPECT_NE(key, simulation_key(dna_scoring(2, -4, 5, 2), frequencies));
  ScoringSystem sided = scoring;
  sided.deletion = {{6, 2}};
  EXPECT_NE(key, simulation_key(sided, frequencies));
  Frequencies other = frequencies;
  other.parts[0] = std::nextafter(other.parts[0], 1);
  EXPECT_NE(key, simulation_key(scoring, other));
}

}  // namespace
}  // namespace alnsmith::search
