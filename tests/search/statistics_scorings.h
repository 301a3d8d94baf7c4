// Scorings for the tests of significance.
#pragma once

#include <string>

#include "alnsmith/statistics.hpp"
#include "spec/alphabet.h"
#include "spec/matrix.h"

namespace alnsmith::test {

// A shipped matrix over the protein alphabet; gaps cost open + extend * L on both sides.
inline search::ScoringSystem protein_scoring(const std::string &matrix, int open, int extend) {
  const spec::Alphabet alphabet = *spec::named_alphabet("protein");
  search::ScoringSystem out;
  out.letters = alphabet.letters;
  out.synonyms = alphabet.synonyms;
  out.wildcard = alphabet.wildcard;
  out.matrix = *spec::load_matrix(matrix, alphabet);
  out.insertion = out.deletion = {{open, extend}};
  return out;
}

// Match and mismatch over A, C, G and T.
inline search::ScoringSystem dna_scoring(int match, int mismatch, int open, int extend) {
  const spec::Alphabet alphabet = *spec::named_alphabet("dna");
  search::ScoringSystem out;
  out.letters = alphabet.letters;
  out.synonyms = alphabet.synonyms;
  for (const char row : out.letters)
    for (const char column : out.letters) out.matrix.push_back(row == column ? match : mismatch);
  out.insertion = out.deletion = {{open, extend}};
  return out;
}

}  // namespace alnsmith::test
