// Looks built-in matrices up by name. Their texts come from specs/matrices/ by embed_matrices.cmake.
#include <algorithm>
#include <optional>
#include <span>

#include "spec/alphabet.h"
#include "spec/embedded_matrices.h"
#include "spec/matrix.h"

namespace alnsmith::spec {

std::optional<std::string_view> built_in_matrix(std::string_view name) {
  for (const EmbeddedMatrix &matrix : embedded_matrices()) {
    if (std::ranges::equal(matrix.name, name, {}, upper_case, upper_case)) return matrix.text;
  }
  return std::nullopt;
}

std::vector<std::string> built_in_matrix_names() {
  std::vector<std::string> names;
  for (const EmbeddedMatrix &matrix : embedded_matrices()) names.emplace_back(matrix.name);
  return names;
}

}  // namespace alnsmith::spec
