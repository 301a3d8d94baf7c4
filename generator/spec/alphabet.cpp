// The alphabets' table: see alphabet.h.
#include "spec/alphabet.h"

#include <span>

#include "spec/error.h"

namespace alnsmith::spec {
namespace {

struct Named {
  std::string_view name, letters;
  char wildcard;
  std::string_view synonyms;  // pairs: a further letter, and the letter that it stands for
};

constexpr Named alphabets[] = {
    {"dna", "ACGT", 0, "UT"},
    {"dna5", "ACGTN", 'N', "UT"},
    {"rna", "ACGU", 0, "TU"},
    {"iupac", "ACGTRYSWKMBDHVN", 'N', "UT"},
    {"protein", "ARNDCQEGHILKMFPSTWYVBJZX*", 'X', "UXOX"},
};

}  // namespace

char upper_case(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

std::optional<Alphabet> named_alphabet(std::string_view name) {
  for (const Named &row : alphabets) {
    if (row.name != name) continue;
    Alphabet alphabet;
    alphabet.name = row.name;
    alphabet.letters = row.letters;
    alphabet.wildcard = row.wildcard;
    for (size_t i = 0; i + 1 < row.synonyms.size(); i += 2) alphabet.synonyms[row.synonyms[i]] = row.synonyms[i + 1];
    return alphabet;
  }
  return std::nullopt;
}

namespace {

// A letter and the states that it may be.
struct LetterSet {
  char letter;
  std::string_view states;
};
// IUPAC, NC-IUB 1984; U is T.
constexpr std::string_view dna_states = "ACGT";
constexpr LetterSet dna_sets[] = {{'U', "T"},   {'M', "AC"},   {'R', "AG"},   {'S', "CG"},   {'V', "ACG"},
                                  {'W', "AT"},  {'Y', "CT"},   {'H', "ACT"},  {'K', "GT"},   {'D', "AGT"},
                                  {'B', "CGT"}, {'N', "ACGT"}, {'-', "ACGT"}, {'?', "ACGT"}, {'.', "ACGT"}};
// IUPAC-IUB 1984. U, O and * have no state of their own.
constexpr std::string_view protein_states = "ARNDCQEGHILKMFPSTWYV";
constexpr LetterSet protein_sets[] = {
    {'B', "ND"},           {'Z', "QE"},           {'J', "IL"},           {'X', protein_states}, {'U', protein_states},
    {'O', protein_states}, {'*', protein_states}, {'-', protein_states}, {'?', protein_states}, {'.', protein_states}};

std::uint32_t bits_of(std::string_view all, std::string_view states) {
  std::uint32_t bits = 0;
  for (const char state : states) bits |= std::uint32_t{1} << all.find(state);
  return bits;
}

Alphabet of_states(std::string_view base, std::string_view states) {
  Alphabet alphabet;
  alphabet.name = "state_sets";
  alphabet.state_set_base = base;
  alphabet.letters = states;
  for (const char state : states) alphabet.sets[state] = bits_of(states, {&state, 1});
  return alphabet;
}

}  // namespace

Alphabet state_set_alphabet(std::string_view base) {
  const bool dna = base == "dna";
  Alphabet alphabet = of_states(base, dna ? dna_states : protein_states);
  for (const auto &[letter, states] : dna ? std::span<const LetterSet>(dna_sets) : protein_sets)
    alphabet.sets[letter] = bits_of(alphabet.letters, states);
  return alphabet;
}

Result<Alphabet> custom_state_sets(std::string_view states, const std::map<std::string, std::string> &sets) {
  auto base = custom_alphabet(states, '\0');
  if (!base) return base;
  if (base->letters.size() < 2) return Error{"one state alone matches always; list 2 to 32"};
  Alphabet alphabet = of_states("custom", base->letters);
  for (const auto &[name, members] : sets) {
    const char letter = upper_case(name[0]);
    if (alphabet.sets.contains(letter))
      return Error{"the letter " + shown({&letter, 1}) + " stands for a set already; list it once"};
    std::string upper;
    for (const char member : members) upper += upper_case(member);
    if (const auto at = upper.find_first_not_of(alphabet.letters); at != std::string::npos)
      return Error{"the set " + shown({&letter, 1}) + " holds " + shown({&upper[at], 1}) +
                   ", which is no state; list it among the `states` or leave it out"};
    alphabet.sets[letter] = bits_of(alphabet.letters, upper);
  }
  return alphabet;
}

Result<Alphabet> custom_alphabet(std::string_view letters, char wildcard) {
  Alphabet alphabet;
  alphabet.name = "custom";
  for (const char c : letters) {
    const char letter = upper_case(c);
    if (alphabet.letters.find(letter) != std::string::npos) {
      return Error{"the letter " + shown({&letter, 1}) + " is listed twice (case does not matter); list it once"};
    }
    alphabet.letters += letter;
  }
  if (wildcard != 0) {
    alphabet.wildcard = upper_case(wildcard);
    if (alphabet.letters.find(alphabet.wildcard) != std::string::npos) {
      return Error{"the wildcard " + shown({&alphabet.wildcard, 1}) +
                   " is also one of the letters, but is one more letter; take it out of `letters`"};
    }
    alphabet.letters += alphabet.wildcard;
  }
  if (alphabet.letters.size() > max_letters) {
    return Error{"an alphabet has at most 32 letters, its wildcard included, not " +
                 std::to_string(alphabet.letters.size()) + "; list fewer"};
  }
  return alphabet;
}

}  // namespace alnsmith::spec
