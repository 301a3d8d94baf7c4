// `alnsmith place` as users run it, over the textbook: what it writes, bad input, resuming, shards and merge.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "five_tips.h"
#include "papara_set.h"
#include "program.h"

namespace alnsmith::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const char *const kReads = ">one\nACGTAC\n>two\nTTGTA\n>three\nGTACGA\n>four\nGT-AC-G\n";

// `place` with these arguments, by the textbook's program.
Finished place(const Words &arguments, const std::string &stdin_path = "") {
  Words words{PLACE_TEXTBOOK, "place"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run(words, stdin_path);
}

struct Inputs {
  Folder folder;
  std::string tree = folder.write("t.nwk", kTree), rows = folder.write("r.phy", kRows),
              reads = folder.write("q.fa", kReads);
  std::string out = folder.path("out");

  Words words(const Words &more = {}) const {
    Words all{"--tree", tree, "--reference", rows, "--query", reads, "--out", out};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // Of all results, by name.
  std::map<std::string, std::string> results(const std::string &of) const {
    std::map<std::string, std::string> out;
    for (const auto &entry : fs::directory_iterator(of))
      if (entry.is_regular_file() && entry.path().filename() != "run.json")
        out[entry.path().filename()] = read_file(entry.path());
    return out;
  }
};

TEST(Place, WritesTableJplaceAndAlignments) {
  const Inputs in;
  const Finished done = place(in.words({"--branches", in.folder.path("branches.tsv")}));
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.err.find("reads=4 placed=4 blocks=1 blocks_kept=0 reads_with_gaps=1 branches=7 columns=12"),
            std::string::npos)
      << done.err;
  const auto results = in.results(in.out);
  Words names;
  for (const auto &[name, text] : results) names.push_back(name);
  EXPECT_EQ(names, (Words{"alignment.columns.fasta", "alignment.columns.phy", "alignment.fasta", "alignment.phy",
                          "placements.jplace", "reads.tsv"}));
  EXPECT_FALSE(fs::exists(in.out + "/blocks"));
  const auto json = nlohmann::json::parse(results.at("placements.jplace"));
  EXPECT_EQ(json.at("version"), 3);
  EXPECT_EQ(json.at("placements").size(), 4u);
  EXPECT_EQ(json.at("fields").size(), json.at("placements")[0].at("p")[0].size());
  EXPECT_EQ(results.at("alignment.columns.phy").substr(0, 5), "9 12\n");
  EXPECT_EQ(results.at("reads.tsv").substr(0, 50), "#read\tbranch\tscore\tties\tsecond_branch\tsecond_score");
  EXPECT_EQ(read_file(in.folder.path("branches.tsv")).substr(0, 35), "#branch\tlength\ttips\n0\t0.1\tA\n1\t0.2\tB");
}

TEST(Place, FastaAndStdinGiveTheSame) {
  Inputs in;
  ASSERT_EQ(place(in.words()).status, 0);
  const auto wanted = in.results(in.out);
  std::string fasta;
  std::istringstream lines(kRows);
  std::string name, row;
  std::getline(lines, row);
  while (lines >> name >> row)
    fasta += ">" + name + " of the references\n" + row.substr(0, 7) + "\n" + row.substr(7) + "\n";
  in.rows = in.folder.write("r.fa", fasta);
  const std::string reads = std::exchange(in.reads, "-");
  in.out = in.folder.path("other");
  const Finished done = place(in.words(), reads);
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(in.results(in.out), wanted);
}

TEST(Place, ShardsAndMergeGiveTheBytesOfOneRun) {
  Inputs in;
  std::string reads;
  for (int i = 0; i < 700; ++i)
    reads += ">read" + std::to_string(i) + "\n" + std::string("ACGTACGTAC").substr(i % 5, 4 + i % 3) + "\n";
  for (const char *more : {"ACGTACGTACG", "TTGTACAC"}) {
    std::string longer;
    for (int i = 0; i < 400; ++i) longer += more;
    for (int i = 0; i < 300; ++i) reads += ">l" + std::string(more) + std::to_string(i) + "\n" + longer + "\n";
  }
  in.folder.write("q.fa", reads);
  ASSERT_EQ(place(in.words({"--quiet"})).status, 0);
  const auto wanted = in.results(in.out);
  Words folders;
  for (const char *shard : {"2/3", "3/3", "1/3"}) {
    folders.push_back(in.folder.path(std::string("shard") + shard[0]));
    Words words = in.words({"--shard", shard, "--quiet"});
    words[7] = folders.back();
    const Finished done = place(words);
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_TRUE(fs::exists(folders.back() + "/blocks"));
    EXPECT_TRUE(in.results(folders.back()).empty());
  }
  const Finished short_of_one = place({"merge", folders[0], folders[2], "--out", in.folder.path("merged")});
  EXPECT_EQ(short_of_one.status, 1);
  EXPECT_NE(short_of_one.err.find("are in none of the folders: run the other shards, and name all folders"),
            std::string::npos)
      << short_of_one.err;
  const Finished merged =
      place({"merge", folders[0], folders[1], folders[2], "--out", in.folder.path("merged"), "--quiet"});
  ASSERT_EQ(merged.status, 0) << merged.err;
  EXPECT_TRUE(in.results(in.folder.path("merged")) == wanted);
  EXPECT_EQ(merged.err, "");
}

TEST(Place, ARunThatWasStoppedGoesOn) {
  const Inputs in;
  ASSERT_EQ(place(in.words({"--shard", "1/2"})).status, 0);  // blocks, but no results
  ASSERT_TRUE(fs::exists(in.out + "/blocks/00000001"));
  Words other = in.words();
  other[7] = in.folder.path("other");
  const Finished on = place(in.words()), whole = place(other);
  ASSERT_EQ(on.status, 0) << on.err;
  EXPECT_NE(on.err.find("blocks_kept=1"), std::string::npos) << on.err;
  EXPECT_EQ(in.results(in.out), in.results(other[7]));
  const Finished again = place(in.words());
  EXPECT_EQ(again.status, 0);
  EXPECT_NE(again.err.find("is complete already"), std::string::npos) << again.err;
}

TEST(Place, AFinishedRunGivesItsPictureLater) {
  const Inputs in;
  const std::string first = in.folder.path("first.html"), later = in.folder.path("later.html"),
                    branches = in.folder.path("branches.tsv");
  const Finished done = place(in.words({"--plot", first}));
  if (done.status != 0 && done.err.find("--plot") != std::string::npos) GTEST_SKIP() << done.err;
  ASSERT_EQ(done.status, 0) << done.err;
  const Finished again = place(in.words({"--plot", later, "--branches", branches}));
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(read_file(later), read_file(first));
  EXPECT_TRUE(fs::exists(branches));
}

TEST(Place, FoldersOfOtherRunsAreLeftAlone) {
  const Inputs in;
  ASSERT_EQ(place(in.words()).status, 0);
  const auto before = in.results(in.out);
  const Finished flags = place(in.words({"--flags", "cgap"}));
  EXPECT_EQ(flags.status, 1);
  EXPECT_NE(flags.err.find("has results of another run"), std::string::npos) << flags.err;
  in.folder.write("q.fa", ">one\nACGTAC\n");
  const Finished reads = place(in.words());
  EXPECT_EQ(reads.status, 1);
  EXPECT_NE(reads.err.find("has results of other reads"), std::string::npos) << reads.err;
  EXPECT_EQ(in.results(in.out), before);
}

struct Bad {
  std::string what, file, text;
  Words more;
  std::string says;
  int status = 1;
};

TEST(Place, BadInputIsOneLineAndNothingIsWritten) {
  const std::vector<Bad> all{
      {"no tree", "t.nwk", "", {}, "t.nwk: is empty: give a tree in Newick format"},
      {"no references", "r.phy", "", {}, "r.phy"},
      {"no reads", "q.fa", "", {}, "q.fa: holds no read"},
      {"another name", "t.nwk", "((A:0.1,B:0.2):0.3,C:0.1,(D:0.2,F:0.4):0.1);", {}, "'F'; rows of "},
      {"no lengths", "t.nwk", "((A,B),C,(D,E));", {}, "t.nwk: 7 of 7 branches have no length"},
      {"gaps alone", "r.phy", "5 3\nA ---\nB ---\nC ---\nD ---\nE ---\n", {}, "r.phy: has gaps alone"},
      {"unequal rows",
       "r.phy",
       ">A\nACGT\n>B\nACG\n>C\nACGT\n>D\nACGT\n>E\nACGT\n",
       {},
       "row 'B' has 3 letters and gaps, and the first row 4"},
      {"letters of proteins", "q.fa", ">r\nACEF\n", {}, "read r, letter 3: 'E' is no letter of dna"},
      {"an empty read", "q.fa", ">r\nA-\n>s\n--\n", {}, "read s is empty"},
      {"a read twice", "q.fa", ">r\nACG\n>r\nACG\n", {}, "read r is there twice"},
      {"a reference's name", "q.fa", ">A\nACG\n", {}, "read A has the name of a reference"},
      {"too long for the band",
       "q.fa",
       ">r\nACGTACGTACGTACG\n",
       {"--spec", "papara-eq1"},
       "has 15 letters and the references 12 columns"},
      {"another alphabet", "q.fa", kReads, {"--spec", "dna-global-affine"}, "reads are placed by sets of states", 2},
      {"a bad shard", "q.fa", kReads, {"--shard", "3/2"}, "--shard 3/2", 2},
      {"little memory", "q.fa", kReads, {"--memory", "1M"}, "--memory: at least 16M is needed", 2},
  };
  for (const Bad &bad : all) {
    const Inputs in;
    in.folder.write(bad.file, bad.text);
    const Finished done = place(in.words(bad.more));
    EXPECT_EQ(done.status, bad.status) << bad.what;
    EXPECT_NE(done.err.find(bad.says), std::string::npos) << bad.what << ": " << done.err;
    EXPECT_TRUE(one_line(done.err)) << bad.what << ": " << done.err;
    EXPECT_FALSE(fs::exists(in.out)) << bad.what;
  }
  const Inputs in;
  Words words = in.words();
  words.erase(words.begin(), words.begin() + 2);
  const Finished none = place(words);
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.err.find("--tree is required"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace alnsmith::testing
