// Assembling a translation unit.
#include "backend/unit.h"

#include <algorithm>
#include <map>

#include "alnsmith/kernel_abi.h"
#include "backend/device_unit.h"
#include "backend/embedded.h"
#include "backend/needed.h"
#include "backend/operation_mix.h"
#include "backend/printer.h"
#include "backend/stamp.h"
#include "backend/text.h"
#include "frontend/embedded.h"

namespace alnsmith::backend {

namespace {

std::string prelude(const Target &target, int bits) {
  const char *element = bits == 8 ? "char" : bits == 16 ? "short" : "int";
  std::string text;
  for (const auto file : targets::words(target.preludes)) text += file_text(embedded_preludes(), file);
  return fill(text, {{"bits", std::to_string(bits)}, {"element", element}});
}

std::string matrix_text(const std::vector<int> &matrix) {
  std::string out = "// The spec's substitution matrix, row = query letter.\nstatic const int spec_matrix[] = {\n";
  for (std::size_t r = 0; r * ALN_MATRIX_STRIDE < matrix.size(); ++r) {
    out += "   ";
    for (std::size_t c = 0; c < ALN_MATRIX_STRIDE; ++c)
      out += " " + std::to_string(matrix[r * ALN_MATRIX_STRIDE + c]) + ",";
    out += "\n";
  }
  return out + "};\nstatic inline const int *folded_matrix() { return spec_matrix; }\n";
}

// A C++ raw string literal; cut into pieces that every compiler takes.
std::string literal(const std::string &text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += 8000) out += "R\"json(" + text.substr(at, 8000) + ")json\"\n";
  return out;
}

std::string linked_tables(const plan::Plan &plan, const std::string &manifest, const std::string &symbol) {
  std::string out(file_text(frontend::embedded_templates(), "linked.h"));
  out += "\nstatic const char manifest[] =\n" + literal(manifest) + ";\n";
  out += "static const alnsmith_linked_entry entries[] = {\n";
  for (const plan::KernelPlan &kernel : plan.kernels)
    out += "    {\"" + kernel.entry + "\", " + (kernel.split() ? "(int (*)(const aln_args_v1 *))" : "") + "int" +
           std::to_string(kernel.width) + "::" + kernel.entry + "},\n";
  out += "};\nextern \"C\" {\nextern __attribute__((visibility(\"hidden\"))) const alnsmith_linked_unit " + symbol +
         ";\nconst alnsmith_linked_unit " + symbol + " = {\"" + std::string(plan.target->name) + "\", manifest, " +
         std::to_string(plan.kernels.size()) + ", entries};\n}\n";
  return out;
}

// The plans that get one text, by descending width.
std::vector<const plan::Plan *> together(const plan::Plan &plan, std::span<const plan::Plan> others) {
  std::vector<const plan::Plan *> plans = {&plan};
  for (const plan::Plan &other : others)
    if (other.target != plan.target && one_text(plan, other)) plans.push_back(&other);
  std::ranges::sort(plans, std::ranges::greater{}, [](const plan::Plan *p) { return p->target->vector_bytes; });
  return plans;
}

// Text for each plan, where there are several behind conditions on the macro that the compiler is given: not on its
// own, which say what flags allow, not what is wanted.
template <class F>
std::string by_target(const std::vector<const plan::Plan *> &plans, F &&text) {
  if (plans.size() == 1) return text(*plans.front());
  std::string out;
  for (const plan::Plan *p : plans)
    out +=
        std::string(out.empty() ? "#if" : "#elif") + " defined(" + targets::macro(*p->target->cpu) + ")\n" + text(*p);
  std::string names;
  for (const plan::Plan *p : plans) names += (names.empty() ? "" : " or ") + p->target->flags();
  return out + "#else\n#error compile with " + names + "\n#endif\n";
}

// The name without the target's.
std::string common_name(const plan::KernelPlan &kernel, const Target &target) {
  return kernel.entry.substr(0, kernel.entry.size() - target.identifier.size());
}

std::string vector_width(const Target &target) {
  return "#define ALN_VECTOR_BYTES " + std::to_string(target.vector_bytes) + "\n";
}

// Vector width and, in a text for several targets, what their kernels are called.
std::string widths(const std::vector<const plan::Plan *> &plans) {
  if (!plans.front()->target->vector_bytes) return {};
  return by_target(plans,
                   [&](const plan::Plan &p) {
                     const std::string name = plans.size() == 1 ? ""
                                                                : "#define ALN_ENTRY(kernel) kernel##" +
                                                                      std::string(p.target->identifier) + "\n";
                     return vector_width(*p.target) + name;
                   }) +
         "\n";
}

std::string manifests(const spec::Spec &spec, const std::vector<const plan::Plan *> &plans) {
  return by_target(plans, [&](const plan::Plan &p) {
    return "extern \"C\" __attribute__((used, visibility(\"default\"))) const char aln_manifest_v1[] =\n" +
           literal(plan::manifest(spec, p)) + ";\n";
  });
}

}  // namespace

