// See sliced_plan.h.
#include "plan/sliced_plan.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "../../templates/circuit.h"
#include "circuits/gate_sets.h"
#include "circuits/shipped.h"
#include "plan/scoring_values.h"
#include "spec/canonical.h"
#include "spec/gap.h"

namespace alnsmith::plan {

namespace {

using spec::Spec;

// Gates of a word's cell, 32 alignments, up to which devices are faster bit by bit: in 16 bits two take some three
// operations.
constexpr double kWorthWords = 40;

// Letters are two planes.
bool small_alphabet(const spec::Alphabet &alphabet) {
  const bool wildcard = alphabet.wildcard != 0;
  if (wildcard && alphabet.letters.back() != alphabet.wildcard) return false;
  return alphabet.letters.size() <= (wildcard ? 5 : 4);
}

std::string gap_text(const spec::Value &open, const spec::Value &extend) {
  return (open.value > 0 ? std::to_string(open.value) + " + " : "") + std::to_string(extend.value) +
         (open.value > 0 ? " a letter" : "");
}

// Of the gates that tell whether letters are equal (sliced.h).
double letters_weight(const Spec &s, const circuits::Costs &costs) {
  constexpr std::uint8_t different = 0x3C, same_and_not = 0x09, and_neither = 0x10;
  return costs.work[different] + costs.work[same_and_not] + (s.alphabet.wildcard ? costs.work[and_neither] : 0);
}

// The planes of differences and of letters, and what a circuit computes in between, fit the registers, or nearly: the
// more gates, the more of that. Measured on Zen 5, on a Xeon and, with sixteen registers, on Zen 4
// (docs/performance.md).
// Devices: sixteen columns of three planes, or fewer of more, and two of their letters each, leave registers for three
// warps per scheduler (docs/devices.md); fewer, where scores along an end that is free are counted too.
int tile_letters(const Spec &s, const circuits::Circuit &circuit, const backend::Target &target) {
  if (target.device) {
    const int column = circuit.difference_planes() + circuit.gap_planes(0);
    const int free = s.ends.query_suffix + s.ends.target_suffix;
    const int most = free == 0 ? 16 : free == 1 ? 12 : 10;
    return std::min(most, column <= 3 ? 16 : column == 4 ? 14 : column == 5 ? 12 : 8);
  }
  // On the way back the borders of all strips are kept: wide strips have fewer, though not all of a row's planes fit
  // the registers. Measured on a Xeon (docs/performance.md).
  if (s.output.begin) return target.registers > 16 || circuit.difference_planes() + circuit.gap_planes(0) < 6 ? 8 : 4;
  if (target.registers <= 16) return circuit.difference_planes() <= 2 ? 4 : 3;
  const std::size_t gates = circuit.gates.size();
  if (gates < 10) return 8;
  if (gates >= 23) return 2;
  return gap_states(s) == 0 || gates >= 20 ? 4 : 3;
}

// Schemes that a call may mean: affine gaps that open for nothing have no kernels of their own.
std::vector<circuits::Scheme> schemes_of(const Spec &s) {
  if (!scoring_of_call(s)) return {scheme_of(s)};
  std::vector<circuits::Scheme> all = circuits::schemes();
  std::erase_if(all, [&](const circuits::Scheme &scheme) {
    const bool linear = scheme.opens == std::array{0, 0};
    return linear != (gap_states(s) == 0);
  });
  return all;
}

}  // namespace

circuits::Scheme scheme_of(const Spec &s) {
  const ScoringValues n = scoring_values(s);
  const std::array opens = {n[ALN_INSERTION_OPEN].value, n[ALN_DELETION_OPEN].value};
  const int gaps = n[ALN_INSERTION_EXTEND].value + n[ALN_DELETION_EXTEND].value + opens[0] + opens[1];
  return {n[ALN_MATCH].value + gaps, std::max(0, n[ALN_MISMATCH].value + gaps), opens};
}

std::string without_circuit(const Spec &s) {
  for (const spec::GapCost *gap : {&s.insertion, &s.deletion})
    if (spec::gap_states(gap->model) > 1) return "gaps of `model: " + std::string(spec::to_text(gap->model)) + "`";
  if (s.score.kind != spec::ScoreKind::match) return "matrices and profiles";
  return {};
}

// int8 takes five operations where gaps are linear, eight where affine; with the way back twice as many
// (runtime/src/align/shape.cpp), where bits take half as many again and, for each cell of a short read, what making
// runs of a path takes. Measured on a Xeon (docs/performance.md).
std::vector<SlicedKernel> sliced_kernels(const Spec &s, const backend::Target &target) {
  std::vector<SlicedKernel> kernels;
  if (target.gates.empty()) return kernels;
  const circuits::GateSet &gates = *circuits::find_gate_set(target.gates);
  const circuits::Costs &costs = circuits::costs_of(gates);
  for (const circuits::Scheme &scheme : schemes_of(s)) {
    const circuits::Circuit *found = circuits::find(scheme, gates);
    if (!found) continue;
    auto own = circuits::expanded(*found, gates);
    if (own.gates.size() > MAX_GATES) continue;
    const double cell = circuits::work(found->gates, costs) + letters_weight(s, costs);
    const double work = s.output.begin ? 1.5 * cell + 12 : cell, operations = gap_states(s) > 0 ? 8 : 5;
    const int share = static_cast<int>(100 * work / (s.output.begin ? 2 * operations : operations));
    const bool pays = target.device ? cell < kWorthWords : share < 100 * target.lanes(1) / target.lanes(8);
    kernels.push_back({std::move(own), share, tile_letters(s, *found, target), pays});
  }
  return kernels;
}

std::string sliced_refusal(const Spec &s, const backend::Target &target) {
  const std::string none = "arithmetic: bitsliced has no template for ";
  if (const char *key = columns_key(s)) return none + key;
  if (s.band_width) return none + "`band`";
  if (s.alignment == spec::Alignment::local) return none + "`alignment: local`";
  if (s.output.begin && target.device) return none + "`output: begin` and `cigar` on devices";
  if (s.output.begin && s.mapping == mappings::strips) return none + "`output: begin` and `cigar` in mapping: strips";
  if (const std::string what = without_circuit(s); !what.empty()) return none + what;
  if (!small_alphabet(s.alphabet)) return none + "alphabets of more than four letters beside the wildcard, the last";
  if (s.mapping != "auto" && s.mapping != mappings::lanes && s.mapping != mappings::strips)
    return none + "mapping: " + s.mapping;
  const ScoringValues n = scoring_values(s);
  if (n[ALN_MATCH].value < 0 && (s.ends != spec::FreeEnds{} || gap_states(s) > 0))
    return none + "affine gaps or free ends where a match scores below 0";
  return {};
}

std::string sliced_missing(const Spec &s, const backend::Target &target) {
  if (target.gates.empty()) return target.name + " has one lane and no bits to slice";
  if (!sliced_kernels(s, target).empty()) return {};
  const ScoringValues n = scoring_values(s);
  return "there is no circuit for a match of " + std::to_string(n[ALN_MATCH].value) + ", a mismatch of " +
         std::to_string(n[ALN_MISMATCH].value) + " and gaps of " +
         gap_text(n[ALN_INSERTION_OPEN], n[ALN_INSERTION_EXTEND]) + " and " +
         gap_text(n[ALN_DELETION_OPEN], n[ALN_DELETION_EXTEND]) + " (`alnsmith circuits` searches one)";
}

void put_circuit(frontend::Statics &statics, const circuits::Circuit &circuit) {
  statics["circuit.planes"] = circuit.difference_planes();
  statics["circuit.total"] = circuit.scheme.total;
  statics["circuit.floor"] = circuit.scheme.floor;
  statics["circuit.gates"] = static_cast<std::int64_t>(circuit.gates.size());
  const auto put = [&](const char *field, std::size_t i, int value) {
    statics["circuit." + std::string(field) + "." + std::to_string(i)] = value;
  };
  for (std::size_t i = 0; i < circuit.codes.difference.size(); ++i) put("code", i, circuit.codes.difference[i]);
  for (std::size_t side = 0; side < 2; ++side) {
    put("open", side, circuit.scheme.opens[side]);
    put("gap_planes", side, circuit.gap_planes(static_cast<int>(side)));
    const std::string code = "gap_code." + std::to_string(side);
    put(code.c_str(), 0, 0);
    for (std::size_t i = 0; i < circuit.codes.gap[side].size(); ++i) put(code.c_str(), i, circuit.codes.gap[side][i]);
  }
  for (std::size_t i = 0; i < circuit.gates.size(); ++i) {
    const circuits::Gate &gate = circuit.gates[i];
    put("gate", i, gate.table | gate.in[0] << 8 | gate.in[1] << 15 | gate.in[2] << 22);
  }
  for (std::size_t i = 0; i < circuit.outputs.size(); ++i) put("output", i, circuit.outputs[i]);
}

}  // namespace alnsmith::plan
