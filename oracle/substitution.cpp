// Substitution scores of the oracle: letters to codes, codes to scores.
#include <cctype>
#include <stdexcept>

#include "oracle.h"

namespace oracle {

Substitution::Substitution(std::string_view letters, std::vector<long> scores)
    : letters_(letters.size()), scores_(std::move(scores)), codes_(256, -1) {
  if (scores_.size() != letters_ * letters_) throw std::invalid_argument("substitution matrix is not square");
  for (std::size_t i = 0; i < letters_; ++i) {
    codes_[static_cast<unsigned char>(std::toupper(static_cast<unsigned char>(letters[i])))] = static_cast<int>(i);
    codes_[static_cast<unsigned char>(std::tolower(static_cast<unsigned char>(letters[i])))] = static_cast<int>(i);
  }
}

Substitution Substitution::match_mismatch(std::string_view letters, long match, long mismatch, char wildcard) {
  std::vector<long> scores;
  for (char a : letters)
    for (char b : letters) scores.push_back(a == b && a != wildcard ? match : mismatch);
  return {letters, std::move(scores)};
}

Substitution Substitution::matrix(std::string_view letters, std::vector<long> scores) {
  return {letters, std::move(scores)};
}

Substitution Substitution::state_sets(const std::map<char, std::uint32_t> &sets, long match, long mismatch) {
  Substitution made("", {});
  made.sets_ = true;
  made.scores_ = {mismatch, match};
  for (const auto &[letter, states] : sets)
    for (const int byte :
         {std::toupper(static_cast<unsigned char>(letter)), std::tolower(static_cast<unsigned char>(letter))})
      made.codes_[static_cast<std::size_t>(byte)] = states;
  return made;
}

void Substitution::synonym(char byte, char letter) {
  codes_[static_cast<unsigned char>(byte)] = static_cast<std::int64_t>(code(letter));
}

std::size_t Substitution::code(char byte) const {
  const std::int64_t code = codes_[static_cast<unsigned char>(byte)];
  if (code < 0) throw std::invalid_argument(std::string("letter '") + byte + "' is not in the alphabet");
  return static_cast<std::size_t>(code);
}

}  // namespace oracle
