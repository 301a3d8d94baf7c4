// Background frequencies of letters: see alnsmith/statistics.hpp.
#include <algorithm>
#include <numeric>

#include "alnsmith/statistics.hpp"
#include "tables.h"

namespace alnsmith::search {
namespace {

bool has_all(const ScoringSystem &scoring, std::string_view letters) {
  return std::ranges::all_of(letters, [&](char c) { return scoring.letters.find(c) != std::string::npos; });
}

void normalise(std::vector<double> &parts) {
  const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  for (double &part : parts) part /= sum;
}

}  // namespace

Frequencies Frequencies::standard(const ScoringSystem &scoring) {
  Frequencies out;
  out.name = "uniform";
  const bool protein = has_all(scoring, kAminoAcids);
  const bool nucleotides = !protein && has_all(scoring, "ACG") && (has_all(scoring, "T") || has_all(scoring, "U"));
  if (protein) out.name = "robinson";
  for (const char letter : scoring.letters) {
    double part = letter != scoring.wildcard ? 1 : 0;
    if (protein) part = amino_acid_part(letter);
    if (nucleotides) part = letter != 0 && std::string_view("ACGTU").find(letter) != std::string_view::npos ? 1 : 0;
    out.parts.push_back(part);
  }
  normalise(out.parts);
  return out;
}

Result<Frequencies> Frequencies::counted(const ScoringSystem &scoring, std::string name,
                                         std::span<const std::uint64_t, 256> counts) {
  Frequencies out = standard(scoring);
  out.name = std::move(name);
  std::vector<double> found(out.parts.size(), 0);
  for (int byte = 0; byte < 256; ++byte) {
    char letter = byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - 'a' + 'A') : static_cast<char>(byte);
    if (const auto synonym = scoring.synonyms.find(letter); synonym != scoring.synonyms.end()) letter = synonym->second;
    const std::size_t at = scoring.letters.find(letter);
    if (at != std::string::npos && out.parts[at] > 0)
      found[at] += static_cast<double>(counts[static_cast<std::size_t>(byte)]);
  }
  out.parts = std::move(found);
  if (std::ranges::all_of(out.parts, [](double part) { return part == 0; }))
    return Error{"frequencies " + out.name + ": no letter of the alphabet " + scoring.letters +
                 " occurs: count sequences of this alphabet"};
  normalise(out.parts);
  return out;
}

}  // namespace alnsmith::search
