// See statistics_options.h.
#include "statistics_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "common/reader.h"
#include "common/scoring_system.h"
#include "common/text.h"

namespace alnsmith::tool {

void add_stats_option(CLI::App &command, std::string &method, bool searches) {
  std::vector<std::string> methods{"auto", "table", "simulate", "none"};
  if (searches) methods.insert(methods.end() - 1, "fit");
  command
      .add_option("--stats", method,
                  std::string("Where the significance of scores comes from: table (NCBI's, for protein matrices), "
                              "simulate (random sequences, by the spec's own kernels; kept in the cache), ") +
                      (searches ? "fit (each query's own scores with the database), " : "") +
                      "auto: a table if there is one, else simulate, or none")
      ->check(CLI::IsMember(methods))
      ->capture_default_str();
}

void add_statistics_options(CLI::App &command, StatisticsArguments &arguments) {
  add_stats_option(command, arguments.method, false);
  command
      .add_option(
          "--frequencies", arguments.frequencies,
          "How common letters are: standard (Robinson and Robinson's for proteins, uniform for others), uniform, "
          "or a FASTA or FASTQ file whose letters are counted")
      ->type_name("NAME")
      ->capture_default_str();
}

Status check_significance(const spec::Spec &spec) {
  const auto refuse = [&](const std::string &rule) {
    return Error{fmt::format("spec {}: no significance: {}; only the best local alignments of letters against letters "
                             "follow a law that gives E: take --stats none, or z-values",
                             spec.name, rule),
                 2};
  };
  if (spec.alignment != spec::Alignment::local) return refuse("its alignments are not local");
  if (spec.score.kind == spec::ScoreKind::target_profile || !spec.alphabet.state_set_base.empty())
    return refuse("it does not score letters against letters");
  if (spec.column_flags != 0 || spec.has_bounds() || spec.band_width)
    return refuse("its scores depend on columns or bands");
  return Ok{};
}

spec::Spec simulated_form(const spec::Spec &spec) {
  if (spec.output.begin && !spec.max_query && !spec.max_target) return spec;
  spec::Spec form = spec;
  form.output.end = form.output.begin = true;
  form.output.cigar = false;
  form.max_query = form.max_target = std::nullopt;
  return form;
}

Result<search::Frequencies> frequencies_of(const std::string &named, const search::ScoringSystem &scoring,
                                           std::size_t max_record_bytes) {
  search::Frequencies standard = search::Frequencies::standard(scoring);
  if (named == "standard") return standard;
  std::array<std::uint64_t, 256> counts{};
  if (named == "uniform") {
    if (standard.name == "uniform") return standard;
    for (std::size_t i = 0; i < scoring.letters.size(); ++i)
      if (standard.parts[i] > 0) counts[static_cast<unsigned char>(scoring.letters[i])] = 1;
    return search::Frequencies::counted(scoring, "uniform", counts);
  }
  Result<SequenceReader> reader = SequenceReader::open(named, max_record_bytes);
  if (!reader)
    return Error{fmt::format("--frequencies {}: neither standard nor uniform, and as a file: {}", printable(named, 400),
                             reader.error().message),
                 reader.error().exit_code};
  Record record;
  while (true) {
    const Result<bool> more = reader->next(record);
    if (!more) return more.error();
    if (!*more) break;
    for (const char letter : record.letters) ++counts[static_cast<unsigned char>(letter)];
  }
  return search::Frequencies::counted(scoring, "of " + printable(named, 400), counts);
}

Result<search::Statistics> statistics_of(const StatisticsArguments &arguments, const RunArguments &run,
                                         const spec::Spec &spec, const std::string &path, bool changed,
                                         const Options &options) {
  if (arguments.method == "none") return search::Statistics{};
  if (Status ok = check_significance(spec); !ok) return ok.error();
  const search::ScoringSystem scoring = scoring_system(spec, options.scoring);
  Result<search::Frequencies> frequencies = frequencies_of(arguments.frequencies, scoring, options.memory_bytes);
  if (!frequencies) return frequencies.error();
  search::StatisticsRequest request;
  request.frequencies = std::move(*frequencies);
  request.use_known = !arguments.fresh;
  if (arguments.method == "table") request.method = search::Method::table;
  if (arguments.method == "simulate") request.method = search::Method::simulate;
  if (arguments.method == "fit") request.method = search::Method::fit;

  std::optional<Chosen> form;  // its file is there as long as the aligner
  const auto open = [&]() -> Result<Aligner> {
    const spec::Spec simulated = simulated_form(spec);
    Result<Chosen> made = chosen(simulated, path, changed || simulated != spec);
    if (!made) return made.error();
    form.emplace(std::move(*made));
    return open_aligner(run, form->reference, options);
  };
  return search::find_statistics(scoring, request, open, options);
}

}  // namespace alnsmith::tool
