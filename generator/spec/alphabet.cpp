// The alphabets' table: see alphabet.h.
#include "spec/alphabet.h"

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

Alphabet state_set_alphabet(std::string_view base) {
  Alphabet alphabet = *named_alphabet("dna");
  alphabet.name = "state_sets";
  alphabet.state_set_base = base;
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
