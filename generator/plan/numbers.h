// The numbers of a spec's scoring as kernels take them, and how they become a template's static values.
#pragma once

#include <string>
#include <vector>

#include "frontend/templates.h"
#include "plan/symbol.h"
#include "spec/codes.h"
#include "spec/spec.h"

namespace alnsmith::plan {

// Maximised scores, positive costs.
struct Numbers {
  spec::Value match, mismatch, insertion_open, insertion_extend, deletion_open, deletion_extend, score_min, score_max;
};
Numbers numbers(const spec::Spec &s);

// Whether the gaps of a side have a price for having them, so that the recurrence needs their states.
bool affine(const spec::Spec &s);

// The value, or the name under which a predicate asks for it.
Symbol symbol(const spec::Value &v, const char *name);

// Sets the scoring and the alphabet in `statics`; `stream`: which sequence streams.
void put_scoring(frontend::Statics &statics, const spec::Spec &s, const Numbers &n, spec::Side stream);

// 32 x ALN_MATRIX_STRIDE entries, maximised; empty where the spec has no matrix or takes it at run time.
std::vector<int> folded_matrix(const spec::Spec &s);

// `text` as part of a C name.
std::string identifier(std::string text);

}  // namespace alnsmith::plan
