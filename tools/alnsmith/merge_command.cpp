// `alnsmith merge`: the parts of a search, brought together and reported as one run would have.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "alnsmith/search_parts.hpp"
#include "commands.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "progress.h"
#include "run_options.h"
#include "search_report.h"

namespace alnsmith::tool {
namespace {

struct MergeArguments {
  RunArguments run;
  ReportOptions report;
  std::vector<std::string> parts;
  std::string out;
};

Status merge_parts(const MergeArguments &arguments, const CLI::App &command) {
  const Watch watch;
  const RunArguments &run = arguments.run;
  if (Status ok = check_packs(run.packs); !ok) return ok;
  const Result<std::size_t> memory = memory_of(run);
  if (!memory) return memory.error();
  if (Status ok = keep_inputs("--out", arguments.out, arguments.parts); !ok) return ok;
  search::Merge merge;
  for (const std::string &path : arguments.parts) {
    Result<search::Part> part = search::read_part(path, *memory);
    if (!part) return part.error();
    if (Status ok = merge.add(path, std::move(*part)); !ok) return ok;
    if (interrupted()) return interrupted_error();
  }
  const Result<search::Part> whole = std::move(merge).finish();
  if (!whole) return whole.error();
  Result<SearchRun> wanted = run_from_json(whole->id.run, arguments.parts.front());
  if (!wanted) return wanted.error();
  override_with(command, arguments.report, wanted->report);
  if (wanted->report.fits() && whole->findings.counts.unit == 0)
    return Error{fmt::format("--stats fit: {} holds no counts of scores: search with --stats fit, or take it out",
                             printable(arguments.parts.front(), 400)),
                 2};

  Progress progress(!run.quiet);
  Warnings warnings(progress);
  const Result<Options> options = options_of(run, *memory / 2, wanted->scoring);
  if (!options) return options.error();
  Result<SearchReport> report = SearchReport::prepare(*wanted, run, *options, *memory, warnings);
  if (!report) return report.error();
  Result<Output> output = Output::open(arguments.out);
  if (!output) return output.error();
  Totals totals;
  if (Status ok = report->begin(*whole, *output); !ok) return ok;
  if (Status ok = report->write(whole->id, 0, whole->findings, *output, totals); !ok)
    return interrupted() ? interrupted_error() : ok.error();
  if (Status ok = report->end(*output); !ok) return ok;
  if (Status ok = output->finish(); !ok) return ok;
  if (!run.quiet)
    print_line(fmt::format("parts={} queries={} targets={} letters={} wall_seconds={:.3f}{}", arguments.parts.size(),
                           whole->id.queries.size(), whole->id.sequences, whole->id.letters, watch.seconds(),
                           report->summary()));
  return Ok{};
}

}  // namespace

void add_merge(CLI::App &app, int &status) {
  CLI::App *command = app.add_subcommand("merge", "Bring the parts of a search together (`alnsmith search --shard`)");
  auto arguments = std::make_shared<MergeArguments>();
  MergeArguments &a = *arguments;
  command->add_option("PART", a.parts, "Files that `alnsmith search --hits` wrote, of all shards, in any order")
      ->required();
  add_report_options(*command, a.report);
  command->add_option("--out", a.out, "Result file, put in place when complete; stdout by default");
  add_kernel_options(*command, a.run);
  add_talk_options(*command, a.run);
  command->footer(
      "The output is that of one search of the whole database, to the byte. Options that say how hits are reported\n"
      "replace those that the search was given.\n"
      "Examples:\n"
      "  alnsmith merge part.*.hits --out hits.tsv\n"
      "  alnsmith merge part.*.hits --format blast6 --evalue 0.001");
  command->callback([arguments, command, &status] {
    const Status done = merge_parts(*arguments, *command);
    status = done ? 0 : report_error(done.error());
  });
}

}  // namespace alnsmith::tool
