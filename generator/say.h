// Messages of alnsmith-generate on standard error.
#pragma once

#include <string>

#include "alnsmith/result.hpp"

namespace alnsmith {

// A line, after the program's name. Names and texts of others stand in it: no terminal's command gets through.
void say(const std::string &message);

// Says the error; what the program returns for it.
int fail(const Error &error);

}  // namespace alnsmith
