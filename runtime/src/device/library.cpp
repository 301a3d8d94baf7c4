// dlopen and dlsym.  See library.hpp.
#include "device/library.hpp"

#include <dlfcn.h>

namespace alnsmith::rt {

Result<Library> Library::open(std::initializer_list<const char *> names, const std::string &mend) {
  std::string problem;
  for (const char *name : names) {
    Library library;
    library.name_ = name;
    library.handle_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library.handle_) return library;
    const char *why = ::dlerror();
    const std::string text = why ? why : "";
    // "libx.so.1: cannot open shared object file: No such file or directory"; the same of another file is a
    // library that this one needs.
    const bool absent = text.starts_with(std::string(name) + ": ") && text.find("No such file") != std::string::npos;
    if (!absent && problem.empty()) problem = std::string(name) + " does not load: " + text;
  }
  if (problem.empty()) problem = std::string(*(names.end() - 1)) + " is not installed";
  return Error{problem + ": " + mend};
}

void *Library::symbol(const char *name) const { return ::dlsym(handle_, name); }

}  // namespace alnsmith::rt
