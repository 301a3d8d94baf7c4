// See refusals.h.
#include "plan/refusals.h"

#include <algorithm>

#include "plan/cpu_plan.h"
#include "plan/device_tiles.h"
#include "plan/scoring_values.h"
#include "plan/sliced_plan.h"

namespace alnsmith::plan {
namespace {

using backend::Device;
using spec::Spec;

// Whether gaps lead along the border over columns whose flags no template looks at there.
bool flags_at_border(const Spec &s) {
  return s.deletion.at_flag && s.alignment != spec::Alignment::local && !s.ends.target_prefix &&
         !s.border.contains("target_begin");
}

std::string device_refusal(const Spec &s, const backend::Target &target) {
  const Device &device = *target.device;
  const std::string name(target.name);
  const std::string known = device.arithmetics();
  if (s.arithmetic == arithmetics::bitsliced) {
    if (const std::string why = sliced_refusal(s, target); !why.empty()) return why;
    if (s.mapping != "auto" && s.mapping != mappings::lanes)
      return "arithmetic: bitsliced has no template for mapping: " + s.mapping;
  } else if (s.arithmetic != "auto" && !contains(known, s.arithmetic))
    return "arithmetic: " + s.arithmetic + " is not generated for " + name + " (it has " + known + ")";
  if (s.half_precision == spec::Switch::on && s.arithmetic == "auto" &&
      !contains(known, std::string(arithmetics::half2)))
    return "half_precision: " + name + " has no packed half-precision maximum (it has " + known + ")";
  const int most = device.warp > 0 ? device.warp : 64;
  const auto p = tile_of(s, target).p;
  if (p && *p > most)
    return "tile: p = " + std::to_string(*p) + " exceeds the " + std::to_string(most) + " lanes of a warp of " + name;
  return {};
}

// Of a spec whose columns differ, because of `key` (columns_key()).
std::string columns_refusal(const Spec &s, const backend::Target &target, const std::string &key) {
  const std::string on = " for " + std::string(target.name);
  if (s.output.begin) return key + " has no template that finds begins (output: begin or cigar)" + on;
  if (s.arithmetic != "auto" && s.arithmetic != columns_arithmetic)
    return key + " has no template in arithmetic: " + s.arithmetic + on;
  if (s.half_precision == spec::Switch::on) return key + " has no template in half_precision: on" + on;
  if (flags_at_border(s))
    return "gap.deletion.at_flag has no template" + on + " unless `target_begin` is free or forbidden";
  return {};
}

}  // namespace

std::string cannot_be_served(const Spec &s, const backend::Target &target, const std::vector<std::string> &mappings) {
  if (const char *key = columns_key(s)) {
    if (target.device) {
      if (const std::string why = columns_refusal(s, target, key); !why.empty()) return why;
    } else if (s.mapping != "auto" && s.mapping != mappings::lanes) {
      return std::string(key) + " has no template in mapping: " + s.mapping;
    } else if (s.arithmetic == arithmetics::int8 && s.alignment != spec::Alignment::local && !lanes_agree(s)) {
      return std::string(key) + " has no template in arithmetic: int8";
    }
  }
  if (s.output.begin && flags_at_border(s))
    return "gap.deletion.at_flag has no template that finds begins (output: begin or cigar) unless `target_begin` is "
           "free or forbidden";
  if (s.score.kind == spec::ScoreKind::target_profile) return "score: {target: profile} has no template yet";
  if (s.band_width) {
    if (target.device || !target.strips()) return "band has no template for " + std::string(target.name);
    if (s.mapping != "auto" && s.mapping != mappings::strips) return "band has no template in mapping: " + s.mapping;
    if (const char *key = columns_key(s)) return "band: {width} has no template together with " + std::string(key);
    if (s.arithmetic != "auto" && s.arithmetic != arithmetics::int32)
      return "band has no template in arithmetic: " + s.arithmetic;
  }
  const std::string entry = (target.device ? "device:" : "") + s.mapping;
  const bool missing =
      std::ranges::find(mappings, entry) == mappings.end() || (shares_vector(s.mapping) && !target.strips());
  if (s.mapping != "auto" && missing)
    return "mapping: " + s.mapping + " has no template for " + std::string(target.name);
  if (target.device) return device_refusal(s, target);
  if (s.mapping == mappings::striped && s.output.begin)
    return "mapping: striped has no template that finds begins (output: begin or cigar)";
  if (s.arithmetic == arithmetics::bitsliced) return sliced_refusal(s, target);
  const targets::Arithmetic *asked = targets::find_arithmetic(s.arithmetic);
  if (s.arithmetic != "auto" && !(asked && asked->on_cpus()))
    return "arithmetic: " + s.arithmetic + " is not generated for CPUs";
  return {};
}

}  // namespace alnsmith::plan
