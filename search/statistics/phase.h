// Whether a scoring has significance at all: in its logarithmic phase the best score of two random sequences grows with
// the logarithm of their lengths, in its linear phase with the lengths, and then every pair of long sequences scores
// high (Arratia and Waterman 1994).
#pragma once

#include "alnsmith/statistics.hpp"
#include "sample.h"

namespace alnsmith::search {

// What can be seen without aligning: a positive score among the letters that occur, and a negative mean score.
Status check_scores(const ScoringSystem &scoring, const Frequencies &frequencies);

// By the mean score at doubled lengths. Errors: the linear phase, by name and with what to write instead; the
// aligner's.
Status check_phase(const ScoringSystem &scoring, const Frequencies &frequencies, const Aligner &aligner,
                   const Options &options);

}  // namespace alnsmith::search
