// A validated YAML tree read into a Spec.
//
// In: a tree that validate.h passed; the folder that a matrix path is relative to. Out: the Spec with every
// default filled in; errors are those of alphabets, matrices and expressions. Contradictions: rules.h.
#pragma once

#include <string>

#include "alnsmith/result.hpp"
#include "spec/spec.h"
#include "spec/yaml_tree.h"

namespace alnsmith::spec {

Result<Spec> build(const Node &root, const std::string &file, const std::string &base_dir);

}  // namespace alnsmith::spec
