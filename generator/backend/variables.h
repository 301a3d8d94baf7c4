// Out of SSA form: which values share a variable, where it is declared, and in which order phis are assigned.
//
// In: a function and what is printed inside its readers. Out: one variable for values that phis connect, as long as
// none of them is still needed where another one is computed (Chaitin's interference; a copy does not interfere with
// what it copies). What cannot share one is copied; copies at one place are parallel, and in_sequence() orders them.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "backend/inlining.h"
#include "ir/ir.h"

namespace alnsmith::backend {

class Variables {
 public:
  Variables(const ir::Function &function, const Inlining &inlining);

  // The value whose variable v lives in: v itself where it shares none.
  const ir::Value *of(const ir::Value *v) const;
  // Whether it is assigned in more than one place, so that it is no constant.
  bool assigned(const ir::Value *v) const { return assigned_.contains(of(v)); }
  // The variables declared before statement `index` of the block.
  const std::vector<const ir::Value *> &declared(const ir::Block *block, std::size_t index) const;

 private:
  std::unordered_map<const ir::Value *, const ir::Value *> variable_;
  std::unordered_set<const ir::Value *> assigned_;
  std::map<std::pair<const ir::Block *, std::size_t>, std::vector<const ir::Value *>> declared_;
};

// An assignment of one variable to another, or, without `to`, to a temporary of its own; `saved`: from that temporary.
struct Move {
  const ir::Value *to = nullptr, *from = nullptr;
  bool saved = false;
  bool operator==(const Move &) const = default;
};

// Assignments that all read before any writes, as a sequence; a temporary for each cycle. Their `to` are distinct.
std::vector<Move> in_sequence(std::vector<Move> parallel);

}  // namespace alnsmith::backend
