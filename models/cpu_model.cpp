#include "models/cpu_model.h"

#include <algorithm>

namespace alnsmith::models {

namespace {

constexpr CpuModel cpus[] = {
    {"Intel AVX-512", "x86_64", 3.8, 2, 1, 1, 1, 3, 2, 2, 2},
    {"AMD Zen 4", "x86_64", 3.7, 2, 2, 1, 1, 4, 4, 2, 2},
    {"Arm Neoverse N1", "aarch64", 2.5, 0, 0, 0, 0, 2, 2, 2, 2},
};

}  // namespace

std::span<const CpuModel> cpu_models() { return cpus; }

double port_limit(const CpuModel &cpu, int vector_bytes, const OperationMix &mix, double cells) {
  const bool wide = vector_bytes == 64;
  const double cycles =
      std::max({mix.any / (wide ? cpu.any : cpu.narrow_any), mix.maxima / (wide ? cpu.maxima : cpu.narrow_maxima),
                mix.compares / (wide ? cpu.compares : cpu.narrow_compares),
                mix.saturating / (wide ? cpu.saturating : cpu.narrow_saturating)});
  return cycles > 0 ? cells * cpu.ghz / cycles : 0;
}

}  // namespace alnsmith::models
