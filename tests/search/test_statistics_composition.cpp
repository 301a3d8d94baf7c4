// What a pair's letters make of its score: lambda solves its equation, the standard composition changes nothing, pairs
// of few letters count for less, and those without a lambda have none.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "alnsmith/statistics.hpp"
#include "statistics_scorings.h"

namespace alnsmith::search {
namespace {

using test::dna_scoring;
using test::protein_scoring;

TEST(Composition, LambdaSolvesItsEquation) {
  const ScoringSystem scoring = protein_scoring("BLOSUM62", 11, 1);
  const Frequencies frequencies = Frequencies::standard(scoring);
  const double lambda = *Composition(scoring, frequencies).standard_lambda();
  double sum = 0;
  for (std::size_t i = 0; i < scoring.letters.size(); ++i)
    for (std::size_t j = 0; j < scoring.letters.size(); ++j)
      sum += frequencies.parts[i] * frequencies.parts[j] *
             std::exp(lambda * scoring.matrix[i * scoring.letters.size() + j]);
  EXPECT_NEAR(sum, 1, 1e-14);
  // Match 1, mismatch -1, four letters: e^x = 3.
  const ScoringSystem simple = dna_scoring(1, -1, 2, 1);
  EXPECT_NEAR(*Composition(simple, Frequencies::standard(simple)).standard_lambda(), std::log(3.0), 1e-15);
}

// As often as the frequencies say, in thousandths.
LetterCounts in_proportion(const Frequencies &frequencies) {
  LetterCounts counts;
  for (const double part : frequencies.parts) counts.push_back(static_cast<std::uint32_t>(part * 100000 + 0.5));
  return counts;
}

TEST(Composition, TheStandardOneChangesNothing) {
  const ScoringSystem scoring = protein_scoring("BLOSUM62", 11, 1);
  const Frequencies frequencies = Frequencies::standard(scoring);
  const Composition composition(scoring, frequencies);
  EXPECT_NEAR(*composition.ratio(in_proportion(frequencies), in_proportion(frequencies)), 1, 1e-12);
}

TEST(Composition, FewLettersCountForLess) {
  const ScoringSystem scoring = protein_scoring("BLOSUM62", 11, 1);
  const Composition composition(scoring, Frequencies::standard(scoring));
  const LetterCounts usual = composition.count("MKVLAAGIVGLCAKAYELDRWQPNSTHFYEERKDLIVAGG");
  const LetterCounts biased = composition.count("MKVEAKIEGLKEKAEELERKEPKSTHEYEEKKDLEKAGGS");
  const auto alike = composition.ratio(biased, biased), mixed = composition.ratio(biased, usual);
  ASSERT_TRUE(alike && mixed);
  EXPECT_LT(*alike, 0.7);
  EXPECT_LE(*mixed, 1);
  EXPECT_NEAR(*mixed, *composition.ratio(usual, biased), 1e-14);  // a symmetric matrix
}

TEST(Composition, NothingWhereThereIsNoLambda) {
  const ScoringSystem scoring = protein_scoring("BLOSUM62", 11, 1);
  const Composition composition(scoring, Frequencies::standard(scoring));
  EXPECT_FALSE(composition.ratio(composition.count("QQQQQQQQ"), composition.count("QQQQQQ")));  // the mean is 5
  EXPECT_FALSE(composition.ratio(composition.count("WWWW"), composition.count("AAAA")));        // none is positive
  EXPECT_FALSE(composition.ratio(composition.count("XXXX"), composition.count("MKVL")));        // no letter
  EXPECT_FALSE(composition.ratio(composition.count(""), composition.count("")));
}

TEST(Composition, CountsEitherCaseAndSynonymsAndLeavesOthersOut) {
  const ScoringSystem dna = dna_scoring(2, -3, 5, 2);
  const Composition composition(dna, Frequencies::standard(dna));
  EXPECT_EQ(composition.count("aACgNTu-"), (LetterCounts{2, 1, 1, 2}));
}

TEST(Composition, RootsAreThereForEveryCompositionThatHasOne) {
  const ScoringSystem scoring = protein_scoring("PAM250", 14, 2);
  const Composition composition(scoring, Frequencies::standard(scoring));
  std::mt19937 random(3);
  int roots = 0;
  for (int round = 0; round < 3000; ++round) {
    LetterCounts query(scoring.letters.size(), 0), target = query;
    for (std::size_t i = 0; i < 20; ++i) {
      query[i] = random() % 3 == 0 ? random() % 50 : 0;
      target[i] = random() % 3 == 0 ? random() % 50 : 0;
    }
    const auto ratio = composition.ratio(query, target);
    if (!ratio) continue;
    ++roots;
    ASSERT_GT(*ratio, 0);
    ASSERT_LE(*ratio, 1);
  }
  EXPECT_GT(roots, 1000);
}

}  // namespace
}  // namespace alnsmith::search
