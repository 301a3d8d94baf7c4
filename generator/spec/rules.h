// Contradictions between keys: what no schema can say.
//
// In: the Spec and the tree it came from (for places). Out: nothing, or the first rule of the list in rules.cpp
// that the spec breaks, at the value to change.
#pragma once

#include <string>

#include "alnsmith/result.hpp"
#include "spec/spec.h"
#include "spec/yaml_tree.h"

namespace alnsmith::spec {

Status check_rules(const Spec &spec, const Node &root, const std::string &file);

}  // namespace alnsmith::spec
