// What the bytes of a part have to be beside having their checksum, so that whoever reads them needs to look no
// further: offsets in order and in bounds, texts that a terminal may be shown.
#pragma once

#include <string_view>

#include "database/format.h"

namespace alnsmith::search {

// What is wrong with a part's bytes; nullptr: nothing.
const char *part_problem(std::string_view bytes, const BlockEntry &block, PartKind part);

// Offset `index` of the index part.
std::uint64_t letters_offset(const char *index_part, std::uint64_t index);
// Where a sequence's letters lie among those of its block.
std::uint64_t letters_place(const char *index_part, std::uint64_t count, std::uint64_t index);

}  // namespace alnsmith::search
