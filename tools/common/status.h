// How a command ends: its error's line, its text on stdout, and the exit status.
#pragma once

#include <string_view>

#include "alnsmith/result.hpp"

namespace alnsmith::tool {

// Prints the error's line on stderr, if it has one, and returns its exit status.
int report_error(const Error &error);

// Text for stdout, checked: a full disk is an error, a closed pipe a silent one. Returns an exit status.
int print(std::string_view text);

}  // namespace alnsmith::tool
