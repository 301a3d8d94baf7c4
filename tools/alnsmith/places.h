// Where things lie relative to the program: the generator, the shipped specs, compiled kernels.
#pragma once

#include <string>
#include <vector>

#include "alnsmith/result.hpp"

namespace alnsmith::tool {

std::string program_folder();  // the folder of the running program
std::string generator_path();  // alnsmith-generate beside the program; empty if this build has none
// Folders of compiled kernels and packs, those that exist: the user's, those beside the program, the installed ones.
std::vector<std::string> kernel_folders();

// The spec file meant by `name`: a file, or a shipped spec by its name ("dna-global-affine").
Result<std::string> find_spec(const std::string &name);
std::vector<std::string> shipped_specs();  // their names, sorted

}  // namespace alnsmith::tool
