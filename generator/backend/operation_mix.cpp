// See operation_mix.h.
#include "backend/operation_mix.h"

#include <algorithm>
#include <unordered_map>

namespace alnsmith::backend {

namespace {

using models::OperationMix;
using models::StepMix;

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
    if (v.op->splats() && v.operands[0]->is_constant()) continue;
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
      case ir::Cost::maximum_off_pipe:  // a comparison and a choice
        mix.any += factor;
        mix.compares += factor;
        break;
      default:
        break;
    }
  }
}

// Whether a look-up finds no score that is wider than a byte, for all that is known of it.
bool finds_bytes(const ir::Value &look_up) {
  const ir::Value *const least = look_up.operands[6], *const most = look_up.operands[7];
  return least->is_constant() && most->is_constant() && least->constant >= -128 && most->constant <= 127;
}

// What a row's share of the look-ups takes that are made for sixteen rows at a time, ahead of these (templates/
// scores_tables.h), as the vectors' prelude has them: of each column a load and a shuffle for each sixteen entries, and
// what merges them; shuffles that turn what was found, four that move whole scores; and a store. Of bytes that become
// wider scores fewer are looked up and moved; each time that they double takes a shuffle for each vector that comes of
// it, and their sign an addition. The first loop of them stands for all. Returns whether there is one.
bool count_look_ups(const ir::Block &block, double factor, int score_bytes, OperationMix &mix) {
  for (const ir::Statement *s : block.statements) {
    if (s->kind == ir::StatementKind::effect && s->value->op->cost == ir::Cost::gather_rows) {
      const int bytes = finds_bytes(*s->value) ? score_bytes : 1;  // rows of which a vector holds what is found
      double moved = 4;
      for (int n = bytes; n > 1; n /= 2) moved -= 1;  // doublings at the end
      moved /= bytes;
      for (int n = bytes; n > 1; n /= 2) moved += 2.0 / n;
      const double halves = static_cast<double>(s->value->operands[5]->constant) / 16, found = halves / bytes;
      const double merged = (halves - 1) / bytes + (bytes > 1 ? 1 : 0);
      mix.any += factor * (found + moved + merged);
      mix.by_name[s->value->op->name] += factor * (found + moved + merged);
      mix.compares += factor * (found + moved);
      mix.memory += factor * (2 * found + 1);
      return true;
    }
    const double inner = s->kind == ir::StatementKind::loop ? factor * turns(*s) : factor;
    for (const ir::Block *b : {s->header, s->body, s->otherwise})
      if (b && count_look_ups(*b, inner, score_bytes, mix)) return true;
  }
  return false;
}

// Whether the maximum takes a maximum or an addition of its own along.
bool fuses(const ir::Value &max, const std::unordered_map<const ir::Value *, int> &uses) {
  return std::ranges::any_of(max.operands, [&](const ir::Value *v) {
    const auto it = uses.find(v);
    const bool alone = it != uses.end() && it->second == 1;
    return alone && v->op && (v->is("max") || v->op->cost == ir::Cost::gap);
  });
}

}  // namespace

OperationMix row_operations(const ir::Function &function, int rows, int score_bytes) {
  OperationMix mix;
  if (const ir::Block *hot = ir::hot_row(function).block) count(*hot, 1, mix);
  for (double *count : {&mix.any, &mix.maxima, &mix.compares, &mix.saturating, &mix.memory}) *count /= rows;
  for (auto &[name, count] : mix.by_name) count /= rows;
  count_look_ups(*function.body, 1, score_bytes, mix);
  return mix;
}

std::optional<StepMix> step_mix(const ir::Function &function, const plan::KernelPlan &kernel,
                                const models::GpuModel &gpu) {
  const ir::HotRow hot = ir::hot_row(function);
  if (!hot.block) return std::nullopt;
  std::unordered_map<const ir::Value *, int> uses;
  for (const ir::Statement *s : hot.block->statements)
    if (s->value && s->value->op)
      for (const ir::Value *v : s->value->operands) ++uses[v];
  for (const ir::Phi &p : *hot.phis)
    for (const ir::Value *v : {p.first, p.second})
      if (v) ++uses[v];
  const targets::Arithmetic &numbers = kernel.numbers();
  const bool halves = numbers.sums != targets::Numbers::integers;
  const bool as_one = !halves && numbers.packing == 2 && (gpu.fused || kernel.unsigned_halves());
  StepMix mix;
  double taken = 0;  // operations that ride along with a maximum
  for (const ir::Statement *s : hot.block->statements) {
    if (s->kind != ir::StatementKind::let) continue;
    const ir::Value &v = *s->value;
    switch (v.op->cost) {
      case ir::Cost::maximum:
        mix.integer += 1;
        if (gpu.fused && numbers.maxima != targets::Numbers::halves && fuses(v, uses)) taken += 1;
        break;
      case ir::Cost::sum:
        (halves ? mix.half : as_one ? mix.multiply : mix.integer) += 1;
        break;
      case ir::Cost::maximum_off_pipe:
        mix.half += 2;
        break;
      case ir::Cost::gap:
      case ir::Cost::choice:
      case ir::Cost::compare:
      case ir::Cost::gate:
        mix.integer += 1;
        break;
      case ir::Cost::quad:
        mix.shared += 4;
        break;
      case ir::Cost::quads:
        mix.shared += 4 * kernel.packing;
        break;
      case ir::Cost::element:
        if (kernel.form == Form::single_query) mix.integer += 1;
        break;
      case ir::Cost::gather:
        mix.shared += kernel.packing;
        mix.multiply += kernel.packing;     // addresses
        mix.integer += kernel.packing - 1;  // the halves put together
        break;
      case ir::Cost::counted:  // halves: a comparison to 0 and 1, and a multiply-add
        mix.half += halves ? 2 : 0;
        mix.integer += halves ? 0 : 2;
        mix.multiply += !halves && kernel.packing > 1;
        break;
      case ir::Cost::joined:
        mix.integer += 2 * kernel.packing;
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
  for (double *count : {&mix.integer, &mix.multiply, &mix.half, &mix.shared, &mix.exchanges}) *count /= kernel.unroll;
  return mix;
}

}  // namespace alnsmith::backend
