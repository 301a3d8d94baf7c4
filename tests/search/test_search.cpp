// `alnsmith search`: its hits are the best of each query with each target, whatever the database is read from.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#include "searches.h"

namespace alnsmith::testing {
namespace {

struct Scored {
  int score;
  std::size_t target;  // place in the input
  std::string strand;
};

// Of each query the best targets by score, equal ones in the order of the input; from what `align --all` prints.
std::map<std::string, std::vector<Scored>> best_of_all(const std::string &spec, const std::string &query,
                                                       const std::string &target, const std::string &strand,
                                                       std::size_t top, bool keep_ties, bool local, bool minimize) {
  Words words = {"align", "--spec", spec,      "--query",  query,  "--target",
                 target,  "--all",  "--quiet", "--output", "score"};
  if (!strand.empty()) words.insert(words.end(), {"--strand", strand});
  const Finished got = alnsmith(words);
  EXPECT_EQ(got.status, 0) << got.err;
  std::map<std::string, std::vector<Scored>> out;
  std::map<std::string, std::size_t> seen;
  const bool has_strand = !strand.empty() && strand != "plus";
  for (const Cells &row : table(got.out))
    out[row[0]].push_back({std::stoi(row[has_strand ? 3 : 2]), seen[row[0]]++, has_strand ? row[2] : "+"});
  for (auto &[name, list] : out) {
    if (local) std::erase_if(list, [](const Scored &one) { return one.score <= 0; });
    std::stable_sort(list.begin(), list.end(), [&](const Scored &a, const Scored &b) {
      return minimize ? a.score < b.score : a.score > b.score;
    });
    std::size_t n = std::min(top, list.size());
    while (keep_ties && n > 0 && n < list.size() && list[n].score == list[n - 1].score) ++n;
    list.resize(n);
  }
  return out;
}

class Search : public ::testing::Test {
 protected:
  void SetUp() override {
    ALNSMITH_NEEDS_KERNELS();
    query = folder.write("q.fa", random_fasta("q", 7, 60, 1));
    target = folder.write("t.fa", random_fasta("t", 400, 50, 2));
    database = folder.path("t.alndb");
    ASSERT_EQ(alnsmith({"makedb", target, "-o", database, "--quiet"}).status, 0);
  }

  void expect_best(const std::string &spec, const std::string &strand, std::size_t top, bool keep_ties, bool local,
                   bool minimize) const {
    const auto wanted = best_of_all(spec, query, target, strand, top, keep_ties, local, minimize);
    for (const std::string &from : {target, database}) {
      Words words = {"--spec",    spec,   "--query",   query,
                     "--db",      from,   "--top",     std::to_string(top),
                     "--stats",   "none", "--ties",    keep_ties ? "keep" : "first",
                     "--threads", "2",    "--columns", "query,target_number,score,strand,rank"};
      if (!strand.empty()) words.insert(words.end(), {"--strand", strand});
      std::map<std::string, std::vector<Scored>> got;
      for (const Cells &row : table(searched(words))) {
        auto &list = got[row[0]];
        list.push_back({std::stoi(row[2]), std::stoul(row[1]) - 1, row[3]});
        EXPECT_EQ(row[4], std::to_string(list.size()));
      }
      for (const auto &[name, list] : wanted) {
        ASSERT_EQ(got[name].size(), list.size()) << spec << " " << name << " " << from;
        for (std::size_t i = 0; i < list.size(); ++i) {
          EXPECT_EQ(got[name][i].score, list[i].score) << spec << " " << name << " " << i;
          EXPECT_EQ(got[name][i].target, list[i].target) << spec << " " << name << " " << i;
          EXPECT_EQ(got[name][i].strand, list[i].strand) << spec << " " << name << " " << i;
        }
      }
    }
  }

