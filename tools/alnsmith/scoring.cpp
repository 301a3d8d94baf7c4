// The scoring of one run: the spec's values, --set, --matrix and the gap convention, brought together.
#include "scoring.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

#include "common/scoring_system.h"
#include "common/text.h"
#include "spec/gap.h"
#include "spec/matrix.h"
#include "spec/ranges.h"

namespace alnsmith::tool {
namespace {

using spec::GapCost;
using spec::Spec;
using spec::Value;

// One scoring value of a spec: its key on the command line, its name for the runtime, its place in the spec.
struct Slot {
  std::string key, name;
  Value *value;
};

std::vector<Slot> slots_of(Spec &spec) {
  std::vector<Slot> out;
  if (spec.score.kind == spec::ScoreKind::match) {
    out.push_back({"score.match", "match", &spec.score.match});
    out.push_back({"score.mismatch", "mismatch", &spec.score.mismatch});
  }
  for (const auto &[side, cost] : {std::pair{"insertion", &spec.insertion}, std::pair{"deletion", &spec.deletion}}) {
    for (const spec::GapField &field : spec::gap_fields())
      if (spec::has_field(cost->model, field))
        out.push_back(
            {fmt::format("gap.{}.{}", side, field.key), fmt::format("{}_{}", side, field.key), &(cost->*field.value)});
  }
  return out;
}

// "gap.open" speaks of both sides, so it names gap.insertion.open and gap.deletion.open.
bool names(const std::string &key, const Slot &slot) {
  if (key == slot.key) return true;
  for (const std::string side : {"gap.insertion.", "gap.deletion."})
    if (slot.key.starts_with(side) && key == "gap." + slot.key.substr(side.size())) return true;
  return false;
}

// How to name the slot to a user: without its side where both sides leave the value to the call.
std::string short_key(const Slot &slot, const std::vector<Slot> &slots) {
  for (const std::string side : {"gap.insertion.", "gap.deletion."}) {
    if (!slot.key.starts_with(side)) continue;
    std::string key = "gap." + slot.key.substr(side.size());
    int runtime = 0;
    for (const Slot &other : slots) runtime += names(key, other) && other.value->runtime ? 1 : 0;
    if (runtime == 2) return key;
  }
  return slot.key;
}

// "score.match, gap.open": what the call must bring.
std::string runtime_keys(const Spec &spec) {
  std::string keys;
  for (const std::string &name : spec::runtime_names(spec))
    if (name != "score.matrix") keys += (keys.empty() ? "" : ", ") + name;
  return keys.empty() ? "none from the command line" : keys;
}

struct Setting {
  std::string key;
  int value = 0;
};

Result<Setting> parse_setting(const std::string &text) {
  const std::size_t equals = text.find('=');
  const auto bad = [&] {
    return Error{fmt::format("--set {}: write KEY=INTEGER, such as --set score.match=2", printable(text)), 2};
  };
  if (equals == std::string::npos || equals == 0) return bad();
  Setting out{text.substr(0, equals), 0};
  std::string_view number = std::string_view(text).substr(equals + 1);
  if (number.starts_with('+')) number.remove_prefix(1);
  const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), out.value);
  if (code != std::errc{} || end != number.data() + number.size() || number.empty()) return bad();
  return out;
}

Status apply_setting(const Setting &setting, const std::vector<Slot> &slots, const Spec &spec, Scoring &scoring) {
  bool known = false, taken = false;
  for (const Slot &slot : slots) {
    if (!names(setting.key, slot)) continue;
    known = true;
    if (!slot.value->runtime) continue;
    taken = true;
    if (setting.key.starts_with("gap.") && setting.value < 0)
      return Error{fmt::format("--set {}={}: a gap cost is not negative", setting.key, setting.value), 2};
    scoring.values[slot.name] = setting.value;
  }
  if (!known)
    return Error{fmt::format("--set {}: spec {} has no such value; it takes {}", printable(setting.key), spec.name,
                             runtime_keys(spec)),
                 2};
  if (!taken)
    return Error{fmt::format("--set {}: spec {} folds that value into its kernels: write `runtime` for it in the spec",
                             setting.key, spec.name),
                 2};
  return Ok{};
}

