// See run_options.h.
#include "run_options.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "alnsmith/packs.hpp"
#include "common/interrupt.h"
#include "common/paths.h"
#include "common/text.h"
#include "spec/canonical.h"
#include "spec/generic.h"
#include "targets/targets.h"

namespace alnsmith::tool {
namespace {

std::string alphabet_for_messages(const spec::Alphabet &alphabet) {
  return fmt::format("{} ({})", alphabet.name, alphabet.letters);
}

// Letters that stand for the wildcard without being it: those outside the alphabet, and U and O of proteins.
std::array<std::uint8_t, 256> taken_as_wildcard(const spec::Alphabet &alphabet) {
  std::array<std::uint8_t, 256> taken{};
  if (alphabet.wildcard == 0) return taken;
  for (int byte = 0; byte < 256; ++byte) {
    const char upper = byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - 'a' + 'A') : static_cast<char>(byte);
    const auto synonym = alphabet.synonyms.find(upper);
    const bool other = synonym != alphabet.synonyms.end() && synonym->second != alphabet.wildcard;
    taken[static_cast<std::size_t>(byte)] = other || alphabet.letters.find(upper) != std::string::npos ? 0 : 1;
  }
  return taken;
}

// Packs that are named are the only source.
Sources sources_of(const RunArguments &arguments, const std::string &spec_hash, const Options &options) {
  Sources out;
  out.kernel_dirs = arguments.packs;
  out.only_kernel_dirs = !arguments.packs.empty();
  if (out.only_kernel_dirs) return out;
  out = installed_sources(program_folder());
  out.tuned_dir = arguments.tuned;
  const Result<Isa> widest = best_isa();
  const bool cpu = options.devices.empty() || options.devices == std::vector<std::string>{"cpu"};
  if (out.tuned_dir.empty() && !out.generator.empty() && cpu && widest)
    out.tuned_dir =
        tuned_folder(spec_hash, std::string(isa_name(options.isa && *options.isa <= *widest ? *options.isa : *widest)));
  return out;
}

}  // namespace

void add_spec_option(CLI::App &command, RunArguments &a) {
  command
      .add_option("--spec", a.spec,
                  "Spec file, a shipped spec's name (`alnsmith spec list`), or that of a spec in a pack")
      ->required();
}

void add_kernel_options(CLI::App &command, RunArguments &a) {
  command.add_option("--threads", a.threads, "Threads; 0 takes all")->check(CLI::Range(0, 4096));
  command.add_option("--memory", a.memory, "Memory budget, such as 512M")->capture_default_str();
  command
      .add_option("--device", a.device,
                  "What to run on: cpu (the default), cuda:0, hip:0, opencl:0 (`alnsmith devices`), several separated "
                  "by commas, or auto: all GPUs, else the CPU")
      ->type_name("NAMES");
  command.add_option("--device-memory", a.device_memory, "Most memory to take of each device, such as 4G");
  command
      .add_option("--pack", a.packs,
                  "Take kernels from this pack (or folder of packs and compiled kernels) alone; may be repeated")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  command.add_option("--isa", a.isa, "Widest instruction set to use: " + targets::names_of(targets::host_cpus()));
  command
      .add_option("--tuned", a.tuned,
                  "Folder of tuned tables (`alnsmith tune`) to take instead of the user's (ALNSMITH_TUNED, else "
                  "~/.local/share/alnsmith/tuned) and the built-in ones")
      ->check(CLI::ExistingDirectory);
}

void add_scoring_options(CLI::App &command, RunArguments &a) {
  command
      .add_option("--set", a.scoring.settings,
                  "A value that the spec leaves `runtime`, such as score.match=2 or gap.open=3")
      ->type_name("KEY=INTEGER")
      ->expected(1)
      ->take_all();
  command.add_option("--matrix", a.scoring.matrix,
                     "Matrix file or built-in name, where the spec's matrix is `runtime`");
  command
      .add_option_function<std::string>(
          "--gap-convention",
          [&a](const std::string &word) {
            a.scoring.convention = word == "first" ? GapConvention::first : GapConvention::blast;
          },
          "blast: a gap of L letters costs open+extend*L; first: open+extend*(L-1)")
      ->check(CLI::IsMember({"blast", "first"}))
      ->default_str("blast");
}

void add_talk_options(CLI::App &command, RunArguments &a) {
  command.add_flag("--quiet", a.quiet, "No progress and no closing line");
  command.add_flag("--explain", a.explain,
                   "Say on stderr which kernels were chosen and why, and what they take of memory");
}

