// The generic form of a spec: the spec that leaves to the call what this one fixes of its scoring, and nothing else.
//
// Kernels of the generic form serve the spec exactly where it has none of its own: same letters, alignment, gap model
// and outputs, its scoring values passed at run time. What minimizes is the form of what maximizes, its scores with
// another sign; RNA's is that of DNA. As specs are known by their hashes, so are generic forms: whoever
// compiles a spec with every scoring value `runtime` serves all specs of that form.
#pragma once

#include <optional>

#include "alnsmith/alnsmith.hpp"
#include "spec/spec.h"

namespace alnsmith::spec {

// Every scoring value `runtime`; how kernels are made (mapping, arithmetic, tile, tuning) and lengths left open.
Spec generic_form(const Spec &spec);

// Its hash and what `spec` fixes; nothing for a spec that fixes nothing, or whose scoring is more than its values
// (column flags, state sets, profiles).
std::optional<GenericSpec> generic_of(const Spec &spec);

// What names a spec for Aligner::open; `path` may be empty.
SpecRef reference(const Spec &spec, const std::string &path);

}  // namespace alnsmith::spec
