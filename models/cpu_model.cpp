#include "models/cpu_model.h"

#include <algorithm>
#include <array>
#include <optional>

namespace alnsmith::backend {

namespace {

constexpr Core table[] = {
    {"Intel AVX-512", "x86_64", 3.8, 2, 1, 1, 1, 3, 2, 2, 2},
    {"AMD Zen 4", "x86_64", 3.7, 2, 2, 1, 1, 4, 4, 2, 2},
    {"Arm Neoverse N1", "aarch64", 2.5, 0, 0, 0, 0, 2, 2, 2, 2},
};

// Turns of a loop that counts from a constant to a constant by a constant; 1 where that is not known.
double turns(const ir::Statement &loop) {
  const ir::Value *condition = loop.value;
  if (!condition || !condition->is("ilt") || !condition->operands[1]->is_constant()) return 1;
  for (const ir::Phi &phi : loop.phis) {
    if (phi.value != condition->operands[0] || !phi.first || !phi.second || !phi.second->is("iadd")) continue;
    const ir::Value *first = phi.first->is("residual") ? phi.first->operands[0] : phi.first;
    const ir::Value *step = phi.second->operands[1];
    if (first->is_constant() && step->is_constant() && step->constant > 0)
      return std::max(0.0, static_cast<double>(condition->operands[1]->constant - first->constant) /
                               static_cast<double>(step->constant));
  }
  return 1;
}

void count(const ir::Block &block, double factor, OperationMix &mix) {
  for (const ir::Statement *s : block.statements) {
    if (s->header) count(*s->header, factor, mix);
    if (s->kind == ir::StatementKind::loop)
      count(*s->body, factor * turns(*s), mix);
    else if (s->body)
      count(*s->body, factor, mix);
    if (s->kind != ir::StatementKind::let && s->kind != ir::StatementKind::effect) continue;
    const ir::Value &v = *s->value;
    if (v.op->cost == ir::Cost::memory) mix.memory += factor;
    if (v.op->effect != ir::Effect::pure || v.type == ir::Type::int_ || v.type == ir::Type::bool_) continue;
    if (v.op->name.starts_with("splat") && v.operands[0]->is_constant()) continue;
    mix.any += factor;
    mix.by_name[v.op->name] += factor;
    switch (v.op->cost) {
      case ir::Cost::maximum:
      case ir::Cost::minimum:
        mix.maxima += factor;
        break;
      case ir::Cost::compare:
      case ir::Cost::greater:
        mix.compares += factor;
        break;
      case ir::Cost::saturating:
        mix.saturating += factor;
        break;
      default:
        break;
    }
  }
}

}  // namespace

std::span<const Core> cores() { return table; }

OperationMix row_operations(const ir::Function &function, int rows) {
  OperationMix mix;
  if (const ir::Block *hot = ir::hot_row(function).block) count(*hot, 1, mix);
  for (double *count : {&mix.any, &mix.maxima, &mix.compares, &mix.saturating, &mix.memory}) *count /= rows;
  for (auto &[name, count] : mix.by_name) count /= rows;
  return mix;
}

double port_limit(const Core &core, int vector_bytes, const OperationMix &mix, double cells) {
  const bool wide = vector_bytes == 64;
  const double cycles =
      std::max({mix.any / (wide ? core.any : core.narrow_any), mix.maxima / (wide ? core.maxima : core.narrow_maxima),
                mix.compares / (wide ? core.compares : core.narrow_compares),
                mix.saturating / (wide ? core.saturating : core.narrow_saturating)});
  return cycles > 0 ? cells * core.ghz / cycles : 0;
}

}  // namespace alnsmith::backend
