// `alnsmith stats`: the parameters of a spec's score distribution, their errors, and where they come from.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "commands.h"
#include "common/interrupt.h"
#include "common/named_spec.h"
#include "common/text.h"
#include "run_options.h"
#include "statistics_options.h"

namespace alnsmith::tool {
namespace {

struct StatsArguments {
  RunArguments run;
  StatisticsArguments statistics;
  bool json = false;
};

std::string growth_text(const search::LengthGrowth &growth) {
  return fmt::format("a {:.6g}, b {:.6g}, alpha {:.6g}, beta {:.6g}", growth.a, growth.b, growth.alpha, growth.beta);
}

std::string text_of(const search::Statistics &s, const std::string &label) {
  std::string text =
      fmt::format("spec             {}\nmethod           {}\n", printable(label, 400), search::method_name(s.method));
  if (s.method == search::Method::none) return text;
  text += fmt::format("source           {}\nfrequencies      {}\n", s.source, s.frequencies);
  text += fmt::format("lambda           {:.6g} +- {:.2g}\nK                {:.6g} +- {:.2g}\n", s.lambda,
                      s.lambda_error, s.k, s.k_error);
  text += fmt::format("H                {:.4g} nats\nungapped lambda  {:.6g}\n", s.h, s.ungapped_lambda);
  text += fmt::format("query lengths    {}\ntarget lengths   {}\n", growth_text(s.query), growth_text(s.target));
  text += fmt::format("both lengths     sigma {:.6g}, tau {:.6g}\n", s.sigma, s.tau);
  if (s.period > 1)
    text += fmt::format("scores           in steps of {}: others are rounded down to a multiple\n", s.period);
  return text;
}

Result<std::string> stats(const StatsArguments &arguments) {
  const RunArguments &run = arguments.run;
  if (Status ok = check_packs(run.packs); !ok) return ok.error();
  const Result<std::size_t> memory = memory_of(run);
  if (!memory) return memory.error();
  auto named = named_spec(run.spec, run.packs);
  if (!named) return named.error();
  const Result<ResolvedScoring> scoring = resolve_scoring(named->spec, run.scoring);
  if (!scoring) return scoring.error();
  const Result<Options> options = options_of(run, *memory, scoring->scoring);
  if (!options) return options.error();
  const Result<search::Statistics> found =
      statistics_of(arguments.statistics, run, named->spec, named->path, scoring->spec_changed, *options);
  if (interrupted()) return interrupted_error();
  if (!found) return found.error();
  return arguments.json ? search::to_json(*found) + "\n" : text_of(*found, named->label);
}

}  // namespace

void add_stats(CLI::App &app, int &status) {
  CLI::App *command = app.add_subcommand("stats", "Print lambda, K and what else the significance of scores rests on");
  auto arguments = std::make_shared<StatsArguments>();
  StatsArguments &a = *arguments;
  command
      ->add_option("SPEC", a.run.spec,
                   "Spec file, a shipped spec's name (`alnsmith spec list`), or that of a spec in a pack")
      ->required();
  add_statistics_options(*command, a.statistics);
  add_scoring_options(*command, a.run);
  add_kernel_options(*command, a.run);
  command->add_flag("--fresh", a.statistics.fresh, "Simulate even where the result is known, and keep nothing");
  command->add_flag("--json", a.json, "Print one JSON object, every digit");
  command->footer(
      "Only local specs have significance, and of those the ones whose gaps and mismatches cost enough.\n"
      "docs/statistics.md says what the parameters mean and how well they hold.\n"
      "Examples:\n"
      "  alnsmith stats protein-local-blosum62\n"
      "  alnsmith stats blastn-local-affine --json\n"
      "  alnsmith stats protein-local-runtime --matrix mine.txt --set gap.open=9 --set gap.extend=2");
  command->callback([arguments, &status] {
    const Result<std::string> text = stats(*arguments);
    status = text ? print(*text) : report_error(text.error());
  });
}

}  // namespace alnsmith::tool
