// How every complaint about a spec or a matrix is worded: one line, `file:line:column: rule; mend`.
//
// In: a file's name, a place in it, pieces of the user's text. Out: alnsmith::Error. User text is shortened
// and its control bytes are escaped, so that a message stays one printable line whatever the input holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/result.hpp"

namespace alnsmith::spec {

// Line and column count from 1.
struct Place {
  int line = 1, column = 1;
};

// `file:line:column: message`
Error error_at(std::string_view file, Place place, std::string_view message);

// `file: message`, for a file that cannot be read at all.
Error error_in(std::string_view file, std::string_view message);

// The text in backquotes, at most 40 bytes of it, control and non-ASCII bytes as \xNN.
std::string shown(std::string_view text);

// The known word with the smallest edit distance (of equals the one with the longer common head; case counts half).
// Empty if none is within `most` edits.
std::string nearest(std::string_view word, const std::vector<std::string> &known, int most = 1000);

// "a, b or c"
std::string one_of(const std::vector<std::string> &words, std::string_view last = "or");

}  // namespace alnsmith::spec
