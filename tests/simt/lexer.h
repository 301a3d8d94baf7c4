// Splits a kernel text into tokens, as far as the rewriter needs it: comments are left out, a string is one token, and
// tokens of preprocessor lines are marked.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace simt {

struct Token {
  enum class Kind { word, string, number, punctuation, end };
  Kind kind = Kind::end;
  std::string_view text;  // a string with its quotes
  std::size_t begin = 0;  // offset in the text
  int line = 1;
  bool preprocessor = false;  // in a line that begins with #
  std::size_t after() const { return begin + text.size(); }
};

// The last token is of kind `end`. Throws std::runtime_error on a string or comment without end.
std::vector<Token> tokenize(std::string_view text);

[[noreturn]] void text_error(int line, const std::string &what);

}  // namespace simt
