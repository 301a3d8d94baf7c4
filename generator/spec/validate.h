// Checks a YAML tree against the schema's table.
//
// In: the tree, the file's name for messages. Out: nothing, or the first violation in document order (missing
// keys last within their map). After it, every value can be read without further checks of type or range.
#pragma once

#include <string>

#include "alnsmith/result.hpp"
#include "spec/schema.h"
#include "spec/yaml_tree.h"

namespace alnsmith::spec {

Status validate(const Node &root, const std::string &file);

// The value of a validated integer.
int to_integer(const Node &node);

}  // namespace alnsmith::spec
