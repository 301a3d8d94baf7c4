// Specs for golden rows: what a mode and a scoring id of the data mean, as a spec file's text.
#pragma once

#include <string>
#include <string_view>

#include "golden.h"

namespace golden {

// DNA_2_1.mat is match 2, mismatch -1 with a wildcard; the other matrices are built in.
std::string spec_text(std::string_view mode, const Scoring &scoring, std::string_view output = "[score]");
// The same with all of the scoring left to the call: one spec for all scorings of its kind.
std::string runtime_spec_text(std::string_view mode, const Scoring &scoring, std::string_view output = "[score]");
// Its fields up to the score, without version and name.
std::string spec_fields(std::string_view mode, const Scoring &scoring);

}  // namespace golden
