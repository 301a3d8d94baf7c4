// Kernel texts for CUDA and HIP with the plan behind them, and which targets have the same text.
//
// In: a spec and a target's name. Out: text and plan. Texts of several targets often differ by the target's name only;
// `essence` is the text without it, so that each distinct text can be run once.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "alnsmith/result.hpp"
#include "frontend/templates.h"
#include "plan/plan.h"
#include "simt.h"
#include "spec/spec.h"

namespace alnsmith::test {

struct KernelText {
  spec::Spec spec;
  std::string target;
  plan::Plan plan;
  std::string text;
  std::string essence;

  simt::Dialect dialect() const { return target.starts_with("hip") ? simt::Dialect::hip : simt::Dialect::cuda; }
};

// Holds the parsed templates; for one thread.
class TextMaker {
 public:
  TextMaker();
  // `takes`: which of the plan's kernels; without it all.
  using Takes = std::function<bool(const plan::KernelPlan &)>;
  Result<KernelText> make(const spec::Spec &spec, const std::string &target, const Takes &takes = {}) const;

 private:
  frontend::Templates templates_;
};

std::string family(const std::string &target);  // "cuda" or "hip"
std::vector<std::string> shipped_specs();       // names, sorted
// CUDA and HIP targets, those with the same row of device properties together: their texts differ by name only.
std::vector<std::vector<std::string>> target_classes();

}  // namespace alnsmith::test
