// Maximum likelihood of lambda and K from counts of scores, of pairs of one length or of several.
#pragma once

#include <cstdint>
#include <vector>

#include "alnsmith/statistics.hpp"

namespace alnsmith::search {

// How well a fit describes its counts.
struct Fit {
  bool done = false;       // false: the scores are too few or too unlike the model for any lambda
  double chi_square = 0;   // of counts by score against expected ones
  int degrees = 0;         // of freedom
  double correlation = 0;  // of the errors of lambda and ln K
};

// Pairs of the same two lengths, counted by score.
struct Stratum {
  double query_length = 0, target_length = 0;
  bool truncated = false;            // nothing is known of pairs in the last bin, not even how many they are
  std::vector<std::int32_t> scores;  // the lowest ones of all bins but the first, ascending
  std::vector<double> counts;        // by bin; of the first, those below scores[0], their number alone counts
};

class Likelihood {
 public:
  // Of `statistics` the lengths are read.
  Likelihood(const Statistics &statistics, std::vector<Stratum> strata);
  ~Likelihood();

  // Fills in lambda and K with their standard errors, starting from these values. Errors are as large as the residual
  // says where that is more than chance. Ends with a step of lambda below this part of it.
  Fit fit(double lambda, double log_k, double tolerance, Statistics &statistics);

 private:
  struct Terms;  // of a stratum
  // Fisher's information and the gradient; lambda first.
  struct Slope {
    double gradient[2] = {0, 0};
    double aa = 0, ab = 0, bb = 0;
    double determinant() const { return aa * bb - ab * ab; }
  };
  void evaluate(double lambda, double log_k);
  double value() const;
  Slope slope() const;
  void test(Fit &fit) const;

  Statistics s_;
  std::vector<Terms> terms_;
};

}  // namespace alnsmith::search
