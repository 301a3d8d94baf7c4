// See network.h.
#include "circuits/network.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace alnsmith::circuits {

namespace {

constexpr double first_heat = 1;  // in gates of two operands

std::size_t below(std::mt19937_64 &random, std::size_t bound) { return random() % bound; }

// A function of the inputs that are left, with rows that cannot be as `open`.
enum Entry : char { zero = '0', one = '1', open = '-' };
using Function = std::string;

class DecisionTrees {
 public:
  DecisionTrees(const TruthTables &tables, std::mt19937_64 &random) : tables_(tables), order_(tables.inputs.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::shuffle(order_, random);
  }
  Network make() {
    for (const Bits &output : tables_.outputs) {
      Function f(std::size_t{1} << order_.size(), open);
      for (std::size_t row = 0; row < tables_.rows; ++row) {
        std::size_t at = 0;
        for (const std::uint16_t input : order_) at = 2 * at + (tables_.inputs[input][row / 64] >> row % 64 & 1);
        f[at] = output[row / 64] >> row % 64 & 1 ? one : zero;
      }
      network_.outputs.push_back(value_of(f, 0));
    }
    return network_;
  }

 private:
  std::uint16_t gate(std::uint8_t table, std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    network_.gates.push_back({table, {a, b, c}});
    return static_cast<std::uint16_t>(order_.size() + network_.gates.size() - 1);
  }
  // f over the inputs from `level` on.
  std::uint16_t value_of(const Function &f, std::size_t level) {
    const auto [known, is_new] = made_.try_emplace({level, f}, std::uint16_t{0});
    if (!is_new) return known->second;
    std::uint16_t value = 0;
    if (f.find(one) == f.npos || f.find(zero) == f.npos) {
      value = gate(f.find(one) == f.npos ? 0 : 0xFF, 0, 0, 0);
    } else {
      const Function low = f.substr(0, f.size() / 2), high = f.substr(f.size() / 2);
      if (const auto either = merged(low, high)) {
        value = value_of(*either, level + 1);
      } else {
        const std::uint16_t if_low = value_of(low, level + 1), if_high = value_of(high, level + 1);
        value = gate(0xCA, order_[level], if_high, if_low);
      }
    }
    return made_[{level, f}] = value;
  }
  static std::optional<Function> merged(const Function &low, const Function &high) {
    Function both = low;
    for (std::size_t i = 0; i < both.size(); ++i) {
      if (both[i] == open)
        both[i] = high[i];
      else if (high[i] != open && high[i] != both[i])
        return {};
    }
    return both;
  }

  const TruthTables &tables_;
  std::vector<std::uint16_t> order_;
  Network network_;
  std::map<std::pair<std::size_t, Function>, std::uint16_t> made_;
};

// The one place that knows how values are laid out: `words` of each, one after the other.
class Values {
 public:
  Values(const TruthTables &tables) : words_(tables.inputs[0].size()), inputs_(tables.inputs.size()) {
    for (const Bits &input : tables.inputs) bits_.insert(bits_.end(), input.begin(), input.end());
  }
  std::size_t words() const { return words_; }
  std::uint64_t *at(std::size_t value) { return bits_.data() + value * words_; }
  const std::uint64_t *at(std::size_t value) const { return bits_.data() + value * words_; }
  void run(const std::vector<Gate> &gates, std::size_t from = 0) {
    bits_.resize((inputs_ + gates.size()) * words_);
    for (std::size_t g = from; g < gates.size(); ++g) run(gates[g], at(inputs_ + g));
  }
  void run(const Gate &gate, std::uint64_t *result) const {
    const std::uint64_t *a = at(gate.in[0]), *b = at(gate.in[1]), *c = at(gate.in[2]);
    std::array<std::uint64_t, 8> on;
    for (std::size_t i = 0; i < 8; ++i) on[i] = gate.table >> i & 1 ? ~std::uint64_t{0} : 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const auto choose = [](std::uint64_t which, std::uint64_t high, std::uint64_t low) {
        return low ^ (which & (high ^ low));
      };
      const std::uint64_t low = choose(b[w], choose(c[w], on[3], on[2]), choose(c[w], on[1], on[0]));
      const std::uint64_t high = choose(b[w], choose(c[w], on[7], on[6]), choose(c[w], on[5], on[4]));
      result[w] = choose(a[w], high, low);
    }
  }

