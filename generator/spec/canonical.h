// The canonical form of a spec, and its hash.
//
// canonical(): YAML with a fixed key order, defaults written out, a matrix as its values in the alphabet's
// order. It parses again to an equal Spec, except that Score::matrix_name is empty then: a matrix is its
// values, whatever it was called.
//
// hash(): SHA-256 (64 hex digits) of the canonical form without `name`, `targets` and `tune`: those change
// neither what a kernel computes nor, for one target, its text. So comments, key order, and spellings of the
// same values leave the hash as it is.
#pragma once

#include <string>

#include "spec/spec.h"

namespace alnsmith::spec {

std::string canonical(const Spec &spec);
std::string hash(const Spec &spec);

// The names of the enums, as specs write them.
std::string_view to_text(GapModel model);
std::vector<std::string> free_end_names(const FreeEnds &ends);

}  // namespace alnsmith::spec
