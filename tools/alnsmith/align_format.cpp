// See align_format.h.
#include "align_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "alnsmith/strands.hpp"
#include "formats/columns.h"

namespace alnsmith::tool {
namespace {

std::vector<std::string> names_of(const auto &rows) {
  std::vector<std::string> names;
  for (const auto &row : rows) names.emplace_back(row.name);
  return names;
}

// "tsv (a line per pair), paf (...)", for the help.
std::string listed(const auto &rows) {
  std::string text;
  for (const auto &row : rows) text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", row.name, row.words);
  return text;
}

// Formats of hits, or of any pairs.
std::vector<formats::FormatInfo> formats_of(bool hits) {
  std::vector<formats::FormatInfo> rows;
  for (const formats::FormatInfo &row : formats::all_formats())
    if (hits || !row.needs_evalue) rows.push_back(row);
  return rows;
}

// The outputs that a spec's `output` asks for.
OutputSet outputs_of(const spec::Output &output) {
  OutputSet outputs;
  const auto add = [&](const OutputInfo &info) {
    for (const spec::OutputWord &word : spec::output_list)
      if (word.name == info.key && output.*word.field) outputs.add(info.output);
  };
  std::ranges::for_each(kOutputs, add);
  add(kCigar);
  return outputs;
}

}  // namespace

std::vector<std::string> format_names(bool hits) { return names_of(formats_of(hits)); }

std::string formats_help(bool hits) { return listed(formats_of(hits)); }

void add_eqx_option(CLI::App &command, bool &eqx) {
  command.add_flag("--eqx", eqx, "CIGARs with = (equal letters) and X (unequal ones) in place of M");
}

std::string output_columns() {
  std::string text;
  const auto add = [&](const OutputInfo &info) { text += fmt::format("{} ({}),\n", info.name, info.words); };
  for (const OutputInfo &info : kOutputs)
    if (info.output != alnsmith::Output::score) add(info);
  add(kCigar);
  return text;
}

void add_format_options(CLI::App &command, FormatArguments &arguments) {
  command
      .add_option("--output", arguments.output,
                  "What to give of each pair: score; end: the last aligned letters too; begin: the first ones too; "
                  "cigar: the whole alignment; by default what the spec's `output` says")
      ->check(CLI::IsMember(names_of(spec::output_list)));
  command.add_option("--format", arguments.format, "One of " + formats_help(false))
      ->type_name("FORMAT")
      ->check(CLI::IsMember(format_names(false)))
      ->capture_default_str();
  command
      .add_option("--columns", arguments.columns,
                  "Further columns of --format tsv, separated by commas: " + formats::columns_help(false))
      ->type_name("NAMES");
  command
      .add_option(
          "--strand", arguments.strand,
          "Of nucleotides: align queries as read (plus), their reverse complements (minus), or both, and give the "
          "better one; minus and both add a column")
      ->check(CLI::IsMember(search::kStrandWords))
      ->capture_default_str();
  add_eqx_option(command, arguments.eqx);
}

void choose_output(const FormatArguments &arguments, spec::Spec &spec) {
  if (arguments.output.empty()) return;
  bool chosen = true;
  for (const spec::OutputWord &word : spec::output_list) {
    spec.output.*word.field = chosen;
    chosen = chosen && word.name != arguments.output;
  }
}

Result<std::unique_ptr<formats::AlignmentWriter>> writer_of(const FormatArguments &arguments, const spec::Spec &spec,
                                                            const ResolvedScoring &scoring, std::size_t header_bytes) {
  // Where small scores are good ones, none is marked for being above 0.
  const bool maximize = spec.objective == spec::Objective::maximize;
  const std::vector<int> &matrix = spec.score.matrix_runtime ? scoring.scoring.matrix : spec.score.matrix;
  formats::Request request{
      .format = formats::find_format(arguments.format)->format,
      .strands = search::strands_of(arguments.strand)->minus,
      .eqx = arguments.eqx,
      .columns = {},
      .outputs = outputs_of(spec.output),
      .letters = formats::Letters(spec.alphabet, maximize ? std::span<const int>(matrix) : std::span<const int>()),
      .spec = spec.name,
      .gap = scoring.gap,
      .header_bytes = header_bytes};
  if (!arguments.columns.empty()) request.columns = CLI::detail::split(arguments.columns, ',');
  return formats::make_writer(std::move(request));
}

}  // namespace alnsmith::tool
