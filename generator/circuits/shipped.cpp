// See shipped.h.
#include "circuits/shipped.h"

#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>

#include "circuits/file.h"

namespace alnsmith::circuits {

namespace {

using File = std::pair<std::string_view, std::string_view>;  // name, text

// Read, and proven, when it is first asked for. The build has no file that is refused (test_circuits).
const Circuit &circuit(const File &file) {
  static std::mutex mutex;
  static std::map<std::string_view, Circuit> known;
  const std::lock_guard lock(mutex);
  if (const auto it = known.find(file.first); it != known.end()) return it->second;
  auto made = read(std::string(file.second), std::string(file.first));
  if (!made) throw std::logic_error(made.error().message);
  return known.emplace(file.first, std::move(made->circuit)).first->second;
}

}  // namespace

std::string file_stem(const Scheme &scheme) {
  const std::string values = std::to_string(scheme.total) + "-" + std::to_string(scheme.floor);
  if (scheme.opens == std::array{0, 0}) return "linear-" + values;
  return "affine-" + values + "-" + std::to_string(scheme.opens[0]) + "-" + std::to_string(scheme.opens[1]);
}

std::vector<Scheme> schemes() {
  std::set<Scheme> all;
  for (const File &file : embedded_circuits()) all.insert(circuit(file).scheme);
  return {all.begin(), all.end()};
}

const Circuit *find(const Scheme &scheme, const GateSet &set) {
  const Costs &costs = costs_of(set);
  const std::string begin = file_stem(scheme) + ".";
  const Circuit *best = nullptr;
  for (const File &file : embedded_circuits()) {
    if (!file.first.starts_with(begin)) continue;
    const Circuit &each = circuit(file);
    if (!best || weight(each, costs) < weight(*best, costs)) best = &each;
  }
  return best;
}

}  // namespace alnsmith::circuits