bool one_text(const plan::Plan &a, const plan::Plan &b) {
  const auto same = [&](const plan::KernelPlan &x, const plan::KernelPlan &y) {
    return x.form == y.form && x.mapping == y.mapping && x.width == y.width && x.k == y.k &&
           x.exact.text == y.exact.text && x.statics == y.statics && x.entry.ends_with(a.target->identifier) &&
           y.entry.ends_with(b.target->identifier);
  };
  return a.target->vector_bytes > 0 && b.target->vector_bytes > 0 && a.target->preludes == b.target->preludes &&
         std::ranges::equal(a.kernels, b.kernels, same);
}

std::string kernel_prelude(const Target &target, int bits, const std::vector<int> &matrix) {
  std::string text(file_text(frontend::embedded_templates(), "kernel_abi.h"));
  if (!matrix.empty()) text += matrix_text(matrix);
  if (target.vector_bytes) text += vector_width(target);
  return text + prelude(target, bits);
}

Result<Unit> make_unit(const spec::Spec &spec, const plan::Plan &plan, const frontend::Templates &templates,
                       const std::string &linked, std::span<const plan::Plan> others) {
  if (plan.target->device) return make_device_unit(spec, plan, templates);
  Unit unit;
  const Target &target = *plan.target;
  const std::vector<const plan::Plan *> plans = together(plan, others);
  std::map<int, std::string> kernels;  // text by width
  for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
    const plan::KernelPlan &kernel = plan.kernels[i];
    auto function = templates.evaluate(kernel.mapping, kernel.statics);
    if (!function) return function.error();
    KernelReport report;
    report.entry = kernel.entry;
    report.k = kernel.k;
    report.trace = passes::run_all(*function);
    report.row = row_operations(*function, kernel.rows);
    std::string lanes;
    for (const plan::Plan *p : plans) lanes += (lanes.empty() ? "" : " or ") + std::to_string(p->kernels[i].lanes);
    const std::string name = plans.size() == 1 ? kernel.entry : "ALN_ENTRY(" + common_name(kernel, target) + ")";
    kernels[kernel.width] += "\n// " + kernel.form + ", " + kernel.arithmetic + ", k = " + std::to_string(kernel.k) +
                             ", " + lanes + (kernel.split() ? " lanes" : " alignments") + " a call; exact where " +
                             kernel.exact.text + ".\n" +
                             print_function(*function, cpu_style(name, linked.empty() ? "extern \"C\"" : "static",
                                                                 kernel.split() ? "aln_strip_args_v1" : "aln_args_v1"));
    unit.reports.push_back(std::move(report));
  }
  unit.text = stamp(spec, plans, unit.reports);
  unit.text += file_text(frontend::embedded_templates(), "kernel_abi.h");
  if (std::ranges::any_of(plan.kernels, &plan::KernelPlan::split)) {
    const std::string_view block = file_text(frontend::embedded_templates(), "strip_abi.h"),
                           included = "#include \"kernel_abi.h\"\n";
    const std::size_t at = block.find(included);
    unit.text += "\n";
    unit.text += block.substr(0, at);
    unit.text += block.substr(at + included.size());
  }
  unit.text += "\n" + widths(plans);
  if (!plan.matrix.empty()) unit.text += matrix_text(plan.matrix) + "\n";
  for (const auto &[width, text] : kernels) {
    const std::string name = "int" + std::to_string(width);
    unit.text += "namespace " + name + " {\n" + needed(prelude(target, width), text) + text;
    unit.text += "#undef ALN_INLINE\n}  // namespace " + name + "\n\n";
  }
  if (linked.empty())
    unit.text += "extern \"C\" const char aln_manifest_v1[];\n" + manifests(spec, plans);
  else
    unit.text += linked_tables(plan, plan::manifest(spec, plan), linked);
  return unit;
}

}  // namespace alnsmith::backend
