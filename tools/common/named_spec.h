// The spec that a command line means: a file, a shipped spec's name, or the name of a spec in a pack.
#pragma once

#include <string>
#include <vector>

#include "alnsmith/result.hpp"
#include "spec/spec.h"

namespace alnsmith::tool {

struct NamedSpec {
  spec::Spec spec;
  std::string path;   // its file; empty for a spec of a pack
  std::string label;  // for messages: the file, or the pack
};

// `packs`: those that the command line names, whose specs go before shipped ones; else those that `align` finds, behind
// them. An existing file goes before all.
Result<NamedSpec> named_spec(const std::string &name, const std::vector<std::string> &packs = {});

}  // namespace alnsmith::tool
