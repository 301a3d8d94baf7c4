#include "models/gpu_model.h"

#include <algorithm>

namespace alnsmith::models {

namespace {

constexpr GpuModel gpus[] = {
    {"cuda:sm_90", "NVIDIA H100", 132, 1.96, 62, 64, 89, 128, 32, true},
};

}  // namespace

const GpuModel *find_gpu_model(std::string_view target) {
  for (const GpuModel &gpu : gpus)
    if (gpu.target == target) return &gpu;
  return nullptr;
}

double pipe_limit(const GpuModel &gpu, const StepMix &mix, double cells) {
  const double clocks = std::max({mix.integer / gpu.integer, mix.multiply / gpu.multiply, mix.half / gpu.half,
                                  mix.all() / gpu.issue, (mix.shared + mix.exchanges) / gpu.shared});
  if (clocks <= 0) return 0;
  return cells / clocks * gpu.processors * gpu.ghz;
}

}  // namespace alnsmith::models
