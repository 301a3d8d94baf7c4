// The named alphabets, and custom ones.
//
// In: what the spec says. Out: an Alphabet with letters in code order, its wildcard and its synonyms.
// A custom alphabet is upper-cased; its wildcard is appended as one more letter.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "alnsmith/result.hpp"
#include "spec/spec.h"

namespace alnsmith::spec {

constexpr size_t max_letters = 32;  // and states

// dna, dna5, iupac, rna or protein; nothing for another name.
std::optional<Alphabet> named_alphabet(std::string_view name);

// {state_sets: BASE}, BASE being dna or protein: query letters and target columns are sets of A, C, G, T or of the
// twenty amino acids. Gap marks may be any state.
Alphabet state_set_alphabet(std::string_view base);

// {state_sets: {states, sets}}: `sets` has the states of each letter that stands for other than itself. The error is
// `rule; mend` without a place.
Result<Alphabet> custom_state_sets(std::string_view states, const std::map<std::string, std::string> &sets);

// {letters, wildcard}; wildcard 0 for none. The error is `rule; mend` without a place.
Result<Alphabet> custom_alphabet(std::string_view letters, char wildcard);

char upper_case(char c);

}  // namespace alnsmith::spec
