// The work of `search`: queries against a database, to a report or to a part of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "alnsmith/search_parts.hpp"
#include "common/named_spec.h"
#include "progress.h"
#include "run_options.h"
#include "search_report.h"
#include "search_run.h"
#include "search_source.h"
#include "totals.h"
#include "warnings.h"

namespace alnsmith::tool {

struct SearchArguments {
  RunArguments run;
  ReportOptions report;
  std::string query, database, out, hits, shard, strand, ties = "first";  // strand: empty for the usual one
  std::size_t top = 500;
  std::optional<std::int32_t> min_score;
};

// Parts of the memory budget.
struct SearchShares {
  explicit SearchShares(std::size_t budget);
  std::size_t call;     // the runtime's, for one batch call
  std::size_t record;   // the largest single record
  std::size_t portion;  // of targets; two at a time
  std::size_t queries;  // all of them
  std::size_t lists, kept;
  std::size_t report;  // what it takes parts of
};

class SearchJob {
 public:
  explicit SearchJob(const SearchArguments &arguments);
  Status run();

 private:
  Status check();    // what the arguments say by themselves
  Status prepare();  // spec, scoring, statistics, kernels
  Status read();     // queries; the database is opened
  Result<bool> already_done();
  Status find();
  Status finish();
  search::Queries queries();

  const SearchArguments &arguments_;
  const RunArguments &run_;
  Watch watch_;
  Progress progress_;
  Warnings warnings_;
  SearchShares shares_{0};
  search::Part part_;
  std::optional<NamedSpec> named_;
  ResolvedScoring scoring_;
  std::optional<formats::Letters> letters_;
  std::string strand_;
  Options options_;
  std::optional<SearchReport> report_;  // without --hits
  std::optional<Opened> scorer_;
  std::optional<SearchTargets> targets_;
  std::optional<Output> output_;  // without --hits
  std::vector<std::string> reversed_;
  Totals totals_;
  std::uint64_t as_wildcard_ = 0;  // of the queries
};

}  // namespace alnsmith::tool
