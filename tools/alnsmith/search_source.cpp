// See search_source.h.
#include "search_source.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "common/text.h"

namespace alnsmith::tool {
namespace {

class ReadPortion : public search::Portion {
 public:
  Block block{true};
  std::vector<std::size_t> places;  // of the portion's targets in the block

  Result<search::Entry> entry(std::size_t i) const override {
    const std::size_t at = places[i];
    return search::Entry{std::string(block.name(at)), std::string(block.description(at)),
                         std::string(block.letters(at))};
  }
};

// Letters of the database that no alphabet of the spec has: the error names the first.
Status check_letters(const search::Database &database, const Rules &rules) {
  std::string wrong;
  for (std::size_t byte = 0; byte < 256; ++byte)
    if (database.info().letter_counts[byte] > 0 && rules.invalid_letter(std::string(1, static_cast<char>(byte))))
      wrong += static_cast<char>(byte);
  if (rules.max_length && database.info().longest_sequence > static_cast<std::uint64_t>(*rules.max_length))
    return Error{fmt::format(
        "{}: has a sequence of {} letters, above the spec's maximum of {}: raise {} in the spec, "
        "or leave it out for no maximum",
        printable(database.path(), 400), database.info().longest_sequence, *rules.max_length, rules.max_key)};
  if (wrong.empty()) return Ok{};
  for (std::uint64_t b = 0; b < database.blocks(); ++b) {
    const auto block = database.block(b);
    if (!block) return block.error();
    for (std::uint64_t i = 0; i < block->count(); ++i) {
      const std::size_t at = block->letters(i).find_first_of(wrong);
      if (at == std::string_view::npos) continue;
      const auto name = block->name(i);
      if (!name) return name.error();
      return Error{
          fmt::format("{}: record {} ({}): letter {} at position {} is not in the alphabet {}: search with a "
                      "spec whose alphabet has it or a wildcard",
                      printable(database.path(), 400), block->first() + i + 1, printable(*name, 60),
                      printable_letter(block->letters(i)[at]), at + 1, rules.alphabet)};
    }
    database.release(b);
  }
  return Ok{};
}

}  // namespace

SequenceFile::SequenceFile(Input input, search::Shard shard, bool hash)
    : input_(std::move(input)), shard_(shard), hash_(hash) {}

Result<std::unique_ptr<search::Portion>> SequenceFile::next(std::size_t bytes) {
  while (!input_.exhausted()) {
    auto portion = std::make_unique<ReadPortion>();
    if (Status ok = input_.fill(portion->block, kNoLimit, bytes); !ok) return ok.error();
    const Block &block = portion->block;
    portion->step = shard_.count;
    for (std::size_t i = 0; i < block.size(); ++i, ++read_) {
      if (!counted_) {
        ++sequences_;
        letters_ += block.letters(i).size();
        if (hash_) content_.add(block.name(i), block.letters(i));
      }
      if (read_ % shard_.count != shard_.index - 1) continue;
      if (portion->places.empty()) portion->first = read_;
      portion->places.push_back(i);
      portion->letters.push_back(block.letters(i));
    }
    if (!portion->letters.empty()) return std::unique_ptr<search::Portion>(std::move(portion));
  }
  if (!counted_) as_wildcard_ = input_.as_wildcard();
  counted_ = true;
  return std::unique_ptr<search::Portion>();
}

Status SequenceFile::rewind() {
  if (!input_.can_reopen())
    return Error{
        fmt::format("{}: the lists of hits of so many queries need more memory than there is, and the database cannot "
                    "be read twice: raise --memory, lower --top, or make a database of it (`alnsmith makedb`)",
                    input_.label())};
  Result<Input> again = input_.reopened();
  if (!again) return again.error();
  input_ = std::move(*again);
  read_ = 0;
  return Ok{};
}

Result<search::Entry> SequenceFile::entry(std::uint64_t) { return Error{"a file of sequences keeps none"}; }

Status SequenceFile::survey() {
  constexpr std::size_t kBytes = std::size_t{16} << 20;
  for (;;) {
    const auto portion = next(kBytes);
    if (!portion) return portion.error();
    if (!*portion) return Ok{};
  }
}

Result<SearchTargets> SearchTargets::open(const std::string &path, const search::Shard &shard, Rules rules,
                                          std::size_t record_bytes, bool hash, const std::string &layout) {
  SearchTargets out;
  out.rules_ = std::move(rules);
  if (path == "-" || !search::Database::recognised(path)) {
    Result<Input> input = Input::open(path, out.rules_, record_bytes);
    if (!input) return input.error();
    auto file = std::make_unique<SequenceFile>(std::move(*input), shard, hash);
    out.file_ = file.get();
    out.source_ = std::move(file);
    return out;
  }
  Result<search::Database> opened = search::Database::open(path);
  if (!opened) return opened.error();
  out.mapped_ = std::make_unique<search::Database>(std::move(*opened));
  if (Status ok = check_letters(*out.mapped_, out.rules_); !ok) return ok.error();
  const auto range = out.mapped_->shard(shard.index, shard.count);
  if (!range) return range.error();
  if (Status ok = out.open_copy(path, layout); !ok) return ok.error();
  out.source_ = std::make_unique<search::DatabaseSource>(*out.mapped_, *range, out.copy_.get());
  return out;
}

// The copy in this layout, if there is one.
Status SearchTargets::open_copy(const std::string &path, const std::string &layout) {
  const std::string name = search::packed_copy_path(path, layout);
  std::error_code failed;
  if (layout.empty() || !std::filesystem::exists(name, failed)) return Ok{};
  Result<search::PackedCopy> copy = search::PackedCopy::open(name);
  if (!copy) return copy.error();
  const std::string again = "`alnsmith makedb --packed SPEC -o " + printable(path, 400) + "` makes it anew";
  if (copy->layout() != layout) {
    note_ =
        fmt::format("{}: is not used, as it has another layout than its name says: {}", printable(name, 400), again);
    return Ok{};
  }
  std::uint64_t covered = 0;
  for (std::uint64_t b = 0; b < mapped_->blocks(); ++b) covered += copy->covers(*mapped_, b) ? 1 : 0;
  if (covered < mapped_->blocks())
    note_ = fmt::format("{}: has {} of the database's {} blocks as they are: {}", printable(name, 400), covered,
                        mapped_->blocks(), again);
  copy_ = std::make_unique<search::PackedCopy>(std::move(*copy));
  return Ok{};
}

void SearchTargets::describe(search::SearchId &id) const {
  id.split = mapped_ ? "range" : "stride";
  id.database = mapped_ ? mapped_->info().content : file_->content();
  id.sequences = mapped_ ? mapped_->info().sequences : file_->sequences();
  id.letters = mapped_ ? mapped_->info().letters : file_->letters();
}

std::uint64_t SearchTargets::as_wildcard() const {
  if (file_ != nullptr) return file_->as_wildcard();
  std::uint64_t n = 0;
  for (std::size_t byte = 0; byte < 256; ++byte) n += rules_.as_wildcard[byte] * mapped_->info().letter_counts[byte];
  return n;
}

}  // namespace alnsmith::tool
