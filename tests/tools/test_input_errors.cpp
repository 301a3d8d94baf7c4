// Bad input to `align`: one line that names file, record and place; status 1; nothing left behind.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "program.h"

namespace alnsmith::testing {
namespace {

using Words = std::vector<std::string>;

class InputErrors : public ::testing::Test {
 protected:
  void SetUp() override {
    ALNSMITH_NEEDS_KERNELS();
    spec = folder.write("strict.yaml", std::string(strict_spec) + "max_length: {query: 10, target: 10}\n");
    good = folder.write("good.fa", ">a\nACGT\n>b\nGGT\n");
  }

  // Refuses `query` against the good targets, with all of `words` in its one line, in both modes.
  void refused(const std::string &query, const Words &words, const std::string &stdin_path = "") {
    for (const char *mode : {"--pairs", "--all"}) {
      const Finished got = alnsmith(
          {"align", "--spec", spec, "--query", query, "--target", good, mode, "--out", out.path("o.tsv")}, stdin_path);
      EXPECT_EQ(got.status, 1) << got.err;
      EXPECT_TRUE(one_line(got.err)) << got.err;
      for (const std::string &word : words)
        EXPECT_NE(got.err.find(word), std::string::npos) << "'" << word << "' is not in: " << got.err;
      EXPECT_EQ(got.out, "");
      EXPECT_TRUE(out.entries().empty());
    }
  }

