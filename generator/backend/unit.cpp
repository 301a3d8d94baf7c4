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
#include "backend/sharing.h"
#include "backend/stamp.h"
#include "backend/text.h"
#include "frontend/embedded.h"

namespace alnsmith::backend {

namespace {

std::string prelude(const Target &target, int bits) {
  if (bits == 1)
    return std::string(file_text(embedded_preludes(), "sliced.inc")) +
           std::string(file_text(embedded_preludes(), "stages.inc"));
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

// The kernels of a width.
std::string section_name(int width) { return width == 1 ? "bits" : "int" + std::to_string(width); }

std::string linked_tables(const plan::Plan &plan, const std::string &manifest, const std::string &symbol) {
  std::string out(file_text(frontend::embedded_templates(), "linked.h"));
  out += "\nstatic const char manifest[] =\n" + literal(manifest) + ";\n";
  out += "static const alnsmith_linked_entry entries[] = {\n";
  for (const plan::KernelPlan &kernel : plan.kernels)
    out += "    {\"" + kernel.entry + "\", " + (kernel.split() ? "(int (*)(const aln_args_v1 *))" : "") +
           section_name(kernel.width) + "::" + kernel.entry + "},\n";
  out += "};\nextern \"C\" {\nextern __attribute__((visibility(\"hidden\"))) const alnsmith_linked_unit " + symbol +
         ";\nconst alnsmith_linked_unit " + symbol + " = {\"" + std::string(plan.target->name) + "\", manifest, " +
         std::to_string(plan.kernels.size()) + ", entries};\n}\n";
  return out;
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

// What stands above a kernel in a text.
std::string title(const TextKernel &kernel) {
  const plan::KernelPlan &first = kernel.first();
  std::string lanes;
  for (const plan::KernelPlan *k : kernel.kernels) lanes += (lanes.empty() ? "" : " or ") + std::to_string(k->lanes);
  return "\n// " + name_of(first.form) + ", " + first.arithmetic + ", k = " + std::to_string(first.k) + ", " + lanes +
         (first.split() ? " lanes" : " alignments") + " per call; exact where " + first.exact.text + ".\n";
}

// The kernels of a score width; neighbours with a condition in common stand behind it together.
class Section {
 public:
  void add(const std::string &condition, const std::string &kernel) {
    if (condition != condition_) close();
    if (condition != condition_ && !condition.empty()) text_ += "\n#if " + condition + "\n";
    condition_ = condition;
    text_ += kernel;
  }
  std::string text() const { return condition_.empty() ? text_ : text_ + "#endif\n"; }

 private:
  void close() {
    if (!condition_.empty()) text_ += "#endif\n";
  }
  std::string text_, condition_;
};

}  // namespace

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
  std::vector<TextKernel> kernels = kernels_of_text(plans);
  std::map<int, Section> sections;  // by width
  for (TextKernel &kernel : kernels) {
    const plan::KernelPlan &first = kernel.first();
    auto function = templates.evaluate(first.template_name(), first.statics);
    if (!function) return function.error();
    kernel.report.k = first.columns();
    kernel.report.trace = passes::run_all(*function);
    kernel.report.row = row_operations(*function, first.unroll, std::max(1, first.width / 8));
    const std::string name =
        plans.size() == 1 ? first.entry : "ALN_ENTRY(" + common_name(first, *kernel.plans.front()->target) + ")";
    sections[first.width].add(
        kernel.plans.size() == plans.size() ? "" : condition(kernel.plans),
        title(kernel) + print_function(*function, cpu_style(name, linked.empty() ? "extern \"C\"" : "static",
                                                            first.split() ? "aln_strip_args_v1" : "aln_args_v1")));
  }
  unit.text = stamp(spec, plans, kernels);
  for (const plan::KernelPlan &kernel : plan.kernels) {
    const auto has = [&](const TextKernel &k) { return std::ranges::find(k.kernels, &kernel) != k.kernels.end(); };
    unit.reports.push_back(std::ranges::find_if(kernels, has)->report);
    unit.reports.back().entry = kernel.entry;
  }
  unit.text += file_text(frontend::embedded_templates(), "kernel_abi.h");
  if (std::ranges::any_of(kernels, [](const TextKernel &k) { return k.first().split(); })) {
    const std::string_view block = file_text(frontend::embedded_templates(), "strip_abi.h"),
                           included = "#include \"kernel_abi.h\"\n";
    const std::size_t at = block.find(included);
    unit.text += "\n";
    unit.text += block.substr(0, at);
    unit.text += block.substr(at + included.size());
  }
  unit.text += "\n" + widths(plans);
  if (!plan.matrix.empty()) unit.text += matrix_text(plan.matrix) + "\n";
  for (const auto &[width, section] : sections) {
    const std::string text = section.text(), name = section_name(width);
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
