// `alnsmith stats`: what it prints, refuses and keeps.
#include <gtest/gtest.h>

#include <string>

#include "alnsmith/statistics.hpp"
#include "program.h"

namespace alnsmith::testing {
namespace {

bool has(const std::string &text, const std::string &words) { return text.find(words) != std::string::npos; }

TEST(Stats, AProteinSpecHasNcbisRow) {
  const Finished got = alnsmith({"stats", "protein-local-blosum62"});
  EXPECT_EQ(got.status, 0);
  EXPECT_EQ(got.err, "");
  for (const char *words : {"method           table\n", "NCBI: BLOSUM62, 11 + 1*L",
                            "lambda           0.267 +- 0.0005\n", "K                0.041 +- 0.0005\n",
                            "a 1.9, b -26.6016, alpha 42.6028, beta -903.315\n", "sigma 43.6362, tau -928.117\n"})
    EXPECT_TRUE(has(got.out, words)) << words << got.out;
}

TEST(Stats, JsonIsTheLibrarysOwn) {
  const Finished got = alnsmith({"stats", "blastn-local-affine", "--json"});
  EXPECT_EQ(got.status, 0) << got.err;
  const auto statistics = search::statistics_from_json(got.out);
  ASSERT_TRUE(statistics) << statistics.error().message;
  EXPECT_EQ(statistics->method, search::Method::simulate);
  EXPECT_NEAR(statistics->lambda, 0.625, 0.005);  // NCBI's
  EXPECT_EQ(statistics->period, 2);
  EXPECT_EQ(search::to_json(*statistics) + "\n", got.out);
}

TEST(Stats, ScoringOfTheCallIsTaken) {
  const std::vector<std::string> words = {"stats", "protein-local-runtime", "--matrix", "PAM30", "--set", "gap.open=9"};
  std::vector<std::string> whole = words;
  whole.insert(whole.end(), {"--set", "gap.extend=1"});
  const Finished got = alnsmith(whole);
  EXPECT_EQ(got.status, 0) << got.err;
  EXPECT_TRUE(has(got.out, "NCBI: PAM30, 9 + 1*L")) << got.out;
  EXPECT_EQ(alnsmith(words).status, 2);                      // extend is missing
  whole.insert(whole.end(), {"--gap-convention", "first"});  // 8 + 1*L
  EXPECT_TRUE(has(alnsmith(whole).out, "NCBI: PAM30, 8 + 1*L"));
}

TEST(Stats, WhatHasNoSignificanceIsRefusedInOneLine) {
  const Folder folder;
  const std::string banded = folder.write("banded.yaml",
                                          "version: 1\nname: banded\nalignment: local\nband: {width: 9}\n"
                                          "gap: {model: affine, open: 5, extend: 2}\nalphabet: dna5\n"
                                          "score: {match: 2, mismatch: -3}\n");
  for (const std::string &spec : {std::string("protein-global-blosum62"), std::string("dna-semiglobal-affine"),
                                  std::string("edit-distance"), std::string("papara-v25"), banded}) {
    const Finished got = alnsmith({"stats", spec});
    EXPECT_EQ(got.status, 2) << spec;
    EXPECT_EQ(got.out, "");
    EXPECT_TRUE(one_line(got.err)) << got.err;
    EXPECT_TRUE(has(got.err, "no significance")) << got.err;
  }
  const Finished table = alnsmith({"stats", "blastn-local-affine", "--stats", "table"});
  EXPECT_EQ(table.status, 2);
  EXPECT_TRUE(has(table.err, "take --stats simulate or auto")) << table.err;
  EXPECT_EQ(alnsmith({"stats", "blastn-local-affine", "--stats", "none"}).status, 0);
  EXPECT_EQ(alnsmith({"stats", "no-such-spec"}).status, 1);
}

TEST(Stats, TheLinearPhaseSaysWhatToWrite) {
  ALNSMITH_NEEDS_KERNELS();
  const Finished got = alnsmith({"stats", "dna-local-affine"});
  EXPECT_EQ(got.status, 2);
  EXPECT_TRUE(one_line(got.err)) << got.err;
  EXPECT_TRUE(has(got.err, "match 2, mismatch -3, gaps 5 + 2*L")) << got.err;
}

TEST(Stats, FrequenciesMayBeCounted) {
  ALNSMITH_NEEDS_KERNELS();
  const Folder folder;
  const std::string file = folder.write("letters.fa", ">a\nACGTACGTAC\n>b\nggggccccNN\n");  // C and G 7 of 18 each
  const Finished got = alnsmith({"stats", "blastn-local-affine", "--frequencies", file, "--json"});
  ASSERT_EQ(got.status, 0) << got.err;
  const auto statistics = search::statistics_from_json(got.out);
  ASSERT_TRUE(statistics);
  EXPECT_EQ(statistics->frequencies, "of " + file);
  // Letters are equal more often than 1 in 4, so the root of q e^(2x) + (1 - q) e^(-3x) = 1 is below 0.6337.
  EXPECT_LT(statistics->ungapped_lambda, 0.6);
  EXPECT_LT(statistics->lambda, statistics->ungapped_lambda);
  const Finished none = alnsmith({"stats", "blastn-local-affine", "--frequencies", folder.path("none.fa")});
  EXPECT_EQ(none.status, 1);
  EXPECT_TRUE(one_line(none.err)) << none.err;
}

TEST(Stats, FreshOnesAreTheKnownOnes) {
  ALNSMITH_NEEDS_KERNELS();
  const Finished fresh = alnsmith({"stats", "blastn-local-affine", "--fresh", "--json", "--threads", "1"});
  EXPECT_EQ(fresh.status, 0) << fresh.err;
  EXPECT_EQ(fresh.out, alnsmith({"stats", "blastn-local-affine", "--json"}).out);
}

}  // namespace
}  // namespace alnsmith::testing
