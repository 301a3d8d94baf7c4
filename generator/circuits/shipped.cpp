// See shipped.h.
#include "circuits/shipped.h"

#include <set>

#include "circuits/file.h"

namespace alnsmith::circuits {

namespace {

// Read once. The build has no file that is refused (test_circuits).
const std::vector<Circuit> &shipped() {
  static const auto all = [] {
    std::vector<Circuit> circuits;
    for (const auto &[name, text] : embedded_circuits())
      if (auto file = read(std::string(text), std::string(name))) circuits.push_back(std::move(file->circuit));
    return circuits;
  }();
  return all;
}

}  // namespace

std::vector<Scheme> schemes() {
  std::set<Scheme> all;
  for (const Circuit &each : shipped()) all.insert(each.scheme);
  return {all.begin(), all.end()};
}

const Circuit *find(const Scheme &scheme, const GateSet &set) {
  const Costs &costs = costs_of(set);
  const Circuit *best = nullptr;
  for (const Circuit &each : shipped())
    if (each.scheme == scheme && (!best || weight(each, costs) < weight(*best, costs))) best = &each;
  return best;
}

}  // namespace alnsmith::circuits
