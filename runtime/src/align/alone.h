// Which kernels the model takes for a pair that is alone in a call, in words for people (`align --explain`).
#pragma once

#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "kernels/manifest.h"

namespace alnsmith::rt::align {

// A line for some lengths of query and target: the kernel, and what it takes by those of other mappings. None where
// there is nothing to choose, or where scoring comes with the call. `standing`: as of resolve_scoring.
std::vector<std::string> alone_lines(const kernels::Manifest &manifest, const Scoring &standing);

}  // namespace alnsmith::rt::align
