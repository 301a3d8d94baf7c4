// From the hits of a search to its output: significance, the cut by it, whole alignments of what is left, a format.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alnsmith/search_parts.hpp"
#include "alnsmith/statistics.hpp"
#include "common/output.h"
#include "formats/writer.h"
#include "results.h"
#include "run_options.h"
#include "search_run.h"
#include "totals.h"
#include "warnings.h"

namespace alnsmith::tool {

class SearchReport {
 public:
  // Refuses what cannot be had together, and what has no kernels. `options`: of calls. Statistics are found here, by
  // simulation where they have to be; nothing else is aligned yet.
  // `check` alone: that, as far as it can be said without aligning anything; then there is nothing to write with.
  static Result<SearchReport> prepare(const SearchRun &run, const RunArguments &arguments, const Options &options,
                                      std::size_t memory, Warnings &warnings, bool check = false);

  // Whether begin() needs all hits at once, as SAM does for its header; else they may come turn by turn.
  bool needs_all() const { return writer_->needs_targets(); }
  // What stands before the first hit. `hits`: where needs_all(), all of them.
  Status begin(const search::Part &hits, Output &output);
  // Writes hits: of queries from `first_query` on, as many as there are lists. `id`: of the whole search. `totals`
  // counts what is aligned.
  Status write(const search::SearchId &id, std::size_t first_query, const search::Findings &found, Output &output,
               Totals &totals);
  Status end(Output &output);
  // " hits=... statistics=...", behind a run's totals; after write().
  std::string summary() const;

 private:
  struct Reported;
  SearchReport(const SearchRun &run, const RunArguments &arguments, const Options &options, std::size_t memory);
  Status find_statistics(Warnings &warnings, bool check);
  Status check_composition() const;
  Status make_writer(bool check);
  Result<Opened> open(bool whole_alignments) const;
  Status check_options(const formats::Request &request) const;
  // Of a query; nothing where none can be given for it, which is said.
  std::optional<search::Statistics> statistics_of_query(const search::SearchId &id, std::size_t query,
                                                        const search::ScoreCounts &counts, std::size_t counted);
  std::vector<Reported> significant(const search::SearchId &id, std::size_t query, const search::Findings &found,
                                    const std::vector<search::Found> &list,
                                    const std::optional<search::Statistics> &statistics, std::string &reversed);
  Status add_z(std::vector<Reported> &hits);
  Status align(std::span<const Reported> hits, Rows &rows, Totals &totals);

  SearchRun run_;
  RunArguments arguments_;
  Options options_;
  std::size_t memory_;
  Warnings *warnings_ = nullptr;
  std::unique_ptr<spec::Spec> spec_;  // the aligner refers to it
  std::optional<formats::Letters> of_alphabet_;
  std::unique_ptr<formats::AlignmentWriter> writer_;
  std::optional<Opened> whole_;  // aligns hits, where more than scores is printed
  search::ScoringSystem scoring_;
  search::Statistics statistics_;           // of the scoring
  std::vector<search::Statistics> fitted_;  // to the queries that have any, lambda and K alone
  std::string no_evalues_;                  // why there are none; empty: there are
  std::optional<search::Composition> composition_;
  std::optional<Opened> scorer_;  // of shuffled targets
  std::uint64_t hits_ = 0, without_evalue_ = 0;
};

}  // namespace alnsmith::tool
