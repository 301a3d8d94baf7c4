// See database_source.hpp.
#include "alnsmith/database_source.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace alnsmith::search {
namespace {

Result<Entry> entry_of(const Block &block, std::uint64_t index) {
  const auto name = block.name(index), description = block.description(index);
  if (!name) return name.error();
  if (!description) return description.error();
  return Entry{std::string(*name), std::string(*description), std::string(block.letters(index))};
}

// Sequences of one block. When they are the last that are wanted of it, its memory is given back.
class MappedPortion : public Portion {
 public:
  MappedPortion(const Database &database, std::uint64_t block, const Block &sequences, std::uint64_t begin,
                std::uint64_t end, bool last)
      : database_(database), block_(block), sequences_(sequences), begin_(begin), last_(last) {
    first = sequences.first() + begin;
    letters.reserve(static_cast<std::size_t>(end - begin));
    for (std::uint64_t i = begin; i < end; ++i) letters.push_back(sequences.letters(i));
  }
  ~MappedPortion() override {
    if (last_) database_.release(block_);
  }
  MappedPortion(const MappedPortion &) = delete;
  MappedPortion &operator=(const MappedPortion &) = delete;

  Result<Entry> entry(std::size_t i) const override { return entry_of(sequences_, begin_ + i); }

 private:
  const Database &database_;
  std::uint64_t block_;
  Block sequences_;
  std::uint64_t begin_;
  bool last_;
};

}  // namespace

DatabaseSource::DatabaseSource(const Database &database, Range range, const PackedCopy *copy)
    : database_(database), copy_(copy), range_(range), at_(range.begin) {}

// A whole block: only its views take memory, since its letters are not read.
Result<std::unique_ptr<Portion>> DatabaseSource::packed_portion(std::uint64_t number) {
  const Result<Block> block = database_.unchecked_block(number);
  if (!block) return block.error();
  at_ = block->first() + block->count();
  auto portion = std::make_unique<MappedPortion>(database_, number, *block, 0, block->count(), true);
  portion->packed = copy_->targets(database_, number);
  return std::unique_ptr<Portion>(std::move(portion));
}

Result<std::unique_ptr<Portion>> DatabaseSource::next(std::size_t bytes) {
  if (at_ >= range_.end) return std::unique_ptr<Portion>();
  const Place place = database_.find(at_);
  const Extent &extent = database_.extent(place.block);
  if (copy_ != nullptr && place.index == 0 && extent.count <= range_.end - at_ &&
      extent.count <= bytes / sizeof(std::string_view) && copy_->covers(database_, place.block))
    return packed_portion(place.block);
  const Result<Block> block = database_.block(place.block);
  if (!block) return block.error();
  if (place.block + 1 < database_.blocks()) database_.prefetch(place.block + 1);
  const std::uint64_t most = std::min(block->count(), range_.end - block->first());
  std::uint64_t end = place.index + 1;
  const auto taken = [&](std::uint64_t to) {
    return block->letters_before(to) - block->letters_before(place.index) +
           (to - place.index) * sizeof(std::string_view);
  };
  while (end < most && taken(end + 1) <= bytes) ++end;
  at_ = block->first() + end;
  const bool last = end == most;
  return std::unique_ptr<Portion>(
      std::make_unique<MappedPortion>(database_, place.block, *block, place.index, end, last));
}

Status DatabaseSource::rewind() {
  at_ = range_.begin;
  return Ok{};
}

std::optional<double> DatabaseSource::share_read() const {
  if (range_.size() == 0) return 1.0;
  return static_cast<double>(at_ - range_.begin) / static_cast<double>(range_.size());
}

Result<Entry> DatabaseSource::entry(std::uint64_t number) {
  if (const Place place = database_.find(number); copy_ != nullptr && copy_->covers(database_, place.block)) {
    const Result<Block> block = database_.unchecked_block(place.block);
    if (!block) return block.error();
    if (Status ok = copy_->check(*block, place.block, place.index); !ok) return ok.error();
    return entry_of(*block, place.index);
  }
  const Result<Sequence> found = database_.sequence(number);
  if (!found) return found.error();
  return Entry{std::string(found->name), std::string(found->description), std::string(found->letters)};
}

}  // namespace alnsmith::search
