// The stamp of a kernel text: who made it, from which spec, for which targets, the recurrence that it computes and what
// that takes.
//
// In: spec, plans with one text, its kernels and what the passes left of each. Out: comment lines. No dates, no paths.
// CMake (cmake/kernels.cmake) reads the lines "spec" and "target".
#pragma once

#include <span>
#include <string>

#include "backend/sharing.h"

namespace alnsmith::backend {

// What the kernels compute, one equation a line; i counts query letters, j target letters.
std::string recurrence(const spec::Spec &spec);

// `plans`: those of the text; `kernels`: all of it, with reports.
std::string stamp(const spec::Spec &spec, std::span<const plan::Plan *const> plans,
                  std::span<const TextKernel> kernels);

}  // namespace alnsmith::backend
