// Assembling a translation unit for devices. Its manifest is a file of its own.
//
// A prelude is put together from parts: the language, what a lane's positions look like (one or two alignments per
// lane), and the arithmetic. Each arithmetic has a namespace of its own, or, in OpenCL C, a suffix.
#include "backend/device_unit.h"

#include <algorithm>
#include <map>

#include "alnsmith/device_abi.h"
#include "alnsmith/kernel_abi.h"
#include "backend/needed.h"
#include "backend/operation_mix.h"
#include "backend/printer.h"
#include "backend/stamp.h"
#include "backend/text.h"

namespace alnsmith::backend {

namespace {

struct Parameter {
  std::string_view type, name;
};
constexpr Parameter parameters[] = {
#define ALN_PARAMETER(type, name) {#type, #name},
    ALN_DEVICE_ARGS_V1(ALN_PARAMETER)
#undef ALN_PARAMETER
};

// What is particular to a language: files of its preludes and how a kernel begins.
struct Dialect {
  std::string_view common, shared_prefix, arithmetic_prefix;
  std::string_view kernel, space, word, last;
};

Dialect dialect(Language language) {
  switch (language) {
    case Language::cuda:
      return {"cuda.inc", "device_",
              "cuda_",    "extern \"C\" __global__ void __launch_bounds__({{threads}}, {{residents}}) ",
              "",         "unsigned",
              ""};
    case Language::hip:
      return {"hip.inc",
              "device_",
              "hip_",
              "extern \"C\" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size({{threads}}, "
              "{{threads}}))) void ",
              "",
              "unsigned",
              ""};
    case Language::opencl:
      return {"opencl.inc",
              "opencl_",
              "opencl_",
              "__kernel __attribute__((reqd_work_group_size({{threads}}, 1, 1))) void ",
              "__global ",
              "uint",
              "__local uint *aln_shared"};
  }
  return {};
}

// Kernels of one section share a prelude: one arithmetic, one warp.
std::string section_name(const plan::KernelPlan &kernel) {
  return kernel.arithmetic + "_warp" + std::to_string(kernel.lanes);
}

Style device_style(const Dialect &d, const plan::KernelPlan &kernel, Language language) {
  Style style;
  style.device = true;
  style.operators = language != Language::opencl;
  if (language == Language::opencl) style.suffix = "_" + section_name(kernel);
  // Two turns of a step: what one leaves in a register, the next takes from there, without a copy.
  if (language != Language::opencl) style.before_inner_loop = "#pragma unroll 2";
  style.before_loop = language == Language::opencl ? "" : "#pragma unroll 1";
  style.head = fill(d.kernel, {{"threads", std::to_string(kernel.lanes * kernel.warps)},
                               {"residents", std::to_string(kernel.residents)}}) +
               kernel.entry + "(";
  std::string line;
  for (const Parameter &p : parameters) {
    const bool pointer = p.type.ends_with('*');
    std::string text =
        (pointer ? std::string(d.space) : "") + std::string(p.type) + (pointer ? "" : " ") + std::string(p.name);
    line += (line.empty() ? "" : ", ") + text;
    if (line.size() > 90) {
      style.head += line + ",\n    ";
      line.clear();
    }
  }
  if (!d.last.empty()) line += (line.empty() ? "" : ", ") + std::string(d.last);
  if (line.empty()) style.head.erase(style.head.size() - 6);
  style.head += line + ") {\n";
  if (language == Language::opencl) style.head += "  ALN_GROUP(" + std::to_string(kernel.exchange_words) + ");\n";
  return style;
}

std::string prelude_part(std::string_view name, const plan::KernelPlan &kernel, const Dialect &d,
                         const std::string &suffix) {
  return fill(file_text(embedded_preludes(), name),
              {{"warp", std::to_string(kernel.lanes)}, {"s", suffix}, {"word", std::string(d.word)}});
}

// Of the prelude that has an arithmetic: what languages share, one's own, or what needs words alone.
std::string arithmetic_part(const plan::KernelPlan &kernel, const Dialect &d) {
  const std::string halves = kernel.unsigned_halves() ? "_unsigned" : "";
  const std::string names[] = {std::string(d.shared_prefix) + kernel.arithmetic + ".inc",
                               std::string(d.arithmetic_prefix) + kernel.arithmetic + halves + ".inc",
                               "plain_" + kernel.arithmetic + ".inc"};
  const auto found = std::ranges::find_if(
      names, [](const std::string &name) { return !file_text(embedded_preludes(), name).empty(); });
  return found != std::end(names) ? *found : names[1];
}

std::string matrix_text(const std::vector<int> &matrix, Language language) {
  const char *space = language == Language::cuda  ? "static __device__ const int"
                      : language == Language::hip ? "static __attribute__((device)) const int"
                                                  : "__constant const int";
  std::string out =
      "// The spec's substitution matrix, row = query letter.\n" + std::string(space) + " spec_matrix[] = {\n";
  for (std::size_t r = 0; r * ALN_MATRIX_STRIDE < matrix.size(); ++r) {
    out += "   ";
    for (std::size_t c = 0; c < ALN_MATRIX_STRIDE; ++c)
      out += " " + std::to_string(matrix[r * ALN_MATRIX_STRIDE + c]) + ",";
    out += "\n";
  }
  return out + "};\n";
}

}  // namespace

Result<Unit> make_device_unit(const spec::Spec &spec, const plan::Plan &plan, const frontend::Templates &templates) {
  const Target &target = *plan.target;
  const Language language = target.device->language;
  const Dialect d = dialect(language);
  Unit unit;
  std::vector<std::pair<std::string, const plan::KernelPlan *>> sections;  // by first kernel
  std::map<std::string, std::string> texts;
  for (const plan::KernelPlan &kernel : plan.kernels) {
    auto function = templates.evaluate(kernel.device_template(), kernel.statics);
    if (!function) return function.error();
    KernelReport report;
    report.entry = kernel.entry;
    report.k = kernel.k;
    report.trace = passes::run_all(*function);
    if (const models::GpuModel *gpu = models::find_gpu_model(target.name))
      report.step = step_mix(*function, kernel, *gpu);
    const std::string section = section_name(kernel);
    if (std::ranges::find(sections, section, &std::pair<std::string, const plan::KernelPlan *>::first) ==
        sections.end())
      sections.emplace_back(section, &kernel);
    texts[section] += "// " + name_of(kernel.form) + ", " + kernel.mapping + ", " + kernel.arithmetic +
                      ", p = " + std::to_string(kernel.p) + ", k = " + std::to_string(kernel.k) + ", " +
                      std::to_string(kernel.packing) + " alignments per lane; exact where " + kernel.exact.text +
                      ".\n" + print_function(*function, device_style(d, kernel, language)) + "\n";
    unit.reports.push_back(std::move(report));
  }
  std::string kernels;
  for (const auto &[name, first] : sections) {
    std::string text;
    std::vector<std::string> parts = {
        std::string(d.shared_prefix) + (first->packing == 2 ? "packing2.inc" : "packing1.inc"),
        arithmetic_part(*first, d), std::string(d.shared_prefix) + "scores.inc"};
    if (first->sliced()) parts.push_back(std::string(d.shared_prefix) + "bits.inc");
    // Of integers, whichever way they are added; half-precision rows hold other bytes.
    if (language == Language::cuda && first->numbers().packing == 2 &&
        first->numbers().maxima == targets::Numbers::integers)
      parts.push_back("cuda_permute.inc");
    const std::string suffix = language == Language::opencl ? "_" + name : "";
    for (const std::string &part : parts) {
      const std::string piece = prelude_part(part, *first, d, suffix);
      if (piece.empty()) return Error{"no prelude " + part + " for " + std::string(target.name)};
      text += piece + "\n";
    }
    text = needed(text, texts[name]) + "\n" + texts[name];
    kernels +=
        language == Language::opencl ? text : "namespace " + name + " {\n" + text + "}  // namespace " + name + "\n\n";
  }
  const std::vector<const plan::Plan *> plans = {&plan};
  std::vector<TextKernel> stamped = kernels_of_text(plans);
  for (std::size_t i = 0; i < stamped.size(); ++i) stamped[i].report = unit.reports[i];
  unit.text = stamp(spec, plans, stamped);
  if (!plan.matrix.empty()) unit.text += matrix_text(plan.matrix, language) + "\n";
  std::string common;
  if (!sections.empty())
    for (const std::string &part : {std::string(d.common), std::string(d.shared_prefix) + "letters.inc"})
      common += prelude_part(part, *sections.front().second, d, "") + "\n";
  unit.text += needed(common, kernels) + "\n" + kernels;
  return unit;
}

}  // namespace alnsmith::backend
