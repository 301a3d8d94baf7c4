// A shared object of kernels, opened: its manifest and its entries.
#pragma once

#include <memory>
#include <string>

#include "alnsmith/kernel_abi.h"
#include "kernels/manifest.h"

namespace alnsmith::rt::kernels {

using KernelFn = int (*)(const aln_args_v1 *);

class SharedObject {
 public:
  // Refuses files that break check_trusted, that carry no manifest, or one that this runtime does not know, and
  // targets wider than `widest`, of which nothing is run.
  static Result<std::unique_ptr<SharedObject>> open(const std::string &path, Isa widest);
  // The same for a file's bytes, whose origin the caller has checked; `name` stands for them in messages.
  static Result<std::unique_ptr<SharedObject>> open_bytes(const std::string &name, std::string_view bytes, Isa widest);
  ~SharedObject();
  SharedObject(const SharedObject &) = delete;
  SharedObject &operator=(const SharedObject &) = delete;

  const std::string &path() const { return path_; }
  const Manifest &manifest() const { return manifest_; }
  KernelFn entry(const std::string &name) const;  // null if it is not there

 private:
  SharedObject() = default;
  Status load(const std::string &file, const std::string &name);
  Status check(const std::string &name, Isa widest);

  std::string path_;
  void *handle_ = nullptr;
  Manifest manifest_;
};

}  // namespace alnsmith::rt::kernels
