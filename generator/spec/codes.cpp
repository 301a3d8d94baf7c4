// Letters to codes: see codes.h.
#include "spec/codes.h"

#include <map>
#include <set>

#include "alnsmith/kernel_abi.h"

namespace alnsmith::spec {
namespace {

using Codes = std::map<unsigned char, int>;

void add(Codes &codes, char letter, int code) {
  codes[static_cast<unsigned char>(letter)] = code;
  if (letter >= 'A' && letter <= 'Z') codes[static_cast<unsigned char>(letter - 'A' + 'a')] = code;
}

}  // namespace

std::vector<std::uint32_t> letter_sets(const Alphabet &alphabet) {
  std::set<std::uint32_t> sets;
  for (const auto &[letter, states] : alphabet.sets) sets.insert(states);
  return {sets.begin(), sets.end()};
}

std::vector<std::pair<unsigned char, int>> letter_codes(const Spec &spec, Side side) {
  const Alphabet &alphabet = spec.alphabet;
  if (!alphabet.sets.empty()) {
    Codes codes;
    for (const auto &[letter, states] : alphabet.sets) add(codes, letter, static_cast<int>(states));
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
