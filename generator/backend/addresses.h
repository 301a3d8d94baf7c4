// Which uniform integers are printed as `long`: sums and products that nothing but addresses reads.
//
// In: a function. Out: the set of those values. Kernels are compiled for integers that wrap, so a compiler cannot step
// a pointer from turn to turn where the index is a product of 32 bits: it extends, shifts and adds each time, three to
// five instructions of a hot loop's 78. An index of memory that a kernel may use does not wrap, so its value is the
// same.
#pragma once

#include <unordered_set>

#include "ir/ir.h"

namespace alnsmith::backend {

class Addresses {
 public:
  explicit Addresses(const ir::Function &function);

  bool contains(const ir::Value *v) const { return values_.contains(v); }

 private:
  std::unordered_set<const ir::Value *> values_;
};

}  // namespace alnsmith::backend
