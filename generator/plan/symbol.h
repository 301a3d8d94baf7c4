// Integer expressions that are computed where all values are folded and printed where one is `runtime`.
//
// The planner writes a kernel's predicates with them (docs/manifest.md): the same formula yields a constant for one
// spec and a text over names for another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace alnsmith::plan {

struct Symbol {
  std::optional<std::int64_t> value;
  std::string text;  // a predicate expression; in parentheses where it is a sum

  Symbol(std::int64_t v) : value(v), text(std::to_string(v)) {}
  explicit Symbol(std::string name) : text(std::move(name)) {}
};

namespace detail {
inline Symbol join(const Symbol &a, const char *op, const Symbol &b) {
  return Symbol("(" + a.text + " " + op + " " + b.text + ")");
}
}  // namespace detail

inline Symbol operator+(const Symbol &a, const Symbol &b) {
  if (a.value && b.value) return *a.value + *b.value;
  if (a.value == 0) return b;
  if (b.value == 0) return a;
  return detail::join(a, "+", b);
}
inline Symbol operator-(const Symbol &a, const Symbol &b) {
  if (a.value && b.value) return *a.value - *b.value;
  if (b.value == 0) return a;
  if (a.text == b.text) return 0;
  return detail::join(a, "-", b);
}
inline Symbol operator*(const Symbol &a, const Symbol &b) {
  if (a.value && b.value) return *a.value * *b.value;
  if (a.value == 0 || b.value == 0) return 0;
  if (a.value == 1) return b;
  if (b.value == 1) return a;
  return detail::join(a, "*", b);
}
inline Symbol min(const Symbol &a, const Symbol &b) {
  if (a.value && b.value) return std::min(*a.value, *b.value);
  if (a.text == b.text) return a;
  return Symbol("min(" + a.text + ", " + b.text + ")");
}
inline Symbol max(const Symbol &a, const Symbol &b) {
  if (a.value && b.value) return std::max(*a.value, *b.value);
  if (a.text == b.text) return a;
  return Symbol("max(" + a.text + ", " + b.text + ")");
}
inline Symbol at_most(const Symbol &a, const Symbol &b) {
  if (a.value && b.value) return *a.value <= *b.value ? 1 : 0;
  return detail::join(a, "<=", b);
}
inline Symbol both(const Symbol &a, const Symbol &b) {
  if (a.value == 0 || b.value == 0) return 0;
  if (a.value) return b;
  if (b.value) return a;
  return detail::join(a, "&&", b);
}

}  // namespace alnsmith::plan
