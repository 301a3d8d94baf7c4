// See random_letters.h.
#include "random_letters.h"

std::string random_text(std::mt19937 &random, const std::string &letters, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += letters[random() % letters.size()];
  return text;
}
