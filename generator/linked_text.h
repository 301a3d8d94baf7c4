// `alnsmith-generate link`: kernels to be compiled into a program.
//
// In: a spec, CPU targets and a name. Out, in a folder: NAME-<target>.kernels.cpp with the kernels of each target,
// NAME.kernels.cpp with the table of them, and NAME.kernels.h, which declares that table as `alnsmith_kernels_NAME`
// (what is no letter or digit becomes `_`). The header depends on the name alone, so that a change of the spec
// recompiles kernels and not what uses them. Only files that change are written.
#pragma once

#include <string>
#include <vector>

#include "alnsmith/result.hpp"

namespace alnsmith {

struct LinkRequest {
  std::string spec_file, templates_dir;
  std::vector<std::string> targets;
  std::string folder;
  std::string name;     // empty: the spec file's, without its ending
  std::string depfile;  // empty, or where to write, for make and ninja, which files the texts follow from
};

// The paths of the written texts and header.
Result<std::vector<std::string>> link_kernels(const LinkRequest &request);

}  // namespace alnsmith
