// `align --strand`: reverse complements score and lie as if the user had turned the queries round, and of both strands
// the better one is given, whatever is asked for and however much memory there is.
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

std::string turned(const std::string &letters) {
  static const std::map<char, char> other = {{'A', 'T'}, {'C', 'G'}, {'G', 'C'}, {'T', 'A'}, {'N', 'N'}};
  std::string out;
  for (auto letter = letters.rbegin(); letter != letters.rend(); ++letter) out += other.at(*letter);
  return out;
}

std::vector<Words> rows_of(const std::string &text) {
  std::vector<Words> rows;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#' || line[0] == '@') continue;
    Words words;
    std::istringstream parts(line);
    for (std::string word; std::getline(parts, word, '\t');) words.push_back(word);
    rows.push_back(words);
  }
  return rows;
}

// Columns of TSV with --strand.
enum Column { query, target, strand, score, query_end, target_end, query_begin, target_begin, cigar };

class AlignStrands : public ::testing::Test {
 protected:
  void SetUp() override {
    ALNSMITH_NEEDS_KERNELS();
    spec = folder.write("s.yaml",
                        "version: 1\nname: s\nalignment: local\ngap: {model: affine, open: 3, extend: 1}\n"
                        "alphabet: dna5\nscore: {match: 2, mismatch: -3}\noutput: [score, end, begin, cigar]\n");
    std::mt19937 random(5);
    const auto letters = [&](std::size_t n) {
      std::string text;
      while (text.size() < n) text += "ACGTN"[random() % 41 / 10];
      return text;
    };
    std::string targets;
    for (std::size_t t = 0; t < 40; ++t) {
      target_letters.push_back(letters(50 + random() % 90));
      targets += ">t" + std::to_string(t) + "\n" + target_letters.back() + "\n";
    }
    for (std::size_t q = 0; q < 40; ++q) {
      std::string own = target_letters[q].substr(random() % 20, 40) + letters(random() % 20);
      if (q % 3 == 0) own = letters(30);
      queries.push_back(random() % 2 ? own : turned(own));
    }
    queries[7] = "N";  // nothing is aligned
    write("q.fa", false);
    write("turned.fa", true);
    folder.write("t.fa", targets);
  }
  void write(const std::string &name, bool turn) {
    std::string text;
    for (std::size_t q = 0; q < queries.size(); ++q)
      text += ">q" + std::to_string(q) + "\n" + (turn ? turned(queries[q]) : queries[q]) + "\n";
    folder.write(name, text);
  }
  std::string align(const std::string &strand, const Words &more, const std::string &file = "q.fa") {
    Words words = {"align", "--spec", spec, "--query", folder.path(file), "--target", folder.path("t.fa"), "--quiet"};
    if (!strand.empty()) words.insert(words.end(), {"--strand", strand});
    words.insert(words.end(), more.begin(), more.end());
    const Finished got = alnsmith(words);
    EXPECT_EQ(got.status, 0) << got.err;
    return got.out;
  }
  // A row of the turned queries, as --strand minus has it.
  Words as_minus(Words row) {
    row.insert(row.begin() + strand, "-");
    const int length = static_cast<int>(queries[std::stoul(row[query].substr(1))].size());
    for (const Column column : {query_end, query_begin})
      if (row[column] != ".") row[column] = std::to_string(length - 1 - std::stoi(row[column]));
    return row;
  }

  Folder folder;
  std::string spec;
  std::vector<std::string> queries, target_letters;
};

const std::vector<Words> ways = {{}, {"--all"}, {"--all", "--memory", "16M"}, {"--all", "--threads", "3"}};

TEST_F(AlignStrands, MinusIsTheQueriesTurnedRound) {
  for (const Words &way : ways) {
    std::vector<Words> wanted;
    for (const Words &row : rows_of(align("", way, "turned.fa"))) wanted.push_back(as_minus(row));
    EXPECT_EQ(rows_of(align("minus", way)), wanted);
    EXPECT_EQ(align("plus", way), align("", way));
  }
}