 private:
  std::size_t words_, inputs_;
  Bits bits_;
};

// Gates so that operands stand before what reads them, without copies of values and what nobody reads.
Network sorted(const Network &old, std::size_t inputs) {
  Network made;
  std::vector<int> number(inputs + old.gates.size(), -1);
  for (std::size_t i = 0; i < inputs; ++i) number[i] = static_cast<int>(i);
  const auto place = [&](auto &&self, std::size_t value) -> std::uint16_t {
    if (number[value] < 0) {
      Gate gate = old.gates[value - inputs];
      for (std::uint16_t &in : gate.in) in = self(self, in);
      constexpr std::uint8_t copies[] = {0xF0, 0xCC, 0xAA};  // of each operand
      const auto *copy = std::ranges::find(copies, gate.table);
      if (copy != std::end(copies)) {
        number[value] = gate.in[static_cast<std::size_t>(copy - copies)];
      } else {
        number[value] = static_cast<int>(inputs + made.gates.size());
        made.gates.push_back(gate);
      }
    }
    return static_cast<std::uint16_t>(number[value]);
  };
  for (const std::uint16_t output : old.outputs) made.outputs.push_back(place(place, output));
  return made;
}

// Operands that do not count are the first that does, so that nothing is kept for them.
Gate settled(Gate gate) {
  const std::array<bool, 3> counts = operands_that_count(gate.table);
  const std::uint16_t first = counts[0] ? gate.in[0] : counts[1] ? gate.in[1] : counts[2] ? gate.in[2] : 0;
  for (std::size_t i = 0; i < 3; ++i)
    if (!counts[i]) gate.in[i] = first;
  return gate;
}

// One gate for another: what its value has to be, and which operands can give it.
class Resubstitution {
 public:
  Resubstitution(const TruthTables &tables, const Costs &costs, const Network &network, std::mt19937_64 &random)
      : tables_(tables), costs_(costs), network_(network), random_(random), values_(tables), flipped_(tables) {
    values_.run(network_.gates);
  }

  // Of gate number g; none where none was found that is another one.
  std::optional<Gate> find(std::size_t g) {
    target_ = tables_.inputs.size() + g;
    find_rows_that_count();
    find_candidates();
    start_witnesses();
    // Singles and pairs are rare and cheap, so they come first.
    for (int operands : {1, 2, 3})
      if (operands != 2 || random_() % 4)
        if (auto gate = find_operands(operands)) return gate;
    return {};
  }

  // Numbered behind the network's.
  const std::vector<Gate> &added() const { return added_; }

 private:
  void find_rows_that_count() {
    const std::size_t words = values_.words(), inputs = tables_.inputs.size();
    flipped_ = values_;
    behind_.assign(inputs + network_.gates.size(), false);
    behind_[target_] = true;
    for (std::size_t w = 0; w < words; ++w) flipped_.at(target_)[w] = ~values_.at(target_)[w];
    for (std::size_t g = target_ - inputs + 1; g < network_.gates.size(); ++g) {
      const Gate &gate = network_.gates[g];
      if (!std::ranges::any_of(gate.in, [&](std::uint16_t in) { return behind_[in]; })) continue;
      behind_[inputs + g] = true;
      flipped_.run(gate, flipped_.at(inputs + g));
    }
    counts_.assign(words, 0);
    for (const std::uint16_t output : network_.outputs)
      if (behind_[output])
        for (std::size_t w = 0; w < words; ++w) counts_[w] |= values_.at(output)[w] ^ flipped_.at(output)[w];
    if (tables_.rows % 64) counts_.back() &= (std::uint64_t{1} << tables_.rows % 64) - 1;
    on_ = counts_, off_ = counts_;
    for (std::size_t w = 0; w < words; ++w) on_[w] &= values_.at(target_)[w], off_[w] &= ~values_.at(target_)[w];
  }

