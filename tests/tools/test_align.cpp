// `align` from end to end: scores, order, inputs of every form, pairs and all, and the closing line.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "program.h"

namespace alnsmith::testing {
namespace {

using Words = std::vector<std::string>;

const char *const query_text = ">a one\nACGT\nAC\n>b\nggt\n";
const char *const target_text = "@x d\nACG\nTAC\n+\nIII\nIII\n@y\nGGTT\n+y\n@@@@\n";
const char *const pair_scores = "#query\ttarget\tscore\na\tx\t12\nb\ty\t3\n";

Words align(const std::string &spec, const std::string &query, const std::string &target, const Words &more = {}) {
  Words out = {"align", "--spec", spec, "--query", query, "--target", target};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

std::map<std::string, std::string> key_values(const std::string &line) {
  std::map<std::string, std::string> out;
  std::istringstream in(line);
  std::string word;
  while (in >> word) out[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  return out;
}

class Align : public ::testing::Test {
 protected:
  void SetUp() override {
    ALNSMITH_NEEDS_KERNELS();
    spec = folder.write("strict.yaml", strict_spec);
    query = folder.write("q.fa", query_text);
    target = folder.write("t.fq", target_text);
  }
  Folder folder;
  std::string spec, query, target;
};

TEST_F(Align, PairsInInputOrder) {
  const Finished got = alnsmith(align(spec, query, target));
  EXPECT_EQ(got.status, 0) << got.err;
  EXPECT_EQ(got.out, pair_scores);
}

TEST_F(Align, AllIsQueryByQuery) {
  EXPECT_EQ(alnsmith(align(spec, query, target, {"--all"})).out,
            "#query\ttarget\tscore\na\tx\t12\na\ty\t-4\nb\tx\t-4\nb\ty\t3\n");
}

TEST_F(Align, ReadsGzipAndStdin) {
  for (const bool blocked : {false, true}) {
    write_gzip(folder.path("q.gz"), query_text, blocked);
    EXPECT_EQ(alnsmith(align(spec, folder.path("q.gz"), target)).out, pair_scores);
    EXPECT_EQ(alnsmith(align(spec, "-", target), folder.path("q.gz")).out, pair_scores);
  }
  EXPECT_EQ(alnsmith(align(spec, "-", target), query).out, pair_scores);
  EXPECT_EQ(alnsmith(align(spec, query, "-"), target).out, pair_scores);
  EXPECT_EQ(alnsmith(align(spec, query, "-", {"--all"}), target).out,
            alnsmith(align(spec, query, target, {"--all"})).out);
}

TEST_F(Align, TheClosingLineIsKeyValues) {
  const Finished got = alnsmith(align(spec, query, target));
  ASSERT_TRUE(one_line(got.err)) << got.err;
  auto keys = key_values(got.err);
  EXPECT_EQ(keys["pairs"], "2");
  EXPECT_EQ(keys["cells"], "48");
  EXPECT_EQ(keys["promoted"], "0");
  EXPECT_EQ(keys["gap"], "2+1*L");
  for (const char *key : {"batch_seconds", "gcups", "wall_seconds", "kernel", "target", "device"})
    EXPECT_NE(keys[key], "") << key;
  EXPECT_EQ(keys["gcups"].find('e'), std::string::npos);
  EXPECT_EQ(keys["as_wildcard"], "0");
  EXPECT_EQ(keys.size(), 12U) << got.err;
}

// R and y are no letters of dna5, N and n are; U stands for T.
TEST_F(Align, LettersTakenAsTheWildcardAreCounted) {
  const std::string dna5 =
      folder.write("five.yaml",
                   "version: 1\nname: five\nalignment: global\ngap: {model: linear, extend: 1}\nalphabet: dna5\n"
                   "score: {match: 2, mismatch: -1}\n");
  const std::string letters = folder.write("r.fa", ">a\nACGRNn\n>b\nyUuT\n");
  for (const Words &more : {Words{}, Words{"--all"}}) {
    const Finished got = alnsmith(align(dna5, letters, letters, more));
    ASSERT_EQ(got.status, 0) << got.err;
    EXPECT_EQ(key_values(got.err)["as_wildcard"], "4") << got.err;
  }
}

TEST_F(Align, QuietSaysNothing) { EXPECT_EQ(alnsmith(align(spec, query, target, {"--quiet"})).err, ""); }

// Packs would be taken without a word.
TEST_F(Align, AFolderOfTablesThatIsNotThereIsAUsageError) {
  const Finished got = alnsmith(align(spec, query, target, {"--tuned", folder.path("none")}));
  EXPECT_EQ(got.status, 2);
  EXPECT_TRUE(one_line(got.err)) << got.err;
}

TEST_F(Align, ExplainSaysWhichKernels) {
  const std::string said = alnsmith(align(spec, query, target, {"--explain", "--quiet"})).err;
  EXPECT_NE(said.find(": takes of memory, with sequences of 150 letters "), std::string::npos) << said;
}

TEST_F(Align, ThreadsAndInstructionSetsDoNotChangeTheOutput) {
  for (const Words &more : {Words{"--threads", "1"}, {"--threads", "3"}, {"--isa", "scalar"}, {"--isa", "x86-64-v2"}})
    EXPECT_EQ(alnsmith(align(spec, query, target, more)).out, pair_scores);
}

TEST_F(Align, ManyPairsKeepTheirOrderOverBlocks) {
  std::string queries, targets, expected = "#query\ttarget\tscore\n";
  const std::string letters = "ACGT";
  for (int i = 0; i < 300000; ++i) {
    const std::string name = std::to_string(i);
    queries += ">q" + name + "\n" +
               std::string(1 + static_cast<std::size_t>(i % 7), letters[static_cast<std::size_t>(i % 4)]) + "\n";
    targets += ">t" + name + "\n" +
               std::string(1 + static_cast<std::size_t>(i % 7), letters[static_cast<std::size_t>(i % 4)]) + "\n";
    expected += "q" + name + "\tt" + name + "\t" + std::to_string(2 * (1 + i % 7)) + "\n";
  }
  const Finished got = alnsmith(
      align(spec, folder.write("many_q.fa", queries), folder.write("many_t.fa", targets), {"--memory", "64M"}));
  EXPECT_EQ(got.status, 0) << got.err;
  EXPECT_TRUE(got.out == expected);
}

// 40,000 targets do not fit the share of 16M: a file is read again for each block of queries, stdin is refused.
TEST_F(Align, TargetsBeyondTheBudgetAreReadAgain) {
  std::string targets;
  std::uint64_t state = 1;
  for (int i = 0; i < 60000; ++i) {
    targets += ">t" + std::to_string(i) + "\n";
    for (int j = 0; j < 50; ++j) targets += "ACGT"[(state = state * 6364136223846793005U + 1442695040888963407U) >> 62];
    targets += "\n";
  }
  const std::string many = folder.write("many.fa", targets);
  const std::string three = folder.write("three.fa", ">a\nACGTACGTAC\n>b\nTTTT\n>c\nGGGGGGG\n");
  const Finished small = alnsmith(align(spec, three, many, {"--all", "--memory", "16M"}));
  EXPECT_EQ(small.status, 0) << small.err;
  EXPECT_TRUE(small.out == alnsmith(align(spec, three, many, {"--all"})).out);
  EXPECT_EQ(key_values(small.err)["pairs"], "180000");
  const Finished refused = alnsmith(align(spec, three, "-", {"--all", "--memory", "16M"}), many);
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(one_line(refused.err)) << refused.err;
  EXPECT_NE(refused.err.find("--memory"), std::string::npos) << refused.err;
}

TEST_F(Align, RuntimeValuesComeFromTheCall) {
  const std::string runtime =
      folder.write("r.yaml",
                   "version: 1\nname: r\nalignment: global\ngap: {model: affine, open: runtime, extend: 1}\nalphabet: "
                   "dna\nscore: {match: runtime, mismatch: -1}\n");
  const Finished got = alnsmith(align(runtime, query, target, {"--set", "score.match=3", "--set", "gap.open=4"}));
  EXPECT_EQ(got.out, "#query\ttarget\tscore\na\tx\t18\nb\ty\t4\n") << got.err;
  EXPECT_EQ(key_values(got.err)["gap"], "4+1*L");
  const Finished first = alnsmith(
      align(runtime, query, target, {"--set", "score.match=3", "--set", "gap.open=5", "--gap-convention", "first"}));
  EXPECT_EQ(first.out, got.out) << first.err;
}

TEST_F(Align, AMatrixComesFromTheCall) {
  const std::string runtime = folder.write("m.yaml",
                                           "version: 1\nname: m\nalignment: global\ngap: {model: linear, extend: "
                                           "1}\nalphabet: dna\nscore: {matrix: runtime}\n");
  const std::string matrix =
      folder.write("m.mat", "# mine\n  A C G T\nA 5 -4 -4 -4\nC -4 5 -4 -4\nG -4 -4 5 -4\nT -4 -4 -4 5\n");
  EXPECT_EQ(alnsmith(align(runtime, query, target, {"--matrix", matrix})).out,
            "#query\ttarget\tscore\na\tx\t30\nb\ty\t14\n");
  EXPECT_EQ(alnsmith(align(runtime, query, target)).status, 2);
  EXPECT_EQ(alnsmith(align(spec, query, target, {"--matrix", matrix})).status, 2);
}

// cost(L) = 2 + 1*(L-1), so one gap letter costs 2 and not 3.
TEST_F(Align, TheFirstConventionConvertsAFoldedSpec) {
  const Finished got = alnsmith(align(spec, query, target, {"--gap-convention", "first"}));
  ASSERT_EQ(got.status, 0) << got.err;
  EXPECT_EQ(got.out, "#query\ttarget\tscore\na\tx\t12\nb\ty\t4\n");
  EXPECT_EQ(key_values(got.err)["gap"], "1+1*L");
}

// Of several ends the smallest of the target, then of the query; . where nothing is aligned.
TEST_F(Align, EndsAreColumnsCountedFrom0) {
  const std::string local = folder.write("local.yaml",
                                         "version: 1\nname: local\nalignment: local\ngap: {model: affine, open: 2, "
                                         "extend: 1}\nalphabet: dna\nscore: {match: 2, mismatch: -1}\n"
                                         "output: [score, end]\n");
  const std::string queries = folder.write("ends_q.fa", ">a\nTTACGT\n>b\nAAAA\n>c\nACAC\n");
  const std::string targets = folder.write("ends_t.fa", ">x\nACGTGG\n>y\nCCC\n>z\nAC\n");
  const char *const header = "#query\ttarget\tscore\tquery_end\ttarget_end\n";
  const std::string pairs = std::string(header) + "a\tx\t8\t5\t3\nb\ty\t0\t.\t.\nc\tz\t4\t1\t1\n";
  EXPECT_EQ(alnsmith(align(local, queries, targets)).out, pairs);
  EXPECT_EQ(alnsmith(align(local, queries, targets, {"--all"})).out,
            std::string(header) +
                "a\tx\t8\t5\t3\na\ty\t2\t3\t0\na\tz\t4\t3\t1\n"
                "b\tx\t2\t0\t0\nb\ty\t0\t.\t.\nb\tz\t2\t0\t0\n"
                "c\tx\t4\t1\t1\nc\ty\t3\t3\t2\nc\tz\t4\t1\t1\n");
  for (const Words &more : {Words{"--threads", "3"}, {"--isa", "scalar"}, {"--isa", "x86-64-v2"}})
    EXPECT_EQ(alnsmith(align(local, queries, targets, more)).out, pairs);
  EXPECT_EQ(alnsmith(align(local, queries, targets, {"--output", "score"})).out,
            "#query\ttarget\tscore\na\tx\t8\nb\ty\t0\nc\tz\t4\n");
  EXPECT_EQ(alnsmith(align(spec, query, target, {"--output", "end"})).out,
            std::string(header) + "a\tx\t12\t5\t5\nb\ty\t3\t2\t3\n");
  EXPECT_EQ(alnsmith(align(spec, query, target, {"--output", "end", "--gap-convention", "first"})).out,
            std::string(header) + "a\tx\t12\t5\t5\nb\ty\t4\t2\t3\n");
  EXPECT_EQ(alnsmith(align(spec, query, target, {"--output", "nonsense"})).status, 2);
}

// The targets are read again for each block of queries, so that results come in parts.
TEST_F(Align, EndsDoNotDependOnTheBudget) {
  std::string targets;
  std::uint64_t state = 3;
  for (int i = 0; i < 60000; ++i) {
    targets += ">t" + std::to_string(i) + "\n";
    for (int j = 0; j < 50; ++j) targets += "ACGT"[(state = state * 6364136223846793005U + 1442695040888963407U) >> 62];
    targets += "\n";
  }
  const std::string local =
      folder.write("local.yaml",
                   "version: 1\nname: local\nalignment: local\ngap: {model: linear, extend: 1}\nalphabet: "
                   "dna\nscore: {match: 1, mismatch: -1}\noutput: [score, end]\n");
  const std::string many = folder.write("many.fa", targets);
  const std::string three = folder.write("three.fa", ">a\nACGTACGTAC\n>b\nTTTT\n>c\nGGGGGGG\n");
  const Finished small = alnsmith(align(local, three, many, {"--all", "--memory", "16M"}));
  EXPECT_EQ(small.status, 0) << small.err;
  EXPECT_TRUE(small.out == alnsmith(align(local, three, many, {"--all"})).out);
}

TEST(AlignData, BundledReadsAlign) {
  ALNSMITH_NEEDS_KERNELS();
  const Finished got = alnsmith({"align", "--spec", "dna-semiglobal-affine", "--query",
                                 data_file("lambda_reads.fastq.gz"), "--target", data_file("lambda_windows.fasta.gz")});
  ASSERT_EQ(got.status, 0) << got.err;
  EXPECT_EQ(key_values(got.err)["pairs"], "400");
}

}  // namespace
}  // namespace alnsmith::testing
