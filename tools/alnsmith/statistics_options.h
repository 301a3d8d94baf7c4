// Significance on the command line: --stats and --frequencies, which specs have any, and how it is found for one.
#pragma once

#include <string>

#include "alnsmith/statistics.hpp"
#include "run_options.h"
#include "spec/spec.h"

namespace alnsmith::tool {

struct StatisticsArguments {
  std::string method = "auto", frequencies = "standard";
  bool fresh = false;  // simulate even where the result is known
};

// --stats alone: a word of which method. `searches`: of a command that has the scores of a search, so that `fit` is
// one.
void add_stats_option(CLI::App &command, std::string &method, bool searches);
// --stats and --frequencies.
void add_statistics_options(CLI::App &command, StatisticsArguments &arguments);

// E holds for the best local alignment of two sequences, and for nothing else. The error says what to ask for instead.
Status check_significance(const spec::Spec &spec);

// The spec whose kernels simulate: those of `spec` with the begins of alignments, for sequences of any length; `spec`
// itself where it does that already.
spec::Spec simulated_form(const spec::Spec &spec);

// The letter frequencies that --frequencies means: a word, or a file whose letters are counted.
Result<search::Frequencies> frequencies_of(const std::string &named, const search::ScoringSystem &scoring,
                                           std::size_t max_record_bytes);

// The statistics of a spec with its scoring resolved; method none if that was asked for. `path`: the spec's file.
// `changed`: that says something else than `spec`. Kernels are opened only where something has to be simulated.
Result<search::Statistics> statistics_of(const StatisticsArguments &arguments, const RunArguments &run,
                                         const spec::Spec &spec, const std::string &path, bool changed,
                                         const Options &options);

}  // namespace alnsmith::tool
