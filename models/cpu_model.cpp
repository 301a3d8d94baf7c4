#include "models/cpu_model.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "targets/targets.h"

namespace alnsmith::models {

namespace {

constexpr CpuModel cpus[] = {
    {"Intel AVX-512", "x86_64", 3.8, 2, 1, 1, 1, 3, 2, 2, 2},
    {"AMD Zen 4", "x86_64", 3.7, 2, 2, 1, 1, 4, 4, 2, 2},
    {"AMD Zen 5", "x86_64", 4.2, 4, 4, 2, 2, 4, 4, 2, 2},
    {"Arm Neoverse N1", "aarch64", 2.5, 0, 0, 0, 0, 2, 2, 2, 2},
};

}  // namespace

std::span<const CpuModel> cpu_models() { return cpus; }

Result<CpuModel> parse_core(std::string_view text) {
  const Error wrong{"is no measured core of schema 1; write it with `alnsmith tune --calibrate`"};
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("schema", nlohmann::json()) != 1) return wrong;
  const auto machine = json.value("machine", nlohmann::json());
  const targets::Machine *row = machine.is_string() ? targets::find_machine(machine.get<std::string>()) : nullptr;
  if (row == nullptr) return wrong;
  CpuModel core{measured_core, row->name, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const auto take = [](const nlohmann::json &from, const char *key, double most, double &to) {
    const auto value = from.find(key);
    if (value == from.end() || !value->is_number()) return false;
    to = value->get<double>();
    return to > 0 && to <= most;
  };
  const auto widths = [&](const char *key, double &any, double &maxima, double &compares, double &saturating) {
    const auto rates = json.find(key);
    if (rates == json.end()) return true;
    constexpr double kMost = 64;  // operations a cycle
    return rates->is_object() && take(*rates, "any", kMost, any) && take(*rates, "maxima", kMost, maxima) &&
           take(*rates, "compares", kMost, compares) && take(*rates, "saturating", kMost, saturating);
  };
  if (!take(json, "ghz", 100, core.ghz) || !widths("wide", core.any, core.maxima, core.compares, core.saturating) ||
      !widths("narrow", core.narrow_any, core.narrow_maxima, core.narrow_compares, core.narrow_saturating))
    return wrong;
  return core;
}

std::optional<double> port_limit(const CpuModel &cpu, int vector_bytes, const OperationMix &mix, double cells) {
  const bool wide = vector_bytes == 64;
  if ((wide ? cpu.any : cpu.narrow_any) <= 0) return std::nullopt;
  const double cycles =
      std::max({mix.any / (wide ? cpu.any : cpu.narrow_any), mix.maxima / (wide ? cpu.maxima : cpu.narrow_maxima),
                mix.compares / (wide ? cpu.compares : cpu.narrow_compares),
                mix.saturating / (wide ? cpu.saturating : cpu.narrow_saturating)});
  return cycles > 0 ? std::optional(cells * cpu.ghz / cycles) : std::nullopt;
}

}  // namespace alnsmith::models
