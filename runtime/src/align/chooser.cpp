// Which kernel a pair takes: Chooser of call.h.
#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "align/call.h"
#include "align/core_costs.h"
#include "align/split.h"

namespace alnsmith::rt::align {
namespace {

// The share of the pairs tried in a kernel that is assumed to go on to a wider one.
constexpr double kRaised = 0.25;

// Kernels of a CPU's lanes that differ in the costs that they serve, or in how they take maxima.
bool keep_scores_alike(const kernels::KernelInfo &a, const kernels::KernelInfo &b) {
  return a.form == b.form && a.width == b.width && a.based == b.based && !b.sliced();
}

// Of two kernels that differ in how they take maxima one serves this core.
bool for_other_cores(std::span<const kernels::KernelInfo> kernels, std::size_t i) {
  const bool few = core_costs().few_maxima;
  if (kernels[i].few_maxima || i + 1 == kernels.size()) return kernels[i].few_maxima && !few;
  const kernels::KernelInfo &next = kernels[i + 1];
  return few && next.few_maxima && keep_scores_alike(kernels[i], next);
}

}  // namespace

Chooser::Chooser(const kernels::Manifest &manifest, const CallScoring &scoring, Form form, std::size_t entries,
                 const Filter &possible)
    : manifest_(manifest),
      form_(form),
      values_(scoring.values()),
      remembered_(std::clamp<std::size_t>(entries / 2, 16, 1 << 13)) {
  int last = -1;
  for (std::size_t i = 0; i < manifest.kernels.size(); ++i) {
    const kernels::KernelInfo &kernel = manifest.kernels[i];
    if (kernel.form != form || !kernel.usable.holds(values_) || (possible && !possible(kernel))) continue;
    if (for_other_cores(manifest.kernels, i)) continue;
    // Of kernels that keep scores alike the first one serves the call: what outgrows it would outgrow the others.
    const bool lanes = form != Form::split && !manifest.for_device;
    if (lanes && !kernels_.empty() &&
        keep_scores_alike(manifest.kernels[static_cast<std::size_t>(kernels_.back().back())], kernel))
      continue;
    if (kernel.level != last || kernels_.empty()) kernels_.emplace_back();
    last = kernel.level;
    kernels_.back().push_back(static_cast<int>(i));
  }
}

kernels::Values Chooser::at(std::uint32_t query, std::uint32_t target) const {
  return kernels::with_lengths(values_, query, target);
}

int Chooser::kernel(int level, std::uint32_t query, std::uint32_t target) const {
  const std::vector<int> &list = kernels_[static_cast<std::size_t>(level)];
  if (list.size() == 1) return list.front();
  if (form_ == Form::split)
    return *std::ranges::min_element(list, {}, [&](int kernel) {
      return split_cost(manifest_, manifest_.kernels[static_cast<std::size_t>(kernel)], query, target);
    });
  const kernels::Values values = at(query, target);
  for (int kernel : list)
    if (manifest_.kernels[static_cast<std::size_t>(kernel)].device.suits.holds(values)) return kernel;
  return list.back();
}

bool Chooser::counts(const kernels::KernelInfo &kernel, std::uint32_t query, std::uint32_t target) const {
  return kernel.lengths.holds(at(query, target));
}

bool Chooser::exact(int level, std::uint32_t query, std::uint32_t target) const {
  return exact(info(level, query, target), query, target);
}

bool Chooser::exact(const kernels::KernelInfo &kernel, std::uint32_t query, std::uint32_t target) const {
  const kernels::Values values = at(query, target);
  return kernel.exact.holds(values) && kernel.lengths.holds(values);
}

bool Chooser::near(int level, std::uint32_t query, std::uint32_t target) const {
  return near(info(level, query, target), query, target);
}

bool Chooser::near(const kernels::KernelInfo &kernel, std::uint32_t query, std::uint32_t target) const {
  if (!kernel.checked || !counts(kernel, query, target)) return false;
  if (manifest_.local) return true;
  const bool anchored = !manifest_.free_query && !manifest_.free_target;
  return !anchored && exact(kernel, query / 8, target / 8);
}

// From the widest down: the cost of a level that may not hold the pair includes that of the levels after it.
SuitableLevel Chooser::cheapest_from(int first, std::uint32_t query, std::uint32_t target) const {
  SuitableLevel best;
  for (int level = levels() - 1; level >= first; --level) {
    const kernels::KernelInfo &kernel = info(level, query, target);
    const bool sure = exact(kernel, query, target);
    if (!sure && !near(kernel, query, target)) continue;
    const double cost = split_cost(manifest_, kernel, query, target) + (sure ? 0 : kRaised * best.cost);
    if (best.level < 0 || cost <= best.cost) best = {level, sure, cost};
  }
  return best;
}

SuitableLevel Chooser::choose_from(int first, std::uint32_t query, std::uint32_t target) const {
  if (form_ == Form::split)
    if (const SuitableLevel found = cheapest_from(first, query, target); found.level >= 0) return found;
  int checked = -1;
  for (int level = first; level < levels(); ++level) {
    if (exact(level, query, target)) return {level, true};
    if (near(level, query, target)) return {level, false};
    const kernels::KernelInfo &kernel = info(level, query, target);
    if (kernel.checked && counts(kernel, query, target)) checked = level;
  }
  if (checked < 0 || form_ != Form::split) return {.level = checked};
  return {checked, false,
          split_cost(manifest_, info(checked, query, target), query, target)};  // the widest that would notice
}

std::string Chooser::rule(std::uint32_t query, std::uint32_t target) const {
  const std::string lengths =
      "query of " + std::to_string(query) + " and target of " + std::to_string(target) + " letters";
  if (const std::size_t absent = manifest_.absent[static_cast<std::size_t>(form_)];
      absent > 0 && (kernels_.empty() || counts(info(levels() - 1, query, target), query, target)))
    return lengths + ": the cache lacks " + std::to_string(absent) + " of the kernels of the spec '" +
           manifest_.spec_name + "' for " + manifest_.target_name + " (" + name_of(form_) +
           "), and nothing can be generated here; make such a call where a generator is, with the same cache, or bring "
           "the kernels in a pack (`alnsmith pack build`)";
  if (kernels_.empty())
    return lengths + ": no kernel of the spec '" + manifest_.spec_name +
           "' serves this scoring; scale the scores down, or write `arithmetic: auto` in the spec";
  const kernels::KernelInfo &widest = manifest_.kernels[static_cast<std::size_t>(kernels_.back().back())];
  if (!counts(info(levels() - 1, query, target), query, target))
    return lengths + ": the score may exceed 32 bits, or what the kernels count (they take pairs where " +
           widest.lengths_text + "); use shorter sequences or smaller gap costs";
  // Kernels of devices keep a few bits of totals of 32.
  return lengths + ": the score may exceed " + std::to_string(manifest_.for_device ? 32 : widest.holds()) +
         " bits (exact where " + widest.exact_text + "); use shorter sequences, smaller scores or a wider arithmetic";
}

}  // namespace alnsmith::rt::align
