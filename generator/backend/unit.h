// One translation unit of kernels: stamp, argument block, a namespace with prelude and kernels per score width, and the
// manifest that describes them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alnsmith/result.hpp"
#include "frontend/templates.h"
#include "models/cpu_model.h"
#include "models/gpu_model.h"
#include "passes/passes.h"
#include "plan/plan.h"
#include "spec/spec.h"

namespace alnsmith::backend {

struct KernelReport {
  std::string entry;
  int k = 0;
  models::OperationMix row;             // k cells per lane
  std::optional<models::StepMix> step;  // of a device, where there is a model of it
  std::vector<passes::Trace> trace;
};

struct Unit {
  std::string text;
  std::vector<KernelReport> reports;
};

// What kernels of that score width stand behind: the argument block, the matrix if there is one, and the operations.
std::string kernel_prelude(const Target &target, int bits, const std::vector<int> &matrix);

// Evaluates, optimises and prints all kernels of `plan`. With a name in `linked` the unit is one to be linked into a
// program, many of which can meet there: its one symbol is an alnsmith_linked_unit (alnsmith/linked.h) of that name.
// `others`: plans of the same spec for other targets; some get one text with this one (backend/sharing.h), the same
// whichever was asked for.
Result<Unit> make_unit(const spec::Spec &spec, const plan::Plan &plan, const frontend::Templates &templates,
                       const std::string &linked = {}, std::span<const plan::Plan> others = {});

}  // namespace alnsmith::backend
