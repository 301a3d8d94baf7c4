// `align --format` from end to end: each format says of a pair what the columns of TSV say, whatever the way there.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "program.h"

namespace alnsmith::testing {
namespace {

using Words = std::vector<std::string>;

const char *const local_spec =
    "version: 1\nname: local\nalignment: local\ngap: {model: affine, open: 2, extend: 1}\nalphabet: dna\n"
    "score: {match: 2, mismatch: -3}\noutput: [score, end, begin, cigar]\n";

std::vector<Words> rows_of(const std::string &text, char header) {
  std::vector<Words> rows;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line[0] == header) continue;
    rows.emplace_back();
    std::istringstream words(line);
    for (std::string word; std::getline(words, word, '\t');) rows.back().push_back(word);
  }
  return rows;
}

class AlignFormats : public ::testing::Test {
 protected:
  void SetUp() override {
    ALNSMITH_NEEDS_KERNELS();
    spec = folder.write("local.yaml", local_spec);
    query = folder.write("q.fa", ">a\nTTACGTACGG\n>b\nAAAA\n>c\nggatccAGTCA\n");
    target = folder.write("t.fa", ">x\nCACGTTACGC\n>y\nCCCC\n>z\nGGATCAGTCA\n");
  }
  Words words(const Words &more) const {
    Words out = {"align", "--spec", spec, "--query", query, "--target", target, "--quiet"};
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
  std::string align(const Words &more) const {
    const Finished got = alnsmith(words(more));
    EXPECT_EQ(got.status, 0) << got.err;
    EXPECT_EQ(got.err, "");
    return got.out;
  }
  // Targets, and queries made of parts of them with some letters changed, lost and put in.
  void make_many(int queries, std::size_t of_letters, int targets, int letters) {
    std::mt19937 random(5);
    const auto letter = [&] { return "ACGT"[random() % 4]; };
    std::string all, parts;
    std::vector<std::string> made;
    for (int t = 0; t < targets; ++t) {
      made.emplace_back();
      for (int i = 0; i < letters; ++i) made.back() += letter();
      all += ">t" + std::to_string(t) + "\n" + made.back() + "\n";
    }
    for (int q = 0; q < queries; ++q) {
      parts += ">q" + std::to_string(q) + "\n";
      for (const char c : made[random() % made.size()].substr(random() % 5, of_letters)) {
        const auto kind = random() % 20;
        if (kind > 0) parts += kind == 1 ? letter() : c;
        if (kind == 2) parts += letter();
      }
      parts += "\n";
    }
    query = folder.write("many_q.fa", parts);
    target = folder.write("many_t.fa", all);
  }
  Folder folder;
  std::string spec, query, target;
};

TEST_F(AlignFormats, BeginsAndCigarsAreColumns) {
  const std::string header = "#query\ttarget\tscore\tquery_end\ttarget_end\tquery_begin\ttarget_begin";
  EXPECT_EQ(align({}), header +
                           "\tcigar\n"
                           "a\tx\t11\t8\t8\t2\t1\t3M1D4M\n"
                           "b\ty\t0\t.\t.\t.\t.\t.\n"
                           "c\tz\t17\t10\t9\t0\t0\t4M1I6M\n");
  EXPECT_EQ(align({"--output", "begin"}), header +
                                              "\n"
                                              "a\tx\t11\t8\t8\t2\t1\n"
                                              "b\ty\t0\t.\t.\t.\t.\n"
                                              "c\tz\t17\t10\t9\t0\t0\n");
  EXPECT_EQ(align({"--output", "cigar", "--columns", "identity,gaps", "--eqx"}),
            header +
                "\tcigar\tidentity\tgaps\n"
                "a\tx\t11\t8\t8\t2\t1\t3=1D4=\t0.8750\t1\n"
                "b\ty\t0\t.\t.\t.\t.\t.\t.\t.\n"
                "c\tz\t17\t10\t9\t0\t0\t4=1I6=\t0.9091\t1\n");
}

TEST_F(AlignFormats, EachFormat) {
  EXPECT_EQ(align({"--format", "paf"}),
            "a\t10\t2\t9\t+\tx\t10\t1\t9\t7\t8\t255\tAS:i:11\tNM:i:1\tcg:Z:3M1D4M\tcs:Z::3-t:4\n"
            "c\t11\t0\t11\t+\tz\t10\t0\t10\t10\t11\t255\tAS:i:17\tNM:i:1\tcg:Z:4M1I6M\tcs:Z::4+c:6\n");
  const std::string sam = align({"--format", "sam"});
  EXPECT_NE(sam.find("\n@SQ\tSN:x\tLN:10\n@SQ\tSN:y\tLN:4\n@SQ\tSN:z\tLN:10\n@PG\t"), std::string::npos) << sam;
  EXPECT_NE(sam.find("\nb\t4\t*\t0\t0\t*\t*\t0\t0\tAAAA\t*\tAS:i:0\n"
                     "c\t0\tz\t1\t255\t4M1I6M\t*\t0\t0\tGGATCCAGTCA\t*\tAS:i:17\tNM:i:1\tMD:Z:10\n"),
            std::string::npos)
      << sam;
  std::istringstream lines(align({"--format", "jsonl"}));
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  const auto first = nlohmann::json::parse(line);
  EXPECT_EQ(first["cigar"], "3M1D4M");
  EXPECT_EQ(first["target_begin"], 1);
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_TRUE(nlohmann::json::parse(line)["query_begin"].is_null());
  const std::string pretty = align({"--format", "pretty"});
  EXPECT_NE(pretty.find("query   1 ggatccAGTCA 11\n"
                        "          |||| ||||||\n"
                        "target  1 GGAT-CAGTCA 10\n"),
            std::string::npos)
      << pretty;
}

TEST_F(AlignFormats, WhatCannotBeHadIsRefusedInOneLine) {
  const auto refused = [&](const Words &more, const std::string &mend) {
    const Finished got = alnsmith(words(more));
    EXPECT_EQ(got.status, 2) << got.err;
    EXPECT_EQ(got.out, "");
    EXPECT_TRUE(one_line(got.err)) << got.err;
    EXPECT_NE(got.err.find(mend), std::string::npos) << got.err;
  };
  for (const char *format : {"sam", "paf", "pretty"})
    refused({"--output", "begin", "--format", format}, "--output cigar");
  refused({"--output", "end", "--columns", "identity"}, "--output cigar");
  refused({"--format", "bam"}, "sam");
  refused({"--columns", "nonsense"}, "identity");
  refused({"--output", "all"}, "cigar");
  target = "/dev/stdin";
  refused({"--format", "sam"}, "as a file");
  spec = "protein-local-blosum62";
  refused({"--format", "sam", "--output", "cigar"}, "take paf, jsonl or tsv");
}

// Records of each query with each target: all of them aligned or not, one primary.
TEST_F(AlignFormats, SamOfEachWithEach) {
  const auto rows = rows_of(align({"--all", "--format", "sam"}), '@');
  std::string seen;
  for (const Words &row : rows) seen += row[0] + row[1] + row[2] + " ";
  EXPECT_EQ(seen, "a0x a256y a256z b0x b256z c0x c256y c256z ");
  std::string best;
  for (const Words &row : rows_of(align({"--all", "--format", "sam", "--top", "2"}), '@'))
    best += row[0] + row[1] + row[2] + " ";
  EXPECT_EQ(best, "a0x a256z b0x b256z c0z c256x ");
}

// With 16M the targets do not stay in memory, so the way to the output is another one.
TEST_F(AlignFormats, LittleMemoryChangesNothing) {
  make_many(4, 60, 2500, 1800);
  for (const Words &format : {Words{"--columns", "identity,target_row"}, {"--format", "sam"}})
    for (const Words &which : {Words{}, {"--top", "3"}, {"--min-score", "40"}}) {
      Words more = {"--all", format[0], format[1]};
      more.insert(more.end(), which.begin(), which.end());
      const std::string much = align(more);
      more.insert(more.end(), {"--memory", "16M"});
      EXPECT_TRUE(align(more) == much) << format[1];
    }
}

TEST_F(AlignFormats, BestOnesAreRowsOfAll) {
  make_many(20, 150, 30, 150);
  const auto all = rows_of(align({"--all", "--threads", "3"}), '#');
  ASSERT_EQ(all.size(), 600U);
  std::map<std::string, std::string> by_names;
  const auto text = [](const Words &row) {
    std::string line;
    for (const std::string &word : row) line += word + " ";
    return line;
  };
  for (const Words &row : all) by_names[row[0] + " " + row[1]] = text(row);
  for (const Words &which : {Words{"--top", "3"}, {"--min-score", "60"}}) {
    const auto rows = rows_of(align({"--all", which[0], which[1]}), '#');
    EXPECT_GT(rows.size(), 10U);
    for (const Words &row : rows) EXPECT_EQ(text(row), by_names.at(row[0] + " " + row[1]));
  }
}

// NM and MD of real reads, as samtools counts them from the windows.
TEST(AlignFormatsData, SamtoolsAgreesOnBundledReads) {
  ALNSMITH_NEEDS_KERNELS();
  if (run({"/bin/sh", "-c", "command -v samtools"}).status != 0) GTEST_SKIP() << "no samtools (apt install samtools)";
  const Folder folder;
  const std::string windows = data_file("lambda_windows.fasta.gz");
  for (const char *spec : {"dna-semiglobal-affine", "minimap2-local-dual-affine"}) {
    const Finished got =
        alnsmith({"align", "--spec", spec, "--query", data_file("lambda_reads.fastq.gz"), "--target", windows,
                  "--output", "cigar", "--format", "sam", "--out", folder.path("a.sam"), "--quiet"});
    ASSERT_EQ(got.status, 0) << got.err;
    const Finished counted = run({"/bin/sh", "-c",
                                  "cd '" + folder.path() + "' && gzip -dc '" + windows +
                                      "' >ref.fa && samtools quickcheck a.sam && samtools calmd a.sam ref.fa"});
    EXPECT_EQ(counted.status, 0) << counted.err;
    const auto ours = rows_of(read_file(folder.path("a.sam")), '@');
    EXPECT_EQ(ours.size(), 400U);
    EXPECT_EQ(rows_of(counted.out, '@'), ours);
  }
}

}  // namespace
}  // namespace alnsmith::testing
