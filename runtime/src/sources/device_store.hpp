// Where a device's kernels come from: one spec, one device target, binaries obtained when a call needs them.
//
// In:  a spec, the sources of Aligner::open, the target of a device ("cuda:sm_90", "hip:gfx90a:xnack-", "opencl").
// Out: the manifest, and for each kernel what Executor::load takes. Asked in this order: the user's cache, folders of
//      compiled kernels (`<spec>-<12 hex digits>-cuda-sm_90.json` with .cubin, .ptx, .co, .cl or .spv) and their packs,
//      generation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "kernels/manifest.hpp"

namespace alnsmith::rt {

class DeviceStore {
 public:
  virtual ~DeviceStore() = default;
  const Manifest &manifest() const { return manifest_; }
  // What to load for manifest().kernels[kernel]; stays valid as long as the store. One thread at a time.
  virtual Result<const std::string *> binary(int kernel, const std::function<bool()> &cancelled) = 0;
  // Where each kernel came from, a line each.
  virtual std::vector<std::string> provenance() const = 0;

  std::vector<std::string> skipped;  // on the way to this store, and why

 protected:
  Manifest manifest_;
};

Result<std::unique_ptr<DeviceStore>> find_device_store(const SpecRef &spec, const Sources &sources,
                                                       const std::string &target,
                                                       const std::function<bool()> &cancelled);

}  // namespace alnsmith::rt
