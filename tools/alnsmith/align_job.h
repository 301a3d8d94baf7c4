// The work of `align`: streams records through an Aligner in blocks and writes their scores in input order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "alnsmith/alnsmith.hpp"
#include "common/output.h"
#include "input.h"
#include "progress.h"
#include "results.h"
#include "strands.h"
#include "totals.h"
#include "warnings.h"

namespace alnsmith::tool {

// How a run shares its memory budget; parts of it, so that all together stay within.
struct Shares {
  Shares(std::size_t budget, bool cigars)
      : call(budget / 2),
        record(budget / 16),
        block(budget / (cigars ? 64 : 32)),
        resident(budget / 4),
        header(budget / 8),
        scores(budget / 16) {}
  std::size_t call;      // the runtime's, for one batch call
  std::size_t record;    // the largest single record
  std::size_t block;     // one block of one input; two inputs, two blocks each. With CIGARs it leaves room for theirs
  std::size_t resident;  // --all: targets kept in memory
  std::size_t header;    // of an output that lists all targets first, taken from `resident`
  std::size_t scores;    // --all: the results of one block of queries
};

struct AlignJob {
  const Aligner &aligner;
  const Aligner &searcher;  // --top, --min-score: finds what the aligner then aligns; the aligner itself where that has
                            // scores and ends alone
  Options options;          // of every call; memory_bytes is Shares::call
  Shares shares;
  Input queries, targets;
  Rows rows;
  Progress &progress;
  Warnings &warnings;
  Totals totals;

  Strands strands;                    // of the queries
  std::size_t pass = 0;               // which of them is being aligned
  std::size_t top = 0;                // --top: hits of a query; 0: all
  std::optional<std::int32_t> worst;  // --min-score

  Status run_pairs();  // the i-th query with the i-th target
  Status run_all();    // each with each, query by query

  bool cigars() const { return aligner.outputs().contains(alnsmith::Output::cigar); }

  // Adds a batch call's report to the totals. `again`: its pairs are counted already; pairs of two strands count with
  // the last.
  void account(const Report &report, bool again = false);
  // The error of a batch call, which counts its sequences from 1, with the files and the records that it began with.
  Error located(const Error &error, std::uint64_t first_query, std::uint64_t first_target) const;
  // Options whose progress continues from the pairs done so far, for a call of so many.
  Options call_options(std::uint64_t pairs);
};

}  // namespace alnsmith::tool
