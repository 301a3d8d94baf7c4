// See cpu_plan.h.
#include "plan/cpu_plan.h"

#include <algorithm>

#include "plan/scoring_values.h"

namespace alnsmith::plan {

bool shares_vector(std::string_view mapping) {
  const targets::Mapping *row = targets::find_mapping(mapping);
  return row && row->cpus == targets::Share::vector;
}

bool lanes_agree(const spec::Spec &s) {
  return !s.has_bounds() && s.border.empty() && (s.ends.target_prefix || !s.deletion.at_flag);
}

namespace {

struct CpuRange {
  std::string_view name;
  std::int64_t lowest, highest;
};
constexpr CpuRange ranges[] = {
#define ALN_CPU_RANGE(name, lowest, highest) {#name, lowest, highest},
#include "targets/arithmetics.def"
};

}  // namespace

std::pair<std::int64_t, std::int64_t> range(int width) {
  const auto *row = std::ranges::find(ranges, arithmetic_of(width), &CpuRange::name);
  return {row->lowest, row->highest};
}

std::vector<int> score_widths() {
  std::vector<int> widths;
  for (const targets::Arithmetic &row : targets::kArithmetics)
    if (row.on_cpus() && !row.sliced()) widths.push_back(row.bits);
  return widths;
}

int width_of(const std::string &arithmetic) {
  const targets::Arithmetic *row = targets::find_arithmetic(arithmetic);
  return row && row->on_cpus() ? row->bits : score_widths().front();
}

std::string arithmetic_of(int width) {
  const auto of_width = [&](const targets::Arithmetic &row) { return row.on_cpus() && row.bits == width; };
  return std::string(std::ranges::find_if(targets::kArithmetics, of_width)->name);
}

std::string bits_name(const spec::Spec &s, const circuits::Scheme &scheme) {
  if (!scoring_of_call(s)) return "bits";
  std::string name = "bits_" + std::to_string(scheme.total) + "_" + std::to_string(scheme.floor);
  if (gap_states(s) > 0)
    for (const int open : scheme.opens) name += "_" + std::to_string(open);
  return name;
}

}  // namespace alnsmith::plan
