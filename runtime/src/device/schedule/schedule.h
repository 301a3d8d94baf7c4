// A batch call on devices, and on the CPU beside them: one queue of work, a thread for each device.
//
// In:  an admitted call's pairs, the devices, whether the CPU takes part. Out: scores, the report's shares and
// warnings.
//      What fails on a device is done again elsewhere; what no device kernel holds is the CPU's in any case.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "align/align.h"
#include "base/process.h"
#include "device/schedule/device.h"
#include "device/schedule/targets.h"

namespace alnsmith::rt::schedule {

// The devices of an aligner.
struct DeviceSet {
  std::vector<std::shared_ptr<Device>> devices;
  bool cpu = true;                      // takes part
  bool alone = false;                   // one device, named explicitly: its failure is the call's
  std::vector<std::string> warnings;    // what was asked for and is not used, and why
  std::vector<std::string> provenance;  // what was looked for, for --explain
  std::optional<Error> no_cpu;          // why there are no CPU kernels
};

// What "auto" means where these platforms are: all GPUs of CUDA and HIP; where there is none, those of OpenCL, whose
// devices are otherwise the same ones once more. `reasons`: why a platform has none, "cuda: ...".
std::vector<std::string> automatic_devices(const std::vector<PlatformReport> &platforms,
                                           std::vector<std::string> &reasons);

// `names` as in Options::devices.
Result<DeviceSet> open_devices(const std::vector<std::string> &names, const SpecRef &spec, const Sources &sources,
                               std::size_t most_memory, const Cancelled &cancelled);

// Portions of a call's targets for these devices.
std::unique_ptr<Targets> make_targets(std::span<const std::string_view> targets, std::size_t queries,
                                      const DeviceSet &set, std::size_t budget);

// `targets`: of a call that aligns each with each; else null.
Status align_on_devices(align::Call &call, const align::Sequences &sequences, const DeviceSet &set, Targets *targets);

}  // namespace alnsmith::rt::schedule
