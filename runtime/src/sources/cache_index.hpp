// What the user's cache holds of a spec on a target, found by these two alone: where nothing can be generated, as on a
// compute node without compiler or generator, the kernels of earlier runs serve.
//
// In:  a spec's hash, a target; as kernels are loaded, their plan and files. Out: the plan that they were loaded by
// last, and the file of each of its kernels that is sound. Two files of the cache: spec-<id> names the plan, built-<id>
// a kernel's file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/cache.hpp"
#include "kernels/manifest.hpp"

namespace alnsmith::rt {

class CacheIndex {
 public:
  CacheIndex(const std::string &spec_hash, const std::string &target) : unit_(spec_hash + "\n" + target) {}

  // The kernel `entry` of the plan `plan_id` (the cache has plan-<plan_id>) lies in the cache's file `file`. What
  // cannot be noted is not found later, no more.
  void note(const Cache &cache, const std::string &plan_id, const std::string &entry, const std::string &file) const;

  // That file, if it was noted and is sound.
  std::optional<std::string> file(const Cache &cache, const std::string &plan_id, const std::string &entry) const;

  struct Kernels {
    Manifest manifest;               // of the kernels that are there, at least one
    std::vector<std::string> files;  // of the cache, by kernel
    std::size_t planned = 0;         // with those that are not there
    bool complete() const { return files.size() == planned; }
  };
  // Nothing where the plan, or every kernel of it, is missing or damaged, or is not of this spec.
  std::optional<Kernels> find(const Cache &cache) const;

 private:
  std::string unit_name() const;
  std::string built_name(const std::string &plan_id, const std::string &entry) const;

  std::string unit_;
};

}  // namespace alnsmith::rt