  // All values that do not follow from the gate's, and sometimes a few of new gates on them.
  void find_candidates() {
    candidates_.clear();
    for (std::size_t v = 0; v < behind_.size(); ++v)
      if (!behind_[v]) candidates_.push_back(static_cast<std::uint16_t>(v));
    added_.clear();
    if (random_() % 2) {
      const std::size_t old = candidates_.size();
      const auto any = [&] { return candidates_[below(random_, old)]; };
      while (added_.size() < new_gates) {
        const auto table = static_cast<std::uint8_t>(random_());
        if (costs_.work[table] > 2) continue;
        added_.push_back(settled({table, {any(), any(), any()}}));
        candidates_.push_back(static_cast<std::uint16_t>(behind_.size() + added_.size() - 1));
      }
    }
    std::vector<Gate> all = network_.gates;
    all.insert(all.end(), added_.begin(), added_.end());
    values_.run(all, network_.gates.size());
    std::ranges::shuffle(candidates_, random_);
  }

  // Pairs of rows, one on and one off, that operands have to tell apart: a bit of each candidate's word says whether
  // it does. 64 of them sort out nearly all operands without a look at the rows.
  void start_witnesses() {
    tells_.assign(candidates_.size(), 0);
    witnesses_ = 0;
    for (const Bits *bits : {&on_, &off_}) {
      std::vector<std::size_t> &rows = bits == &on_ ? on_rows_ : off_rows_;
      rows.clear();
      for (std::size_t w = 0; w < bits->size(); ++w)
        for (std::uint64_t left = (*bits)[w]; left; left &= left - 1)
          rows.push_back(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
    }
    if (on_rows_.empty() || off_rows_.empty()) return;
    for (int i = 0; i < 32; ++i)
      add_witness(on_rows_[below(random_, on_rows_.size())], off_rows_[below(random_, off_rows_.size())]);
  }
  void add_witness(std::size_t on, std::size_t off) {
    const std::uint64_t bit = std::uint64_t{1} << (witnesses_ < 64 ? witnesses_ : 32 + below(random_, 32));
    ++witnesses_;
    all_ |= bit;
    if (witnesses_ == 1) all_ = bit;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const std::uint64_t *value = values_.at(candidates_[i]);
      const bool differ = (value[on / 64] >> on % 64 & 1) != (value[off / 64] >> off % 64 & 1);
      tells_[i] = differ ? tells_[i] | bit : tells_[i] & ~bit;
    }
  }

