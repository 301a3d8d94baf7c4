// The ungapped lambda of letter frequencies, and what a pair's own letters make of it: see alnsmith/statistics.hpp.
#include <algorithm>

#include "alnsmith/statistics.hpp"
#include "elementary.h"

namespace alnsmith::search {
namespace {

// The positive root of sum p_i e^(x s_i) = 1 for scores s whose mean is negative and one of which is positive. From
// above it Newton's method comes down without a turn, as the sum is convex.
double root(const std::vector<int> &scores, const std::vector<double> &parts) {
  std::size_t best = scores.size() - 1;
  while (parts[best] == 0) --best;
  double x = -logarithm(parts[best]) / scores[best];  // the best score's term alone is 1 there
  for (int step = 0; step < 200; ++step) {
    double sum = -1, slope = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (parts[i] == 0) continue;
      const double term = parts[i] * exponential(x * scores[i]);
      sum += term;
      slope += term * scores[i];
    }
    const double next = slope > 0 ? x - sum / slope : x;
    if (!(next < x) || next <= 0) break;
    x = next;
  }
  return x;
}

}  // namespace

Composition::Composition(const ScoringSystem &scoring, const Frequencies &frequencies)
    : letters_(scoring.letters.size()), scores_(scoring.matrix) {
  std::ranges::sort(scores_);
  scores_.erase(std::ranges::unique(scores_).begin(), scores_.end());
  for (const int score : scoring.matrix)
    score_of_.push_back(static_cast<std::uint16_t>(std::ranges::lower_bound(scores_, score) - scores_.begin()));
  code_.fill(static_cast<std::uint8_t>(letters_));
  const auto take = [&](char byte, char letter) {
    const std::size_t at = scoring.letters.find(letter);
    if (at == std::string::npos || frequencies.parts[at] == 0) return;
    code_[static_cast<unsigned char>(byte)] = static_cast<std::uint8_t>(at);
    if (byte >= 'A' && byte <= 'Z') code_[static_cast<unsigned char>(byte - 'A' + 'a')] = static_cast<std::uint8_t>(at);
  };
  for (const char letter : scoring.letters) take(letter, letter);
  for (const auto &[byte, letter] : scoring.synonyms) take(byte, letter);
  standard_ = lambda(frequencies.parts, frequencies.parts);
}

LetterCounts Composition::count(std::string_view sequence) const {
  LetterCounts counts(letters_ + 1, 0);
  for (const char letter : sequence) ++counts[code_[static_cast<unsigned char>(letter)]];
  counts.pop_back();
  return counts;
}

std::optional<double> Composition::lambda(const std::vector<double> &query, const std::vector<double> &target) const {
  std::vector<double> parts(scores_.size(), 0);
  for (std::size_t i = 0; i < letters_; ++i)
    for (std::size_t j = 0; j < letters_; ++j) parts[score_of_[i * letters_ + j]] += query[i] * target[j];
  double mean = 0;
  bool positive = false;
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    mean += parts[i] * scores_[i];
    positive = positive || (parts[i] > 0 && scores_[i] > 0);
  }
  if (mean >= 0 || !positive) return std::nullopt;
  return root(scores_, parts);
}

std::optional<double> Composition::ratio(const LetterCounts &query, const LetterCounts &target) const {
  const auto parts_of = [](const LetterCounts &counts) {
    std::uint64_t sum = 0;
    for (const std::uint32_t count : counts) sum += count;
    std::vector<double> parts(counts.begin(), counts.end());
    for (double &part : parts) part /= static_cast<double>(std::max<std::uint64_t>(sum, 1));
    return parts;
  };
  const std::optional<double> own = standard_ ? lambda(parts_of(query), parts_of(target)) : std::nullopt;
  if (!own) return std::nullopt;
  return std::min(1.0, *own / *standard_);
}

}  // namespace alnsmith::search
