// The user's cache folder: sealed files, each ending in the SHA-256 of what is before.
//
// Writers write beside and rename, so that processes may race; a file whose seal does not fit counts as absent.
// Layout: plan-<id> manifests, text-<id> keys of texts, source-<id> device texts, cxx-<id> compiler versions,
// kernel-<key>.so, device-<key> (compile/device_cache.cpp), spec-<id> and built-<id> (sources/cache_index.h),
// spilled-<id> (sources/device_kernels.cpp), opencl-<key> (device/driver/opencl_programs.cpp).
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "alnsmith/result.hpp"

namespace alnsmith::rt {

class Cache {
 public:
  enum class Use {
    fill,  // a folder that cannot be made or written, or that others may write to, is replaced by a private one that
           // ends with this object; note() tells. What cannot be written but keeps the rule of files.h is still read
    read   // nothing is made: a folder that is not there, or breaks that rule, is an empty cache
  };
  // `dir` or, if empty, ALNSMITH_CACHE, XDG_CACHE_HOME/alnsmith, ~/.cache/alnsmith.
  explicit Cache(const std::string &dir, Use use = Use::fill);
  ~Cache();
  Cache(const Cache &) = delete;
  Cache &operator=(const Cache &) = delete;

  const std::string &folder() const { return folder_; }  // empty if not even a private one could be made
  const std::string &note() const { return note_; }      // empty if all is well
  std::string where() const;  // for messages: folder or note, and the file that broke the rule last, if one did
  std::string path(const std::string &name) const;  // where it is, or would be written

  // The sealed text of a file that keeps the rule of files.h; another file counts as absent, and is replaced.
  std::optional<std::string> load(const std::string &name) const;
  bool sound(const std::string &name) const { return load(name).has_value(); }
  Status store(const std::string &name, std::string_view text) const;

 private:
  std::string folder_, note_;
  std::string readable_;  // asked where folder_ lacks a file; or empty
  bool private_ = false;
  mutable std::mutex mutex_;  // of the member below: texts are made by several threads
  mutable std::string refused_;
};

}  // namespace alnsmith::rt
