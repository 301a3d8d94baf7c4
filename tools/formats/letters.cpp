// See letters.h.
#include "formats/letters.h"

#include <algorithm>
#include <string_view>

#include "alnsmith/kernel_abi.h"
#include "spec/alphabet.h"

namespace alnsmith::formats {
namespace {

constexpr std::uint8_t kNoLetter = 255;  // outside an alphabet without a wildcard: such input is refused

}  // namespace

Letters::Letters(const spec::Alphabet &alphabet, std::span<const int> matrix)
    : alphabet_(alphabet.letters), matrix_(matrix.begin(), matrix.end()), complement_(alphabet.letters) {
  for (std::size_t b = 0; b < 256; ++b) {
    const char read = static_cast<char>(static_cast<unsigned char>(b));
    char letter = spec::upper_case(read);
    if (const auto synonym = alphabet.synonyms.find(letter); synonym != alphabet.synonyms.end())
      letter = synonym->second;
    std::size_t index = alphabet_.find(letter);
    if (index == std::string::npos && alphabet.wildcard != 0) {
      letter = alphabet.wildcard;
      index = alphabet_.find(letter);
    }
    const bool known = index != std::string::npos, wildcard = alphabet.wildcard != 0 && letter == alphabet.wildcard;
    index_[b] = known ? static_cast<std::uint8_t>(index) : kNoLetter;
    query_code_[b] = wildcard || !known ? static_cast<std::uint8_t>(ALN_CODE_QUERY_WILDCARD) : index_[b];
    target_code_[b] = wildcard || !known ? static_cast<std::uint8_t>(ALN_CODE_TARGET_WILDCARD) : index_[b];
    letter_[b] = letter;
    shown_[b] = b > ' ' && b < 0x7f ? read : letter;
  }
}

bool Letters::positive(char query, char target) const {
  const std::size_t q = index_[byte(query)], t = index_[byte(target)], n = alphabet_.size();
  return !matrix_.empty() && q < n && t < n && matrix_[q * n + t] > 0;
}

bool Letters::only_a_to_z() const {
  return std::ranges::all_of(alphabet_, [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace alnsmith::formats
