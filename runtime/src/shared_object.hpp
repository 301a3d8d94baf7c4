// A shared object of kernels, opened: its manifest and its entries.
#pragma once

#include <memory>
#include <string>

#include "alnsmith/kernel_abi.h"
#include "manifest.hpp"

namespace alnsmith::rt {

using KernelFn = int (*)(const aln_args_v1 *);

class SharedObject {
 public:
  // Refuses files that break check_trusted, that carry no manifest, or one that this runtime does not know, and
  // targets wider than `widest`, of which nothing is run.
  static Result<std::unique_ptr<SharedObject>> open(const std::string &path, Isa widest);
  ~SharedObject();
  SharedObject(const SharedObject &) = delete;
  SharedObject &operator=(const SharedObject &) = delete;

  const std::string &path() const { return path_; }
  const Manifest &manifest() const { return manifest_; }
  KernelFn entry(const std::string &name) const;  // null if it is not there

 private:
  SharedObject() = default;
  std::string path_;
  void *handle_ = nullptr;
  Manifest manifest_;
};

}  // namespace alnsmith::rt
