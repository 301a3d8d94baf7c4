// The stamp of a kernel text: who made it, from which spec, for which targets, the recurrence that it computes and what
// that takes.
//
// In: spec, plans with one text, and what the passes left of each kernel. Out: comment lines. No dates, no paths. CMake
// (cmake/kernels.cmake) reads the lines "spec" and "target".
#pragma once

#include <span>
#include <string>

#include "backend/unit.h"

namespace alnsmith::backend {

// What the kernels compute, one equation a line; i counts query letters, j target letters.
std::string recurrence(const spec::Spec &spec);

// `plans` have the same kernels but for their lanes; `reports` are of the first.
std::string stamp(const spec::Spec &spec, std::span<const plan::Plan *const> plans,
                  std::span<const KernelReport> reports);

}  // namespace alnsmith::backend
