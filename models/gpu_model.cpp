#include "models/gpu_model.h"

#include <algorithm>
#include <unordered_map>

namespace alnsmith::backend {

namespace {

constexpr Pipes table[] = {
    {"cuda:sm_90", "NVIDIA H200", 132, 1.98, 64, 64, 128, 128, 32, true},
};

// Whether the maximum takes a maximum or an addition of its own along.
bool fuses(const ir::Value &max, const std::unordered_map<const ir::Value *, int> &uses) {
  return std::ranges::any_of(max.operands, [&](const ir::Value *v) {
    const auto it = uses.find(v);
    const bool alone = it != uses.end() && it->second == 1;
    return alone && v->op && (v->is("max") || v->op->cost == ir::Cost::gap);
  });
}

}  // namespace

const Pipes *find_pipes(std::string_view target) {
  for (const Pipes &p : table)
    if (p.target == target) return &p;
  return nullptr;
}

std::optional<StepMix> step_mix(const ir::Function &function, const plan::KernelPlan &kernel, const Pipes &pipes) {
  const ir::HotRow hot = ir::hot_row(function);
  if (!hot.block) return std::nullopt;
  std::unordered_map<const ir::Value *, int> uses;
  for (const ir::Statement *s : hot.block->statements)
    if (s->value && s->value->op)
      for (const ir::Value *v : s->value->operands) ++uses[v];
  for (const ir::Phi &p : *hot.phis)
    for (const ir::Value *v : {p.first, p.second})
      if (v) ++uses[v];
  const bool halves = kernel.arithmetic == "half2" || kernel.arithmetic == "hybrid" || kernel.arithmetic == "fp32";
  const bool as_one = kernel.arithmetic == "s16x2" && kernel.unsigned_halves();
  StepMix mix;
  double taken = 0;  // operations that ride along with a maximum
  for (const ir::Statement *s : hot.block->statements) {
    if (s->kind != ir::StatementKind::let) continue;
    const ir::Value &v = *s->value;
    switch (v.op->cost) {
      case ir::Cost::maximum:
        mix.integer += 1;
        if (pipes.fused && kernel.arithmetic != "half2" && fuses(v, uses)) taken += 1;
        break;
      case ir::Cost::sum:
        (halves ? mix.half : as_one ? mix.multiply : mix.integer) += 1;
        break;
      case ir::Cost::maximum_via_add:
        mix.half += 2;
        break;
      case ir::Cost::gap:
      case ir::Cost::choice:
      case ir::Cost::compare:
        mix.integer += 1;
        break;
      case ir::Cost::quad:
        mix.shared += 4;
        break;
      case ir::Cost::quads:
        mix.shared += 4 * kernel.packing;
        break;
      case ir::Cost::element:
        if (kernel.form == "single") mix.integer += 1;
        break;
      case ir::Cost::gather:
        mix.shared += kernel.packing;
        mix.multiply += kernel.packing;     // addresses
        mix.integer += kernel.packing - 1;  // the halves put together
        break;
      case ir::Cost::exchange:
        mix.exchanges += 1;
        mix.integer += 1;  // what enters at the segment's edge
        break;
      case ir::Cost::rotation:
        mix.exchanges += 1;
        break;
      default:
        break;
    }
  }
  mix.integer -= taken;
  for (double *count : {&mix.integer, &mix.multiply, &mix.half, &mix.shared, &mix.exchanges}) *count /= kernel.rows;
  return mix;
}

double pipe_limit(const Pipes &pipes, const StepMix &mix, const plan::KernelPlan &kernel) {
  const double clocks = std::max({mix.integer / pipes.integer, mix.multiply / pipes.multiply, mix.half / pipes.half,
                                  mix.all() / pipes.issue, (mix.shared + mix.exchanges) / pipes.shared});
  if (clocks <= 0) return 0;
  return kernel.k * kernel.packing / clocks * pipes.processors * pipes.ghz;
}

}  // namespace alnsmith::backend
