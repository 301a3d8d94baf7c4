// Letter codes: both cases, synonyms, and wildcards that equal nothing under match/mismatch.
#include "alnsmith/kernel_abi.h"
#include "helpers.h"
#include "spec/codes.h"

namespace alnsmith::spec {
namespace {

using Codes = std::map<unsigned char, int>;

Codes codes(const Spec &spec, Side side) {
  const auto list = letter_codes(spec, side);
  EXPECT_TRUE(std::ranges::is_sorted(list));
  Codes map(list.begin(), list.end());
  EXPECT_EQ(map.size(), list.size());
  return map;
}

TEST(SpecCodes, Dna) {
  const Codes expected = {{'A', 0}, {'C', 1}, {'G', 2}, {'T', 3}, {'U', 3},
                          {'a', 0}, {'c', 1}, {'g', 2}, {'t', 3}, {'u', 3}};
  const Spec spec = parse_ok(small_spec);
  EXPECT_EQ(codes(spec, Side::query), expected);
  EXPECT_EQ(codes(spec, Side::target), expected);
}

TEST(SpecCodes, WildcardUnderMatchAndMismatchDiffersPerSide) {
  const Spec spec = parse_ok(with("dna", "dna5"));
  EXPECT_EQ(codes(spec, Side::query).at('N'), ALN_CODE_QUERY_WILDCARD);
  EXPECT_EQ(codes(spec, Side::query).at('n'), ALN_CODE_QUERY_WILDCARD);
  EXPECT_EQ(codes(spec, Side::target).at('N'), ALN_CODE_TARGET_WILDCARD);
  EXPECT_EQ(codes(spec, Side::target).at('u'), 3);
}

TEST(SpecCodes, WildcardUnderAMatrixIsALetter) {
  const Spec spec = parse_ok(with("dna\nscore: {match: 2, mismatch: -1}", "protein\nscore: {matrix: BLOSUM62}"));
  for (const Side side : {Side::query, Side::target}) {
    const Codes map = codes(spec, side);
    for (const char letter : {'X', 'x', 'U', 'u', 'O', 'o'}) EXPECT_EQ(map.at(static_cast<unsigned char>(letter)), 23);
    EXPECT_EQ(map.at('*'), 24);
    EXPECT_EQ(map.size(), 25u + 24u + 4u);  // letters, lower case, U and O
  }
}

TEST(SpecCodes, SynonymsOfTheWildcardFollowIt) {
  const Spec spec = parse_ok(with("dna", "protein"));
  EXPECT_EQ(codes(spec, Side::query).at('O'), ALN_CODE_QUERY_WILDCARD);
  EXPECT_EQ(codes(spec, Side::target).at('u'), ALN_CODE_TARGET_WILDCARD);
}

TEST(SpecCodes, CustomLettersAreNotFoldedBeyondCase) {
  const Spec spec = parse_ok(with("dna", "{letters: \"AT1*\"}"));
  EXPECT_EQ(codes(spec, Side::query), (Codes{{'A', 0}, {'a', 0}, {'T', 1}, {'t', 1}, {'1', 2}, {'*', 3}}));
}

TEST(SpecCodes, StateSetsAreBits) {
  const Codes map = codes(parse_ok(with("dna", "{state_sets: dna}")), Side::query);
  EXPECT_EQ(map.at('A'), 1);
  EXPECT_EQ(map.at('t'), 8);
  EXPECT_EQ(map.at('u'), 8);
  EXPECT_EQ(map.at('R'), map.at('A') | map.at('G'));
  EXPECT_EQ(map.at('B'), 15 - map.at('A'));
  EXPECT_EQ(map.at('-'), 15);
}

TEST(SpecCodes, StatesAreOfProteinsOrOnesOwnToo) {
  const Codes protein = codes(parse_ok(with("dna", "{state_sets: protein}")), Side::target);
  EXPECT_EQ(protein.at('b'), protein.at('N') | protein.at('D'));
  EXPECT_EQ(protein.at('Z'), protein.at('Q') | protein.at('E'));
  EXPECT_EQ(protein.at('J'), protein.at('I') | protein.at('L'));
  EXPECT_EQ(protein.at('X'), (1 << 20) - 1);
  EXPECT_EQ(protein.at('-'), protein.at('X'));
  const Spec own = parse_ok(with("dna", "{state_sets: {states: xyz, sets: {w: XZ, \"-\": zyx}}}"));
  EXPECT_EQ(codes(own, Side::query),
            (Codes{{'X', 1}, {'x', 1}, {'Y', 2}, {'y', 2}, {'Z', 4}, {'z', 4}, {'W', 5}, {'w', 5}, {'-', 7}}));
  EXPECT_EQ(letter_sets(own.alphabet), (std::vector<std::uint32_t>{1, 2, 4, 5, 7}));
}

}  // namespace
}  // namespace alnsmith::spec
