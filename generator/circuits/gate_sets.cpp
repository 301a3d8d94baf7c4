// See gate_sets.h.
#include "circuits/gate_sets.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>

namespace alnsmith::circuits {

namespace {

constexpr std::uint8_t A = 0xF0, B = 0xCC, C = 0xAA;
constexpr std::uint8_t NOT = 0x0F, AND = A & B, OR = A | B, XOR = A ^ B, AND_NOT = A & ~B & 0xFF,
                       OR_NOT = (A | ~B) & 0xFF, XNOR = ~(A ^ B) & 0xFF, SELECT = (A & B) | (~A & C & 0xFF),
                       AND_OR = (A & B) | C, OR3 = A | B | C;

constexpr std::uint8_t avx2[] = {AND, OR, XOR, AND_NOT};
constexpr std::uint8_t neon[] = {NOT, AND, OR, XOR, AND_NOT, OR_NOT, SELECT};
constexpr std::uint8_t gfx[] = {NOT, AND, OR, XOR, XNOR, SELECT, AND_OR, OR3};
constexpr std::uint8_t opencl[] = {NOT, AND, OR, XOR, SELECT};

// Zen 4 and Zen 5 do half as many gates of three live operands at a time as of two (docs/performance.md); kernels of
// AVX-512 are one text for all, so their gates cost the mean.
constexpr GateSet sets[] = {
    {"avx512", "AVX-512: the mean of Intel's cores and Zen 4 and 5", 1, 1.5, 0.25, {}},
    {"avx512-intel", "AVX-512 of Intel", 1, 1, 0.25, {}},
    {"avx512-zen", "AVX-512 of Zen 4 and Zen 5", 1, 2, 0.25, {}},
    {"lop3", "NVIDIA", 1, 1, 0, {}},
    {"gfx", "AMD's GPUs", 0, 0, 0, gfx},
    {"avx2", "AVX2 and SSE4.1", 0, 0, 0.5, avx2},
    {"neon", "NEON", 0, 0, 0.5, neon},
    {"opencl", "OpenCL C", 0, 0, 0, opencl},
};

// A table whose operands are other tables.
std::uint8_t compose(std::uint8_t table, std::uint8_t a, std::uint8_t b, std::uint8_t c) {
  int result = 0;
  for (int i = 0; i < 8; ++i) result |= (table >> (4 * (a >> i & 1) + 2 * (b >> i & 1) + (c >> i & 1)) & 1) << i;
  return static_cast<std::uint8_t>(result);
}

// The cheapest formula of each table: an operation on tables with formulas of their own.
struct Formulas {
  struct Step {
    std::uint8_t operation;
    std::array<std::uint8_t, 3> of;
  };
  Costs costs;
  std::array<Step, 256> steps{};
};

// By cost: formulas of n operations join those of fewer; of equally many the one with the shortest path.
class Search {
 public:
  explicit Search(std::span<const std::uint8_t> operations) : operations_(operations) {
    found_.costs.work.fill(std::numeric_limits<double>::infinity());
    by_cost_.emplace_back();
    for (const int free : {0, 0xFF, int{A}, int{B}, int{C}}) {
      found_.costs.work[static_cast<std::size_t>(free)] = 0;
      by_cost_[0].push_back(static_cast<std::uint8_t>(free));
    }
  }
  Formulas make() {
    for (std::size_t known = by_cost_[0].size(); known < 256; known += by_cost_.back().size()) {
      by_cost_.emplace_back();
      for (const std::uint8_t operation : operations_) combine(operation);
    }
    return found_;
  }

 private:
  void combine(std::uint8_t operation) {
    const std::size_t left = by_cost_.size() - 2;  // operations of the operands together
    const bool two = support_of(operation) < 3;
    for (std::size_t i = 0; i <= left; ++i)
      for (std::size_t j = two ? left - i : 0; i + j <= left; ++j)
        for (const std::uint8_t a : by_cost_[i])
          for (const std::uint8_t b : by_cost_[j]) {
            if (two) {
              offer({operation, {a, b, 0}});
              continue;
            }
            for (const std::uint8_t c : by_cost_[left - i - j]) offer({operation, {a, b, c}});
          }
  }
  void offer(const Formulas::Step &step) {
    Costs &costs = found_.costs;
    const std::uint8_t table = compose(step.operation, step.of[0], step.of[1], step.of[2]);
    const auto cost = static_cast<double>(by_cost_.size() - 1);
    const int own = 1 + std::max({costs.levels[step.of[0]], costs.levels[step.of[1]], costs.levels[step.of[2]]});
    if (costs.work[table] < cost || (costs.work[table] == cost && costs.levels[table] <= own)) return;
    if (costs.work[table] > cost) by_cost_.back().push_back(table);
    costs.work[table] = cost;
    costs.levels[table] = own;
    found_.steps[table] = step;
  }

