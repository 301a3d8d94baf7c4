// Kernels for devices out of folders and packs.
//
// In:  a folder of `<spec>-<12 hex digits>-cuda-sm_90.json` with .cubin, .ptx, .co, .cl or .spv beside it, or of packs.
// Out: kernels that serve a spec on a device.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "packs/search.h"
#include "sources/kernel_source.h"

namespace alnsmith::rt::sources {

// A target whose kernels may serve a device, and the kinds of binary of it that do.
struct Candidate {
  std::string target;
  std::vector<std::string_view> endings;
};

// From the best on.
std::vector<Candidate> candidates(const std::string &target);

// The first candidate that a folder has, then its packs; damaged ones and those of others are skipped and listed. The
// folder may also be a pack. Files are told by hash and target: their names begin as the spec was named by their maker.
std::unique_ptr<DeviceKernels> search_folder(const std::string &folder, const SpecRef &spec, const std::string &target,
                                             packs::PackSearch &packs, std::vector<std::string> &skipped);

}  // namespace alnsmith::rt::sources
