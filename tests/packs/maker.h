// Packs put together by hand, without compilers: copies of the fake kernels of tests/runtime under many specs' hashes,
// and small binaries of every kind for devices.
#pragma once

#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "packs/file.h"
#include "scratch.h"

namespace pack_maker {

using namespace alnsmith;
using scratch::Folder;

// An index and its blobs, to be changed before they become a file.
struct Material {
  rt::packs::Index index;
  std::vector<std::string> specs, manifests, binaries;  // of index.specs and index.units

  std::string bytes();  // of the pack, hashes and offsets made to fit
};

std::string hash(int spec);  // of the made specs: 64 digits
SpecRef spec(int number);    // name "fake"

// `units` specs, each with one shared object for `scalar`: global alignment, match 2, mismatch -1, gaps 2 + L.
Material cpu_material(int units);
// The same with one unit of every kind for devices, of spec 0: "cuda:sm_90", "cuda:compute_80", "hip:gfx90a",
// "hip:gfx90a:xnack-", "opencl", "opencl:spirv64". Their kernels are named `fake_device`.
void add_device_units(Material &material);

std::string read(const std::string &path);
void write(const std::string &path, const std::string &bytes);

// What opening spec 0 with kernels from `place` alone gives, with options for a scalar CPU.
Result<Aligner> open(const std::string &place, const SpecRef &spec = pack_maker::spec(0));

}  // namespace pack_maker
