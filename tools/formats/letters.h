// What the letters of a spec's alphabet are to formats: which are equal, which are printed, which score above 0.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/strands.hpp"
#include "spec/spec.h"

namespace alnsmith::formats {

class Letters {
 public:
  // `matrix`: the scores of the alphabet's letters where the spec has a matrix, row = query letter; else empty.
  explicit Letters(const spec::Alphabet &alphabet, std::span<const int> matrix = {});

  // Whether two bytes stand for the same letter, either case. The wildcard equals nothing, itself included.
  bool equal(char query, char target) const { return query_code_[byte(query)] == target_code_[byte(target)]; }
  // Whether the matrix has a score above 0 for them; never without a matrix.
  bool positive(char query, char target) const;
  // The letter of the alphabet that a byte stands for, upper case: the wildcard for one that is none of them.
  char letter(char read) const { return letter_[byte(read)]; }
  // For people: the byte itself, but the wildcard in place of what is no printable character.
  char shown(char read) const { return shown_[byte(read)]; }

  const std::string &alphabet() const { return alphabet_; }  // all of them, in code order
  std::string reverse_complement(std::string_view read) const { return complement_.reverse(read); }
  bool nucleotides() const { return search::nucleotides(alphabet_); }
  bool only_a_to_z() const;

 private:
  static std::size_t byte(char c) { return static_cast<unsigned char>(c); }

  std::string alphabet_;
  std::vector<int> matrix_;
  std::array<std::uint8_t, 256> query_code_{}, target_code_{}, index_{};
  std::array<char, 256> letter_{}, shown_{};
  search::Complement complement_;
};

}  // namespace alnsmith::formats
