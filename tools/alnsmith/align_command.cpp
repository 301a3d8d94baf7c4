// `alnsmith align`: options, and the way from them to a run.
#include <optional>
#include <string>
#include <utility>

#include "align_format.h"
#include "align_job.h"
#include "commands.h"
#include "common/interrupt.h"
#include "common/named_spec.h"
#include "run_options.h"
#include "scoring.h"

namespace alnsmith::tool {
namespace {

struct AlignArguments {
  RunArguments run;
  std::string query, target, out;
  FormatArguments format;
  bool pairs = false, all = false;
  std::size_t top = 0;                // 0: all
  std::optional<std::int32_t> worst;  // of the scores that are written
};

Status align(const AlignArguments &arguments) {
  const Watch watch;
  const RunArguments &run = arguments.run;
  if (Status ok = check_packs(run.packs); !ok) return ok;
  const Result<std::size_t> memory = memory_of(run);
  if (!memory) return memory.error();
  if (arguments.query == "-" && arguments.target == "-")
    return Error{"--query and --target cannot both be stdin: give one as a file", 2};
  if (Status ok = keep_inputs("--out", arguments.out, {arguments.query, arguments.target, run.spec}); !ok) return ok;

  auto named = named_spec(run.spec, run.packs);
  if (!named) return named.error();
  spec::Spec *const spec = &named->spec;
  const Result<ResolvedScoring> scoring = resolve_scoring(*spec, run.scoring);
  if (!scoring) return scoring.error();
  const spec::Output own_output = spec->output;
  choose_output(arguments.format, *spec);
  const Result<Chosen> whole = chosen(*spec, named->path, scoring->spec_changed || spec->output != own_output);
  if (!whole) return whole.error();

  Shares shares(*memory, spec->output.cigar);
  const auto writer = writer_of(arguments.format, *spec, *scoring, shares.header);
  if (!writer) return writer.error();
  if ((*writer)->needs_targets()) shares.resident -= shares.header;
  const Result<Options> options = options_of(run, shares.call, scoring->scoring);
  if (!options) return options.error();
  const Result<Aligner> aligner = open_aligner(run, whole->reference, *options);
  if (!aligner) return aligner.error();
  Progress progress(!run.quiet);
  Warnings warnings(progress);
  warnings.print(aligner->warnings());

  // Which targets are the best ones scores alone say, at many times the speed of whole alignments.
  std::optional<Chosen> by_score;
  std::optional<Aligner> searcher;
  if ((arguments.top > 0 || arguments.worst) && spec->output.begin) {
    spec::Spec scores = *spec;
    scores.output = {};
    Result<Chosen> search = chosen(scores, named->path, scoring->spec_changed || scores.output != own_output);
    if (!search) return search.error();
    by_score.emplace(std::move(*search));
    Result<Aligner> opened = open_aligner(run, by_score->reference, *options);
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

  const search::StrandChoice strands = *search::strands_of(arguments.format.strand);
  AlignJob job{*aligner,
               searcher ? *searcher : *aligner,
               *options,
               shares,
               std::move(*queries),
               std::move(*targets),
               Rows(**writer, *output),
               progress,
               warnings,
               {},
               Strands(strands, formats::Letters(spec->alphabet), spec->objective == spec::Objective::minimize),
               0,
               arguments.top,
               arguments.worst};
  const Status done = arguments.all ? job.run_all() : job.run_pairs();
  if (interrupted()) return interrupted_error();
  if (!done) return done;
  if (Status finished = output->finish(); !finished) return finished;
  progress.wipe();
  if (run.explain) explain(*aligner, named->label, whole->reference.hash, job.totals);
  if (!run.quiet)
    print_line(job.totals.line(watch.seconds(), *aligner, scoring->gap,
                               job.queries.as_wildcard() + job.targets.as_wildcard()));
  return Ok{};
}

}  // namespace

void add_align(CLI::App &app, int &status) {
  CLI::App *command = app.add_subcommand("align", "Align queries with targets and print scores or alignments");
  auto arguments = std::make_shared<AlignArguments>();
  AlignArguments &a = *arguments;
  add_spec_option(*command, a.run);
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
  add_kernel_options(*command, a.run);
  add_scoring_options(*command, a.run);
  add_format_options(*command, a.format);
  add_talk_options(*command, a.run);
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
    const Status done = align(*arguments);
    status = done ? 0 : report_error(done.error());
  });
}

}  // namespace alnsmith::tool