  std::optional<Gate> find_operands(int count) {
    if (on_rows_.empty() || off_rows_.empty())  // a constant: any value will do, and goes
      return Gate{static_cast<std::uint8_t>(on_rows_.empty() ? 0 : 0xFF), {0, 0, 0}};
    const std::size_t n = candidates_.size();
    int looks = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (count == 1) {
        if (tells_[i] == all_)
          if (auto gate = fitted(i, i, i)) return gate;
        continue;
      }
      for (std::size_t j = i + 1; j < n; ++j) {
        const std::uint64_t both = tells_[i] | tells_[j];
        if (count == 2) {
          if (both == all_)
            if (auto gate = fitted(i, j, j)) return gate;
          continue;
        }
        for (std::size_t k = j + 1; k < n; ++k)
          if ((tells_[i] | tells_[j] | tells_[k]) == all_) {
            if (auto gate = fitted(i, j, k)) return gate;
            if (++looks > 200) return {};
          }
      }
    }
    return {};
  }

  // The gate on these candidates, if they tell all rows apart and it is another one; else a witness more.
  std::optional<Gate> fitted(std::size_t i, std::size_t j, std::size_t k) {
    const std::uint16_t in[] = {candidates_[i], candidates_[j], candidates_[k]};
    const std::uint64_t *a = values_.at(in[0]), *b = values_.at(in[1]), *c = values_.at(in[2]);
    unsigned ones = 0, zeros = 0;
    std::array<std::size_t, 8> one_row{}, zero_row{};
    for (std::size_t w = 0; w < values_.words(); ++w) {
      if (counts_[w] == 0) continue;
      for (unsigned m = 0; m < 8; ++m) {
        const std::uint64_t here = (m & 4 ? a[w] : ~a[w]) & (m & 2 ? b[w] : ~b[w]) & (m & 1 ? c[w] : ~c[w]);
        if (const std::uint64_t bits = here & on_[w]) {
          ones |= 1u << m;
          one_row[m] = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        }
        if (const std::uint64_t bits = here & off_[w]) {
          zeros |= 1u << m;
          zero_row[m] = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        }
      }
      if (const unsigned clash = ones & zeros) {
        const auto m = static_cast<std::size_t>(std::countr_zero(clash));
        add_witness(one_row[m], zero_row[m]);
        return {};
      }
    }
    const Gate gate = settled({cheapest(ones, zeros), {in[0], in[1], in[2]}});
    if (costs_.work[gate.table] == std::numeric_limits<double>::infinity()) return {};
    if (gate == network_.gates[target_ - tables_.inputs.size()]) return {};
    return gate;
  }

  // Of the tables that are right where it counts; of several any.
  std::uint8_t cheapest(unsigned ones, unsigned zeros) {
    const unsigned free = ~(ones | zeros) & 0xFF;
    auto best = static_cast<std::uint8_t>(ones);
    unsigned ties = 1;
    for (unsigned more = (0 - free) & free; more; more = (more - free) & free) {
      const auto table = static_cast<std::uint8_t>(ones | more);
      if (costs_.work[table] < costs_.work[best] ||
          (costs_.work[table] == costs_.work[best] && random_() % ++ties == 0))
        best = table;
    }
    return best;
  }

  static constexpr std::size_t new_gates = 4;
  const TruthTables &tables_;
  const Costs &costs_;
  const Network &network_;
  std::mt19937_64 &random_;
  std::vector<Gate> added_;
  Values values_, flipped_;
  std::size_t target_ = 0;
  std::vector<bool> behind_;
  Bits counts_, on_, off_;
  std::vector<std::uint16_t> candidates_;
  std::vector<std::uint64_t> tells_;
  std::vector<std::size_t> on_rows_, off_rows_;
  std::size_t witnesses_ = 0;
  std::uint64_t all_ = 0;
};

// With the gate in the place of number g, and new ones behind the others.
Network replaced(Network changed, std::size_t inputs, std::size_t g, const Gate &gate, const std::vector<Gate> &added) {
  changed.gates.insert(changed.gates.end(), added.begin(), added.end());
  changed.gates[g] = gate;
  return sorted(changed, inputs);
}

}  // namespace

Network decision_network(const TruthTables &tables, std::mt19937_64 &random) {
  return sorted(DecisionTrees(tables, random).make(), tables.inputs.size());
}

Network walk(const TruthTables &tables, const Network &first, const Costs &costs, int steps, int most_gates,
             std::mt19937_64 &random) {
  const std::size_t inputs = tables.inputs.size();
  Network now = first, best = first;
  double now_weight = weight(now.gates, now.outputs, inputs, costs), best_weight = now_weight;
  for (int step = 0; step < steps && !now.gates.empty(); ++step) {
    const std::size_t g = below(random, now.gates.size());
    Resubstitution resubstitution(tables, costs, now, random);
    const auto gate = resubstitution.find(g);
    if (!gate) continue;
    Network next = replaced(now, inputs, g, *gate, resubstitution.added());
    const double next_weight = weight(next.gates, next.outputs, inputs, costs);
    // Annealed: what is heavier by so many gates is taken ever less often.
    const double heat = first_heat * (1 - static_cast<double>(step) / steps);
    if (next_weight > now_weight &&
        std::generate_canonical<double, 53>(random) >= std::exp((now_weight - next_weight) / heat))
      continue;
    if (next.gates.size() > std::max<std::size_t>(now.gates.size(), static_cast<std::size_t>(most_gates))) continue;
    now = std::move(next);
    now_weight = next_weight;
    if (now_weight <= best_weight) best = now, best_weight = now_weight;
  }
  return best;
}

}  // namespace alnsmith::circuits
