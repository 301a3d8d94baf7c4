// From rewritten text to a shared object on disk, with a cache.
#pragma once

#include <string>

#include "simt.h"

namespace simt {

// A file that is removed with the object, unless it belongs to a cache.
class ObjectFile {
 public:
  ObjectFile(std::string path, bool temporary) : path_(std::move(path)), temporary_(temporary) {}
  ~ObjectFile();
  ObjectFile(const ObjectFile &) = delete;
  ObjectFile &operator=(const ObjectFile &) = delete;
  const std::string &path() const { return path_; }

 private:
  std::string path_;
  bool temporary_;
};

// Throws std::runtime_error with the compiler's words.
std::unique_ptr<ObjectFile> compile_object(const std::string &text, Dialect dialect, const Build &build);

}  // namespace simt
