// See random_letters.h.
#include "random_letters.h"

std::string random_text(std::mt19937 &random, const std::string &letters, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += letters[random() % letters.size()];
  return text;
}

std::string mutated(std::mt19937 &random, const std::string &letters, const std::string &text) {
  std::string out;
  for (const char c : text) {
    const unsigned dice = random() % 16;
    if (dice == 0) continue;
    if (dice == 1) out += letters[random() % letters.size()];
    out += dice == 2 ? letters[random() % letters.size()] : c;
  }
  return out.empty() ? text : out;
}
