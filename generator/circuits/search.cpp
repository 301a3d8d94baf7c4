// See search.h.
#include "circuits/search.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "../../templates/circuit.h"
#include "circuits/network.h"

namespace alnsmith::circuits {

namespace {

using Random = std::mt19937_64;

int planes_for(int most) { return std::bit_width(static_cast<unsigned>(most)); }

// Codes of the values 0 to `most` on as few planes as they need: numbers from anywhere on, reflected (Gray), or in any
// order; some planes inverted.
std::vector<std::uint8_t> draw_code(int most, Random &random) {
  const unsigned codes = 1u << planes_for(most);
  std::vector<unsigned> all(codes);
  std::iota(all.begin(), all.end(), 0u);
  const auto kind = random() % 8;
  if (kind == 0) std::ranges::shuffle(all, random);
  const bool gray = kind == 1;
  const auto first = static_cast<unsigned>(random() % (codes - static_cast<unsigned>(most)));
  const auto inverted = static_cast<unsigned>(random() % codes);
  std::vector<std::uint8_t> code;
  for (int value = 0; value <= most; ++value) {
    const unsigned n = all[first + static_cast<unsigned>(value)];
    code.push_back(static_cast<std::uint8_t>((gray ? n ^ n >> 1 : n) ^ inverted));
  }
  return code;
}

// planes_of() takes the widest code, so one that leaves a plane out is drawn again.
std::vector<std::uint8_t> draw_whole_code(int most, Random &random) {
  while (true) {
    auto code = draw_code(most, random);
    if (planes_of(code) == planes_for(most)) return code;
  }
}

Codes draw_codes(const Scheme &scheme, Random &random) {
  Codes codes;
  codes.difference = draw_whole_code(scheme.total, random);
  for (std::size_t side = 0; side < 2; ++side) {
    if (scheme.opens[side] == 0) continue;
    const bool alike = side == 1 && scheme.opens[0] == scheme.opens[1];
    codes.gap[side] = alike ? codes.gap[0] : draw_whole_code(scheme.opens[side], random);
  }
  return codes;
}

// The lightest of a few.
Network first_network(const TruthTables &tables, const Costs &costs, Random &random) {
  Network best = decision_network(tables, random);
  for (int i = 0; i < 10; ++i) {
    Network other = decision_network(tables, random);
    if (work(other.gates, costs) < work(best.gates, costs)) best = std::move(other);
  }
  return best;
}

}  // namespace

std::string obstacle(const Scheme &scheme) {
  if (scheme.total < 1) return "match and gaps together score nothing";
  if (scheme.total >= MAX_VALUES)
    return "a match and a gap of one letter on either side differ by " + std::to_string(scheme.total) +
           "; differences are kept up to " + std::to_string(MAX_VALUES - 1);
  if (scheme.floor > scheme.total) return "a mismatch scores more than a match";
  for (const int open : scheme.opens)
    if (open < 0 || open >= MAX_GAP_VALUES)
      return "a gap opens for " + std::to_string(open) + "; gaps are kept up to " + std::to_string(MAX_GAP_VALUES - 1);
  return {};
}

CircuitFile search(const GateSet &set, CircuitFile best, const GoOn &go_on) {
  const Costs &costs = costs_of(set);
  while (go_on(best)) {
    const auto round = static_cast<std::uint64_t>(best.progress.rounds++);
    std::seed_seq seeds{best.progress.seed, best.progress.seed >> 32, round};
    Random random(seeds);
    const bool goes_on = round % 4 == 3 && !best.circuit.outputs.empty();
    Circuit found = {
        best.circuit.scheme, goes_on ? best.circuit.codes : draw_codes(best.circuit.scheme, random), {}, {}};
    const TruthTables tables = truth_tables(found.scheme, found.codes);
    const Network first =
        goes_on ? Network{best.circuit.gates, best.circuit.outputs} : first_network(tables, costs, random);
    Network network = walk(tables, first, costs, best.progress.steps, MAX_GATES, random);
    found.gates = std::move(network.gates), found.outputs = std::move(network.outputs);
    const bool fits = found.gates.size() <= MAX_GATES;
    if (fits && (best.circuit.outputs.empty() || weight(found, costs) < weight(best.circuit, costs)))
      best.circuit = std::move(found);
  }
  return best;
}

}  // namespace alnsmith::circuits
