/// @file
/// Errors as values: the result type of every fallible alnsmith function.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace alnsmith {

/// What went wrong.
struct Error {
  std::string message;  ///< one line that says where, which rule, and how to mend; no trailing line break
  int exit_code = 1;    ///< what a program should return for it: 1 bad input or failure, 2 usage, 130 interrupted
};

/// Either a T or an Error; like std::expected, which C++20 lacks. Test it before reading.
/// @tparam T what a success holds; not Error
template <class T>
class [[nodiscard]] Result {
 public:
  /// A success. @param value what it holds
  Result(T value) : state_(std::move(value)) {}
  /// A failure. @param error why
  Result(Error error) : state_(std::move(error)) {}

  /// Whether this is a success. @return true if there is a value, false if there is an error
  explicit operator bool() const { return state_.index() == 0; }
  /// The value of a success. @return the value; throws std::bad_variant_access for a failure
  T &operator*() & { return std::get<0>(state_); }
  /// The value of a success. @return the value; throws std::bad_variant_access for a failure
  const T &operator*() const & { return std::get<0>(state_); }
  /// The value of a success, to be moved from. @return the value; throws std::bad_variant_access for a failure
  T &&operator*() && { return std::get<0>(std::move(state_)); }
  /// A member of a success's value. @return the value's address; throws std::bad_variant_access for a failure
  T *operator->() { return &std::get<0>(state_); }
  /// A member of a success's value. @return the value's address; throws std::bad_variant_access for a failure
  const T *operator->() const { return &std::get<0>(state_); }
  /// Why it failed. @return the error of a failure; throws std::bad_variant_access for a success
  const Error &error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// What a success holds that has nothing to say.
struct Ok {};
/// The result of what only succeeds or fails.
using Status = Result<Ok>;

}  // namespace alnsmith
