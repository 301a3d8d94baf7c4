// See build.h.
#include "build.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "disassemble.h"
#include "internal.hpp"
#include "pipe_text.h"
#include "spec/canonical.h"
#include "spec/gap.h"

namespace alnsmith::check {
namespace {

std::string file_name(std::string text) {
  std::ranges::replace(text, ':', '-');
  return text;
}

int architecture(const std::string &target) {
  int number = 0;
  const std::size_t digits = target.find('_');
  if (digits != std::string::npos) std::from_chars(target.data() + digits + 1, target.data() + target.size(), number);
  return number;
}

// Rows that one turn of the loop scores: each takes the letter and the border's states from the lane before by a
// shuffle.
int rows_of(const models::Loop &loop, const internal::KernelInfo &kernel) {
  if (kernel.device.p == 1) return 4;
  const int slots =
      kernel.device.block ? kernel.device.packing : kernel.device.warp / kernel.device.p * kernel.device.packing;
  const int states = kernel.device.border_ints / slots;
  int shuffles = 0;
  for (const auto &[name, times] : loop.operations)
    if (name.starts_with("SHFL.UP")) shuffles += times;
  return std::max(1, shuffles / (states + 1));
}

// The shortest loop with a maximum a cell or more is the one over rows; its variants for ragged rows are longer.
std::optional<models::RowLoop> row_loop(const std::vector<models::Loop> &loops, const internal::KernelInfo &kernel) {
  const models::Loop *best = nullptr;
  for (const models::Loop &loop : loops) {
    int maxima = 0;
    for (const auto &[name, times] : loop.operations)
      if (name.find("MNMX") != std::string::npos || name.find("_max") != std::string::npos) maxima += times;
    if (maxima >= kernel.k && (!best || loop.instructions < best->instructions)) best = &loop;
  }
  if (!best) return std::nullopt;
  return models::RowLoop{rows_of(*best, kernel), best->instructions, best->operations};
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

Result<std::string> Builder::compile(const std::string &text, const std::string &target,
                                     const std::string &name) const {
  internal::CompileOptions options;
  options.name = name;
  options.cache = &cache_;
  auto binary = internal::compile_device_cached(text, target, options, cache_, {});
  if (!binary) return binary.error();
  return std::move(binary->bytes);
}

Result<KernelEntry> Builder::build(const spec::Spec &spec, const std::string &path, const std::string &target,
                                   bool ptx) const {
  const internal::WorkFolder work;
  const auto ran =
      internal::run_process({settings_.generator, "generate", path, "--target", target, "-o", work.path()}, {});
  if (!ran) return ran.error();
  if (ran->exit_code != 0) return Error{spec.name + " for " + target + ": " + ran->err.substr(0, ran->err.find('\n'))};
  const bool cuda = target.starts_with("cuda"), hip = target.starts_with("hip");
  const std::string made = work.file(spec.name + "-" + file_name(target));
  const auto manifest_text = internal::read_file(made + ".json");
  const auto text = internal::read_file(made + (cuda ? ".cu" : hip ? ".hip" : ".cl"));
  if (!manifest_text || !text) return manifest_text ? text.error() : manifest_text.error();
  const auto manifest = internal::parse_manifest(*manifest_text);
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
  if (auto ok = internal::write_file(stem + ".json", *manifest_text); !ok) return ok.error();

  const std::string ending = cuda ? ".cubin" : hip ? ".co" : ".cl";
  std::string bytes = *text;
  if (!settings_.fake) {
    auto compiled = compile(*text, target, spec.name + (cuda ? ".cu" : hip ? ".hip" : ".cl"));
    if (!compiled) return compiled.error();
    bytes = *std::move(compiled);
  }
  if (auto ok = internal::write_file(stem + ending, bytes); !ok) return ok.error();
  entry.endings.push_back(ending);
  if (cuda && !settings_.fake) {
    internal::DeviceBinary binary;
    binary.bytes = bytes;
    if (const auto listing = disassemble(binary))
      for (const internal::KernelInfo &kernel : manifest->kernels)
        if (const auto found = listing->find(kernel.entry); found != listing->end())
          if (const auto loop = row_loop(found->second, kernel)) entry.loops[kernel.entry] = *loop;
    if (ptx) {
      std::string later = target;
      later.replace(later.find("sm_"), 3, "compute_");
      auto compiled = compile(*text, later, spec.name + ".cu");
      if (!compiled) return compiled.error();
      if (auto ok = internal::write_file(stem + ".ptx", *compiled); !ok) return ok.error();
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
    bytes = *std::move(compiled);
    internal::DeviceBinary binary;
    binary.bytes = bytes;
    if (const auto listing = disassemble(binary))
      for (PipeEntry &kernel : file.kernels)
        if (const auto found = listing->find(kernel.entry); found != listing->end() && !found->second.empty())
          kernel.machine = found->second.front().operations;
  }
  if (auto ok = internal::write_file(settings_.folder + "/" + file.file, bytes); !ok) return ok.error();
  return file;
}

}  // namespace alnsmith::check
