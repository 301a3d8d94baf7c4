// Errors as values: the result type of every fallible alnsmith function.
//
// A message is one line that says where, which rule, and how to mend; `exit_code` is what a program
// should return for it (1 bad input or failure, 2 usage).
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace alnsmith {

struct Error {
  std::string message;
  int exit_code = 1;
};

// Either a T or an Error; like std::expected, which C++20 lacks.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T &operator*() & { return std::get<0>(state_); }
  const T &operator*() const & { return std::get<0>(state_); }
  T &&operator*() && { return std::get<0>(std::move(state_)); }
  T *operator->() { return &std::get<0>(state_); }
  const T *operator->() const { return &std::get<0>(state_); }
  const Error &error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

struct Ok {};
using Status = Result<Ok>;

}  // namespace alnsmith
