// Whether an alignment holds water by itself: a checker that knows no recurrence and shares no code with what aligns.
//
// In: a problem, the two sequences, and an alignment: score, begins, ends, CIGAR.
// Out: what is wrong with it, one line, or nothing. It prices the CIGAR anew and holds begins and ends to the borders
// that the alignment type demands. That no other alignment scores better, only a score to compare with can say.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle.h"

namespace golden {

// Empty: nothing is wrong. `alignment.ends` is not looked at. With best alignments, whose ends and path were chosen as
// oracle.h says, these hold too: all that a local alignment scores up to any of its columns is above 0, and what it
// scores behind it; no gap lies on a border that is free.
std::string complaint(const oracle::Problem &problem, std::string_view query, std::string_view target,
                      const oracle::Answer &alignment);

// Runs as in BAM, length << 4 | op, with 0, 1, 2 for M, I, D; another number is '?', which `complaint` knows.
std::vector<oracle::Run> runs_of(std::span<const std::uint32_t> cigar);

}  // namespace golden
