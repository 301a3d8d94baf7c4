// Letters to codes: see codes.h.
#include "spec/codes.h"

#include <map>

#include "alnsmith/kernel_abi.h"

namespace alnsmith::spec {
namespace {

using Codes = std::map<unsigned char, int>;

void add(Codes &codes, char letter, int code) {
  codes[static_cast<unsigned char>(letter)] = code;
  if (letter >= 'A' && letter <= 'Z') codes[static_cast<unsigned char>(letter - 'A' + 'a')] = code;
}

// Bits: A 1, C 2, G 4, T 8 (PaPaRa 2.5); a gap may be any base.
Codes state_set_codes() {
  constexpr std::pair<char, int> sets[] = {{'A', 1},  {'C', 2},  {'G', 4},  {'T', 8},  {'U', 8},  {'M', 3},  {'R', 5},
                                           {'S', 6},  {'V', 7},  {'W', 9},  {'Y', 10}, {'H', 11}, {'K', 12}, {'D', 13},
                                           {'B', 14}, {'N', 15}, {'-', 15}, {'?', 15}, {'.', 15}};
  Codes codes;
  for (const auto &[letter, set] : sets) add(codes, letter, set);
  return codes;
}

}  // namespace

std::vector<std::pair<unsigned char, int>> letter_codes(const Spec &spec, Side side) {
  const Alphabet &alphabet = spec.alphabet;
  if (alphabet.name == "state_sets") {
    const Codes codes = state_set_codes();
    return {codes.begin(), codes.end()};
  }
  const auto code = [&](char letter) {
    if (letter == alphabet.wildcard && spec.score.kind == ScoreKind::match) {
      return static_cast<int>(side == Side::query ? ALN_CODE_QUERY_WILDCARD : ALN_CODE_TARGET_WILDCARD);
    }
    return static_cast<int>(alphabet.letters.find(letter));
  };
  Codes codes;
  for (const char letter : alphabet.letters) add(codes, letter, code(letter));
  for (const auto &[synonym, letter] : alphabet.synonyms) add(codes, synonym, code(letter));
  return {codes.begin(), codes.end()};
}

}  // namespace alnsmith::spec
