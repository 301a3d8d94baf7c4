// The picture of `place --plot`: one page with the tree and the reads of each branch.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "alnsmith/placement_tree.hpp"
#include "alnsmith/result.hpp"

namespace alnsmith::tool {

// Whether this build has what the page needs.
Status check_place_plot();
// `of_branch`: reads of each branch; one that ties on n branches counts 1/n on each. `reads` in all.
std::string place_page(const placement::Tree &tree, std::span<const double> of_branch, std::uint64_t reads,
                       const std::string &spec_name);

}  // namespace alnsmith::tool
