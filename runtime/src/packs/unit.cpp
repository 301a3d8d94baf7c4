// See unit.h.
#include "packs/unit.h"

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/process.h"
#include "compile/compiler.h"
#include "compile/device_compiler.h"
#include "compile/fitting.h"
#include "compile/generator.h"
#include "compile/tools.h"
#include "packs/elf.h"
#include "packs/entries.h"

namespace alnsmith::rt::packs {
namespace {

std::string_view text_ending(TargetKind kind) {
  switch (kind) {
    case TargetKind::cuda:
      return ".cu";
    case TargetKind::hip:
      return ".hip";
    case TargetKind::opencl:
      return ".cl";
    default:
      return ".cpp";
  }
}

// Whether a file without its ending is called <spec>-<target>, where <target> is `target` or, as tools/regenerate names
// a text that several share, several joined by '+', `target` among them.
bool serves(std::string_view stem, const std::string &spec, const std::string &target) {
  if (!stem.starts_with(spec + "-")) return false;
  bool found = false;
  for (std::size_t at = spec.size() + 1; at <= stem.size();) {
    const std::size_t end = std::min(stem.find('+', at), stem.size());
    const std::string name(stem.substr(at, end - at));
    if (!parse_isa(name)) return false;
    found = found || name == target;
    at = end + 1;
  }
  return found;
}

std::string text_path(const std::string &folder, const std::string &spec, const std::string &target) {
  const std::string own = folder + "/" + spec + "-" + target + ".cpp";
  std::error_code error;
  if (std::filesystem::exists(own, error)) return own;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".cpp" && serves(at->path().stem().string(), spec, target))
      return at->path().string();
  return own;
}

// As `alnsmith-generate generate` names its files, or as generated/ has them; CPUs' texts hold their manifest.
Result<compile::PlannedTexts> texts_in(const std::string &folder, const SpecRef &spec, const PackTarget &target) {
  if (target.kind == TargetKind::cpu) {
    auto text = read_file(text_path(folder, spec.name, target.base()));
    if (!text) return text.error();
    return compile::PlannedTexts{*std::move(text), ""};
  }
  std::string stem = spec.name + "-" + target.base();
  std::replace(stem.begin(), stem.end(), ':', '-');
  stem = folder + "/" + stem;
  auto text = read_file(stem + std::string(text_ending(target.kind)));
  if (!text) return text.error();
  auto manifest = read_file(stem + ".json");
  if (!manifest) return manifest.error();
  return compile::PlannedTexts{*std::move(text), *std::move(manifest)};
}

Result<compile::PlannedTexts> generated(const Sources &sources, const SpecRef &spec, const PackTarget &target,
                                        const compile::Spilled &spilled, const Cancelled &cancelled) {
  const std::string program = find_program(sources.generator);
  if (program.empty())
    return Error{"this build has no generator (alnsmith-generate): name a folder of kernel texts with --texts"};
  const compile::WorkFolder folder;
  if (auto ok = folder.made(); !ok) return ok.error();
  // Without a CPU class: rows of tuned tables for this machine's CPU must not decide what a pack holds.
  std::vector<std::string> words{"generate", spec.path, "--target", target.base(), "-o", folder.path()};
  auto said = compile::ask_generator(program, sources, compile::with_spilled(std::move(words), spilled), cancelled);
  if (!said) return said.error();
  return texts_in(folder.path(), spec, target);
}

// "NVRTC 13.0 (/usr/local/cuda/lib64/libnvrtc.so.13)" says where it lies; a pack must not.
std::string without_paths(std::string text) {
  for (std::size_t at; (at = text.find(" (/")) != std::string::npos;) {
    const std::size_t end = text.find(')', at);
    text.erase(at, end == std::string::npos ? end : end + 1 - at);
  }
  for (char &c : text)
    if (c < ' ' || c > '~') c = '?';
  return text;
}

Status compile_cpu(const PackOrder &order, const std::string &text, const Cache &cache, const Cancelled &cancelled,
                   MadeUnit &unit) {
  const Isa isa = *parse_isa(unit.target.arch);
  const auto compiler = compile::find_compiler(order.sources.compiler, cache, cancelled, isa);
  if (!compiler) return compiler.error();
  unit.build.compiler = without_paths(compiler->version);
  unit.build.flags = compiler->flags(isa);
  std::string key = "unit 1\n" + unit.text_hash + "\n" + unit.target.name() + "\n" + compiler->identity;
  for (const std::string &flag : unit.build.flags) key += "\n" + flag;
  const std::string name = "unit-" + sha256_hex(key);
  if (auto kept = cache.load(name)) {
    unit.binary = *std::move(kept);
    return Ok{};
  }
  auto binary = compile::compile_text(*compiler, isa, text, cancelled);
  if (!binary) return binary.error();
  unit.binary = *std::move(binary);
  // What cannot be kept is compiled again next time.
  if (auto kept = cache.store(name, unit.binary); !kept) return Ok{};
  return Ok{};
}

UnitKind kind_of(compile::BinaryKind kind) {
  switch (kind) {
    case compile::BinaryKind::cubin:
      return UnitKind::cubin;
    case compile::BinaryKind::ptx:
      return UnitKind::ptx;
    case compile::BinaryKind::code_object:
      return UnitKind::code_object;
    case compile::BinaryKind::opencl_c:
      return UnitKind::opencl_c;
    default:
      return UnitKind::spirv;
  }
}

// The manifest of texts that are of this spec and target.
Result<kernels::Manifest> manifest_of(const compile::PlannedTexts &texts, const SpecRef &spec,
                                      const PackTarget &target) {
  auto manifest = kernels::parse_manifest(texts.manifest);
  if (manifest &&
      (manifest->spec_hash != spec.hash || manifest->spec_name != spec.name || manifest->target_name != target.base()))
    return Error{
        "the kernel text is of another version of the spec: generate it again (tools/regenerate for generated/)"};
  return manifest;
}

// `make`: the texts, where these kernels are known to spill. Those of a folder are what they are.
Result<compile::PlannedTexts> compile_device(
    const std::function<Result<compile::PlannedTexts>(const compile::Spilled &)> &make, const SpecRef &spec,
    const Cache &cache, const Cancelled &cancelled, MadeUnit &unit) {
  const auto compile = [&](const compile::PlannedTexts &texts) -> Result<compile::DeviceBinary> {
    const auto manifest = manifest_of(texts, spec, unit.target);
    if (!manifest) return manifest.error();
    compile::CompileOptions options;
    if (unit.target.kind == TargetKind::hip) {
      options.warp = manifest->kernels.front().device.warp;
      for (const kernels::KernelInfo &kernel : manifest->kernels)
        if (kernel.device.warp != options.warp) return Error{"its kernels want warps of different sizes"};
    }
    return compile::compile_device_cached(texts.text, unit.target.name(), options, cache, cancelled);
  };
  auto made = compile::compile_fitting(unit.target.name(), make, compile);
  if (!made) return made.error();
  unit.kind = kind_of(made->binary.kind);
  unit.binary = std::move(made->binary.bytes);
  unit.build.compiler = without_paths(made->binary.compiler);
  unit.build.flags = made->binary.flags;
  return std::move(made->texts);
}

}  // namespace

