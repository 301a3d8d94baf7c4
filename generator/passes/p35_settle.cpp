// Pass 35: fold, number_values and hoist again, until they change nothing.
//
// In: hoisted function. Out: what hoisting brought side by side is shared and folded too.
#include <utility>

#include "passes/passes.h"

namespace alnsmith::passes {

void settle(ir::Function &function) {
  for (std::string before, now = ir::dump(function); now != before;) {
    fold(function);
    number_values(function);
    hoist(function);
    sweep(function);
    before = std::exchange(now, ir::dump(function));
  }
}

}  // namespace alnsmith::passes
