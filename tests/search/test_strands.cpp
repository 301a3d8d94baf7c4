// Words that choose strands, alphabets that have two, reverse complements.
#include <gtest/gtest.h>

#include "alnsmith/strands.hpp"

namespace alnsmith::search {
namespace {

TEST(Strands, WordsChoose) {
  const auto chosen = [](std::string_view word) {
    const Result<StrandChoice> choice = strands_of(word);
    return std::string(choice->plus ? "+" : "") + (choice->minus ? "-" : "") + std::to_string(choice->count());
  };
  EXPECT_EQ(chosen("plus"), "+1");
  EXPECT_EQ(chosen("minus"), "-1");
  EXPECT_EQ(chosen("both"), "+-2");
  for (const char *word : kStrandWords) EXPECT_TRUE(strands_of(word)) << word;
  for (const char *word : {"", "Plus", "up"}) {
    const Result<StrandChoice> refused = strands_of(word);
    ASSERT_FALSE(refused) << word;
    EXPECT_EQ(refused.error().message, "'" + std::string(word) + "' is none of plus, minus and both");
  }
}

TEST(Strands, NucleotidesAloneHaveTwo) {
  for (const char *letters : {"ACGT", "ACGTN", "ACGU", "ACGTRYSWKMBDHVN", "TGCA"}) {
    EXPECT_TRUE(nucleotides(letters)) << letters;
    EXPECT_TRUE(check_nucleotides("--strand both", "own", letters)) << letters;
  }
  for (const char *letters : {"ACGTU", "ARNDCQEGHILKMFPSTWYV", "ACGT*"}) {
    EXPECT_FALSE(nucleotides(letters)) << letters;
    const Status refused = check_nucleotides("--strand both", "own", letters);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().exit_code, 2);
    EXPECT_EQ(refused.error().message, "--strand both: the alphabet of spec own is " + std::string(letters) +
                                           ", and nucleotides alone have two strands: take it out");
  }
}

TEST(Strands, ComplementsGoBackwardsAndKeepTheirCase) {
  const Complement dna("ACGTN"), rna("ACGU");
  EXPECT_EQ(dna.reverse("AACgTu"), "aAcGTT");
  EXPECT_EQ(rna.reverse("AACgUt"), "aAcGUU");
  EXPECT_EQ(dna.reverse("RYSWKMBDHVNryswkmbdhvn"), "nbdhvkmwsryNBDHVKMWSRY");
  EXPECT_EQ(dna.reverse(std::string_view("\0-*\xff", 4)), std::string("\xff*-\0", 4));
  EXPECT_EQ(dna.reverse(""), "");
}

}  // namespace
}  // namespace alnsmith::search
