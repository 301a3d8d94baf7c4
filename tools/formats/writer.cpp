// See writer.h: the list of formats, and what they refuse.
#include "formats/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/text.h"
#include "formats/columns.h"

namespace alnsmith::formats {
namespace {

using Make = std::unique_ptr<AlignmentWriter> (*)(Request);

constexpr FormatInfo formats[] = {
    {Format::tsv, "tsv", false, false, "a line per pair, a column per output"},
    {Format::paf, "paf", true, false, "PAF with the tags AS, NM, cg and cs"},
    {Format::sam, "sam", true, false, "SAM with the tags AS, NM and MD; nucleotides"},
    {Format::jsonl, "jsonl", false, false, "an object per pair, one per line"},
    {Format::pretty, "pretty", true, false, "letters above letters, for people"},
    {Format::blast6, "blast6", true, true, "the twelve columns of BLAST's outfmt 6"},
};
// In the same order.
constexpr Make makers[] = {tsv_writer, paf_writer, sam_writer, jsonl_writer, pretty_writer, blast6_writer};

Error usage(std::string message) { return {std::move(message), 2}; }

constexpr std::string_view kAddCigar = "add --output cigar, or `cigar` to the spec's `output`";

bool has_cigars(const Request &request) { return request.outputs.contains(Output::cigar); }

// What a column needs and the pairs do not come with; empty: nothing.
std::string missing(const Column &column, const Request &request) {
  switch (column.source) {
    case Source::pair:
      return {};
    case Source::output:
      return request.outputs.contains(column.output)
                 ? std::string()
                 : fmt::format("is not among the outputs: add --output {}", info_of(column.output).key);
    case Source::alignment:
      return has_cigars(request) ? std::string() : fmt::format("is counted along whole alignments: {}", kAddCigar);
    case Source::evalue:
    case Source::bits:
      return request.evalues ? std::string() : request.no_evalues;
    case Source::z:
      return request.z ? std::string() : "needs shuffled targets: add --z-value 500 to a search";
  }
  return {};
}

Status check_columns(const Request &request) {
  if (!request.columns.empty() && request.format != Format::tsv && request.format != Format::blast6)
    return usage("--columns: are columns of tables, --format tsv or blast6; take one of the two options out");
  std::vector<std::string> listed = first_columns(request);
  for (const std::string &name : request.columns) {
    const Column *const column = find_column(name);
    if (column == nullptr) {
      std::string names;
      for (const Column &each : all_columns()) names += (names.empty() ? "" : ", ") + std::string(each.name);
      return usage(fmt::format("--columns {}: is none of {}", tool::printable(name), names));
    }
    if (std::ranges::find(listed, name) != listed.end())
      return usage(fmt::format("--columns: {} is listed twice: list it once", name));
    if (const std::string what = missing(*column, request); !what.empty())
      return usage(fmt::format("--columns {}: {}", name, what));
    listed.push_back(name);
  }
  return Ok{};
}

Status check(const Request &request) {
  if (Status ok = check_columns(request); !ok) return ok;
  const FormatInfo &info = formats[static_cast<std::size_t>(request.format)];
  if (info.needs_cigar && !has_cigars(request))
    return usage(fmt::format("--format {}: prints whole alignments: {}", info.name, kAddCigar));
  if (info.needs_evalue && !request.evalues && request.columns.empty())
    return usage(fmt::format("--format {}: its E-values and bit scores: {}", info.name, request.no_evalues));
  if (request.eqx && !has_cigars(request)) return usage(fmt::format("--eqx: there are no CIGARs: {}", kAddCigar));
  if (request.strands)
    if (Status ok = search::check_nucleotides("--strand", request.spec, request.letters.alphabet()); !ok) return ok;
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
