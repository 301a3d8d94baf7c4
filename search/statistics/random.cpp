// See random.h.
#include "random.h"

#include <algorithm>
#include <utility>

namespace alnsmith::search {

LetterSource::LetterSource(std::string_view letters, std::span<const double> parts) : letter_of_(1 << 16) {
  double until = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (parts[i] <= 0) continue;
    until += parts[i];
    const auto end = std::min(letter_of_.size(), static_cast<std::size_t>(until * 65536 + 0.5));
    while (at < end) letter_of_[at++] = letters[i];
  }
  // What rounding leaves over goes to the last letter that has a part.
  for (; at < letter_of_.size(); ++at) letter_of_[at] = at > 0 ? letter_of_[at - 1] : letters[0];
}

void LetterSource::fill(Random &random, std::span<char> sequence) const {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sequence.size(); ++i, bits >>= 16) {
    if (i % 4 == 0) bits = random.next();
    sequence[i] = letter_of_[bits & 0xffff];
  }
}

void shuffle(Random &random, std::span<char> sequence) {
  for (std::size_t left = sequence.size(); left > 1; --left)
    std::swap(sequence[left - 1], sequence[random.below(left)]);
}

}  // namespace alnsmith::search
