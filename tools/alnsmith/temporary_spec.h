// A spec that exists for one run only: the given one as the command line changes it (gap convention, output).
#pragma once

#include <string>

#include "alnsmith/result.hpp"

namespace alnsmith::tool {

// A file in the system's folder for temporary files, removed by the destructor.
class TemporarySpec {
 public:
  static Result<TemporarySpec> write(const std::string &text);
  TemporarySpec(TemporarySpec &&other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  TemporarySpec &operator=(TemporarySpec &&) = delete;
  ~TemporarySpec();
  const std::string &path() const { return path_; }

 private:
  explicit TemporarySpec(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace alnsmith::tool
