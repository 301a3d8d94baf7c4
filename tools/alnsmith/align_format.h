// What `align` gives of each pair and in which format: --output, --format, --columns and --eqx.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "formats/writer.h"
#include "scoring.h"
#include "spec/spec.h"

namespace alnsmith::tool {

struct FormatArguments {
  std::string output;  // a word of spec::output_list; empty: as the spec says
  std::string format = "tsv", columns;
  std::string strand = "plus";  // of the queries
  bool eqx = false;
};

// For --format: the formats of hits, or of any pairs, by name, and each with its words.
std::vector<std::string> format_names(bool hits);
std::string formats_help(bool hits);
void add_eqx_option(CLI::App &command, bool &eqx);
void add_format_options(CLI::App &command, FormatArguments &arguments);
// For the help: the outputs beside the score, a line each.
std::string output_columns();

// --output in place of the spec's own: its word and those before it in the list.
void choose_output(const FormatArguments &arguments, spec::Spec &spec);
// The writer for a spec's alignments. `header_bytes`: memory for a header that lists all targets.
Result<std::unique_ptr<formats::AlignmentWriter>> writer_of(const FormatArguments &arguments, const spec::Spec &spec,
                                                            const ResolvedScoring &scoring, std::size_t header_bytes);

}  // namespace alnsmith::tool