Result<MadeUnit> make_unit(const PackOrder &order, const SpecRef &spec, const PackTarget &target, const Cache &cache,
                           const Cancelled &cancelled) {
  const auto make = [&](const compile::Spilled &spilled) {
    return order.texts_dir.empty() ? generated(order.sources, spec, target, spilled, cancelled)
                                   : texts_in(order.texts_dir, spec, target);
  };
  MadeUnit unit;
  unit.target = target;
  const bool cpu = target.kind == TargetKind::cpu;
  auto texts = cpu ? make({}) : compile_device(make, spec, cache, cancelled, unit);
  if (!texts) return texts.error();
  unit.text_hash = sha256_hex(texts->text);
  if (cpu) {
    if (auto ok = compile_cpu(order, texts->text, cache, cancelled, unit); !ok) return ok.error();
    const auto elf = read_elf(unit.binary);
    if (!elf) return Error{"the compiler's output: " + elf.error().message};
    unit.target.machine = elf_machine_name(elf->machine);
    auto inside = manifest_inside(unit.binary);
    if (!inside) return inside.error();
    texts->manifest = *std::move(inside);
  }
  while (!texts->manifest.empty() && texts->manifest.back() == '\n') texts->manifest.pop_back();
  const auto manifest = manifest_of(*texts, spec, target);
  if (!manifest) return manifest.error();
  if (auto ok = check_entries(unit.target, unit.kind, unit.binary, *manifest); !ok)
    return Error{"the compiler's output: " + ok.error().message};
  unit.manifest = manifest->text;
  unit.kernels = manifest->kernels.size();
  return unit;
}

}  // namespace alnsmith::rt::packs
