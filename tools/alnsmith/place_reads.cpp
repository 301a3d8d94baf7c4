// See place_reads.h.
#include "place_reads.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "common/text.h"

namespace alnsmith::tool {

Result<PlaceReads> PlaceReads::open(const std::string &path, ReadRules rules, std::size_t max_record_bytes) {
  Result<SequenceReader> reader = SequenceReader::open(path, max_record_bytes);
  if (!reader) return reader.error();
  return PlaceReads(std::move(*reader), std::move(rules));
}

Result<placement::Read> PlaceReads::taken(const Record &record) {
  const auto place = [&] { return fmt::format("{}: read {}", reader_.label(), printable(record.name)); };
  placement::Read read{std::string(record.name), {}};
  if (read.name.empty())
    return Error{fmt::format("{}: record {} has no name: name each read", reader_.label(), reader_.records())};
  if (rules_.taken.contains(read.name))
    return Error{place() + " has the name of a reference: rename it, or take it out of one of the files"};
  if (!names_.insert(std::hash<std::string>{}(read.name)).second)
    return Error{place() + " is there twice: name each read once"};
  for (std::size_t i = 0; i < record.letters.size(); ++i) {
    const char letter = record.letters[i];
    if (placement::is_gap(letter)) continue;
    if (rules_.alphabet->sets[static_cast<unsigned char>(letter)] == 0)
      return Error{fmt::format("{}, letter {}: {} is no letter of {}: mend it, or choose a spec of another alphabet",
                               place(), i + 1, printable_letter(letter), rules_.alphabet->name)};
    read.letters += letter;
  }
  if (read.letters.empty()) return Error{place() + " is empty: give its letters, or take it out"};
  if (rules_.below && read.letters.size() >= *rules_.below)
    return Error{
        fmt::format("{} has {} letters and the references {} columns, and the spec's band needs reads that are "
                    "shorter: take it out, or choose another spec, such as papara-v25",
                    place(), read.letters.size(), *rules_.below)};
  gapped_ += read.letters.size() < record.letters.size();
  content_.add(read.name, read.letters);
  return read;
}

Result<std::vector<placement::Read>> PlaceReads::next() {
  std::vector<placement::Read> block;
  std::size_t letters = 0;
  while (letters < rules_.block_letters && block.size() < rules_.block_reads) {
    Record record;
    const Result<bool> more = reader_.next(record);
    if (!more) return more.error();
    if (!*more) break;
    Result<placement::Read> read = taken(record);
    if (!read) return read.error();
    letters += read->letters.size();
    block.push_back(std::move(*read));
  }
  if (block.empty() && reader_.records() == 0)
    return Error{fmt::format("{}: holds no read: give FASTA or FASTQ", reader_.label())};
  return block;
}

}  // namespace alnsmith::tool
