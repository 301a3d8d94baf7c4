// Substitution matrices: NCBI square text files and the built-in ones.
//
// In: a built-in name or a path, and the alphabet. Out: letters x letters scores in the alphabet's order, row =
// query letter, column = target letter; or an error at a line of the file. The file's letters may come in any
// order, may be more than the alphabet's, and rows need not equal columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/result.hpp"
#include "spec/error.h"
#include "spec/spec.h"

namespace alnsmith::spec {

// A matrix as a file has it.
struct TextMatrix {
  std::string name;         // for messages: the file's path or the built-in name
  std::string letters;      // upper case, in the header's order
  std::vector<int> values;  // letters x letters
  Place header;             // of the header row
};

// `#` comments, a header row of letters, then per letter a row: the letter and one integer per column.
Result<TextMatrix> parse_matrix(std::string_view text, const std::string &file);

// Reordered to the alphabet. A letter that the file lacks takes the row and column of its synonym (T for U), J
// those of X in protein; any other is an error that names it.
Result<std::vector<int>> fit_matrix(const TextMatrix &matrix, const Alphabet &alphabet);

// The text of a built-in matrix, by a name in any case; nothing for an unknown name.
std::optional<std::string_view> built_in_matrix(std::string_view name);
std::vector<std::string> built_in_matrix_names();

// A built-in name, else a path (relative to the working directory): what --matrix takes.
Result<std::vector<int>> load_matrix(const std::string &path_or_name, const Alphabet &alphabet);

}  // namespace alnsmith::spec
