/// @file
/// Strands of nucleotides: which ones a word asks for, which alphabets have two, reverse complements.
///
/// Everything here is thread-safe; errors are values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "alnsmith/result.hpp"

namespace alnsmith::search {

/// Which strand of a query was aligned.
enum class Strand : std::uint8_t {
  plus,  ///< the query as read
  minus  ///< its reverse complement
};

/// Which strands of queries are wanted, one at least.
struct StrandChoice {
  bool plus = true;    ///< queries as read
  bool minus = false;  ///< their reverse complements
  /// How many strands that are. @return 1 or 2
  std::size_t count() const { return std::size_t{plus} + std::size_t{minus}; }
};

/// The words that choose strands.
inline constexpr std::array<const char *, 3> kStrandWords{"plus", "minus", "both"};

/// What a word chooses. @param word one of kStrandWords @return the choice; for another word an error that names the
/// three (2)
Result<StrandChoice> strands_of(std::string_view word);

/// Whether an alphabet has two strands: codes of IUPAC for nucleotides alone, and not T beside U.
/// @param letters of the alphabet, upper case @return whether
bool nucleotides(std::string_view letters);

/// Refuses the other strand of what has none.
/// @param given what asks for it, as a message begins: "--strand both"
/// @param spec its name, for the message @param letters of its alphabet, upper case
/// @return a usage error (2) where they are no nucleotides()
Status check_nucleotides(std::string_view given, std::string_view spec, std::string_view letters);

/// Complements of nucleotides and of IUPAC's codes, in the case they come in; what is none of them is its own. That of
/// A is T, or U in alphabets without T.
class Complement {
 public:
  /// @param letters of the alphabet, upper case
  explicit Complement(std::string_view letters);
  /// The other strand. @param read letters, either case @return as many letters
  std::string reverse(std::string_view read) const;

 private:
  std::array<char, 256> of_{};  // each byte
};

}  // namespace alnsmith::search
