// See alnsmith/strands.hpp.
#include "alnsmith/strands.hpp"

namespace alnsmith::search {
namespace {

constexpr std::string_view kNucleotides = "ACGTRYSWKMBDHVNU", kComplements = "TGCAYRSWMKVHDBNA";

constexpr char kToLower = 'a' - 'A';

}  // namespace

Result<StrandChoice> strands_of(std::string_view word) {
  const auto &[plus, minus, both] = kStrandWords;
  if (word == plus) return StrandChoice{true, false};
  if (word == minus) return StrandChoice{false, true};
  if (word == both) return StrandChoice{true, true};
  return Error{"'" + std::string(word) + "' is none of " + plus + ", " + minus + " and " + both, 2};
}

bool nucleotides(std::string_view letters) {
  const bool two = letters.find('T') != std::string_view::npos && letters.find('U') != std::string_view::npos;
  return !two && letters.find_first_not_of(kNucleotides) == std::string_view::npos;
}

Status check_nucleotides(std::string_view given, std::string_view spec, std::string_view letters) {
  if (nucleotides(letters)) return Ok{};
  return Error{std::string(given) + ": the alphabet of spec " + std::string(spec) + " is " + std::string(letters) +
                   ", and nucleotides alone have two strands: take it out",
               2};
}

Complement::Complement(std::string_view letters) {
  for (std::size_t byte = 0; byte < of_.size(); ++byte) of_[byte] = static_cast<char>(static_cast<unsigned char>(byte));
  const bool uracil = letters.find('T') == std::string_view::npos;
  for (std::size_t i = 0; i < kNucleotides.size(); ++i) {
    const char letter = kNucleotides[i], other = uracil && kComplements[i] == 'T' ? 'U' : kComplements[i];
    of_[static_cast<unsigned char>(letter)] = other;
    of_[static_cast<unsigned char>(letter + kToLower)] = static_cast<char>(other + kToLower);
  }
}

std::string Complement::reverse(std::string_view read) const {
  std::string out(read.rbegin(), read.rend());
  for (char &letter : out) letter = of_[static_cast<unsigned char>(letter)];
  return out;
}

}  // namespace alnsmith::search