  Folder folder, out;
  std::string spec, good;
};

TEST_F(InputErrors, MissingFile) { refused(folder.path("none.fa"), {"none.fa", "No such file"}); }

TEST_F(InputErrors, Folder) { refused(folder.path(""), {"is a folder"}); }

TEST_F(InputErrors, NoRecords) {
  refused(folder.write("empty.fa", ""), {"empty.fa", "has no records"});
  refused("-", {"stdin", "has no records"});
}

TEST_F(InputErrors, TruncatedGzip) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += ">r" + std::to_string(i * 7919 % 1009) + "\nACGT\n";
  for (const bool blocked : {false, true}) {
    write_gzip(folder.path("x.gz"), text, blocked);
    const std::string whole = read_file(folder.path("x.gz"));
    refused(folder.write("half.gz", whole.substr(0, whole.size() / 2)), {"half.gz", "truncated"});
  }
}

TEST_F(InputErrors, EmptySequence) {
  refused(folder.write("x.fa", ">a\nACGT\n>hollow\n"), {"x.fa: record 2 (hollow)", "no sequence"});
}

TEST_F(InputErrors, InvalidLetter) {
  refused(folder.write("x.fa", ">a\nACGT\n>odd\nAC\nJT\n"),
          {"x.fa: record 2 (odd)", "'J' at position 3", "ACGT", "wildcard"});
  refused(folder.write("y.fa", ">a\nA\x01GT\n>b\nA\n"), {"y.fa: record 1 (a)", "byte 0x01 at position 2"});
}

TEST_F(InputErrors, NamesThatSpeakToATerminal) {
  refused(folder.write("x.fa", ">a\nACGT\n>q\x1b[2J\x07 name\nACGT\n"),
          {"x.fa: record 2 (q\\x1b[2J\\x07)", "byte 0x1b in its name"});
}

// A wildcard stands for letters: a blank within or behind a sequence would make it longer unseen.
TEST_F(InputErrors, BlanksAreNoLettersForAWildcardEither) {
  std::string text = strict_spec;
  const std::string dna = "alphabet: dna";
  spec = folder.write("lenient.yaml", text.replace(text.find(dna), dna.size(), "alphabet: dna5"));
  refused(folder.write("x.fa", ">a\nACGT\n>odd\nAC GT\n"), {"x.fa: record 2 (odd)", "' ' at position 3 is no letter"});
  refused(folder.write("y.fa", ">a\nACGT \n>b\nA\n"), {"y.fa: record 1 (a)", "' ' at position 5 is no letter"});
  refused(folder.write("z.fa", ">a\nACG\tT\n>b\nA\n"), {"z.fa: record 1 (a)", "byte 0x09 at position 4 is no letter"});
}

// What the library refuses is counted within a block; the message says where the block begins.
TEST_F(InputErrors, APairThatNoKernelHoldsIsFound) {
  spec = folder.write("steep.yaml",
                      "version: 1\nname: steep\nalignment: global\ngap: {model: linear, extend: 10000}\nalphabet: dna\n"
                      "score: {match: 1, mismatch: -1}\n");
  std::string many;
  for (int i = 0; i < 140000; ++i) many += ">r\nA\n";
  const std::string queries = folder.write("q.fa", many + ">long\n" + std::string(110000, 'A') + "\n");
  const std::string targets = folder.write("t.fa", many + ">short\nA\n");
  const Finished got =
      alnsmith({"align", "--spec", spec, "--query", queries, "--target", targets, "--out", out.path("o.tsv")});
  EXPECT_EQ(got.status, 1);
  EXPECT_TRUE(one_line(got.err)) << got.err;
  EXPECT_NE(got.err.find("q.fa from record 131073 and "), std::string::npos) << got.err;
  EXPECT_NE(got.err.find("t.fa from record 131073: pair 8929: query of 110000 and target of 1 letters: the score may "
                         "exceed 32 bits"),
            std::string::npos)
      << got.err;
  EXPECT_TRUE(out.entries().empty());
}

TEST_F(InputErrors, TooLongForTheSpec) {
  refused(folder.write("x.fa", ">a\nACGT\n>long\nACGTACGTACG\n"),
          {"x.fa: record 2 (long)", "11 letters", "maximum of 10", "max_length.query"});
}

TEST_F(InputErrors, NeitherFastaNorFastq) { refused(folder.write("x.txt", "hello\n"), {"x.txt", "begins with 'h'"}); }

TEST_F(InputErrors, TruncatedFastq) {
  refused(folder.write("x.fq", "@a\nACGT\n+\nII"), {"x.fq: record 1 (a)", "truncated"});
}

TEST_F(InputErrors, OfTheTargetsTooAndOfLateRecords) {
  const std::string bad = folder.write("bad.fa", ">a\nACGT\n>odd\nACX\n");
  const Finished got =
      alnsmith({"align", "--spec", spec, "--query", good, "--target", bad, "--out", out.path("o.tsv")});
  EXPECT_EQ(got.status, 1);
  EXPECT_NE(got.err.find("bad.fa: record 2 (odd)"), std::string::npos) << got.err;
  EXPECT_TRUE(out.entries().empty());
}

TEST_F(InputErrors, UnequalCountsAreBothNamed) {
  const std::string three = folder.write("three.fa", ">a\nA\n>b\nA\n>c\nA\n");
  for (const Words &inputs : {Words{three, good}, Words{good, three}}) {
    const Finished got =
        alnsmith({"align", "--spec", spec, "--query", inputs[0], "--target", inputs[1], "--out", out.path("o.tsv")});
    EXPECT_EQ(got.status, 1);
    EXPECT_TRUE(one_line(got.err)) << got.err;
    EXPECT_NE(got.err.find("three.fa"), std::string::npos) << got.err;
    EXPECT_NE(got.err.find("good.fa"), std::string::npos) << got.err;
    EXPECT_NE(got.err.find("has 3"), std::string::npos) << got.err;
    EXPECT_NE(got.err.find("has 2"), std::string::npos) << got.err;
    EXPECT_NE(got.err.find("--all"), std::string::npos) << got.err;
    EXPECT_TRUE(out.entries().empty());
  }
}

TEST_F(InputErrors, UnequalCountsAfterManyBlocks) {
  std::string many;
  for (int i = 0; i < 200000; ++i) many += ">r\nA\n";
  const std::string queries = folder.write("q.fa", many), targets = folder.write("t.fa", many + ">surplus\nA\n");
  const Finished got =
      alnsmith({"align", "--spec", spec, "--query", queries, "--target", targets, "--out", out.path("o.tsv")});
  EXPECT_EQ(got.status, 1);
  EXPECT_NE(got.err.find("q.fa has 200000 records"), std::string::npos) << got.err;
  EXPECT_NE(got.err.find("t.fa has 200001"), std::string::npos) << got.err;
  EXPECT_TRUE(out.entries().empty());
}

}  // namespace
}  // namespace alnsmith::testing