  Folder folder;
  std::string query, target, database;
};

TEST_F(Search, HitsAreTheBestOfEachWithEach) {
  for (const std::size_t top : {1, 10, 1000}) {
    expect_best("dna-local-affine", "plus", top, false, true, false);
    expect_best("dna-global-affine", "plus", top, false, false, false);
    expect_best("edit-distance", "plus", top, false, false, true);
  }
}

TEST_F(Search, OfBothStrandsTheBetterOneCounts) {
  for (const std::size_t top : {1, 10, 1000}) {
    expect_best("dna-local-affine", "both", top, false, true, false);
    expect_best("dna-local-affine", "minus", top, false, true, false);
    expect_best("edit-distance", "both", top, false, false, true);
  }
}

TEST_F(Search, TiesAreKeptWhereTheyAreWanted) {
  for (const std::size_t top : {1, 3, 10}) {
    expect_best("dna-local-affine", "both", top, true, true, false);
    expect_best("edit-distance", "plus", top, true, false, true);
  }
}

TEST_F(Search, BothStrandsAreSearchedWhereNothingIsSaid) {
  const Words words = {"--spec", "dna-local-affine", "--query", query, "--db", target, "--stats", "none"};
  Words both = words;
  both.insert(both.end(), {"--strand", "both"});
  EXPECT_EQ(searched(words), searched(both));
}

// A hit's alignment is that of `align` for the same two sequences.
TEST_F(Search, HitsAreAlignedAsPairsAre) {
  const std::string columns = "query,target,strand,score,query_end,target_end,query_begin,target_begin,cigar,identity";
  const std::string hits = searched({"--spec", "dna-local-affine", "--query", query, "--db", database, "--top", "5",
                                     "--stats", "none", "--columns", columns});
  const Finished all = alnsmith({"align", "--spec", "dna-local-affine", "--query", query, "--target", target, "--all",
                                 "--output", "cigar", "--columns", "identity", "--strand", "both", "--quiet"});
  std::set<Cells> rows;
  for (Cells &row : table(all.out)) rows.insert(std::move(row));
  const auto found = table(hits);
  EXPECT_GE(found.size(), 30u);
  for (const Cells &row : found) EXPECT_TRUE(rows.contains(row)) << row[0] << " " << row[1];
}

TEST_F(Search, OutputIsTheSameFromEverySourceAndWithLittleMemory) {
  const Words words = {"--spec",    "dna-local-affine",
                       "--query",   query,
                       "--stats",   "none",
                       "--columns", "query,target,title,score,cigar,rank,target_number"};
  const auto with = [&](const Words &more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return searched(all);
  };
  const std::string wanted = with({"--db", target});
  EXPECT_EQ(with({"--db", database}), wanted);
  const std::string zipped = folder.path("t.fa.gz");
  write_gzip(zipped, read_file(target), false);
  EXPECT_EQ(with({"--db", zipped}), wanted);
  Words piped = {"search", "--quiet", "--db", "-"};
  piped.insert(piped.end(), words.begin(), words.end());
  EXPECT_EQ(alnsmith(piped, target).out, wanted);
  EXPECT_NE(wanted.find("t0 some words of t"), std::string::npos);  // titles come along
  for (const std::string &from : {target, database}) {
    EXPECT_EQ(with({"--db", from, "--memory", "16M", "--threads", "3"}), wanted);
    EXPECT_EQ(with({"--db", from, "--isa", "scalar"}), wanted);
  }
}

// Lists of so many hits do not fit for all queries at once: the database is read again for each turn.
TEST_F(Search, QueriesTakeTurnsWhereListsAreLong) {
  const std::string many = folder.write("many.fa", random_fasta("m", 40, 30, 3));
  const Words words = {"--spec",    "dna-global-affine",  "--query", many,  "--stats", "none",
                       "--columns", "query,target,score", "--top",   "3000"};
  const auto with = [&](const Words &more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return searched(all);
  };
  const std::string wanted = with({"--db", target});
  EXPECT_EQ(with({"--db", target, "--memory", "16M"}), wanted);
  EXPECT_EQ(with({"--db", database, "--memory", "16M"}), wanted);
  Words piped = {"search", "--quiet", "--db", "-", "--memory", "16M"};
  piped.insert(piped.end(), words.begin(), words.end());
  const Finished got = alnsmith(piped, target);
  EXPECT_EQ(got.status, 1);
  EXPECT_TRUE(one_line(got.err)) << got.err;
  EXPECT_NE(got.err.find("makedb"), std::string::npos) << got.err;
}

// A database twenty times as large as the memory that it may take. A file of sequences is read in the same memory.
TEST_F(Search, MemoryStaysWithinItsBudget) {
  const std::string big = folder.path("big.fa");
  {
    const std::string letters = random_letters(1 << 20, 4);
    std::ofstream out(big);
    for (std::size_t i = 0; i < 60000; ++i)  // 330 MB
      out << ">b" << i << '\n' << std::string_view(letters).substr(i * 97 % 900000, 5000 + i % 1000) << '\n';
  }
  const std::string mapped = folder.path("big.alndb");
  ASSERT_EQ(alnsmith({"makedb", big, "-o", mapped, "--quiet"}).status, 0);
  const std::string one = folder.write("one.fa", ">one\nACGTACGGTCATTACGATCGA\n");
  std::string first;
  for (const std::string &from : {big, mapped}) {
    const std::string peak = folder.path("peak");
    const Finished got =
        run({"/bin/sh", "-c",
             "\"$0\" search --spec dna-local-affine --query " + one + " --db " + from +
                 " --memory 16M --threads 1 --stats none --strand plus --top 10 --columns target,score --quiet & "
                 "p=$!; most=0; while kill -0 $p 2>/dev/null; do "
                 "now=$(awk '/^RssAnon/ {print $2}' /proc/$p/status 2>/dev/null); "
                 "[ \"${now:-0}\" -gt $most ] && most=$now; sleep 0.02; done; wait $p; echo $most > " +
                 peak,
             program()});
    EXPECT_EQ(got.err, "");
    EXPECT_EQ(table(got.out).size(), 10u);
    if (first.empty()) first = got.out;
    EXPECT_EQ(got.out, first);
    const int kilobytes = std::atoi(read_file(peak).c_str());
    EXPECT_GT(kilobytes, 1000);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_LT(kilobytes, 64 << 10) << from;  // the program itself takes some 20 MB
#endif
  }
}

// A report is written turn by turn; what has to be kept whole is refused where it does not fit.
TEST_F(Search, ManyHitsTakeNoMoreMemory) {
  const std::string queries = folder.write("many.fa", random_fasta("m", 1500, 24, 5));
  const std::string targets = folder.write("short.fa", random_fasta("s", 3000, 20, 6));
  const std::string peak = folder.path("peak"), out = folder.path("out.tsv");
  const std::string common = " search --spec dna-global-affine --query " + queries + " --db " + targets +
                             " --memory 16M --threads 1 --stats none --strand plus --quiet ";
  const Finished got = run({"/bin/sh", "-c",
                            "\"$0\"" + common + "--columns target,score --out " + out +
                                " & p=$!; most=0; while kill -0 $p 2>/dev/null; do "
                                "now=$(awk '/^RssAnon/ {print $2}' /proc/$p/status 2>/dev/null); "
                                "[ \"${now:-0}\" -gt $most ] && most=$now; sleep 0.02; done; wait $p; echo $most > " +
                                peak,
                            program()});
  EXPECT_EQ(got.err, "");
  EXPECT_EQ(table(read_file(out)).size(), 1500u * 500);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(std::atoi(read_file(peak).c_str()), 64 << 10);
#endif
  const std::string part = folder.path("part");
  const Finished refused_part = run({"/bin/sh", "-c", "\"$0\"" + common + "--hits " + part, program()});
  EXPECT_EQ(refused_part.status, 1);
  EXPECT_TRUE(one_line(refused_part.err)) << refused_part.err;
  EXPECT_NE(refused_part.err.find("fewer queries"), std::string::npos) << refused_part.err;
}

TEST_F(Search, GoldenScoresOfRealProteins) {
  const char *const data = ALNSMITH_DATA_DIR;
  std::ifstream golden(std::string(data) + "/dbsearch/full_top50_b62_aff11_1.tsv");
  if (!golden) GTEST_SKIP() << "no golden scores of searches in " << data;
  std::map<std::string, std::string> wanted;  // by accession
  for (std::string name, sum, list; golden >> name >> sum >> list;) wanted[name] = list;
  std::string some;  // the queries that there are golden scores of
  std::ifstream all(std::string(data) + "/protein/queries_cudasw20.fasta");
  bool taken = false;
  for (std::string line; std::getline(all, line);) {
    if (line.starts_with('>'))
      taken = std::any_of(wanted.begin(), wanted.end(),
                          [&](const auto &one) { return line.find("|" + one.first + "|") != std::string::npos; });
    if (taken) some += line + "\n";
  }
  const std::string hits = searched({"--spec", "protein-local-blosum62", "--query", folder.write("some.fa", some),
                                     "--db", std::string(data) + "/protein/db.fasta.gz", "--top", "50", "--stats",
                                     "none", "--columns", "query,target_number,score"});
  std::map<std::string, std::string> got;
  for (const Cells &row : table(hits)) {
    std::string &list = got[row[0]];
    list += (list.empty() ? "" : ",") + std::to_string(std::stoul(row[1]) - 1) + ":" + row[2];
  }
  std::size_t compared = 0;
  for (const auto &[query_name, list] : got)
    for (const auto &[name, golden_list] : wanted)
      if (query_name.find("|" + name + "|") != std::string::npos) {
        EXPECT_EQ(list, golden_list) << name;
        ++compared;
      }
  EXPECT_EQ(compared, wanted.size());
  EXPECT_GE(compared, 3u);
}

}  // namespace
}  // namespace alnsmith::testing
