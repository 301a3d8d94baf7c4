// See search_run.h.
#include "search_run.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "align_format.h"
#include "alnsmith/strands.hpp"
#include "common/text.h"
#include "formats/columns.h"
#include "formats/writer.h"
#include "statistics_options.h"

namespace alnsmith::tool {
namespace {

// BLAST's spelling.
std::string format_word(const std::string &word) { return word == "6" ? "blast6" : word; }

}  // namespace

void add_report_options(CLI::App &command, ReportOptions &o) {
  command
      .add_option("-e,--evalue", o.evalue,
                  "Leave out hits with a larger E-value; 10 by default, where the scoring has E-values")
      ->type_name("E")
      ->check([](const std::string &text) {
        double value = 0;
        const bool fine = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && value >= 0;
        return fine ? std::string() : text + " is no number of 0 or more";
      });
  command.add_option("--format,--outfmt", o.format, "One of " + formats_help(true) + "; 6 is blast6")
      ->type_name("FORMAT")
      ->transform(format_word)
      ->check(CLI::IsMember(format_names(true)))
      ->capture_default_str();
  command
      .add_option("--columns", o.columns,
                  "Columns of --format tsv or blast6 in place of the usual ones, separated by commas: " +
                      formats::columns_help(true))
      ->type_name("NAMES");
  add_eqx_option(command, o.eqx);
  add_stats_option(command, o.stats, true);
  command
      .add_option_function<std::string>(
          "--composition", [&o](const std::string &word) { o.composition = word == "on"; },
          "on: E-values follow the letters of each pair; off: the letters of proteins at large, as blastp "
          "-comp_based_stats 0. With --stats fit it is off: the query's letters are in the fit")
      ->check(CLI::IsMember({"on", "off"}))
      ->default_str("on");
  command
      .add_option("--z-value", o.z_value,
                  "Compare each hit with N shuffles of its target: column z, standard deviations above their mean")
      ->type_name("N")
      ->check(CLI::Range(2, 1000000));
  command
      .add_option("--db-letters,--dbsize", o.db_letters,
                  "Letters of the database that E-values count with, in place of its own")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--sort", o.sort,
                  "Order of a query's hits: score, or evalue, by which hits are not chosen; `rank` stays that by score")
      ->check(CLI::IsMember({"score", "evalue"}))
      ->capture_default_str();
}

void override_with(const CLI::App &command, const ReportOptions &given, ReportOptions &options) {
  const auto set = [&](const char *name, auto field) {
    if (command.count(name) > 0) options.*field = given.*field;
  };
  // Columns belong to a format, E-values to statistics.
  if (command.count("--format") > 0) options.columns.clear();
  if (command.count("--stats") > 0 && given.stats == "none") options.evalue = std::nullopt;
  if (command.count("--stats") > 0 && given.fits()) options.composition = std::nullopt;
  set("--evalue", &ReportOptions::evalue);
  set("--format", &ReportOptions::format);
  set("--columns", &ReportOptions::columns);
  set("--eqx", &ReportOptions::eqx);
  set("--stats", &ReportOptions::stats);
  set("--composition", &ReportOptions::composition);
  set("--z-value", &ReportOptions::z_value);
  set("--db-letters", &ReportOptions::db_letters);
  set("--sort", &ReportOptions::sort);
}

std::string to_json(const SearchRun &run) {
  const ReportOptions &o = run.report;
  const auto optional = [](const auto &value) { return value ? nlohmann::json(*value) : nlohmann::json(); };
  const nlohmann::json json = {{"version", ALNSMITH_VERSION},
                               {"spec", run.spec},
                               {"values", run.scoring.values},
                               {"matrix", run.scoring.matrix},
                               {"gap", run.gap},
                               {"strand", run.strand},
                               {"min_score", optional(run.min_score)},
                               {"format", o.format},
                               {"columns", o.columns},
                               {"eqx", o.eqx},
                               {"evalue", optional(o.evalue)},
                               {"stats", o.stats},
                               {"composition", optional(o.composition)},
                               {"z_value", o.z_value},
                               {"db_letters", optional(o.db_letters)},
                               {"sort", o.sort}};
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<SearchRun> run_from_json(const std::string &text, const std::string &label) {
  const Error damaged{label +
                      ": does not say what was searched: it was written by another version, or is damaged; "
                      "search again"};
  if (too_deep(text)) return damaged;
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return damaged;
  SearchRun run;
  ReportOptions &o = run.report;
  const auto optional = [](const nlohmann::json &value, auto &out) {
    if (!value.is_null()) out = value.get<typename std::remove_reference_t<decltype(out)>::value_type>();
  };
  try {
    if (const auto version = json.at("version").get<std::string>(); version != ALNSMITH_VERSION)
      return Error{
          fmt::format("{}: was searched by alnsmith {}, and this is {}: merge with that version, or search again",
                      label, printable(version), ALNSMITH_VERSION)};
    json.at("spec").get_to(run.spec);
    for (const auto &[name, value] : json.at("values").items()) run.scoring.values[name] = value.get<int>();
    json.at("matrix").get_to(run.scoring.matrix);
    json.at("gap").get_to(run.gap);
    json.at("strand").get_to(run.strand);
    optional(json.at("min_score"), run.min_score);
    json.at("format").get_to(o.format);
    json.at("columns").get_to(o.columns);
    json.at("eqx").get_to(o.eqx);
    optional(json.at("evalue"), o.evalue);
    json.at("stats").get_to(o.stats);
    optional(json.at("composition"), o.composition);
    json.at("z_value").get_to(o.z_value);
    optional(json.at("db_letters"), o.db_letters);
    json.at("sort").get_to(o.sort);
  } catch (const nlohmann::json::exception &) {
    return damaged;
  }
  if (formats::find_format(o.format) == nullptr || !search::strands_of(run.strand)) return damaged;
  return run;
}

}  // namespace alnsmith::tool
