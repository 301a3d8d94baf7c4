// Which values have no line of their own: they are printed inside the one that reads them.
//
// In: a function. Out: the set of those values. A pure operation with one reader in its own block is printed there, as
// long as the line stays short; a vector that holds one constant is printed where it is read, or by a name of its own.
// What `&&`, `||` and `?:` may leave out calls nothing: lanes exchange and vote together or not at all.
// Decided before any names are given, so lengths are estimates.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "ir/ir.h"

namespace alnsmith::backend {

// A splat of a constant.
bool is_constant_vector(const ir::Value *v);

class Inlining {
 public:
  explicit Inlining(const ir::Function &function);

  bool inlined(const ir::Value *v) const { return inlined_.contains(v); }
  int uses(const ir::Value *v) const;

  // Calls f for each value with a name or a literal of its own that the text of `v` mentions.
  template <class F>
  void each_leaf(const ir::Value *v, F &&f) const {
    if (!v) return;
    if (!inlined(v)) return f(v);
    for (const ir::Value *operand : v->operands) each_leaf(operand, f);
  }
  // The same for what the line that computes `v` mentions.
  template <class F>
  void each_operand(const ir::Value *v, F &&f) const {
    for (const ir::Value *operand : v->operands) each_leaf(operand, f);
  }

 private:
  struct Reader {
    int uses = 0;
    const ir::Block *block = nullptr;  // of the last reader; null: a phi
    bool may_skip = false;             // some reader does not evaluate it always
  };
  void read(const ir::Value *v, const ir::Block *where, bool may_skip = false);
  void count(const ir::Block *block);
  void decide(const ir::Block *block);
  std::size_t width(const ir::Value *v) const;

  std::unordered_map<const ir::Value *, Reader> readers_;
  std::unordered_map<const ir::Value *, std::size_t> widths_;  // of the inlined
  std::unordered_set<const ir::Value *> inlined_;
  std::unordered_set<const ir::Value *> calling_;  // of these, what is printed with a call of a function in it
};

}  // namespace alnsmith::backend
