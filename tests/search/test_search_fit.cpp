// `--stats fit`: E from each query's own scores, whatever the shards; refused where it cannot be.
#include <algorithm>
#include <cmath>
#include <fstream>

#include "full_run.h"
#include "searches.h"

namespace alnsmith::testing {
namespace {

// Letters as common as in proteins at large.
std::string protein(std::mt19937 &random, std::size_t n) {
  static constexpr std::string_view kLetters = "ARNDCQEGHILKMFPSTWYV";
  static constexpr unsigned kParts[] = {7805, 5129, 4487, 5364, 1925, 4264, 6295, 7377, 2199, 5142,
                                        9019, 5744, 2243, 3856, 5203, 7120, 5841, 1330, 3216, 6441};
  std::string out(n, 'A');
  for (char &letter : out) {
    unsigned rest = static_cast<unsigned>(random() % 100000), at = 0;
    while (rest >= kParts[at]) rest -= kParts[at++];
    letter = kLetters[at];
  }
  return out;
}

class SearchFit : public ::testing::Test {
 protected:
  void SetUp() override { ALNSMITH_NEEDS_KERNELS(); }

  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(folder.path(name), std::ios::binary) << text;
    return folder.path(name);
  }
  std::string proteins(const std::string &name, int records, std::size_t shortest, std::size_t longest,
                       unsigned seed) const {
    std::mt19937 random(seed);
    std::string text;
    for (int i = 0; i < records; ++i)
      text +=
          ">" + name + std::to_string(i) + "\n" + protein(random, shortest + random() % (longest - shortest)) + "\n";
    return write(name, text);
  }
  static Words search(const std::string &query, const std::string &database, const Words &more = {}) {
    Words words = {"--spec", "protein-local-blosum62", "--query", query, "--db", database};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  Folder folder;
};

// Rows of query, target and E.
std::map<std::pair<std::string, std::string>, double> evalues(const std::string &text) {
  std::map<std::pair<std::string, std::string>, double> out;
  for (const Cells &row : table(text)) out[{row.at(0), row.at(1)}] = std::stod(row.at(2));
  return out;
}
const Words kColumns = {"--columns", "query,target,evalue"};
Words with(Words words, const Words &more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(SearchFit, RandomProteinsAreFoundAsOftenAsESays) {
  const std::string query = proteins("q", 300, 80, 500, 11), database = proteins("t", 1500, 50, 800, 12);
  const auto found = evalues(searched(search(query, database, with(kColumns, {"--stats", "fit", "-e", "1"}))));
  std::printf("%zu hits with E <= 1, 300 expected\n", found.size());
  EXPECT_NEAR(static_cast<double>(found.size()), 300, 0.15 * 300);
}

// Of both strands each is a try. Scores come in steps of two, and E grows by a factor of 3.5 from one to the next: up
// to an E there are as many hits as it says, or fewer by that factor at most.
TEST_F(SearchFit, RandomNucleotides) {
  const std::string query = write("q", random_fasta("q", 120, 800, 5));
  const std::string database = write("t", random_fasta("t", 2000, 900, 6));
  const auto found = evalues(searched({"--spec", "blastn-local-affine", "--query", query, "--db", database, "--stats",
                                       "fit", "-e", "10", "--columns", "query,target,evalue"}));
  std::printf("%zu hits with E <= 10, 1200 / 3.5 to 1200 expected\n", found.size());
  EXPECT_LT(static_cast<double>(found.size()), 1.15 * 1200);
  EXPECT_GT(static_cast<double>(found.size()), 1200 / 3.5 / 1.15);
}

TEST_F(SearchFit, AnyNumberOfShardsGivesTheSameBytes) {
  const std::string query = proteins("q", 4, 100, 300, 1), file = proteins("t", 700, 50, 400, 2);
  const std::string database = folder.path("t.alndb");
  ASSERT_EQ(alnsmith({"makedb", file, "-o", database, "--quiet"}).status, 0);
  const Words fit = {"--stats", "fit", "-e", "1000"};
  const std::string wanted = searched(search(query, file, fit));
  ASSERT_GT(table(wanted).size(), 100u);
  EXPECT_EQ(searched(search(query, database, with(fit, {"--threads", "1", "--isa", "scalar"}))), wanted);
  // In turns of queries: their counts need memory too.
  EXPECT_EQ(searched(search(query, database, with(fit, {"--top", "60", "--memory", "16M"}))),
            searched(search(query, database, with(fit, {"--top", "60"}))));
  for (const std::string &from : {file, database})
    for (const int n : {1, 2, 7}) {
      if (!sample::full() && (from == file) != (n < 7)) continue;
      Words files = {"merge", "--quiet"};
      for (int i = n; i >= 1; --i) {
        const std::string shard = std::to_string(i) + "/" + std::to_string(n);
        files.push_back(folder.path("part" + std::to_string(i)));
        run({"/bin/rm", "-f", files.back()});
        EXPECT_EQ(searched(search(query, from, with(fit, {"--shard", shard, "--hits", files.back()}))), "");
      }
      EXPECT_EQ(alnsmith(files).out, wanted) << n << " " << from;
      // Counts may be left out, but not be made up.
      EXPECT_EQ(alnsmith(with(files, {"--stats", "table"})).out, searched(search(query, from, {"-e", "1000"})));
    }
  EXPECT_EQ(searched(search(query, database, {"--hits", folder.path("plain")})), "");
  // What the format before had no counts for is not read as if it had none.
  std::string old = read_file(folder.path("plain"));
  ASSERT_TRUE(old.starts_with("alnsmith hits 2\n"));
  old[14] = '1';
  refused({"merge", write("old", old)}, 1, "is a part of another version of alnsmith");
  refused({"merge", folder.path("plain"), "--stats", "fit"}, 2, "holds no counts of scores");
}

TEST_F(SearchFit, WhatCannotBeIsRefused) {
  const std::string query = proteins("q", 2, 100, 200, 1), few = proteins("few", 499, 50, 60, 2);
  const std::string enough = proteins("enough", 500, 50, 60, 2);
  const auto command = [](Words words) {
    words.insert(words.begin(), "search");
    return words;
  };
  refused(command(search(query, few, {"--stats", "fit"})), 2, "has 499 sequences, and a fit needs 500");
  EXPECT_EQ(alnsmith(command(search(query, enough, {"--stats", "fit"}))).status, 0);
  refused(command(search(query, enough, {"--stats", "fit", "--composition", "on"})), 2, "--composition on");
  EXPECT_EQ(searched(search(query, enough, {"--stats", "fit", "--composition", "off"})),
            searched(search(query, enough, {"--stats", "fit"})));
  refused({"search", "--spec", "dna-local-affine", "--query", query, "--db", enough, "--stats", "fit"}, 2,
          "no significance");
  EXPECT_NE(alnsmith({"stats", "protein-local-blosum62", "--stats", "fit"}).status, 0);
}

// One letter's runs score with a target as many of that letter as it has: no law, so no E, and it is said.
TEST_F(SearchFit, AQueryWithoutAFitHasNoE) {
  const std::string query = write("q", ">run\n" + std::string(300, 'A') + "\n"),
                    database = proteins("t", 600, 50, 60, 2);
  std::string text;
  std::mt19937 random(3);
  for (int i = 0; i < 600; ++i)
    text += ">t" + std::to_string(i) + "\n" + std::string(1 + random() % 300, 'A') + protein(random, 50) + "\n";
  const std::string runs = write("runs", text);
  Words words = search(query, runs, with(kColumns, {"--stats", "fit"}));
  words.insert(words.begin(), "search");
  const Finished got = alnsmith(words);
  EXPECT_EQ(got.status, 0);
  EXPECT_NE(got.err.find("note: query run: no E-values: its scores do not fall off"), std::string::npos) << got.err;
  EXPECT_NE(got.err.find("hits=500 without_evalue=500 statistics=fit queries_fitted=0"), std::string::npos) << got.err;
  for (const Cells &row : table(got.out)) EXPECT_EQ(row.at(2), ".");
}

// Proteins of the data folder, which is not everywhere.
class SearchFitReal : public SearchFit {
 protected:
  void SetUp() override {
    SearchFit::SetUp();
    if (!std::ifstream(database)) GTEST_SKIP() << "no data folder";
  }
  const std::string folder_of_data = std::string(ALNSMITH_DATA_DIR) + "/protein/";
  const std::string database = folder_of_data + "db.fasta.gz";
};

TEST_F(SearchFitReal, OrdinaryQueriesAgreeWithTheTable) {
  // Leghemoglobin to antithrombin, without those full of repeats.
  const std::string all = read_file(folder_of_data + "queries_cudasw20.fasta");
  const std::string query = write("q", all.substr(0, all.find("HEMA_I75A3") - 25));
  const auto fit = evalues(searched(search(query, database, with(kColumns, {"--stats", "fit"}))));
  const auto by_table = evalues(searched(search(query, database, with(kColumns, {"--composition", "off"}))));
  std::vector<double> factors;
  for (const auto &[pair, e] : by_table)
    if (e >= 1e-10 && e <= 10 && fit.contains(pair)) factors.push_back(fit.at(pair) / e);
  ASSERT_GT(factors.size(), 20u);
  std::ranges::sort(factors);
  std::printf("%zu hits, fit / table %.2f to %.2f, median %.2f\n", factors.size(), factors.front(), factors.back(),
              factors[factors.size() / 2]);
  EXPECT_LT(factors[factors.size() / 2], 3);
  EXPECT_GT(factors[factors.size() / 2], 1.0 / 3);
}

// In ssearch36's own search, which fits a regression to the same scores.
TEST_F(SearchFitReal, OrdinaryQueriesAgreeWithSsearch) {
  if (run({"/bin/sh", "-c", "command -v ssearch36"}).status != 0) GTEST_SKIP() << "no ssearch36 (fasta3)";
  const std::string all = read_file(folder_of_data + "queries_cudasw20.fasta");
  const std::string query = write("q", all.substr(0, all.find("HEMA_I75A3") - 25)), targets = folder.path("db.fa");
  ASSERT_EQ(run({"/bin/sh", "-c", "zcat " + database + " > " + targets}).status, 0);
  const Finished other =
      run({"/bin/sh", "-c", "ssearch36 -q -s BL62 -f -11 -g -1 -z 1 -E 10 -m 8 -T 1 " + query + " " + targets});
  ASSERT_EQ(other.status, 0) << other.err;
  const auto fit = evalues(searched(search(query, targets, with(kColumns, {"--stats", "fit", "-e", "100"}))));
  std::map<std::string, std::vector<double>> factors;  // by query
  for (const Cells &row : table(other.out)) {
    const auto own = fit.find({row.at(0), row.at(1)});
    if (const double e = std::stod(row.at(10)); e >= 1e-10 && own != fit.end())
      factors[row.at(0)].push_back(own->second / e);
  }
  EXPECT_EQ(factors.size(), 5u);
  for (auto &[name, list] : factors) {
    std::ranges::sort(list);
    std::printf("%s: %zu hits, median factor %.2f\n", name.c_str(), list.size(), list[list.size() / 2]);
    EXPECT_LT(list[list.size() / 2], 3) << name;
    EXPECT_GT(list[list.size() / 2], 1.0 / 3) << name;
  }
}

// A query of few kinds of letters, and targets of which none is related, as their letters are shuffled.
TEST_F(SearchFitReal, ABiasedQueryFindsLessByChance) {
  const std::string all = read_file(folder_of_data + "queries_mmseqs.fasta");
  const std::size_t at = all.find(">tr|M3XSD7");
  ASSERT_NE(at, std::string::npos);
  const std::string query = write("q", all.substr(at, all.find('>', at + 1) - at));
  const Finished plain = run({"/bin/sh", "-c", "zcat " + database});
  std::mt19937 random(5);
  std::string text, letters;
  const auto shuffle = [&] {
    for (std::size_t i = letters.size(); i > 1; --i) std::swap(letters[i - 1], letters[random() % i]);
    text += letters + "\n";
    letters.clear();
  };
  std::istringstream in(plain.out);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('>')) {
      letters += line;
      continue;
    }
    if (!letters.empty()) shuffle();
    text += line + "\n";
  }
  shuffle();
  const std::string shuffled = write("shuffled", text);
  const auto hits = [&](const Words &more) {
    return evalues(searched(search(query, shuffled, with(with(kColumns, {"-e", "1", "--top", "5000"}), more)))).size();
  };
  const std::size_t fit = hits({"--stats", "fit"}), by_table = hits({"--composition", "off"});
  std::printf("hits with E <= 1: fit %zu, table %zu, 1 expected\n", fit, by_table);
  EXPECT_LT(2 * fit, by_table);
}

}  // namespace
}  // namespace alnsmith::testing
