// See search_source.h.
#include "search_source.h"

#include <fmt/format.h>

#include <utility>

namespace alnsmith::tool {
namespace {

constexpr std::size_t kNoLimit = ~std::size_t{0};

class ReadTile : public search::Tile {
 public:
  Block block{true};
  std::vector<std::size_t> places;  // of the tile's targets in the block

  Result<search::Entry> entry(std::size_t i) const override {
    const std::size_t at = places[i];
    return search::Entry{std::string(block.name(at)), std::string(block.description(at)),
                         std::string(block.letters(at))};
  }
};

}  // namespace

SequenceFile::SequenceFile(Input input, search::Shard shard, bool hash)
    : input_(std::move(input)), shard_(shard), hash_(hash) {}

Result<std::unique_ptr<search::Tile>> SequenceFile::next(std::size_t bytes) {
  while (!input_.exhausted()) {
    auto tile = std::make_unique<ReadTile>();
    if (Status ok = input_.fill(tile->block, kNoLimit, bytes); !ok) return ok.error();
    const Block &block = tile->block;
    tile->step = shard_.count;
    for (std::size_t i = 0; i < block.size(); ++i, ++read_) {
      if (!counted_) {
        ++sequences_;
        letters_ += block.letters(i).size();
        if (hash_) content_.add(block.name(i), block.letters(i));
      }
      if (read_ % shard_.count != shard_.index - 1) continue;
      if (tile->places.empty()) tile->first = read_;
      tile->places.push_back(i);
      tile->letters.push_back(block.letters(i));
    }
    if (!tile->letters.empty()) return std::unique_ptr<search::Tile>(std::move(tile));
  }
  if (!counted_) as_wildcard_ = input_.as_wildcard();
  counted_ = true;
  return std::unique_ptr<search::Tile>();
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
    const auto tile = next(kBytes);
    if (!tile) return tile.error();
    if (!*tile) return Ok{};
  }
}

}  // namespace alnsmith::tool
