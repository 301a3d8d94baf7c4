// Database::verify: every byte that counts, against all that the file says of itself.
#include <sys/mman.h>

#include <algorithm>

#include "alnsmith/content_hash.hpp"
#include "base/guard.h"
#include "database/file.h"
#include "database/histogram.h"

namespace alnsmith::search {
namespace {

bool zeros(std::string_view bytes) { return bytes.find_first_not_of('\0') == std::string_view::npos; }

struct Seen {
  ContentHash content;
  std::array<std::uint64_t, 256> counts{};
  std::uint64_t longest_name = 0;
};

Status verify_block(const Database &database, const DatabaseFile &file, std::uint64_t number, Seen &seen) {
  for (const PartKind part : {kLetters, kIndex, kNames, kDescriptions})
    if (auto ok = file.check_again(number, part); !ok) return ok;
  const BlockEntry &entry = file.entry(number);
  for (std::size_t i = 0; i + 1 < kParts; ++i) {
    const std::uint64_t end = entry.parts[i].offset + entry.parts[i].size;
    if (!zeros(file.bytes(end, entry.parts[i + 1].offset - end)))
      return file.damaged(number, "what lies between its parts is not zero");
  }
  const auto block = database.block(number);
  if (!block) return block.error();
  count_letters(file.bytes(entry.parts[kLetters]), seen.counts);
  for (std::uint64_t i = 0; i < block->count(); ++i) {
    const auto name = block->name(i);
    if (!name) return name.error();
    seen.longest_name = std::max<std::uint64_t>(seen.longest_name, name->size());
    seen.content.add(*name, block->letters(i));
  }
  return Ok{};
}

}  // namespace

Status Database::verify(const std::function<bool(std::uint64_t)> &go_on) const {
  return rt::guarded([&]() -> Status {
    Seen seen;
    for (std::uint64_t i = 0; i < blocks(); ++i) {
      if (go_on && !go_on(i)) return Error{"", 130};
      if (auto ok = verify_block(*this, *file_, i, seen); !ok) return ok;
      release(i);
    }
    const auto wrong = [&](const char *what) {
      return Error{path() + ": damaged: its " + what + " not what its directory says: make it again"};
    };
    if (seen.counts != info().letter_counts) return wrong("counts of letters are");
    if (seen.longest_name != info().longest_name) return wrong("longest name is");
    if (seen.content.hex() != info().content) return wrong("content hash is");
    return Ok{};
  });
}

}  // namespace alnsmith::search
