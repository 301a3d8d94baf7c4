// Writes a file beside its place and renames it, and only if its text changed. `-` is standard output.
#pragma once

#include <string>

#include "alnsmith/result.hpp"

namespace alnsmith {
Status write_file(const std::string &path, const std::string &text);
}
