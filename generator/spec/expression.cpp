// A recursive-descent check that rewrites as it reads: see expression.h.
//   sum = product (('+' | '-') product)*   product = factor ('*' factor)*
//   factor = '-' factor | integer | query | target | '(' sum ')'
#include "spec/expression.h"

#include "spec/error.h"

namespace alnsmith::spec {
namespace {

constexpr int max_depth = 50;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool read(std::string &out) { return sum(out, 0) && peek() == 0; }

 private:
  // The next byte that is not a blank, 0 at the end.
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool sum(std::string &out, int depth) {
    if (!product(out, depth)) return false;
    while (peek() == '+' || peek() == '-') {
      out += std::string(" ") + text_[at_++] + " ";
      if (!product(out, depth)) return false;
    }
    return true;
  }

  bool product(std::string &out, int depth) {
    if (!factor(out, depth)) return false;
    while (peek() == '*') {
      ++at_;
      out += " * ";
      if (!factor(out, depth)) return false;
    }
    return true;
  }

  bool factor(std::string &out, int depth) {
    if (depth > max_depth) return false;
    const char c = peek();
    if (c == '-' || c == '(') {
      ++at_;
      out += c;
      if (c == '-') return factor(out, depth + 1);
      if (!sum(out, depth + 1) || peek() != ')') return false;
      ++at_;
      out += ')';
      return true;
    }
    const size_t begin = at_;
    const auto in = [&](char low, char high) { return at_ < text_.size() && text_[at_] >= low && text_[at_] <= high; };
    while (in('0', '9')) ++at_;
    if (at_ == begin) {
      while (in('a', 'z')) ++at_;
    }
    const std::string_view token = text_.substr(begin, at_ - begin);
    out += token;
    const bool number = c >= '0' && c <= '9';
    return number ? token.size() <= 10 : token == "query" || token == "target";
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Result<std::string> normal_expression(std::string_view text) {
  std::string out;
  if (Reader(text).read(out)) return out;
  return Error{shown(text) +
               " is not an expression of `query`, `target` and integers with + - * and parentheses; "
               "write e.g. `target - query`"};
}

}  // namespace alnsmith::spec
