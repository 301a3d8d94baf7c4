// See phase.h.
#include "phase.h"

#include <cstdio>

#include "simulate.h"
#include "tables.h"

namespace alnsmith::search {
namespace {

constexpr int kShortest = 150, kLongest = 2400;
constexpr std::uint64_t kPairs = 1000;
// Means of scores at twice the length. The logarithmic phase has 1.1 to 1.25 at these lengths, falling as they grow;
// the linear one 1.5 to 2, rising. In between, longer sequences tell.
constexpr double kLogarithmic = 1.25, kLinear = 1.6;

// What to write in place of a scoring that has no significance.
std::string mend(const ScoringSystem &scoring) {
  const bool protein = Frequencies::standard(scoring).name == "robinson";
  return protein ? "raise the gap costs, such as 11 + 1*L with BLOSUM62"
                 : "let mismatches and gaps cost more, such as match 2, mismatch -3, gaps 5 + 2*L";
}

std::string two_places(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

}  // namespace

Status check_scores(const ScoringSystem &scoring, const Frequencies &frequencies) {
  const std::size_t letters = scoring.letters.size();
  double mean = 0;
  bool positive = false;
  for (std::size_t i = 0; i < letters; ++i)
    for (std::size_t j = 0; j < letters; ++j) {
      const double part = frequencies.parts[i] * frequencies.parts[j];
      mean += part * scoring.matrix[i * letters + j];
      positive = positive || (part > 0 && scoring.matrix[i * letters + j] > 0);
    }
  const std::string of = "no significance: with letters as common as " + frequencies.name + " says, ";
  if (!positive) return Error{of + "no pair of letters scores above 0: give a matrix in which equal letters do", 2};
  if (mean >= 0)
    return Error{of + "a pair of letters scores " + two_places(mean) +
                     " on average, so that the score of unrelated sequences grows with their lengths: " + mend(scoring),
                 2};
  return Ok{};
}

Status check_phase(const ScoringSystem &scoring, const Frequencies &frequencies, const Aligner &aligner,
                   const Options &options) {
  double before = 0;
  for (int length = kShortest; length <= kLongest; length *= 2) {
    const Result<Sample> sample =
        draw_sample({scoring, frequencies, kPhaseSeed, length, kPairs}, false, aligner, options);
    if (!sample) return sample.error();
    const double mean = sample->mean_score();
    if (length > kShortest) {
      const double growth = before > 0 ? mean / before : 0;
      if (growth < kLogarithmic) return Ok{};
      if (growth >= kLinear || length == kLongest)
        return Error{
            "no significance: the score of unrelated sequences grows with their lengths under this scoring (gaps "
            "of " +
                gap_words(scoring) + "): its mean is " + two_places(before) + " at " + std::to_string(length / 2) +
                " letters and " + two_places(mean) + " at " + std::to_string(length) + ": " + mend(scoring),
            2};
    }
    before = mean;
  }
  return Ok{};
}

}  // namespace alnsmith::search