TEST_F(AlignStrands, BothIsTheBetterOne) {
  for (const Words &way : ways) {
    const auto plus = rows_of(align("", way)), minus = rows_of(align("minus", way)), both = rows_of(align("both", way));
    ASSERT_EQ(both.size(), plus.size());
    std::size_t turned_ones = 0;
    for (std::size_t i = 0; i < both.size(); ++i) {
      Words better = plus[i];
      better.insert(better.begin() + strand, "+");
      if (std::stoi(minus[i][score]) > std::stoi(better[score])) better = minus[i];
      turned_ones += better[strand] == "-";
      EXPECT_EQ(both[i], better);
    }
    EXPECT_GT(turned_ones, both.size() / 5);
    EXPECT_LT(turned_ones, both.size() * 4 / 5);
  }
}

// The best targets of both strands together, each once; scores alone, and aligned once more.
TEST_F(AlignStrands, BestTargetsAreOfBoth) {
  for (const Words &output :
       {Words{"--output", "cigar"}, {"--output", "score"}, {"--output", "cigar", "--memory", "16M"}}) {
    Words way = {"--all"};
    way.insert(way.end(), output.begin(), output.end());
    const auto all = rows_of(align("both", way));
    for (const Words &which : {Words{"--top", "3"}, {"--min-score", "24"}}) {
      std::vector<Words> wanted;
      for (std::size_t q = 0; q < queries.size(); ++q) {
        std::vector<Words> own(all.begin() + static_cast<long>(q * target_letters.size()),
                               all.begin() + static_cast<long>((q + 1) * target_letters.size()));
        if (which[0] == "--top") {
          std::ranges::stable_sort(
              own, [](const Words &a, const Words &b) { return std::stoi(a[score]) > std::stoi(b[score]); });
          own.resize(3);
        } else {
          std::erase_if(own, [](const Words &row) { return std::stoi(row[score]) < 24; });
        }
        wanted.insert(wanted.end(), own.begin(), own.end());
      }
      Words more = way;
      more.insert(more.end(), which.begin(), which.end());
      EXPECT_EQ(rows_of(align("both", more)), wanted) << which[0] << " " << output[1];
    }
  }
}

// PAF counts on the query as read, begin before end; SAM has the letters of the strand that is aligned.
TEST_F(AlignStrands, FormatsSayWhichStrandItIs) {
  const auto tsv = rows_of(align("both", {})), paf = rows_of(align("both", {"--format", "paf"})),
             sam = rows_of(align("both", {"--format", "sam"}));
  ASSERT_EQ(sam.size(), tsv.size());
  std::size_t line = 0;
  for (std::size_t i = 0; i < tsv.size(); ++i) {
    const Words &row = tsv[i];
    const bool minus = row[strand] == "-", aligned = row[cigar] != ".";
    EXPECT_EQ(sam[i][1], !aligned ? "4" : minus ? "16" : "0");
    EXPECT_EQ(sam[i][9], minus ? turned(queries[i]) : queries[i]);
    if (!aligned) continue;
    const Words &at = paf[line++];
    EXPECT_EQ(at[4], row[strand]);
    EXPECT_EQ(at[2], minus ? row[query_end] : row[query_begin]);
    EXPECT_EQ(at[3], std::to_string(1 + std::stoi(minus ? row[query_begin] : row[query_end])));
    EXPECT_LT(std::stoi(at[2]), std::stoi(at[3]));
  }
  EXPECT_EQ(line, paf.size());
  const std::string json = align("both", {"--format", "jsonl"});
  EXPECT_NE(json.find("\"strand\":\"-\",\"score\""), std::string::npos) << json;
}

TEST_F(AlignStrands, PrettyCountsOnTheQueryAsRead) {
  folder.write("q.fa", ">q\nTTACGTCC\n");
  folder.write("t.fa", ">t\nAAGGACGTA\n");
  EXPECT_EQ(
      align("both", {"--format", "pretty"}),
      "query  q (8 letters, reverse complement)\ntarget t (9 letters)\nscore 14, identity 7/7 (100.0 %), gaps 0/7 "
      "(0.0 %)\n\nquery  8 GGACGTA 2\n         |||||||\ntarget 3 GGACGTA 9\n\n\n");
}

TEST_F(AlignStrands, ProteinsHaveOne) {
  const Finished got = alnsmith({"align", "--spec", "protein-local-blosum62", "--query", folder.path("q.fa"),
                                 "--target", folder.path("t.fa"), "--strand", "both"});
  EXPECT_EQ(got.status, 2);
  EXPECT_TRUE(one_line(got.err)) << got.err;
  EXPECT_NE(got.err.find("nucleotides alone have two strands"), std::string::npos) << got.err;
}

}  // namespace
}  // namespace alnsmith::testing
