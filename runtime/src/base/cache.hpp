// The user's cache folder: sealed files, each ending in the SHA-256 of what is before.
//
// Writers write beside and rename, so that processes may race; a file whose seal does not fit counts as absent.
// Layout: plan-<id> manifests, text-<id> keys of texts, source-<id> device texts, cxx-<id> compiler versions,
// kernel-<key>.so, device-<key> (compile/device_cache.cpp), spilled-<id> (sources/device_kernels.cpp), opencl-<key>
// (device/driver/opencl_programs.cpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "alnsmith/result.hpp"

namespace alnsmith::rt {

class Cache {
 public:
  // `dir` or, if empty, ALNSMITH_CACHE, XDG_CACHE_HOME/alnsmith, ~/.cache/alnsmith. A folder that cannot be made or
  // written or that others may write to is replaced by a private one that ends with this object; note() tells.
  explicit Cache(const std::string &dir);
  ~Cache();
  Cache(const Cache &) = delete;
  Cache &operator=(const Cache &) = delete;

  const std::string &folder() const { return folder_; }  // empty if not even a private one could be made
  const std::string &note() const { return note_; }      // empty if all is well
  std::string path(const std::string &name) const { return folder_ + "/" + name; }

  std::optional<std::string> load(const std::string &name) const;  // the sealed text
  bool sound(const std::string &name) const { return load(name).has_value(); }
  Status store(const std::string &name, std::string_view text) const;

 private:
  std::string folder_, note_;
  bool private_ = false;
};

}  // namespace alnsmith::rt
