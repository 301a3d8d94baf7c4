// dlopen and the manifest symbol.  See shared_object.hpp.
#include "shared_object.hpp"

#include <dlfcn.h>

#include <filesystem>

#include "files.hpp"

namespace alnsmith::rt {

Result<std::unique_ptr<SharedObject>> SharedObject::open(const std::string &path, Isa widest) {
  if (auto ok = check_trusted(path); !ok) return ok.error();
  std::unique_ptr<SharedObject> object(new SharedObject);
  // A path without a slash would be searched in the system's folders.
  std::error_code ignored;
  object->path_ = std::filesystem::absolute(path, ignored).string();
  object->handle_ = ::dlopen(object->path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object->handle_) {
    const char *why = ::dlerror();
    return Error{path + ": not loaded: " + (why ? why : "no shared object")};
  }
  const auto *text = static_cast<const char *>(::dlsym(object->handle_, "aln_manifest_v1"));
  if (!text) return Error{path + ": not loaded: carries no aln_manifest_v1, so it holds no alnsmith kernels"};
  auto manifest = parse_manifest(text);
  if (!manifest) return Error{path + ": not loaded: " + manifest.error().message};
  object->manifest_ = *std::move(manifest);
  if (object->manifest_.for_device)
    return Error{path + ": not loaded: holds kernels for " + object->manifest_.target_name + ", not for CPUs"};
  if (object->manifest_.target > widest)
    return Error{path + ": not loaded: made for " + std::string(isa_name(object->manifest_.target)) +
                 ", this CPU or the given limit has " + std::string(isa_name(widest))};
  for (const KernelInfo &kernel : object->manifest_.kernels)
    if (!object->entry(kernel.entry)) return Error{path + ": not loaded: the entry " + kernel.entry + " is missing"};
  return object;
}

SharedObject::~SharedObject() {
  if (handle_) ::dlclose(handle_);
}

KernelFn SharedObject::entry(const std::string &name) const {
  return reinterpret_cast<KernelFn>(::dlsym(handle_, name.c_str()));
}

}  // namespace alnsmith::rt
