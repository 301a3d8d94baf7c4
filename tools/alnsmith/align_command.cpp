// `alnsmith align`: options, and the way from them to a run.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "align_format.h"
#include "align_job.h"
#include "alnsmith/packs.hpp"
#include "commands.h"
#include "common/interrupt.h"
#include "common/named_spec.h"
#include "common/paths.h"
#include "common/text.h"
#include "scoring.h"
#include "spec/canonical.h"
#include "spec/generic.h"
#include "targets/targets.h"
#include "temporary_spec.h"

namespace alnsmith::tool {
namespace {

struct AlignArguments {
  std::string spec, query, target, out, isa, device, device_memory, tuned, memory = "2G", convention = "blast";
  FormatArguments format;
  std::vector<std::string> packs;
  bool pairs = false, all = false, quiet = false, explain = false;
  int threads = 0;
  std::size_t top = 0;                // 0: all
  std::optional<std::int32_t> worst;  // of the scores that are written
  ScoringRequest scoring;
};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// --out must not replace an input.
Status keep_inputs(const AlignArguments &arguments) {
  struct stat out{}, in{};
  if (arguments.out.empty() || ::stat(arguments.out.c_str(), &out) != 0 || !S_ISREG(out.st_mode)) return Ok{};
  for (const std::string &path : {arguments.query, arguments.target, arguments.spec})
    if (::stat(path.c_str(), &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
      return Error{fmt::format("--out {}: is an input of this run: choose another file", printable(arguments.out, 400)),
                   2};
  return Ok{};
}

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

// What --pack names is there and is a pack, or a folder.
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

Rules rules_of(const spec::Spec &spec, const Aligner &aligner, bool query) {
  Rules out;
  out.max_length = query ? spec.max_query : spec.max_target;
  out.max_key = query ? "max_length.query" : "max_length.target";
  out.alphabet = alphabet_for_messages(spec.alphabet);
  out.as_wildcard = taken_as_wildcard(spec.alphabet);
  out.invalid_letter = [&aligner](std::string_view letters) { return aligner.first_invalid_letter(letters); };
  return out;
}

Result<Options> options_of(const AlignArguments &arguments, const Shares &shares, const Scoring &scoring) {
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
  out.memory_bytes = shares.call;
  out.scoring = scoring;
  out.cancelled = interrupted;
  return out;
}

// Packs that are named are the only source.
Sources sources_of(const AlignArguments &arguments, const std::string &spec_hash, const Options &options) {
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

void explain(const Aligner &aligner, const std::string &spec_path, const std::string &hash) {
  fmt::print(stderr, "spec {} hash {}\n", printable(spec_path, 400), hash);
  for (const auto &lines : {aligner.provenance(), aligner.memory()})
    for (const std::string &line : lines) fmt::print(stderr, "{}\n", printable(line, 2000));
}

std::string joined(const std::set<std::string> &words) {
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ","));
}

void print_summary(const Totals &totals, double wall, const Aligner &aligner, const std::string &gap,
                   std::uint64_t as_wildcard) {
  const double gcups = totals.batch_seconds > 0 ? static_cast<double>(totals.cells) / totals.batch_seconds * 1e-9 : 0;
  fmt::print(stderr,
             "pairs={} cells={} batch_seconds={:.6f} gcups={:.3f} promoted={} wall_seconds={:.3f} kernel={} target={} "
             "device={} gap={} as_wildcard={} banded={}\n",
             totals.pairs, totals.cells, totals.batch_seconds, gcups, totals.promoted, wall, joined(totals.kernels),
             aligner.target(), joined(totals.devices), gap, as_wildcard, totals.banded);
}

// How the library finds a spec's kernels; `file` where the spec is not as the user's file or pack has it.
struct Chosen {
  SpecRef reference;
  std::optional<TemporarySpec> file;
};

Result<Chosen> chosen(const spec::Spec &spec, const std::string &path, bool changed) {
  Chosen out{spec::reference(spec, path), std::nullopt};
  if (!changed) return out;
  Result<TemporarySpec> written = TemporarySpec::write(spec::canonical(spec));
  if (!written) return written.error();
  out.file.emplace(std::move(*written));
  out.reference.path = out.file->path();
  return out;
}

Result<Aligner> open_aligner(const AlignArguments &arguments, const SpecRef &reference, const Options &options) {
  return Aligner::open(reference, sources_of(arguments, reference.hash, options), options);
}

Status align(const AlignArguments &arguments) {
  const Clock::time_point start = Clock::now();
  if (Status ok = check_packs(arguments.packs); !ok) return ok;
  const Result<std::size_t> memory = parse_size(arguments.memory);
  if (!memory) return memory.error();
  if (*memory < (std::size_t{16} << 20)) return Error{"--memory: at least 16M is needed", 2};
  if (arguments.query == "-" && arguments.target == "-")
    return Error{"--query and --target cannot both be stdin: give one as a file", 2};
  if (Status ok = keep_inputs(arguments); !ok) return ok;

  auto named = named_spec(arguments.spec, arguments.packs);
  if (!named) return named.error();
  spec::Spec *const spec = &named->spec;
  const Result<ResolvedScoring> scoring = resolve_scoring(*spec, arguments.scoring);
  if (!scoring) return scoring.error();
  const spec::Output own_output = spec->output;
  choose_output(arguments.format, *spec);
  const Result<Chosen> whole = chosen(*spec, named->path, scoring->spec_changed || spec->output != own_output);
  if (!whole) return whole.error();

  Shares shares(*memory, spec->output.cigar);
  const auto writer = writer_of(arguments.format, *spec, *scoring, shares.header);
  if (!writer) return writer.error();
  if ((*writer)->needs_targets()) shares.resident -= shares.header;
  const Result<Options> options = options_of(arguments, shares, scoring->scoring);
  if (!options) return options.error();
  const Result<Aligner> aligner = open_aligner(arguments, whole->reference, *options);
  if (!aligner) return aligner.error();
  Progress progress(!arguments.quiet);
  Warnings warnings(progress);
  warnings.print(aligner->notes());

  // Which targets are the best ones scores alone say, at many times the speed of whole alignments.
  std::optional<Chosen> by_score;
  std::optional<Aligner> searcher;
  if ((arguments.top > 0 || arguments.worst) && spec->output.begin) {
    spec::Spec scores = *spec;
    scores.output = {};
    Result<Chosen> search = chosen(scores, named->path, scoring->spec_changed || scores.output != own_output);
    if (!search) return search.error();
    by_score.emplace(std::move(*search));
    Result<Aligner> opened = open_aligner(arguments, by_score->reference, *options);
    if (interrupted()) return interrupted_error();
    if (opened)
      searcher.emplace(std::move(*opened));
    else
      warnings.print({"every target is aligned letter by letter, not the best ones alone: " + opened.error().message});
  }

  Result<Output> output = Output::open(arguments.out);
  if (!output) return output.error();
  Result<Input> queries = Input::open(arguments.query, rules_of(*spec, *aligner, true), shares.record);
  if (!queries) return queries.error();
  Result<Input> targets = Input::open(arguments.target, rules_of(*spec, *aligner, false), shares.record);
  if (!targets) return targets.error();

  AlignJob job{
      *aligner,
      searcher ? *searcher : *aligner,
      *options,
      shares,
      std::move(*queries),
      std::move(*targets),
      Rows(**writer, *output),
      progress,
      warnings,
      {},
      Strands(arguments.format.strand, formats::Letters(spec->alphabet), spec->objective == spec::Objective::minimize),
      0,
      arguments.top,
      arguments.worst};
  const Status done = arguments.all ? job.run_all() : job.run_pairs();
  if (interrupted()) return interrupted_error();
  if (!done) return done;
  if (Status finished = output->finish(); !finished) return finished;
  progress.wipe();
  if (arguments.explain) explain(*aligner, named->label, whole->reference.hash);
  if (!arguments.quiet)
    print_summary(job.totals, seconds_since(start), *aligner, scoring->gap,
                  job.queries.as_wildcard() + job.targets.as_wildcard());
  return Ok{};
}

}  // namespace

void add_align(CLI::App &app, int &status) {
  CLI::App *command = app.add_subcommand("align", "Align queries with targets and print scores or alignments");
  auto arguments = std::make_shared<AlignArguments>();
  AlignArguments &a = *arguments;
  command
      ->add_option("--spec", a.spec,
                   "Spec file, a shipped spec's name (`alnsmith spec list`), or that of a spec in a pack")
      ->required();
  command->add_option("--query", a.query, "FASTA or FASTQ, plain or gzip; - for stdin")->required();
  command->add_option("--target", a.target, "FASTA or FASTQ, plain or gzip; - for stdin")->required();
  CLI::Option *pairs = command->add_flag("--pairs", a.pairs, "Align the i-th query with the i-th target (the default)");
  CLI::Option *all =
      command->add_flag("--all", a.all, "Align each query with each target, query by query")->excludes(pairs);
  command->add_option("--top", a.top, "With --all: of each query only the K best targets, the best first")
      ->type_name("K")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 32))
      ->needs(all);
  command
      ->add_option("--min-score", a.worst,
                   "With --all: only targets that score S or better (S or less where the spec minimizes)")
      ->type_name("S")
      ->needs(all);
  command->add_option("--out", a.out, "Result file, put in place when complete; stdout by default");
  command->add_option("--threads", a.threads, "Threads; 0 takes all")->check(CLI::Range(0, 4096));
  command->add_option("--memory", a.memory, "Memory budget, such as 512M")->capture_default_str();
  command
      ->add_option("--device", a.device,
                   "What to run on: cpu (the default), cuda:0, hip:0, opencl:0 (`alnsmith devices`), several separated "
                   "by commas, or auto: all GPUs, else the CPU")
      ->type_name("NAMES");
  command->add_option("--device-memory", a.device_memory, "Most memory to take of each device, such as 4G");
  command
      ->add_option("--pack", a.packs,
                   "Take kernels from this pack (or folder of packs and compiled kernels) alone; may be repeated")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  command->add_option("--isa", a.isa, "Widest instruction set to use: " + targets::names_of(targets::host_cpus()));
  command
      ->add_option("--set", a.scoring.settings,
                   "A value that the spec leaves `runtime`, such as score.match=2 or gap.open=3")
      ->type_name("KEY=INTEGER")
      ->expected(1)
      ->take_all();
  command->add_option("--matrix", a.scoring.matrix,
                      "Matrix file or built-in name, where the spec's matrix is `runtime`");
  command
      ->add_option("--gap-convention", a.convention,
                   "blast: a gap of L letters costs open+extend*L; first: open+extend*(L-1)")
      ->check(CLI::IsMember({"blast", "first"}))
      ->capture_default_str();
  add_format_options(*command, a.format);
  command
      ->add_option("--tuned", a.tuned,
                   "Folder of tuned tables (`alnsmith tune`) to take instead of the user's (ALNSMITH_TUNED, else "
                   "~/.local/share/alnsmith/tuned) and the built-in ones")
      ->check(CLI::ExistingDirectory);
  command->add_flag("--quiet", a.quiet, "No progress and no closing line");
  command->add_flag("--explain", a.explain,
                    "Say on stderr which kernels were chosen and why, and what they take of memory");
  command->footer(
      "Output: a header line, then query, target and score, separated by tabs, in input order; further columns are\n" +
      output_columns() +
      "or . where nothing is aligned. docs/formats.md describes the other formats. --top writes the targets of a "
      "query\n"
      "by score, equal ones in input order. The closing line on stderr gives pairs, cells, batch_seconds, gcups,\n"
      "promoted, wall_seconds, kernel, target, device, gap, as_wildcard (letters outside the alphabet that were\n"
      "taken as its wildcard) and banded (pairs of which a band was proven to suffice) as key=value. Where stderr is "
      "no\n"
      "terminal, a line every half minute says how far the run is.\n"
      "Examples:\n"
      "  alnsmith align --spec dna-global-affine --query reads.fq.gz --target windows.fa\n"
      "  zcat proteins.fa.gz | alnsmith align --spec my.yaml --query q.fa --target - --all --threads 8 --out "
      "scores.tsv\n"
      "  alnsmith align --spec my-runtime.yaml --set score.match=1 --set gap.open=4 --query q.fa --target t.fa");
  command->callback([arguments, &status] {
    arguments->scoring.convention = arguments->convention == "first" ? GapConvention::first : GapConvention::blast;
    const Status done = align(*arguments);
    status = done ? 0 : report_error(done.error());
  });
}

}  // namespace alnsmith::tool
