// Database::shard: parts of nearly as many letters each, from prefix sums of lengths.
#include <algorithm>

#include "base/guard.h"
#include "database/file.h"
#include "database/part_check.h"

namespace alnsmith::search {
namespace {

__extension__ using Wide = unsigned __int128;

// The first sequence before which there are at least `wanted` letters, which are fewer than all.
Result<std::uint64_t> first_at(const DatabaseFile &file, std::uint64_t wanted) {
  std::uint64_t before = 0;
  std::uint64_t block = 0;
  while (before + file.entry(block).extent.letters < wanted) before += file.entry(block++).extent.letters;
  const BlockEntry &entry = file.entry(block);
  if (wanted <= before) return entry.extent.first;
  if (before + entry.extent.letters == wanted) return entry.extent.first + entry.extent.count;
  if (auto ok = file.check(block, kIndex); !ok) return ok.error();
  const char *offsets = file.bytes(entry.parts[kIndex]).data();
  std::uint64_t low = 0, high = entry.extent.count;  // high has enough before it
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (letters_offset(offsets, middle) >= wanted - before)
      high = middle;
    else
      low = middle + 1;
  }
  return entry.extent.first + low;
}

}  // namespace

Result<Range> Database::shard(std::uint64_t part, std::uint64_t parts) const {
  if (part < 1 || part > parts)
    return Error{"shard " + std::to_string(part) + "/" + std::to_string(parts) +
                     ": there are 1/N to N/N, for N parts and N at least 1",
                 2};
  return rt::guarded([&]() -> Result<Range> {
    const auto boundary = [&](std::uint64_t i) -> Result<std::uint64_t> {
      if (i == parts) return info().sequences;
      return first_at(*file_, static_cast<std::uint64_t>(Wide{info().letters} * i / parts));
    };
    const auto begin = boundary(part - 1), end = boundary(part);
    if (!begin) return begin.error();
    if (!end) return end.error();
    return Range{*begin, *end};
  });
}

}  // namespace alnsmith::search
