// See alone.h.
#include "align/alone.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "align/call.h"
#include "align/split.h"

namespace alnsmith::rt::align {
namespace {

std::string hundredths(double share) {
  const auto number = static_cast<long>(std::lround(100 * share));
  return std::to_string(number / 100) + (number % 100 < 10 ? ".0" : ".") + std::to_string(number % 100);
}

// What each mapping's best kernel takes, and which that is.
struct Taken {
  double cost = 0;
  const kernels::KernelInfo *kernel = nullptr;
};
std::map<std::string, Taken> by_mapping(const kernels::Manifest &manifest, const CallScoring &scoring,
                                        std::uint32_t length) {
  std::map<std::string, Taken> found;
  for (const kernels::KernelInfo &kernel : manifest.kernels) {
    if (kernel.form == Form::pairwise && !kernel.sliced() && !found.contains(kernel.mapping))
      found[kernel.mapping] = {static_cast<double>(length) * length, &kernel};
    if (kernel.form != Form::split || found.contains(kernel.mapping)) continue;
    Chooser chooser(manifest, scoring, Form::split, 1,
                    [&](const kernels::KernelInfo &other) { return other.mapping == kernel.mapping; });
    const SuitableLevel suitable = chooser.choose(0, length, length);
    if (suitable.level < 0) continue;
    const int best = chooser.kernel(suitable.level, length, length);
    found[kernel.mapping] = {suitable.cost, &manifest.kernels[static_cast<std::size_t>(best)]};
  }
  return found;
}

}  // namespace

std::vector<std::string> alone_lines(const kernels::Manifest &manifest, const Scoring &standing) {
  std::vector<std::string> lines;
  const auto scoring = resolve_scoring(manifest, {}, standing);
  if (manifest.for_device || manifest.band_width || !scoring) return lines;
  if (std::ranges::any_of(manifest.kernels, [](const kernels::KernelInfo &kernel) { return kernel.split.always; }))
    return lines;
  for (const std::uint32_t length : {50u, 150u, 500u, 1500u, 5000u}) {
    const auto found = by_mapping(manifest, *scoring, length);
    if (found.size() < 2) continue;
    const auto least = std::ranges::min_element(found, {}, [](const auto &entry) { return entry.second.cost; });
    std::string line = "a pair of " + std::to_string(length) + " and " + std::to_string(length) +
                       " letters alone: " + least->second.kernel->entry + ", by the model ";
    const char *before = "";
    for (auto it = found.begin(); it != found.end(); ++it) {
      if (it == least) continue;
      line += before + hundredths(least->second.cost / it->second.cost) + " of the time in " + it->first;
      before = ", ";
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace alnsmith::rt::align
