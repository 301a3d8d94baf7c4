// Which targets' kernels share a text, and which kernels of a text are whose.
//
// In: plans of one spec for several targets. Out: those that get one text, and the kernels of that text, each once,
// with the plans that have it. Kernels are one where they differ by their lanes alone. In a text for several targets a
// macro that is given to the compiler (targets::macro()) says which of them it is compiled for.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "backend/unit.h"

namespace alnsmith::backend {

// Whether kernels for both stand in one text: of vectors whose operations come from the same preludes.
bool one_text(const Target &a, const Target &b);

// `plan` and those of `others` that get one text with it, by descending width: the same whichever of them is asked for.
std::vector<const plan::Plan *> together(const plan::Plan &plan, std::span<const plan::Plan> others);

struct TextKernel {
  std::vector<const plan::Plan *> plans;          // that have it
  std::vector<const plan::KernelPlan *> kernels;  // in each of `plans`
  KernelReport report;                            // of the first
  const plan::KernelPlan &first() const { return *kernels.front(); }
};

// The kernels of a text for these plans, in the order in which the plans have them, without reports.
std::vector<TextKernel> kernels_of_text(const std::vector<const plan::Plan *> &plans);

// Text for each plan, where there are several behind conditions on the macro.
std::string by_target(const std::vector<const plan::Plan *> &plans,
                      const std::function<std::string(const plan::Plan &)> &text);

// "defined(A) || defined(B)", of the macros of these targets.
std::string condition(const std::vector<const plan::Plan *> &plans);

}  // namespace alnsmith::backend
