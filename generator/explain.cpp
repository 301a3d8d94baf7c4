#include "explain.h"

#include <cstdio>

namespace alnsmith {

std::string explain(const plan::Plan &plan, const backend::Unit &unit, const std::string &) {
  std::string out;
  for (const auto &report : unit.reports) {
    out += report.entry + "\n";
    for (const auto &t : report.trace)
      out += "  after " + t.pass + ": " + std::to_string(t.operations) + " statements, " +
             std::to_string(t.hot_operations) + " vector operations in the hot loop\n";
  }
  (void)plan;
  return out;
}

}  // namespace alnsmith
