// See states.h.
#include "circuits/states.h"

#include <algorithm>
#include <set>
#include <utility>

namespace alnsmith::circuits {

namespace {

using Half = std::pair<int, int>;  // u and y, or v and x

void set_bit(Bits &bits, std::size_t row, bool value) {
  if (value) bits[row / 64] |= std::uint64_t{1} << row % 64;
}
bool bit(const Bits &bits, std::size_t row) { return bits[row / 64] >> row % 64 & 1; }

// Codes of the values, plane by plane, in the order of plane_names().
std::vector<bool> planes(const Codes &codes, const State &s) {
  std::vector<bool> all;
  const auto put = [&](const std::vector<std::uint8_t> &code, int value) {
    for (int p = 0; p < planes_of(code); ++p) all.push_back(code[static_cast<std::size_t>(value)] >> p & 1);
  };
  put(codes.difference, s.u);
  put(codes.difference, s.v);
  put(codes.gap[0], s.x);
  put(codes.gap[1], s.y);
  return all;
}

// Along a border: the first letter of a gap costs nothing beyond what u or v stand for, the later ones save the open,
// free ones all that a first letter costs, which is what the other side's first letter leaves of `total`, or less.
std::set<Half> border(const Scheme &scheme, int open, int other_open) {
  std::set<Half> halves = {{0, 0}, {open, 0}};
  for (int first_cost = open; first_cost <= scheme.total - other_open; ++first_cost) halves.insert({first_cost, 0});
  return halves;
}

}  // namespace

State next(const Scheme &scheme, bool equal, const State &s) {
  const int across = s.u + s.y, down = s.v + s.x;
  const int best = equal ? scheme.total : std::max({across, down, scheme.floor});
  return {best - s.v, best - s.u, std::max(down - best + scheme.opens[0], 0),
          std::max(across - best + scheme.opens[1], 0)};
}

std::vector<State> reachable(const Scheme &scheme) {
  std::set<Half> left = border(scheme, scheme.opens[0], scheme.opens[1]),
                 above = border(scheme, scheme.opens[1], scheme.opens[0]);
  std::set<State> states;
  for (bool more = true; more;) {
    more = false;
    std::set<Half> rights = left, downs = above;
    for (const auto &[u, y] : left)
      for (const auto &[v, x] : above) {
        const State state = {u, v, x, y};
        if (u + y > scheme.total || v + x > scheme.total || !states.insert(state).second) continue;
        for (const bool equal : {false, true}) {
          const State after = next(scheme, equal, state);
          rights.insert({after.u, after.y});
          downs.insert({after.v, after.x});
        }
        more = true;
      }
    left = std::move(rights), above = std::move(downs);
  }
  return {states.begin(), states.end()};
}

TruthTables truth_tables(const Scheme &scheme, const Codes &codes) {
  TruthTables tables;
  tables.states = reachable(scheme);
  const std::vector<State> &states = tables.states;
  tables.rows = 2 * states.size();
  const Bits none((tables.rows + 63) / 64);
  const std::size_t all_planes = plane_names(codes).size();
  tables.inputs.assign(1 + all_planes, none);
  tables.outputs.assign(all_planes, none);
  for (std::size_t row = 0; row < tables.rows; ++row) {
    const bool equal = row >= states.size();
    const State &state = states[row % states.size()];
    const std::vector<bool> before = planes(codes, state), after = planes(codes, next(scheme, equal, state));
    set_bit(tables.inputs[0], row, equal);
    for (std::size_t p = 0; p < all_planes; ++p) {
      set_bit(tables.inputs[1 + p], row, before[p]);
      set_bit(tables.outputs[p], row, after[p]);
    }
  }
  return tables;
}

Bits apply_gate(const Gate &gate, const std::vector<Bits> &values) {
  const Bits &a = values[gate.in[0]], &b = values[gate.in[1]], &c = values[gate.in[2]];
  Bits result(a.size());
  for (std::size_t w = 0; w < a.size(); ++w)
    for (int i = 0; i < 8; ++i)
      if (gate.table >> i & 1) result[w] |= (i & 4 ? a[w] : ~a[w]) & (i & 2 ? b[w] : ~b[w]) & (i & 1 ? c[w] : ~c[w]);
  return result;
}

std::string disproof(const Circuit &circuit) {
  const TruthTables tables = truth_tables(circuit.scheme, circuit.codes);
  std::vector<Bits> values = tables.inputs;
  for (const Gate &gate : circuit.gates) values.push_back(apply_gate(gate, values));
  const std::vector<State> &states = tables.states;
  const std::vector<std::string> names = plane_names(circuit.codes);
  for (std::size_t row = 0; row < tables.rows; ++row)
    for (std::size_t o = 0; o < tables.outputs.size(); ++o)
      if (bit(values[circuit.outputs[o]], row) != bit(tables.outputs[o], row)) {
        const State &s = states[row % states.size()];
        return "plane " + names[o] + " is wrong behind u = " + std::to_string(s.u) + ", v = " + std::to_string(s.v) +
               ", x = " + std::to_string(s.x) + ", y = " + std::to_string(s.y) + " and " +
               (row < states.size() ? "unequal" : "equal") + " letters";
      }
  return {};
}

}  // namespace alnsmith::circuits
