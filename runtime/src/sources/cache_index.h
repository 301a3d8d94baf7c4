// What the user's cache holds of a spec on a target, found by these two alone: where nothing can be generated, as on a
// compute node without compiler or generator, the kernels of earlier runs serve.
//
// In:  a spec's hash, a target; as kernels are loaded, their plan and files. Out: of the plans that they were loaded
// by, the one of which most is there, and the file of each of its kernels that is sound. Two files of the cache:
// spec-<id> names the plans, a line each, the latest last; built-<id> a kernel's file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/cache.h"
#include "kernels/manifest.h"

namespace alnsmith::rt::sources {

class CacheIndex {
 public:
  CacheIndex(const std::string &spec_hash, const std::string &target) : unit_(spec_hash + "\n" + target) {}

  // The kernel `entry` of the plan `plan_id` (the cache has plan-<plan_id>) lies in the cache's file `file`. What
  // cannot be noted is not found later, no more.
  void note(const Cache &cache, const std::string &plan_id, const std::string &entry, const std::string &file) const;

  // That file, if it was noted and is sound.
  std::optional<std::string> file(const Cache &cache, const std::string &plan_id, const std::string &entry) const;

  struct Kernels {
    kernels::Manifest manifest;      // of the kernels that are there, at least one
    std::vector<std::string> files;  // of the cache, by kernel
    std::size_t planned = 0;         // with those that are not there
    bool complete() const { return files.size() == planned; }
  };
  // A complete plan before others, then the one with most kernels, the latest among equals. Nothing where all plans, or
  // every kernel of them, are missing or damaged, or are not of this spec.
  // Where `wanted` is given, other kernels are as if they were not planned.
  using Filter = std::function<bool(const kernels::KernelInfo &)>;
  std::optional<Kernels> find(const Cache &cache, const Filter &wanted = {}) const;

 private:
  std::vector<std::string> plans_of(const Cache &cache) const;
  std::optional<Kernels> of_plan(const Cache &cache, const std::string &plan_id, const Filter &wanted) const;
  std::string unit_name() const;
  std::string built_name(const std::string &plan_id, const std::string &entry) const;

  std::string unit_;
};

}  // namespace alnsmith::rt::sources
