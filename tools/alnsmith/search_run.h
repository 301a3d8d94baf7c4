// What a search was asked for: all that its shards have in common beside queries and database, as parts carry it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "alnsmith/alnsmith.hpp"
#include "commands.h"
#include "spec/spec.h"

namespace alnsmith::tool {

// How hits are reported. `alnsmith merge` may change it.
struct ReportOptions {
  std::string format = "tsv", columns;  // columns: empty for those that the format has
  bool eqx = false;
  std::optional<double> evalue;     // hits with a larger E are left out; empty: 10 where there are E-values
  std::string stats = "auto";       // auto, table, simulate, fit or none
  std::optional<bool> composition;  // empty: on, but with a fit
  int z_value = 0;                  // shuffles of each target; 0: no z
  std::optional<std::uint64_t> db_letters;
  std::string sort = "score";  // of a query's hits: score or evalue

  bool fits() const { return stats == "fit"; }
};

struct SearchRun {
  std::string spec;  // canonical
  Scoring scoring;
  std::string gap;  // what one of L letters costs
  std::string strand;
  std::optional<std::int32_t> min_score;
  ReportOptions report;
};

// Options of `search` and `merge`; sets what the user gave.
void add_report_options(CLI::App &command, ReportOptions &options);
// Those that the user gave, in place of `options`.
void override_with(const CLI::App &command, const ReportOptions &given, ReportOptions &options);

std::string to_json(const SearchRun &run);
// `label`: the file that it comes from, for messages.
Result<SearchRun> run_from_json(const std::string &json, const std::string &label);

}  // namespace alnsmith::tool
