// A folder of compiled kernels as a user may have it: CPU kernels (fake_kernels.cpp) and, for each device target,
// textbook kernels that hold the runtime to its side of device_abi.h.
//
// A kernel answers -777 where the contract is broken, and 7 with status 1 where a score exceeds its limit.
#pragma once

#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "scratch.h"

namespace device_folder {

struct Kernel {
  std::string name;
  std::string form = "pairwise";
  int level = 0, packing = 1;
  int limit = 1 << 30;      // largest score
  std::string suits = "1";  // over lengths
  std::string exact = "1";
  std::size_t shared_bytes = 0;
  int grid = 0;        // most blocks per processor; 0: not said
  bool block = false;  // a block takes an alignment, or two
};

// Local alignment, match 2, mismatch -1, gaps 2 + L, with ends: narrow kernels of all forms, wide ones for pairs.
std::vector<Kernel> usual_kernels();
// A narrow one for pairs of 2^24 cells and more, with a block each.
Kernel block_kernel();

class Folder {
 public:
  // For the targets "cuda:sm_90", "hip:gfx90a" and "opencl".
  explicit Folder(const std::vector<Kernel> &kernels = usual_kernels());
  const std::string &path() const { return folder_.path(); }
  std::string file(const std::string &name) const { return folder_.path(name); }
  // The aligner on these devices; kernels come from this folder only.
  alnsmith::Result<alnsmith::Aligner> open(const alnsmith::Options &options) const;
  std::string stem(const std::string &target) const;  // of the target's files

 private:
  scratch::Folder folder_;
};

}  // namespace device_folder
