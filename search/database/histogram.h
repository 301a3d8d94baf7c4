// How often each byte occurs.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace alnsmith::search {

// Adds to `counts`. Four tables in turn: equal letters in a row do not wait for each other's sum.
inline void count_letters(std::string_view letters, std::array<std::uint64_t, 256> &counts) {
  std::array<std::array<std::uint64_t, 256>, 4> tables{};
  for (std::size_t i = 0; i < letters.size(); ++i) ++tables[i % 4][static_cast<unsigned char>(letters[i])];
  for (const auto &table : tables)
    for (std::size_t i = 0; i < 256; ++i) counts[i] += table[i];
}

}  // namespace alnsmith::search
