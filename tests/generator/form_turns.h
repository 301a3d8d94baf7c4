// Which of a point's kernels the matrix of CPU kernels takes by default: forms and widths by turns.
#pragma once

#include <algorithm>
#include <map>

#include "plan/plan.h"

namespace form_turns {

// Whether a form has kernels of 8 bits alone.
inline bool has_narrow_form(const alnsmith::plan::Plan &plan) {
  std::map<alnsmith::Form, int> widest;
  for (const auto &kernel : plan.kernels) widest[kernel.form] = std::max(widest[kernel.form], kernel.width);
  return std::ranges::any_of(widest, [](const auto &form) { return form.second == 8; });
}

// Forms and widths like the fields of a chessboard, those of one colour; the colours take turns. All where one colour
// has all.
inline void take_half(alnsmith::plan::Plan &plan, std::size_t turn) {
  const auto waits = [&](const alnsmith::plan::KernelPlan &kernel) {
    const std::size_t form = kernel.form == alnsmith::Form::shared_profile, width = kernel.width == 16;
    return (form + width + turn) % 2 != 0;
  };
  if (!std::ranges::all_of(plan.kernels, waits)) std::erase_if(plan.kernels, waits);
}

}  // namespace form_turns
