// Numbers that may wait for a call, for the templates of exactness.h as a C++ compiler reads them: a value, or the text
// of an expression of the manifest. An independent second way to what the generator's evaluator prints.
#pragma once

#include <optional>
#include <string>

#include "templates/meaning.h"

namespace facts {

struct Text {
  std::string text;
  std::optional<long long> number;

  Text() = default;
  Text(long long value) : text(std::to_string(value)), number(value) {}
  Text(int value) : Text(static_cast<long long>(value)) {}
  explicit Text(const char *name) : text(name) {}
};

inline Text joined(const Text &a, const char *op, const Text &b) {
  Text made;
  made.text = "(" + a.text + " " + op + " " + b.text + ")";
  return made;
}
inline Text called(const char *name, const Text &a, const Text &b) {
  Text made;
  made.text = std::string(name) + "(" + a.text + ", " + b.text + ")";
  return made;
}

inline Text operator+(const Text &a, const Text &b) {
  return a.number && b.number ? Text(direct::saturated_sum(*a.number, *b.number)) : joined(a, "+", b);
}
inline Text operator-(const Text &a, const Text &b) {
  return a.number && b.number ? Text(direct::saturated_difference(*a.number, *b.number)) : joined(a, "-", b);
}
inline Text operator-(const Text &a) { return Text(0) - a; }
inline Text operator*(const Text &a, const Text &b) {
  if (a.number == 0 || b.number == 0) return 0;
  return a.number && b.number ? Text(direct::saturated_product(*a.number, *b.number)) : joined(a, "*", b);
}
inline Text min(const Text &a, const Text &b) {
  return a.number && b.number ? Text(*a.number < *b.number ? *a.number : *b.number) : called("min", a, b);
}
inline Text max(const Text &a, const Text &b) {
  return a.number && b.number ? Text(*a.number > *b.number ? *a.number : *b.number) : called("max", a, b);
}
inline Text operator<=(const Text &a, const Text &b) {
  return a.number && b.number ? Text(*a.number <= *b.number ? 1 : 0) : joined(a, "<=", b);
}
inline Text operator&&(const Text &a, const Text &b) {
  if (a.number) return *a.number ? b : a;
  if (b.number) return *b.number ? a : b;
  return joined(a, "&&", b);
}

}  // namespace facts
