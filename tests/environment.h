// Environment variables for the length of a scope.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace alnsmith::test {

class Variable {
 public:
  Variable(const char *name, const std::string &value) : name_(name) {
    if (const char *old = std::getenv(name)) before_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;

 private:
  const char *name_;
  std::optional<std::string> before_;
};

}  // namespace alnsmith::test
