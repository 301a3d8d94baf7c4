// See sharing.h.
#include "backend/sharing.h"

#include <algorithm>

namespace alnsmith::backend {

namespace {

// Whether two kernels differ by their lanes alone.
bool one_kernel(const plan::Plan &a, const plan::KernelPlan &x, const plan::Plan &b, const plan::KernelPlan &y) {
  return x.form == y.form && x.mapping == y.mapping && x.width == y.width && x.k == y.k &&
         x.exact.text == y.exact.text && x.statics == y.statics && x.entry.ends_with(a.target->identifier) &&
         y.entry.ends_with(b.target->identifier);
}

}  // namespace

bool one_text(const Target &a, const Target &b) {
  return a.vector_bytes > 0 && b.vector_bytes > 0 && a.preludes == b.preludes;
}

std::vector<const plan::Plan *> together(const plan::Plan &plan, std::span<const plan::Plan> others) {
  std::vector<const plan::Plan *> plans = {&plan};
  for (const plan::Plan &other : others)
    if (other.target != plan.target && one_text(*plan.target, *other.target)) plans.push_back(&other);
  std::ranges::sort(plans, std::ranges::greater{}, [](const plan::Plan *p) { return p->target->vector_bytes; });
  return plans;
}

std::vector<TextKernel> kernels_of_text(const std::vector<const plan::Plan *> &plans) {
  std::vector<TextKernel> all;
  for (const plan::Plan *plan : plans)
    for (const plan::KernelPlan &kernel : plan->kernels) {
      const auto same = [&](const TextKernel &k) { return one_kernel(*k.plans.front(), k.first(), *plan, kernel); };
      auto at = plans.size() > 1 ? std::ranges::find_if(all, same) : all.end();
      if (at == all.end()) at = all.insert(all.end(), TextKernel{});
      at->plans.push_back(plan);
      at->kernels.push_back(&kernel);
    }
  return all;
}

std::string condition(const std::vector<const plan::Plan *> &plans) {
  std::string out;
  for (const plan::Plan *p : plans)
    out += (out.empty() ? "defined(" : " || defined(") + targets::macro(*p->target->cpu) + ")";
  return out;
}

// The macro is not one of the compiler's own, which say what flags allow, not what is wanted.
std::string by_target(const std::vector<const plan::Plan *> &plans,
                      const std::function<std::string(const plan::Plan &)> &text) {
  if (plans.size() == 1) return text(*plans.front());
  std::string out, names;
  for (const plan::Plan *p : plans) {
    out += (out.empty() ? "#if " : "#elif ") + condition({p}) + "\n" + text(*p);
    names += (names.empty() ? "" : " or ") + p->target->flags();
  }
  return out + "#else\n#error compile with " + names + "\n#endif\n";
}

}  // namespace alnsmith::backend
