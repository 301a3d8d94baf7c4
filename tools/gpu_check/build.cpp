// See build.h.
#include "build.h"

#include <algorithm>
#include <charconv>

#include "disassemble.h"
#include "internal.h"
#include "pipe_text.h"
#include "spec/canonical.h"
#include "spec/gap.h"

namespace alnsmith::check {
namespace {

std::string file_name(std::string text) {
  std::ranges::replace(text, ':', '-');
  return text;
}

std::string text_ending(const std::string &target) {
  return target.starts_with("cuda") ? ".cu" : target.starts_with("hip") ? ".hip" : ".cl";
}

int architecture(const std::string &target) {
  int number = 0;
  const std::size_t digits = target.find('_');
  if (digits != std::string::npos) std::from_chars(target.data() + digits + 1, target.data() + target.size(), number);
  return number;
}

constexpr int kLetterElements = 6;  // of a row of a bit-sliced kernel's border, which are not stored there

// Rows that one turn of the loop scores: each takes the letter and the border's states from the lane before by a
// shuffle.
int rows_of(const models::Loop &loop, const internal::KernelInfo &kernel) {
  if (kernel.sliced()) {  // a row's states are stored, an element each (templates/device_sliced.h)
    int stores = 0;
    for (const auto &[name, times] : loop.operations)
      if (name.starts_with("STG")) stores += times;
    return std::max(1, stores / (kernel.device.border_ints / kernel.device.warp - kLetterElements));
  }
  if (kernel.device.p == 1) return 4;
  const int slots =
      kernel.device.block ? kernel.device.packing : kernel.device.warp / kernel.device.p * kernel.device.packing;
  const int states = kernel.device.border_ints / slots;
  int shuffles = 0;
  for (const auto &[name, times] : loop.operations)
    if (name.starts_with("SHFL.UP")) shuffles += times;
  return std::max(1, shuffles / (states + 1));
}

}  // namespace

Scoring call_scoring(const spec::Spec &spec) {
  Scoring scoring;
  const bool minimize = spec.objective == spec::Objective::minimize;
  const auto set = [&](const std::string &name, const spec::Value &value, int number) {
    if (value.runtime) scoring.values[name] = number;
  };
  set("match", spec.score.match, minimize ? 0 : 3);
  set("mismatch", spec.score.mismatch, minimize ? 4 : -2);
  for (const spec::GapField &field : spec::gap_fields()) {
    const std::string key(field.key);
    set("insertion_" + key, spec.insertion.*field.value, field.open ? 5 + 3 * field.line : 1 - field.line);
    set("deletion_" + key, spec.deletion.*field.value, field.open ? 3 + 6 * field.line : 2 - field.line);
  }
  const int letters = static_cast<int>(spec.alphabet.letters.size());
  for (int query = 0; spec.score.matrix_runtime && query < letters; ++query)
    for (int target = 0; target < letters; ++target)
      scoring.matrix.push_back(query == target ? 4 + query % 4 : (query * 7 + target * 3) % 6 - 4);
  return scoring;
}

Result<internal::DeviceBinary> Builder::compile(const std::string &text, const std::string &target,
                                                const std::string &name) const {
  internal::CompileOptions options;
  options.name = name;
  options.cache = &cache_;
  return internal::compile_device_cached(text, target, options, cache_, {});
}

// What the generator makes of a spec where these kernels are known to spill.
Result<internal::PlannedTexts> Builder::generate(const spec::Spec &spec, const std::string &path,
                                                 const std::string &target, const internal::Spilled &spilled) const {
  const internal::WorkFolder work;
  std::vector<std::string> words{settings_.generator, "generate", path, "--target", target, "-o", work.path()};
  const auto ran = internal::run_process(internal::with_spilled(std::move(words), spilled), {});
  if (!ran) return ran.error();
  if (ran->exit_code != 0) return Error{spec.name + " for " + target + ": " + ran->err.substr(0, ran->err.find('\n'))};
  const std::string made = work.file(spec.name + "-" + file_name(target));
  auto manifest = internal::read_file(made + ".json");
  auto text = internal::read_file(made + text_ending(target));
  if (!manifest || !text) return manifest ? text.error() : manifest.error();
  return internal::PlannedTexts{*std::move(text), *std::move(manifest)};
}

Result<KernelEntry> Builder::build(const spec::Spec &spec, const std::string &path, const std::string &target,
                                   bool ptx) const {
  const bool cuda = target.starts_with("cuda"), hip = target.starts_with("hip");
  const auto make = [&](const internal::Spilled &spilled) { return generate(spec, path, target, spilled); };
  const auto made = internal::compile_fitting(
      target, make, [&](const internal::PlannedTexts &texts) -> Result<internal::DeviceBinary> {
        if (!settings_.fake) return compile(texts.text, target, spec.name + text_ending(target));
        internal::DeviceBinary binary;
        binary.bytes = texts.text;
        return binary;
      });
  if (!made) return made.error();
  const auto manifest = internal::parse_manifest(made->texts.manifest);
  if (!manifest) return Error{spec.name + ": " + manifest.error().message};

  KernelEntry entry;
  entry.spec = spec.name;
  entry.hash = spec::hash(spec);
  entry.target = target;
  const Scoring scoring = call_scoring(spec);
  entry.values = {scoring.values.begin(), scoring.values.end()};
  entry.matrix = scoring.matrix;
  entry.stem = "kernels/" + spec.name + "-" + entry.hash.substr(0, 12) + "-" + file_name(target);
  const std::string stem = settings_.folder + "/" + entry.stem;
  if (auto ok = internal::write_file(stem + ".json", made->texts.manifest); !ok) return ok.error();

  const std::string ending = cuda ? ".cubin" : hip ? ".co" : ".cl";
  if (auto ok = internal::write_file(stem + ending, made->binary.bytes); !ok) return ok.error();
  entry.endings.push_back(ending);
  if (cuda && !settings_.fake) {
    if (const auto listing = disassemble(made->binary))
      for (const internal::KernelInfo &kernel : manifest->kernels)
        if (const auto found = listing->find(kernel.entry); found != listing->end())
          if (const models::Loop *loop = models::row_loop(found->second, kernel.k))
            entry.loops[kernel.entry] = {rows_of(*loop, kernel), loop->instructions, loop->operations};
    if (ptx) {
      std::string later = target;
      later.replace(later.find("sm_"), 3, "compute_");
      auto compiled = compile(made->texts.text, later, spec.name + ".cu");
      if (!compiled) return compiled.error();
      if (auto ok = internal::write_file(stem + ".ptx", compiled->bytes); !ok) return ok.error();
      entry.endings.emplace_back(".ptx");
    }
  }
  return entry;
}

Result<PipeFile> Builder::build_pipes(const std::string &target) const {
  PipeText pipes = pipe_text(architecture(target));
  PipeFile file;
  file.target = target;
  file.file = "kernels/pipes-" + file_name(target) + ".cubin";
  file.kernels = std::move(pipes.kernels);
  std::string bytes = pipes.text;
  if (!settings_.fake) {
    auto compiled = compile(pipes.text, target, "pipes.cu");
    if (!compiled) return compiled.error();
    bytes = compiled->bytes;
    if (const auto listing = disassemble(*compiled))
      for (PipeEntry &kernel : file.kernels)
        if (const auto found = listing->find(kernel.entry); found != listing->end() && !found->second.empty())
          kernel.machine = found->second.front().operations;
  }
  if (auto ok = internal::write_file(settings_.folder + "/" + file.file, bytes); !ok) return ok.error();
  return file;
}

}  // namespace alnsmith::check
