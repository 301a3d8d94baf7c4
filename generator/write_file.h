// A text for a file, which is left alone if it has that text, or for standard output, `-`.
#pragma once

#include <string>

#include "alnsmith/result.hpp"

namespace alnsmith {
Status write_text(const std::string &path, const std::string &text);
}
