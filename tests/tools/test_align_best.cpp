// `align --all` with --top and --min-score: what they write is chosen from what --all writes, whatever is in memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "program.h"

namespace alnsmith::testing {
namespace {

using Words = std::vector<std::string>;

std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string query_of(const std::string &line) { return line.substr(0, line.find('\t')); }
int score_of(const std::string &line) {
  const std::size_t second = line.find('\t', line.find('\t') + 1) + 1;
  return std::stoi(line.substr(second));
}

// The first `most` lines of each query by score; equal ones stay in order.
std::string best(const std::string &all, std::size_t most, bool smallest = false) {
  const std::vector<std::string> lines = lines_of(all);
  std::string out = lines.front() + "\n";
  for (std::size_t begin = 1; begin < lines.size();) {
    std::size_t end = begin;
    while (end < lines.size() && query_of(lines[end]) == query_of(lines[begin])) ++end;
    std::vector<std::string> own(lines.begin() + static_cast<std::ptrdiff_t>(begin),
                                 lines.begin() + static_cast<std::ptrdiff_t>(end));
    std::stable_sort(own.begin(), own.end(), [&](const std::string &a, const std::string &b) {
      return smallest ? score_of(a) < score_of(b) : score_of(a) > score_of(b);
    });
    for (std::size_t i = 0; i < std::min(most, own.size()); ++i) out += own[i] + "\n";
    begin = end;
  }
  return out;
}

std::string reaching(const std::string &all, int least) {
  const std::vector<std::string> lines = lines_of(all);
  std::string out = lines.front() + "\n";
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (score_of(lines[i]) >= least) out += lines[i] + "\n";
  return out;
}

std::string fasta(const std::string &name, int records, int longest, unsigned seed) {
  std::mt19937 random(seed);
  std::string out;
  for (int i = 0; i < records; ++i) {
    out += ">" + name + std::to_string(i) + "\n";
    const int n = 1 + static_cast<int>(random() % static_cast<unsigned>(longest));
    for (int k = 0; k < n; ++k) out += "ACGT"[random() % 4];
    out += "\n";
  }
  return out;
}

class AlignBest : public ::testing::Test {
 protected:
  void SetUp() override {
    ALNSMITH_NEEDS_KERNELS();
    spec = folder.write("strict.yaml", strict_spec);
    query = folder.write("q.fa", fasta("q", 9, 40, 1));
    target = folder.write("t.fa", fasta("t", 300, 40, 2));
  }
  std::string align(const Words &more, const std::string &other_spec = "") const {
    Words words = {"align", "--spec", other_spec.empty() ? spec : other_spec, "--query", query, "--target", target,
                   "--all", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished got = alnsmith(words);
    EXPECT_EQ(got.status, 0) << got.err;
    EXPECT_EQ(got.err, "");
    return got.out;
  }
  Folder folder;
  std::string spec, query, target;
};

TEST_F(AlignBest, TopWritesTheBestTargetsOfEachQuery) {
  const std::string all = align({});
  for (const std::string k : {"1", "4", "1000"})
    EXPECT_EQ(align({"--top", k, "--threads", "3"}), best(all, std::stoul(k))) << k;
}

TEST_F(AlignBest, MinScoreWritesWhatReachesItInInputOrder) {
  const std::string all = align({});
  EXPECT_EQ(align({"--min-score", "-3", "--threads", "3"}), reaching(all, -3));
  EXPECT_EQ(align({"--min-score", "500"}), lines_of(all).front() + "\n");
  EXPECT_EQ(align({"--min-score", "-1000000"}), all);
}

TEST_F(AlignBest, BothTogetherAndEndsBesideTheScores) {
  const std::string all = align({"--output", "end"});
  EXPECT_NE(all.find("query_end\ttarget_end"), std::string::npos);
  EXPECT_EQ(align({"--output", "end", "--top", "5", "--min-score", "-4"}), best(reaching(all, -4), 5));
}

TEST_F(AlignBest, WhereTheSpecMinimizesSmallIsBest) {
  const std::string edit = shipped_spec("edit-distance");
  query = folder.write("dna.fa", ">a\nACGTACGT\n>b\nTT\n");
  EXPECT_EQ(align({"--top", "7"}, edit), best(align({}, edit), 7, true));
  for (const std::string &line : lines_of(align({"--min-score", "12"}, edit)))
    if (line[0] != '#') {
      EXPECT_LE(score_of(line), 12);
    }
}

// The targets do not fit and are read again for each block of queries; so do all results of one query.
TEST_F(AlignBest, LittleMemoryChangesNothing) {
  target = folder.write("many.fa", fasta("a-target-with-a-long-name-", 90000, 60, 3));
  query = folder.write("few.fa", fasta("q", 3, 30, 4));
  const std::string all = align({});
  EXPECT_EQ(align({"--memory", "16M", "--top", "3"}), best(all, 3));
  EXPECT_EQ(align({"--memory", "16M", "--min-score", "0"}), reaching(all, 0));
  const Finished got = alnsmith(
      {"align", "--spec", spec, "--query", query, "--target", target, "--all", "--memory", "16M", "--top", "80000"});
  EXPECT_EQ(got.status, 1);
  EXPECT_TRUE(one_line(got.err)) << got.err;
  EXPECT_NE(got.err.find("--top 80000: the memory holds "), std::string::npos) << got.err;
}

// What is kept of a hit is its name too.
TEST_F(AlignBest, LongNamesTakeMemoryToo) {
  target = folder.write("long.fa", fasta(std::string(4000, 'n'), 200, 30, 5));
  const Finished got = alnsmith(
      {"align", "--spec", spec, "--query", query, "--target", target, "--all", "--memory", "16M", "--top", "150"});
  EXPECT_EQ(got.status, 1);
  EXPECT_NE(got.err.find("--top 150: the memory holds "), std::string::npos) << got.err;
  EXPECT_EQ(align({"--memory", "16M", "--top", "3"}), best(align({}), 3));
}

}  // namespace
}  // namespace alnsmith::testing