  std::span<const std::uint8_t> operations_;
  Formulas found_;
  std::vector<std::vector<std::uint8_t>> by_cost_;  // tables
};

Formulas make_formulas(const GateSet &set) {
  if (!set.operations.empty()) return Search(set.operations).make();
  Formulas own;
  for (int t = 0; t < 256; ++t) {
    const auto table = static_cast<std::uint8_t>(t);
    const bool itself = table == A || table == B || table == C;
    const int support = support_of(table);
    own.costs.levels[table] = support == 0 || itself ? 0 : 1;
    own.costs.work[table] = support == 0 || itself ? 0 : support < 3 ? set.of_two : set.of_three;
  }
  return own;
}

// Made when they are first asked for.
const Formulas &formulas_of(const GateSet &set) {
  static std::array<std::once_flag, std::size(sets)> once;
  static std::array<Formulas, std::size(sets)> all;
  const auto at = static_cast<std::size_t>(&set - sets);
  std::call_once(once[at], [&] {
    all[at] = make_formulas(set);
    all[at].costs.per_level = set.per_level;
  });
  return all[at];
}

// A circuit's gates anew, each by its formula; what two formulas have in common is there once.
class Expansion {
 public:
  Expansion(const Circuit &circuit, const Formulas &formulas) : old_(circuit), new_(circuit), formulas_(formulas) {
    new_.gates.clear();
  }
  Circuit make() {
    for (int i = 0; i < old_.inputs(); ++i) values_.push_back(static_cast<std::uint16_t>(i));
    for (const Gate &gate : old_.gates) {
      std::array<std::uint16_t, 3> in{};
      for (std::size_t i = 0; i < 3; ++i) in[i] = values_[gate.in[i]];
      values_.push_back(value_of(gate.table, in));
    }
    for (std::uint16_t &output : new_.outputs) output = values_[output];
    return new_;
  }

 private:
  std::uint16_t value_of(std::uint8_t table, const std::array<std::uint16_t, 3> &in) {
    if (table == A || table == B || table == C) return in[table == A ? 0 : table == B ? 1 : 2];
    if (support_of(table) == 0) return gate(table, {0, 0, 0});
    const Formulas::Step &step = formulas_.steps[table];
    // Constants go into the gate's own table.
    std::array<std::uint16_t, 3> of{};
    std::array<std::uint8_t, 3> own = {A, B, C};
    for (std::size_t i = 0; i < 3; ++i) {
      if (support_of(step.of[i]) == 0)
        own[i] = step.of[i];
      else
        of[i] = value_of(step.of[i], in);
    }
    return gate(compose(step.operation, own[0], own[1], own[2]), of);
  }
  std::uint16_t gate(std::uint8_t table, const std::array<std::uint16_t, 3> &in) {
    const Gate made{table, in};
    const auto [known, is_new] = made_.try_emplace(
        {table, in}, static_cast<std::uint16_t>(static_cast<std::size_t>(old_.inputs()) + new_.gates.size()));
    if (is_new) new_.gates.push_back(made);
    return known->second;
  }

  const Circuit &old_;
  Circuit new_;
  const Formulas &formulas_;
  std::vector<std::uint16_t> values_;
  std::map<std::pair<std::uint8_t, std::array<std::uint16_t, 3>>, std::uint16_t> made_;
};

}  // namespace

std::array<bool, 3> operands_that_count(std::uint8_t table) {
  return {table >> 4 != (table & 15), (table >> 2 & 0x33) != (table & 0x33), (table >> 1 & 0x55) != (table & 0x55)};
}
int support_of(std::uint8_t table) { return static_cast<int>(std::ranges::count(operands_that_count(table), true)); }

std::span<const GateSet> gate_sets() { return sets; }

const GateSet *find_gate_set(std::string_view name) {
  const auto found = std::ranges::find(sets, name, &GateSet::name);
  return found == std::end(sets) ? nullptr : found;
}

const Costs &costs_of(const GateSet &set) { return formulas_of(set).costs; }

Circuit expanded(const Circuit &circuit, const GateSet &set) {
  return set.operations.empty() ? circuit : Expansion(circuit, formulas_of(set)).make();
}

double work(std::span<const Gate> gates, const Costs &costs) {
  double sum = 0;
  for (const Gate &gate : gates) sum += costs.work[gate.table];
  return sum;
}

int levels(std::span<const Gate> gates, std::span<const std::uint16_t> outputs, std::size_t inputs,
           const Costs &costs) {
  std::vector<int> level(inputs + gates.size(), 0);
  for (std::size_t g = 0; g < gates.size(); ++g)
    level[inputs + g] =
        costs.levels[gates[g].table] + std::max({level[gates[g].in[0]], level[gates[g].in[1]], level[gates[g].in[2]]});
  int longest = 0;
  for (const std::uint16_t output : outputs) longest = std::max(longest, level[output]);
  return longest;
}

double weight(std::span<const Gate> gates, std::span<const std::uint16_t> outputs, std::size_t inputs,
              const Costs &costs) {
  const double all = work(gates, costs);
  return costs.per_level > 0 ? all + costs.per_level * levels(gates, outputs, inputs, costs) : all;
}

double weight(const Circuit &c, const Costs &costs) {
  return weight(c.gates, c.outputs, static_cast<std::size_t>(c.inputs()), costs);
}

}  // namespace alnsmith::circuits
