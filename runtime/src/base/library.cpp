// dlopen and dlsym.  See library.hpp.
#include "base/library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include "base/files.hpp"

namespace alnsmith::rt {

Result<void *> open_library(const std::string &name_or_path, bool *absent) {
  std::string path = name_or_path;
  if (absent) *absent = false;
  if (path.find('/') != std::string::npos) {
    if (absent && ::access(path.c_str(), F_OK) != 0) *absent = true;
    auto trusted = check_trusted(path);
    if (!trusted) return trusted.error();
    path = *std::move(trusted);
  }
  if (void *handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
  const char *why = ::dlerror();
  const std::string text = why ? why : "";
  // "libx.so.1: cannot open shared object file: No such file or directory"; the same of another file is a library
  // that this one needs.
  if (absent) *absent = text.starts_with(path + ": ") && text.find("No such file") != std::string::npos;
  return Error{name_or_path + " does not load: " + text};
}

Result<Library> Library::open(std::initializer_list<const char *> names, const std::string &mend) {
  std::string problem;
  for (const char *name : names) {
    Library library;
    library.name_ = name;
    bool absent = false;
    const auto handle = open_library(name, &absent);
    if (handle) {
      library.handle_ = *handle;
      return library;
    }
    if (!absent && problem.empty()) problem = handle.error().message;
  }
  if (problem.empty()) problem = std::string(*(names.end() - 1)) + " is not installed";
  return Error{problem + ": " + mend};
}

void *Library::symbol(const char *name) const { return ::dlsym(handle_, name); }

}  // namespace alnsmith::rt
