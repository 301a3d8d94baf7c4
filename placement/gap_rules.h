// Which columns of a branch are flagged as gaps: a rule is what a tip says, what two sides make together, and when a
// value at the root is a flag (Berger and Stamatakis 2011; PaPaRa 2.5's -c and its default).
//
// join(): what lies behind branch `x` says a, behind branch `y` b; `tip`: one of them is a tip.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "alnsmith/placement_tree.hpp"

namespace alnsmith::placement {

struct NoGaps {
  struct Value {};
  struct Branch {};
  Value tip(bool, bool) const { return {}; }
  const Branch &branch(std::size_t) const { return none_; }
  Value join(Value, Branch, Value, Branch, bool) const { return {}; }
  bool flagged(Value) const { return false; }

 private:
  Branch none_;
};

// The discrete rule. A tip is a gap where any state may stand. Beside a tip a gap that may have opened counts too.
struct GapParsimony {
  using Value = std::uint8_t;
  struct Branch {};
  static constexpr Value kGap = 1, kOpen = 2;

  Value tip(bool, bool any_state) const { return any_state ? kGap : 0; }
  const Branch &branch(std::size_t) const { return none_; }
  Value join(Value a, Branch, Value b, Branch, bool tip) const {
    const bool x = tip ? (a & kGap) != 0 : a == kGap, y = tip ? (b & kGap) != 0 : b == kGap;
    if (x && y) return kGap;
    return x || y ? kGap | kOpen : 0;
  }
  bool flagged(Value value) const { return value == kGap; }

 private:
  Branch none_;
};

// Two states, letter and gap, whose shares in the long run are those of the alignment; likelihoods by Felsenstein's
// pruning. A column is flagged where a gap at the root is likelier.
class GapProbability {
 public:
  using Value = std::array<double, 2>;  // likelihood of what lies behind, of a letter here and of a gap here
  using Branch = std::array<std::array<double, 2>, 2>;  // from, to

  GapProbability(const Tree &tree, double gaps) {
    for (const Node &node : tree.nodes()) {
      const double change = 1 - std::exp(-node.length.value_or(0));
      const double to_gap = gaps * change, to_letter = (1 - gaps) * change;
      branches_.push_back({{{1 - to_gap, to_gap}, {to_letter, 1 - to_letter}}});
    }
  }
  Value tip(bool gap, bool) const { return gap ? Value{0, 1} : Value{1, 0}; }
  const Branch &branch(std::size_t node) const { return branches_[node]; }
  Value join(const Value &a, const Branch &x, const Value &b, const Branch &y, bool) const {
    constexpr double kSmall = 0x1p-256, kScale = 0x1p256;  // both scaled alike: only their order counts
    Value out;
    for (std::size_t s = 0; s < 2; ++s) out[s] = (x[s][0] * a[0] + x[s][1] * a[1]) * (y[s][0] * b[0] + y[s][1] * b[1]);
    if (std::abs(out[0]) < kSmall && std::abs(out[1]) < kSmall)  // negative lengths give negative values
      for (double &value : out) value *= kScale;
    return out;
  }
  bool flagged(const Value &value) const { return value[0] < value[1]; }

 private:
  std::vector<Branch> branches_;
};

}  // namespace alnsmith::placement