Status check_packs(const std::vector<std::string> &packs) {
  for (const std::string &pack : packs) {
    struct stat info{};
    const std::string shown = printable(pack, 400);
    if (::stat(pack.c_str(), &info) != 0)
      return Error{fmt::format("--pack {}: {}: name a pack, or a folder of packs", shown, std::strerror(errno))};
    if (S_ISDIR(info.st_mode)) continue;
    if (!pack.ends_with(".pack")) return Error{fmt::format("--pack {}: a pack's name ends in .pack", shown)};
    if (const auto read = list_pack(pack); !read) return read.error();
  }
  return Ok{};
}

Result<std::size_t> memory_of(const RunArguments &arguments) {
  const Result<std::size_t> memory = parse_size(arguments.memory);
  if (memory && *memory < (std::size_t{16} << 20)) return Error{"--memory: at least 16M is needed", 2};
  return memory;
}

Status keep_inputs(const std::string &option, const std::string &out, const std::vector<std::string> &inputs) {
  struct stat result{}, in{};
  if (out.empty() || ::stat(out.c_str(), &result) != 0 || !S_ISREG(result.st_mode)) return Ok{};
  for (const std::string &path : inputs)
    if (::stat(path.c_str(), &in) == 0 && in.st_dev == result.st_dev && in.st_ino == result.st_ino)
      return Error{fmt::format("{} {}: is an input of this run: choose another file", option, printable(out, 400)), 2};
  return Ok{};
}

Rules rules_of(const spec::Spec &spec, const Aligner &aligner, bool query) {
  Rules out;
  out.max_length = query ? spec.max_query : spec.max_target;
  out.max_key = query ? "max_length.query" : "max_length.target";
  out.alphabet = alphabet_for_messages(spec.alphabet);
  out.as_wildcard = taken_as_wildcard(spec.alphabet);
  out.invalid_letter = [&aligner](std::string_view letters) { return aligner.first_invalid_letter(letters); };
  return out;
}

Result<Options> options_of(const RunArguments &arguments, std::size_t call_memory, const Scoring &scoring) {
  Options out;
  if (!arguments.isa.empty()) {
    out.isa = parse_isa(arguments.isa);
    const auto here = targets::host_cpus();
    if (std::ranges::none_of(here, [&](const targets::Cpu *row) { return row->name == arguments.isa; }))
      return Error{fmt::format("--isa {}: is none of {}", printable(arguments.isa), targets::names_of(here)), 2};
  }
  if (!arguments.device.empty()) {
    out.devices = CLI::detail::split(arguments.device, ',');
    for (const std::string &name : out.devices)
      if (name.empty()) return Error{fmt::format("--device {}: an empty name", printable(arguments.device)), 2};
  }
  if (!arguments.device_memory.empty()) {
    const Result<std::size_t> bytes = parse_size(arguments.device_memory);
    if (!bytes) return bytes.error();
    if (*bytes < (std::size_t{1} << 20)) return Error{"--device-memory: at least 1M is needed", 2};
    out.device_memory_bytes = *bytes;
  }
  out.threads = arguments.threads;
  out.memory_bytes = call_memory;
  out.scoring = scoring;
  out.cancelled = interrupted;
  return out;
}

void explain(const Aligner &aligner, const std::string &label, const std::string &hash, const Totals &totals) {
  fmt::print(stderr, "spec {} hash {}\n", printable(label, 400), hash);
  for (const auto &lines : {aligner.provenance(), aligner.memory(), totals.explained()})
    for (const std::string &line : lines) fmt::print(stderr, "{}\n", printable(line, 2000));
}

Result<Chosen> chosen(const spec::Spec &spec, const std::string &path, bool changed) {
  Chosen out{spec::reference(spec, path), std::nullopt};
  if (!changed) return out;
  Result<TemporarySpec> written = TemporarySpec::write(spec::canonical(spec));
  if (!written) return written.error();
  out.file.emplace(std::move(*written));
  out.reference.path = out.file->path();
  return out;
}

Result<Aligner> open_aligner(const RunArguments &arguments, const SpecRef &reference, const Options &options) {
  return Aligner::open(reference, sources_of(arguments, reference.hash, options), options);
}

Result<Opened> open_kernels(const RunArguments &arguments, const spec::Spec &spec, const std::string &path,
                            bool changed, const Options &options) {
  Result<Chosen> kernels = chosen(spec, path, changed);
  if (!kernels) return kernels.error();
  Result<Aligner> aligner = open_aligner(arguments, kernels->reference, options);
  if (!aligner) return aligner.error();
  return Opened{std::move(*kernels), std::move(*aligner)};
}

}  // namespace alnsmith::tool
