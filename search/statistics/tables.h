// What is tabulated: NCBI's rows and the frequencies of amino acids.
#pragma once

#include <string_view>

#include "alnsmith/statistics.hpp"

namespace alnsmith::search {

// The twenty amino acids, in the order of NCBI's matrices.
inline constexpr std::string_view kAminoAcids = "ARNDCQEGHILKMFPSTWYV";

// How common an amino acid is, 0 to 1; 0 for another letter.
double amino_acid_part(char letter);

// The lines that cost least for some length, without those that others undercut at every one.
std::vector<GapLine> effective_lines(std::vector<GapLine> lines);

// "11 + 1*L", "min(4 + 2*L, 24 + 1*L)"; "insertion ..., deletion ..." where the sides differ.
std::string gap_words(const ScoringSystem &scoring);

}  // namespace alnsmith::search
