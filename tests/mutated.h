// A sequence related to another: letters lost, put in and changed, each with a chance of one in
// `one_in`; empty only where `from` is.
#pragma once

#include <random>
#include <string>
#include <string_view>

inline std::string mutated(std::mt19937 &random, std::string_view letters, const std::string &from, unsigned one_in) {
  const auto any = [&] { return letters[random() % letters.size()]; };
  std::string text;
  for (const char letter : from) {
    const auto dice = static_cast<unsigned>(random() % one_in);
    if (dice == 0) continue;
    if (dice == 1) text += any();
    text += dice == 2 ? any() : letter;
  }
  return text.empty() ? from : text;
}
