// Five references and their tree, as small as trees and alignments can be that show something.
#pragma once

namespace alnsmith::testing {

inline constexpr const char *kTree = "((A:0.1,B:0.2):0.3,C:0.1,(D:0.2,E:0.4):0.1);\n";
inline constexpr const char *kRows =
    "5 12\nA ACGTACGTACGT\nB ACGTACGTACGA\nC ACGTAC--ACGT\nD TTGTAC--ACGT\nE TTGTACGT-CGT\n";

}  // namespace alnsmith::testing
