// One input of `align`: records that keep the spec's rules, delivered in blocks.
#include "input.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/interrupt.h"
#include "common/text.h"

namespace alnsmith::tool {
namespace {

// Position of the first blank or control byte: no letter, not even for a wildcard. Without one, no branch a byte.
std::optional<std::size_t> first_blank(std::string_view letters) {
  const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  bool any = false;
  for (const char c : letters) any |= blank(c);
  if (!any) return std::nullopt;
  return static_cast<std::size_t>(std::find_if(letters.begin(), letters.end(), blank) - letters.begin());
}

}  // namespace

Input::Input(SequenceReader reader, std::string path, Rules rules, std::size_t max_record_bytes)
    : reader_(std::move(reader)),
      path_(std::move(path)),
      rules_(std::move(rules)),
      max_record_bytes_(max_record_bytes) {}

Result<Input> Input::open(const std::string &path, Rules rules, std::size_t max_record_bytes) {
  Result<SequenceReader> reader = SequenceReader::open(path, max_record_bytes);
  if (!reader) return reader.error();
  return Input(std::move(*reader), path, std::move(rules), max_record_bytes);
}

Status Input::check(const Record &record) const {
  const auto fail = [&](const std::string &what) {
    return Error{fmt::format("{}: record {} ({}): {}", label(), reader_.records(), printable(record.name, 60), what)};
  };
  if (record.letters.empty()) return fail("has no sequence: remove the record, or give it letters");
  if (rules_.max_length && record.letters.size() > static_cast<std::size_t>(*rules_.max_length))
    return fail(fmt::format(
        "has {} letters, above the spec's maximum of {}: raise {} in the spec, or leave it out for no maximum",
        record.letters.size(), *rules_.max_length, rules_.max_key));
  if (const auto at = first_blank(record.letters))
    return fail(fmt::format("{} at position {} is no letter: take it out of the sequence",
                            printable_letter(record.letters[*at]), *at + 1));
  if (const auto at = rules_.invalid_letter(record.letters))
    return fail(
        fmt::format("letter {} at position {} is not in the alphabet {}: correct it, or use a spec whose alphabet has "
                    "it or a wildcard",
                    printable_letter(record.letters[*at]), *at + 1, rules_.alphabet));
  return Ok{};
}

Status Input::fill(Block &block, std::size_t max_records, std::size_t max_bytes) {
  Record record;
  while (!exhausted_ && block.size() < max_records && block.bytes() < max_bytes) {
    if (interrupted()) return interrupted_error();
    const Result<bool> more = reader_.next(record);
    if (!more) return more.error();
    if (!*more) {
      exhausted_ = true;
      if (reader_.records() == 0)
        return Error{fmt::format("{}: has no records: give a FASTA or FASTQ file with at least one", label())};
      break;
    }
    if (Status ok = check(record); !ok) return ok;
    for (const char letter : record.letters) as_wildcard_ += rules_.as_wildcard[static_cast<unsigned char>(letter)];
    block.add(record);
  }
  return Ok{};
}

Result<std::uint64_t> Input::count_rest() {
  Record record;
  while (!exhausted_) {
    if (interrupted()) return interrupted_error();
    const Result<bool> more = reader_.next(record);
    if (!more) return more.error();
    exhausted_ = !*more;
  }
  return reader_.records();
}

}  // namespace alnsmith::tool
