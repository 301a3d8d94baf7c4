// Specs for golden rows: what a mode and a scoring id of the data mean, as a spec file's text.
#pragma once

#include <string>
#include <string_view>

#include "golden.h"

namespace golden {

// DNA_2_1.mat is match 2, mismatch -1 with a wildcard; the other matrices are built in. `end`: the output holds it.
std::string spec_text(std::string_view mode, const Scoring &scoring, bool end = false);

}  // namespace golden
