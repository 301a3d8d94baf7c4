// A driver's shared library, opened while the program runs, so that nothing links it and a machine without it is fine;
// and which library is running.
#pragma once

#include <initializer_list>
#include <string>

#include "alnsmith/result.hpp"

namespace alnsmith::rt {

// Where the shared library that this code is part of lies, as the loader knows it; empty in a program that holds it.
std::string running_library();

// dlopen: a name is the system's loader's to find, a path must keep the rule of what is loaded (files.h).
// `absent` (may be null) is set where there is no such file.
Result<void *> open_library(const std::string &name_or_path, bool *absent = nullptr);

// Stays open until the process ends: drivers keep threads of their own, which closing would pull the code from under.
class Library {
 public:
  // The first of `names` that can be opened; the last is the plain one. The error tells a library that is missing from
  // one that does not load; `mend` says what to install.
  static Result<Library> open(std::initializer_list<const char *> names, const std::string &mend);

  const std::string &name() const { return name_; }
  void *symbol(const char *name) const;  // null if it is not there

  // Sets `function` to the symbol; false, with the first missing name kept, if it is not there.
  template <class F>
  bool find(F *&function, const char *name) {
    function = reinterpret_cast<F *>(symbol(name));
    if (!function && missing_.empty()) missing_ = name;
    return function != nullptr;
  }
  const std::string &missing() const { return missing_; }  // first name that find() did not see

 private:
  std::string name_;
  void *handle_ = nullptr;
  std::string missing_;
};

}  // namespace alnsmith::rt
