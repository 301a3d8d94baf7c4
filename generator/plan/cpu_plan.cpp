// See cpu_plan.h.
#include "plan/cpu_plan.h"

#include "plan/scoring_values.h"

namespace alnsmith::plan {

bool shares_vector(std::string_view mapping) { return mapping == "strips" || mapping == "striped"; }

bool lanes_agree(const spec::Spec &s) {
  return !s.has_bounds() && s.border.empty() && (s.ends.target_prefix || !s.deletion.at_flag);
}

std::pair<std::int64_t, std::int64_t> range(int width) {
  const std::int64_t half = width == 32 ? std::int64_t{1} << 30 : std::int64_t{1} << (width - 1);
  return {-half, half - 1};
}

int width_of(const std::string &arithmetic) {
  if (arithmetic == "bitsliced") return 1;
  return arithmetic == "int32" ? 32 : arithmetic == "int16" ? 16 : 8;
}
std::string arithmetic_of(int width) { return width == 1 ? "bitsliced" : "int" + std::to_string(width); }

std::string bits_name(const spec::Spec &s, const circuits::Scheme &scheme) {
  if (!scoring_of_call(s)) return "bits";
  std::string name = "bits_" + std::to_string(scheme.total) + "_" + std::to_string(scheme.floor);
  if (gap_states(s) > 0)
    for (const int open : scheme.opens) name += "_" + std::to_string(open);
  return name;
}

}  // namespace alnsmith::plan
