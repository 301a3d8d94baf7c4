// Where an aligner's kernels come from: one spec, one target, kernels obtained when a call needs them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/shared_object.hpp"

namespace alnsmith::rt {

class Store {
 public:
  virtual ~Store() = default;
  const Manifest &manifest() const { return manifest_; }
  // Makes function(i) valid for these indices of manifest().kernels. Thread-safe.
  virtual Status obtain(std::span<const int> kernels, const std::function<bool()> &cancelled) = 0;
  virtual KernelFn function(int kernel) const = 0;  // null before obtain
  // What was chosen or skipped and why, a line each.
  virtual std::vector<std::string> provenance() const = 0;

 protected:
  Manifest manifest_;
};

Result<std::unique_ptr<Store>> open_file_store(const std::string &path, Isa widest);

// Asks cache, folders of compiled kernels and the generator for `widest`, then for each narrower target.
Result<std::unique_ptr<Store>> find_store(const SpecRef &spec, const Sources &sources, Isa widest,
                                          const std::function<bool()> &cancelled);

}  // namespace alnsmith::rt
