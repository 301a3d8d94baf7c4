// Formats of alignments, byte by byte on pairs made by hand, and what is refused.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "formats.h"
#include "formats/pieces.h"

namespace alnsmith::testing {
namespace {

using formats::Format;

//   ggAC-GTTca
//     || | | |
//    tACCGAT-a
const OwnPair hand = {0, "read/1", "ggACGTTca", "chr", "tACCGATa", 7, 2, 1, runs_of("2M1D3M1I1M")};
const OwnPair nothing = {1, "none", "AAAA", "chr2", "CCC", 0, 0, 0, {}};
const OwnPair all_gap = {2, "gap", "AC", "chr3", "GTT", -9, 0, 0, runs_of("2I3D")};

const char *const tsv_header = "#query\ttarget\tscore\tquery_end\ttarget_end\tquery_begin\ttarget_begin\tcigar";

TEST(Formats, Tsv) {
  EXPECT_EQ(text_of(request(Format::tsv), {hand, nothing, all_gap}), std::string(tsv_header) +
                                                                         "\n"
                                                                         "read/1\tchr\t7\t8\t7\t2\t1\t2M1D3M1I1M\n"
                                                                         "none\tchr2\t0\t.\t.\t.\t.\t.\n"
                                                                         "gap\tchr3\t-9\t1\t2\t0\t0\t2I3D\n");
}

TEST(Formats, TsvWithFurtherColumns) {
  formats::Request wanted = request(Format::tsv);
  wanted.eqx = true;
  wanted.columns = {"matches", "identity", "mismatches", "gaps", "gap_opens", "length", "query_row", "target_row"};
  EXPECT_EQ(text_of(wanted, {hand, nothing, all_gap}),
            std::string(tsv_header) +
                "\tmatches\tidentity\tmismatches\tgaps\tgap_opens\tlength\tquery_row\ttarget_row\n"
                "read/1\tchr\t7\t8\t7\t2\t1\t2=1D1=1X1=1I1=\t5\t0.6250\t1\t2\t2\t8\tAC-GTTca\tACCGAT-a\n"
                "none\tchr2\t0\t.\t.\t.\t.\t.\t.\t.\t.\t.\t.\t.\t.\t.\n"
                "gap\tchr3\t-9\t1\t2\t0\t0\t2I3D\t0\t0.0000\t0\t5\t2\t5\tAC---\t--GTT\n");
}

TEST(Formats, TsvOfScoresAndEndsIsAsItWas) {
  formats::Request wanted = request(Format::tsv);
  wanted.outputs = {Output::score};
  EXPECT_EQ(text_of(wanted, {hand, nothing}), "#query\ttarget\tscore\nread/1\tchr\t7\nnone\tchr2\t0\n");
  wanted.outputs = {Output::score, Output::query_end, Output::target_end};
  EXPECT_EQ(text_of(wanted, {hand, nothing}),
            "#query\ttarget\tscore\tquery_end\ttarget_end\nread/1\tchr\t7\t8\t7\nnone\tchr2\t0\t.\t.\n");
}

TEST(Formats, Paf) {
  EXPECT_EQ(text_of(request(Format::paf), {hand, nothing, all_gap}),
            "read/1\t9\t2\t9\t+\tchr\t8\t1\t8\t5\t8\t255\tAS:i:7\tNM:i:3\tcg:Z:2M1D3M1I1M\tcs:Z::2-c:1*at:1+c:1\n"
            "gap\t2\t0\t2\t+\tchr3\t3\t0\t3\t0\t5\t255\tAS:i:-9\tNM:i:5\tcg:Z:2I3D\tcs:Z:+ac-gtt\n");
  formats::Request wanted = request(Format::paf);
  wanted.eqx = true;
  EXPECT_NE(text_of(wanted, {hand}).find("cg:Z:2=1D1=1X1=1I1=\t"), std::string::npos);
}

// `*` is a letter of proteins and a sign of cs.
TEST(Formats, PafOfProteinsHasNoCs) {
  EXPECT_EQ(text_of(request(Format::paf, "protein"), {{0, "a", "MW*", "b", "MW*", 20, 0, 0, runs_of("3M")}}),
            "a\t3\t0\t3\t+\tb\t3\t0\t3\t3\t3\t255\tAS:i:20\tNM:i:0\tcg:Z:3M\n");
}

TEST(Formats, Jsonl) {
  EXPECT_EQ(
      text_of(request(Format::jsonl), {hand, nothing}),
      R"({"query":"read/1","target":"chr","score":7,"query_end":8,"target_end":7,"query_begin":2,"target_begin":1,)"
      R"("cigar":"2M1D3M1I1M","identity":0.625,"matches":5,"mismatches":1,"gaps":2})"
      "\n"
      R"({"query":"none","target":"chr2","score":0,"query_end":null,"target_end":null,"query_begin":null,)"
      R"("target_begin":null,"cigar":null,"identity":null,"matches":null,"mismatches":null,"gaps":null})"
      "\n");
  formats::Request wanted = request(Format::jsonl);
  wanted.outputs = {Output::score};
  EXPECT_EQ(text_of(wanted, {hand}), "{\"query\":\"read/1\",\"target\":\"chr\",\"score\":7}\n");
}

TEST(Formats, JsonlOfNamesThatAreNoText) {
  OwnPair odd = hand;
  odd.query_name = "a\"\\\xff";
  const auto line = nlohmann::json::parse(text_of(request(Format::jsonl), {odd}));
  EXPECT_EQ(line["query"], "a\"\\\xef\xbf\xbd");
}

TEST(Formats, Pretty) {
  EXPECT_EQ(text_of(request(Format::pretty), {hand, nothing}),
            "query  read/1 (9 letters)\n"
            "target chr (8 letters)\n"
            "score 7, identity 5/8 (62.5 %), gaps 2/8 (25.0 %)\n"
            "\n"
            "query  3 AC-GTTca 9\n"
            "         || | | |\n"
            "target 2 ACCGAT-a 8\n"
            "\n"
            "\n"
            "query  none (4 letters)\n"
            "target chr2 (3 letters)\n"
            "score 0, nothing is aligned\n"
            "\n"
            "\n");
}

// 60 columns per block; a block in which one side has no letter stands behind its last one.
TEST(Formats, PrettyInBlocks) {
  const std::string a(30, 'A'), c(95, 'C');
  EXPECT_EQ(text_of(request(Format::pretty), {{0, "q", a, "t", a + c, 5, 0, 0, runs_of("30M95D")}}),
            "query  q (30 letters)\n"
            "target t (125 letters)\n"
            "score 5, identity 30/125 (24.0 %), gaps 95/125 (76.0 %)\n"
            "\n"
            "query    1 " +
                a + std::string(30, '-') + " 30\n" + "           " + std::string(30, '|') + "\n" + "target   1 " + a +
                std::string(30, 'C') + " 60\n" +
                "\n"
                "query   30 " +
                std::string(60, '-') + " 30\n" +
                "\n"
                "target  61 " +
                std::string(60, 'C') + " 120\n" +
                "\n"
                "query   30 ----- 30\n"
                "\n"
                "target 121 CCCCC 125\n"
                "\n"
                "\n");
}

TEST(Formats, PrettyMarksScoresAbove0) {
  const std::string letters = spec::named_alphabet("protein")->letters;
  std::vector<int> matrix(letters.size() * letters.size(), -1);
  matrix[letters.find('I') * letters.size() + letters.find('L')] = 2;
  const std::string text =
      text_of(request(Format::pretty, "protein", matrix), {{0, "q", "MIL", "t", "MLI", 5, 0, 0, runs_of("3M")}});
  EXPECT_NE(text.find("\n         |.\n"), std::string::npos) << text;
}

// Nothing that a terminal could take for a command.
TEST(Formats, PrettyShowsLettersThatPrint) {
  const std::string text =
      text_of(request(Format::pretty, "dna5"), {{0, "q", "A\x9b\x7f", "t", "A\x9b\x7f", 5, 0, 0, runs_of("3M")}});
  EXPECT_NE(text.find("query  1 ANN 3\n"), std::string::npos) << text;
}

TEST(Formats, EqualLetters) {
  const formats::Letters dna(*spec::named_alphabet("dna"));
  EXPECT_TRUE(dna.equal('a', 'A'));
  EXPECT_TRUE(dna.equal('T', 'u'));
  EXPECT_FALSE(dna.equal('A', 'C'));
  const formats::Letters dna5(*spec::named_alphabet("dna5"));
  EXPECT_FALSE(dna5.equal('N', 'N'));
  EXPECT_FALSE(dna5.equal('R', 'R'));  // not in the alphabet, so the wildcard
  EXPECT_EQ(dna5.letter('r'), 'N');
  const formats::Letters iupac(*spec::named_alphabet("iupac"));
  EXPECT_TRUE(iupac.equal('R', 'r'));
  EXPECT_FALSE(iupac.equal('R', 'A'));
  const formats::Letters protein(*spec::named_alphabet("protein"));
  EXPECT_FALSE(protein.equal('T', 'U'));
  EXPECT_FALSE(protein.equal('U', 'U'));  // it stands for X
  EXPECT_TRUE(protein.equal('*', '*'));
  EXPECT_FALSE(formats::Letters(*spec::custom_alphabet("ACGTU", 0)).nucleotides());
  EXPECT_TRUE(formats::Letters(*spec::custom_alphabet("ACGT", 'N')).nucleotides());
}

TEST(Formats, WhatCannotBeHadIsAUsageErrorOfOneLine) {
  const auto refused = [](formats::Request wanted, const std::string &words) {
    const auto writer = formats::make_writer(std::move(wanted));
    ASSERT_FALSE(writer) << words;
    EXPECT_EQ(writer.error().exit_code, 2);
    EXPECT_EQ(writer.error().message.find('\n'), std::string::npos);
    EXPECT_NE(writer.error().message.find(words), std::string::npos) << writer.error().message;
  };
  for (const Format format : {Format::sam, Format::paf, Format::pretty}) {
    formats::Request wanted = request(format);
    wanted.outputs = {Output::score};
    refused(wanted, "add --output cigar");
  }
  formats::Request wanted = request(Format::tsv);
  wanted.outputs = {Output::score};
  wanted.columns = {"identity"};
  refused(wanted, "add --output cigar");
  wanted.columns = {};
  wanted.eqx = true;
  refused(wanted, "add --output cigar");
  wanted = request(Format::tsv);
  wanted.columns = {"identity", "nonsense"};
  refused(wanted, "--columns nonsense: is none of query, target, ");
  wanted.columns = {"gaps", "gaps"};
  refused(wanted, "gaps is listed twice");
  wanted = request(Format::paf);
  wanted.columns = {"gaps"};
  refused(wanted, "columns of tables, --format tsv");
  refused(request(Format::sam, "protein"), "take paf, jsonl or tsv");
}

}  // namespace
}  // namespace alnsmith::testing
