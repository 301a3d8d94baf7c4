// The texts of specs/matrices/, compiled in so that a program needs no data files.
//
// The definition is written at build time by embed_matrices.cmake.
#pragma once

#include <span>
#include <string_view>

namespace alnsmith::spec {

struct EmbeddedMatrix {
  std::string_view name, text;
};

std::span<const EmbeddedMatrix> embedded_matrices();

}  // namespace alnsmith::spec
