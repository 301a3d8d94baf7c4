// See writer.h: the list of formats, and what they refuse.
#include "formats/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/text.h"

namespace alnsmith::formats {
namespace {

using Make = std::unique_ptr<AlignmentWriter> (*)(Request);

constexpr FormatInfo formats[] = {
    {Format::tsv, "tsv", false, "a line a pair, a column an output"},
    {Format::paf, "paf", true, "PAF with the tags AS, NM, cg and cs"},
    {Format::sam, "sam", true, "SAM with the tags AS, NM and MD; nucleotides"},
    {Format::jsonl, "jsonl", false, "an object a pair, one a line"},
    {Format::pretty, "pretty", true, "letters above letters, for people"},
};
constexpr Make makers[] = {tsv_writer, paf_writer, sam_writer, jsonl_writer, pretty_writer};  // in the same order

Error usage(std::string message) { return {std::move(message), 2}; }

constexpr std::string_view kAddCigar = "add --output cigar, or `cigar` to the spec's `output`";

bool has_cigars(const Request &request) { return request.outputs.contains(Output::cigar); }

Status check_columns(const Request &request) {
  if (!request.columns.empty() && request.format != Format::tsv)
    return usage("--columns: are columns of --format tsv; take one of the two options out");
  for (auto name = request.columns.begin(); name != request.columns.end(); ++name) {
    if (std::ranges::find(all_columns(), *name, &ColumnInfo::name) == all_columns().end()) {
      std::string names;
      for (const ColumnInfo &column : all_columns()) names += (names.empty() ? "" : ", ") + std::string(column.name);
      return usage(fmt::format("--columns {}: is none of {}", tool::printable(*name), names));
    }
    if (std::find(request.columns.begin(), name, *name) != name)
      return usage(fmt::format("--columns: {} is listed twice: list it once", *name));
  }
  return Ok{};
}

Status check(const Request &request) {
  if (Status ok = check_columns(request); !ok) return ok;
  const FormatInfo &info = formats[static_cast<std::size_t>(request.format)];
  if (info.needs_cigar && !has_cigars(request))
    return usage(fmt::format("--format {}: prints whole alignments: {}", info.name, kAddCigar));
  if (!request.columns.empty() && !has_cigars(request))
    return usage(
        fmt::format("--columns {}: is counted along whole alignments: {}", request.columns.front(), kAddCigar));
  if (request.eqx && !has_cigars(request)) return usage(fmt::format("--eqx: there are no CIGARs: {}", kAddCigar));
  if (request.strands && !request.letters.nucleotides())
    return usage(
        fmt::format("--strand: the alphabet of spec {} is {}, and nucleotides alone have two strands: take it out",
                    request.spec, request.letters.alphabet()));
  if (request.format == Format::sam && !request.letters.nucleotides())
    return usage(
        fmt::format("--format sam: its sequences are nucleotides, and the alphabet of spec {} is {}: take "
                    "paf, jsonl or tsv",
                    request.spec, request.letters.alphabet()));
  return Ok{};
}

}  // namespace

std::span<const FormatInfo> all_formats() { return formats; }

const FormatInfo *find_format(std::string_view name) {
  const auto *const found = std::ranges::find(formats, name, &FormatInfo::name);
  return found == std::end(formats) ? nullptr : found;
}

Status AlignmentWriter::add_target(std::string_view, std::string_view) { return Ok{}; }
Status AlignmentWriter::begin(std::string &) { return Ok{}; }
void AlignmentWriter::end(std::string &) {}

Result<std::unique_ptr<AlignmentWriter>> make_writer(Request request) {
  if (Status ok = check(request); !ok) return ok.error();
  return makers[static_cast<std::size_t>(request.format)](std::move(request));
}

}  // namespace alnsmith::formats