Status require_all(const std::vector<Slot> &slots, const Spec &spec, const Scoring &scoring) {
  for (const Slot &slot : slots)
    if (slot.value->runtime && !scoring.values.contains(slot.name))
      return Error{fmt::format("spec {} leaves {} to the call: add --set {}=VALUE", spec.name, runtime_keys(spec),
                               short_key(slot, slots)),
                   2};
  return Ok{};
}

// cost(L) = open + extend*(L-1) is cost(L) = (open - extend) + extend*L.
Status shift_open(const std::string &side, const std::string &suffix, Value &open, const Value &extend,
                  ResolvedScoring &out) {
  const std::string open_name = side + "_open" + suffix;
  const int first = effective(open, open_name, out.scoring);
  const int next = effective(extend, side + "_extend" + suffix, out.scoring);
  if (first < next)
    return Error{
        fmt::format(
            "--gap-convention first: a first gap letter that costs {} and a further one that costs {} cannot be an "
            "affine gap: open must be at least extend",
            first, next),
        2};
  if (open.runtime) {
    out.scoring.values[open_name] = first - next;
  } else if (next != 0) {
    open.value = first - next;
    out.spec_changed = true;
  }
  return Ok{};
}

Status convert_to_blast(Spec &spec, ResolvedScoring &out) {
  for (const auto &[side, cost] :
       {std::pair<std::string, GapCost *>{"insertion", &spec.insertion}, {"deletion", &spec.deletion}}) {
    for (const spec::GapField &field : spec::gap_fields()) {
      if (!field.open || !spec::has_field(cost->model, field)) continue;
      const Value extend = spec::line_of(*cost, field.line).extend;
      if (Status ok = shift_open(side, line_suffix(field.line), cost->*field.value, extend, out); !ok) return ok;
    }
  }
  return Ok{};
}

std::string formula(const std::string &side, const GapCost &cost, const Scoring &scoring) {
  std::string text;
  const int lines = spec::gap_lines(cost.model);
  for (int n = 0; n < lines; ++n) {
    const spec::GapLine line = spec::line_of(cost, n);
    if (n > 0) text += ',';
    if (spec::gap_states(cost.model) > 0)
      text += fmt::format("{}+", effective(line.open, side + "_open" + line_suffix(n), scoring));
    text += fmt::format("{}*L", effective(line.extend, side + "_extend" + line_suffix(n), scoring));
  }
  return lines > 1 ? fmt::format("min({})", text) : text;
}

}  // namespace

Result<ResolvedScoring> resolve_scoring(Spec &spec, const ScoringRequest &request) {
  ResolvedScoring out;
  const std::vector<Slot> slots = slots_of(spec);
  for (const std::string &text : request.settings) {
    const Result<Setting> setting = parse_setting(text);
    if (!setting) return setting.error();
    if (Status ok = apply_setting(*setting, slots, spec, out.scoring); !ok) return ok.error();
  }
  if (Status ok = require_all(slots, spec, out.scoring); !ok) return ok.error();
  if (request.convention == GapConvention::first)
    if (Status ok = convert_to_blast(spec, out); !ok) return ok.error();

  const bool wants_matrix = spec.score.kind == spec::ScoreKind::matrix && spec.score.matrix_runtime;
  if (wants_matrix && request.matrix.empty())
    return Error{fmt::format("spec {} leaves its matrix to the call: add --matrix FILE", spec.name), 2};
  if (!wants_matrix && !request.matrix.empty())
    return Error{
        fmt::format(
            "--matrix: spec {} does not take a matrix from the call: write `score: {{matrix: runtime}}` in the spec",
            spec.name),
        2};
  if (wants_matrix) {
    auto matrix = spec::load_matrix(request.matrix, spec.alphabet);
    if (!matrix) return matrix.error();
    out.scoring.matrix = std::move(*matrix);
  }
  const std::string insertion = formula("insertion", spec.insertion, out.scoring);
  const std::string deletion = formula("deletion", spec.deletion, out.scoring);
  out.gap = insertion == deletion ? insertion : fmt::format("insertion:{},deletion:{}", insertion, deletion);
  return out;
}

}  // namespace alnsmith::tool
