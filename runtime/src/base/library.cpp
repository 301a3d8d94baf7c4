// dlopen and dlsym.  See library.h.
#include "base/library.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include "base/files.h"

namespace alnsmith::rt {

std::string running_library() {
  Dl_info unused{};
  void *library = nullptr;  // link_map
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): dladdr takes any address of this library
  const auto *here = reinterpret_cast<const void *>(&running_library);
  // The loader's name for it, empty in the program itself: Dl_info has argv[0] there, whatever a caller writes.
  const bool known = ::dladdr1(here, &unused, &library, RTLD_DL_LINKMAP) != 0 && library != nullptr;
  const char *name = known ? static_cast<const link_map *>(library)->l_name : nullptr;
  return name != nullptr && name[0] == '/' ? name : "";
}

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
