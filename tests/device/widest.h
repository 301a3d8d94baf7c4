// Of kernels that differ by their tile alone those with the most letters per lane: the others need fewer registers.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "plan/plan.h"

namespace alnsmith::test {

// Their entries, by form, mapping and arithmetic.
inline std::vector<std::vector<std::string>> widest_kernels(const plan::Plan &plan) {
  using Key = std::tuple<std::string, std::string, std::string>;
  const auto key = [](const plan::KernelPlan &k) { return Key{name_of(k.form), k.mapping, k.arithmetic}; };
  std::map<Key, int> most;
  for (const plan::KernelPlan &kernel : plan.kernels) most[key(kernel)] = std::max(most[key(kernel)], kernel.k);
  std::map<Key, std::vector<std::string>> widest;
  for (const plan::KernelPlan &kernel : plan.kernels)
    if (kernel.k == most[key(kernel)]) widest[key(kernel)].push_back(kernel.entry);
  std::vector<std::vector<std::string>> lists;
  for (auto &[kind, list] : widest) lists.push_back(std::move(list));
  return lists;
}

}  // namespace alnsmith::test
