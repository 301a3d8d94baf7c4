// The templates' files, and which lane mappings they register, read without Clang: all that planning needs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "alnsmith/result.hpp"

namespace alnsmith::frontend {

using File = std::pair<std::string, std::string>;  // path, text

// The files of a folder of templates (empty: the embedded ones), kernel_abi.h among them; the first is `main`.
Result<std::vector<File>> template_files(const std::string &directory, const std::string &main = "kernels.cc");

// The mappings named by ALN_KERNEL("...") in kernels.cc, sorted.
Result<std::vector<std::string>> registered_mappings(const std::string &directory);

}  // namespace alnsmith::frontend
