// Texts and binaries of whole plans, into a folder.  See build.hpp.
#include "alnsmith/build.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/process.h"
#include "compile/compiler.h"
#include "compile/device_compiler.h"
#include "compile/fitting.h"
#include "compile/generator.h"
#include "compile/tools.h"

namespace alnsmith {

namespace {

using rt::Cancelled;
using Json = nlohmann::ordered_json;

Result<std::string> ask(const Sources &sources, std::vector<std::string> words, const Cancelled &cancelled) {
  const std::string program = rt::find_program(sources.generator);
  if (program.empty()) return Error{"no generation: '" + sources.generator + "' is no program"};
  words.insert(words.end(), {"--cpu", cpu_class()});
  return rt::compile::ask_generator(program, sources, std::move(words), cancelled);
}

// Leaves the kernels of `form` in the manifest, and lists them.
Status keep_form(Json &manifest, std::optional<Form> form, std::vector<std::string> &entries) {
  if (!manifest.is_object() || !manifest.contains("kernels") || !manifest["kernels"].is_array())
    return Error{"the generator's plan is no manifest; rebuild the generator"};
  Json kept = Json::array();
  for (const Json &kernel : manifest["kernels"]) {
    if (!kernel.is_object() || !kernel.contains("entry") || !kernel["entry"].is_string() || !kernel.contains("form"))
      return Error{"the generator's plan lists a kernel without entry or form; rebuild the generator"};
    if (form && kernel["form"] != name_of(*form)) continue;
    kept.push_back(kernel);
    entries.push_back(kernel["entry"].get<std::string>());
  }
  manifest["kernels"] = std::move(kept);
  if (entries.empty()) return Error{"no kernel" + (form ? " of form " + name_of(*form) : "") + " comes of this choice"};
  return Ok{};
}

Result<CompiledKernels> compile_for_cpu(Isa isa, const KernelTexts &texts, const Sources &sources,
                                        const std::string &stem, const Cancelled &cancelled) {
  const rt::Cache cache(sources.cache_dir);
  const auto compiler = rt::compile::find_compiler(sources.compiler, cache, cancelled, isa);
  if (!compiler) return compiler.error();
  const auto object = rt::compile::compile_text(*compiler, isa, texts.text, cancelled);
  if (!object) return object.error();
  if (auto ok = rt::write_file(stem + ".so", *object, 0755); !ok) return ok.error();
  return CompiledKernels{{stem + ".so"},
                         std::filesystem::path(compiler->path).filename().string() + ": " + compiler->version};
}

Result<KernelTexts> plan_without(const rt::compile::Spilled &spilled, const SpecRef &spec, const Sources &sources,
                                 const std::string &target, std::optional<Form> form, const Cancelled &cancelled) {
  KernelTexts texts;
  texts.target = rt::compile::text_target(target);
  const auto plan =
      ask(sources, rt::compile::with_spilled({"plan", spec.path, "--target", texts.target}, spilled), cancelled);
  if (!plan) return plan.error();
  Json manifest = Json::parse(*plan, nullptr, false);
  if (auto ok = keep_form(manifest, form, texts.entries); !ok) return ok.error();
  texts.manifest = manifest.dump();
  return texts;
}

Result<KernelTexts> generate_without(const rt::compile::Spilled &spilled, const SpecRef &spec, const Sources &sources,
                                     KernelTexts texts, const Cancelled &cancelled) {
  const rt::compile::WorkFolder work;
  if (auto ok = work.made(); !ok) return ok.error();
  const std::string text = work.file("kernels.txt"), limits = work.file("limits.json");
  std::vector<std::string> words{"text", spec.path, "--target", texts.target, "-o", text, "--limits", limits};
  for (const std::string &entry : texts.entries) words.insert(words.end(), {"--kernel", entry});
  if (const auto said = ask(sources, rt::compile::with_spilled(std::move(words), spilled), cancelled); !said)
    return said.error();
  auto made = rt::read_file(text), reached = rt::read_file(limits);
  if (!made || !reached) return made ? reached.error() : made.error();
  texts.text = *std::move(made);
  texts.limits = *std::move(reached);
  return texts;
}

Result<CompiledKernels> compile_for_device(const SpecRef &spec, const KernelTexts &given, const Sources &sources,
                                           const std::string &stem, const Cancelled &cancelled) {
  rt::compile::CompileOptions options;
  options.name = spec.name;
  options.cuda_compiler = given.target.starts_with("cuda:") ? sources.compiler : "";
  const auto manifest = rt::kernels::parse_manifest(given.manifest);
  if (!manifest) return manifest.error();
  if (manifest->kernels.empty()) return Error{"no kernels to compile"};
  if (given.target.starts_with("hip:")) options.warp = manifest->kernels.front().device.warp;
  const Form first = manifest->kernels.front().form;
  const bool one_form = std::ranges::all_of(
      manifest->kernels, [&](const rt::kernels::KernelInfo &kernel) { return kernel.form == first; });
  const std::optional<Form> form = one_form ? std::optional(first) : std::nullopt;
  const auto make = [&](const rt::compile::Spilled &spilled) -> Result<rt::compile::PlannedTexts> {
    if (spilled.empty()) return rt::compile::PlannedTexts{given.text, given.manifest};
    auto texts = plan_without(spilled, spec, sources, given.target, form, cancelled);
    if (texts) texts = generate_without(spilled, spec, sources, *std::move(texts), cancelled);
    if (!texts) return texts.error();
    return rt::compile::PlannedTexts{std::move(texts->text), std::move(texts->manifest)};
  };
  const rt::Cache cache(sources.cache_dir);
  const auto made = rt::compile::compile_fitting(given.target, make, [&](const rt::compile::PlannedTexts &texts) {
    return rt::compile::compile_device_cached(texts.text, given.target, options, cache, cancelled);
  });
  if (!made) return made.error();
  const std::string binary = stem + "." + std::string(rt::compile::suffix(made->binary.kind));
  if (auto ok = rt::write_file(binary, made->binary.bytes); !ok) return ok.error();
  if (auto ok = rt::write_file(stem + ".json", made->texts.manifest); !ok) return ok.error();
  return CompiledKernels{{stem + ".json", binary}, made->binary.compiler};
}

}  // namespace

Result<KernelTexts> plan_kernels(const SpecRef &spec, const Sources &sources, const std::string &target,
                                 std::optional<Form> form, const Cancelled &cancelled) {
  return plan_without({}, spec, sources, target, form, cancelled);
}

Result<KernelTexts> generate_kernels(const SpecRef &spec, const Sources &sources, KernelTexts plan,
                                     const Cancelled &cancelled) {
  return generate_without({}, spec, sources, std::move(plan), cancelled);
}

Result<CompiledKernels> compile_kernels(const SpecRef &spec, const KernelTexts &texts, const Sources &sources,
                                        const std::string &folder, const Cancelled &cancelled) {
  const std::string stem = folder + "/" + rt::compile::kernels_stem(spec, texts.target);
  if (const auto isa = parse_isa(texts.target)) return compile_for_cpu(*isa, texts, sources, stem, cancelled);
  return compile_for_device(spec, texts, sources, stem, cancelled);
}

Result<std::string> trusted_bytes(const std::string &path, const std::string &sha256) {
  auto bytes = rt::read_trusted(path, std::size_t{2} << 30);
  if (bytes && !sha256.empty() && rt::sha256_hex(*bytes) != sha256)
    return Error{path + ": not loaded: does not have its hash, so it is not what was made here; make it again"};
  return bytes;
}

std::string sha256_of(std::string_view bytes) { return rt::sha256_hex(bytes); }

}  // namespace alnsmith
