// Kernel texts of the generated form, written by hand: header-free, each with something to find out about.
#pragma once

#include <string>

namespace alnsmith::test {

// small_cuda: `small` needs next to nothing, `shared` 1,024 bytes of shared memory.
std::string small_cuda();
std::string small_hip();
std::string small_opencl();

// A kernel `tile` that keeps `live` values per thread at once, in at most 64 registers: it spills where they do not
// fit.
std::string tile_cuda(int live);
std::string tile_hip(int live);
std::string tile_opencl(int live);

// A kernel `local` with an array that must lie in local memory.
std::string local_cuda();
std::string local_hip();

// Kernels `half2` and, from sm_90 on, `hybrid` and `s16x2` (CUDA), `s16x2` (HIP): global linear rows of kRowCells cells
// per thread, each cell two adds on a gap and one on the diagonal, a maximum of three.
constexpr int kRowCells = 16;
std::string rows_cuda();
std::string rows_hip();

}  // namespace alnsmith::test
