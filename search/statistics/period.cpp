// In which steps scores are counted: see alnsmith/statistics.hpp.
#include <numeric>

#include "alnsmith/statistics.hpp"

namespace alnsmith::search {

int score_period(const ScoringSystem &scoring, const Frequencies &frequencies) {
  const std::size_t letters = scoring.letters.size();
  int divisor = 0;
  for (std::size_t i = 0; i < letters; ++i)
    for (std::size_t j = 0; j < letters; ++j)
      if (frequencies.parts[i] > 0 && frequencies.parts[j] > 0 && scoring.matrix[i * letters + j] > 0)
        divisor = std::gcd(divisor, scoring.matrix[i * letters + j]);
  return divisor > 0 ? divisor : 1;
}

}  // namespace alnsmith::search
