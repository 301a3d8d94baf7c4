// `alnsmith place` with its kernels: what it holds in memory, what it leaves behind where it stops, proteins, bands,
// threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>

#include "five_tips.h"
#include "full_run.h"
#include "mutated.h"
#include "program.h"

namespace alnsmith::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string random_letters(std::mt19937 &random, std::size_t n, const std::string &of) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += of[random() % of.size()];
  return text;
}

class PlaceWithKernels : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!have_kernels()) GTEST_SKIP() << "built without the generator";
  }
  Words words(const std::string &tree, const std::string &rows, const std::string &reads, const Words &more) const {
    Words all{"place", "--tree", tree, "--reference", rows, "--query", reads, "--out", out_};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // The five references of five_tips.h.
  Finished place(const std::string &reads, const Words &more = {}) const {
    return alnsmith(words(folder_.write("t.nwk", kTree), folder_.write("r.phy", kRows), reads, more));
  }
  std::string out(const std::string &name) const { return read_file(out_ + "/" + name); }

  Folder folder_;
  std::string out_ = folder_.path("out");
};

TEST_F(PlaceWithKernels, WhatIsRefusedLeavesNoFolder) {
  const std::string reads = folder_.write("q.fa", ">one\nACGTAC\n"), file = folder_.write("file", "");
  for (const Words &more :
       {Words{"--device", "foo"}, Words{"--device", "cuda:99"}, Words{"--isa", "foo"}, Words{"--branches", "/"},
        Words{"--branches", file + "/below.tsv"}, Words{"--plot", file + "/below.html"}}) {
    const Finished done = place(reads, more);
    EXPECT_NE(done.status, 0) << more[1];
    EXPECT_TRUE(one_line(done.err)) << done.err;
    EXPECT_FALSE(fs::exists(out_)) << more[1];
  }
  fs::permissions(file, fs::perms::owner_all);  // to be run, as if it were a folder to go into
  fs::create_symlink(folder_.path("nothing"), folder_.path("link"));
  for (const std::string &bad : {file + "/below", file + "/further/below", folder_.path("link")}) {
    Words all = words(folder_.write("t.nwk", kTree), folder_.write("r.phy", kRows), reads, {});
    all[8] = bad;
    const Finished done = alnsmith(all);
    EXPECT_EQ(done.status, 1);
    EXPECT_TRUE(one_line(done.err) && done.err.find("cannot be written") != std::string::npos) << done.err;
  }
}

// Trees, alignments and reads in which letters are lost, put in and changed: placed, or refused in a line that names
// the file, with nothing left behind.
TEST_F(PlaceWithKernels, MutatedInputsArePlacedOrRefused) {
  std::mt19937 random(3);
  const std::string sound[] = {kTree, kRows, ">one\nACGTAC\n>two\nTTGTA\n"};
  const std::string letters[] = {"(),:;'[]ABCDE.-e \n", "ACGT-N?. \n48xBD", "ACGTN>-\n @+"};
  const char *names[] = {"t.nwk", "r.phy", "q.fa"};
  int placed[3] = {};
  const int draws = sample::full() ? 1000 : 40;
  for (int i = 0; i < 3 * draws; ++i) {
    std::string texts[] = {sound[0], sound[1], sound[2]}, &text = texts[i % 3];
    text = mutated(random, letters[i % 3], text, 20 + static_cast<unsigned>(random() % 200));
    std::string paths[3];
    for (int side = 0; side < 3; ++side) paths[side] = folder_.write(names[side], texts[side]);
    const Finished done = alnsmith(words(paths[0], paths[1], paths[2], {"--quiet"}));
    placed[i % 3] += done.status == 0;
    EXPECT_EQ(fs::exists(out_), done.status == 0) << text;
    if (done.status != 0) {
      EXPECT_TRUE(done.status == 1 || done.status == 2) << done.status << "\n" << text;
      std::string line = done.err;
      while (line.starts_with("alnsmith: note: ")) line.erase(0, std::min(line.find('\n'), line.size() - 1) + 1);
      EXPECT_TRUE(one_line(line)) << line << text;
      EXPECT_TRUE(std::ranges::any_of(paths, [&](const auto &path) { return line.find(path) != std::string::npos; }))
          << line << text;
    }
    fs::remove_all(out_);
  }
  for (const int each : placed) EXPECT_TRUE(each > 0 && each < draws) << each;
}

// What lies in the folder of the results is written when that is there; a finished folder may be one to read alone.
TEST_F(PlaceWithKernels, BranchesMayLieInTheFolderAndComeFromAFinishedOne) {
  const std::string reads = folder_.write("q.fa", ">one\nACGTAC\n"), later = folder_.path("later.tsv");
  const Finished done = place(reads, {"--branches", out_ + "/branches.tsv", "--quiet"});
  ASSERT_EQ(done.status, 0) << done.err;
  fs::create_directories(out_ + "/blocks");  // of a run that was killed before it could remove them
  ASSERT_EQ(place(reads, {"--branches", later}).status, 0);
  EXPECT_FALSE(fs::exists(out_ + "/blocks"));
  EXPECT_EQ(read_file(later), out("branches.tsv"));
  fs::permissions(out_, fs::perms::owner_read | fs::perms::owner_exec);
  const Finished again = place(reads, {"--branches", later, "--quiet"});
  fs::permissions(out_, fs::perms::owner_all);
  EXPECT_EQ(again.status, 0) << again.err;
  std::string line = "exec \"$0\"";  // with stdout closed
  for (const std::string &word : words(folder_.path("t.nwk"), folder_.path("r.phy"), reads, {"--quiet"}))
    line += " " + word;
  EXPECT_EQ(run({"/bin/sh", "-c", line + " >&-", program()}).status, 0);
}

// Many short reads whose columns together, and branches whose columns together, are more than a call may take.
TEST_F(PlaceWithKernels, CallsAreNoLargerThanMemory) {
  std::mt19937 random(5);
  const auto letters = [&](std::size_t n, const std::string &of) { return random_letters(random, n, of); };
  std::string rows = "5 1000\n", reads;
  for (const char *tip : {"A", "B", "C", "D", "E"}) rows += std::string(tip) + " " + letters(1000, "ACGT") + "\n";
  for (int i = 0; i < 8192; ++i) reads += ">r" + std::to_string(i) + "\n" + letters(8, "ACGT") + "\n";
  const Words little{"--memory", "16M", "--quiet", "--insertions", "none"};
  const Finished many = alnsmith(
      words(folder_.write("t.nwk", kTree), folder_.write("wide.phy", rows), folder_.write("many.fa", reads), little));
  EXPECT_EQ(many.status, 0) << many.err;
  // Branches of proteins: three bytes per column of a call, and there are 37 by 4,000.
  std::string tree = "t0:1", proteins = "20 4000\n";
  for (int i = 1; i < 20; ++i) tree = "(" + tree + ",t" + std::to_string(i) + ":1):1";
  for (int i = 0; i < 20; ++i) proteins += "t" + std::to_string(i) + " " + letters(4000, "ACDEFGHIKLMNPQRSTVWY") + "\n";
  const std::string spec = folder_.write("protein.yaml",
                                         "version: 1\nname: own-protein\nalignment: semiglobal\n"
                                         "alphabet: {state_sets: protein}\nscore: {match: 2, mismatch: 0}\n"
                                         "gap: {model: affine, open: 2, extend: 1}\n");
  out_ = folder_.path("proteins");
  Words more = little;
  more.insert(more.end(), {"--spec", spec, "--flags", "none"});
  const Finished wide = alnsmith(words(folder_.write("p.nwk", tree + ";"), folder_.write("p.phy", proteins),
                                       folder_.write("p.fa", ">one\n" + letters(30, "ACDEFGHIK") + "\n"), more));
  EXPECT_EQ(wide.status, 0) << wide.err;
}

// 800 equal tips: each read ties on 1,597 branches. Then an alignment as long as its share, and the same run again.
TEST_F(PlaceWithKernels, MemoryBoundsTiesAndCopiesOfTheAlignment) {
  std::mt19937 random(3);
  const auto letters = [&](std::size_t n) { return random_letters(random, n, "ACGT"); };
  const auto peak_of = [&](const std::string &tree, const std::string &rows, const std::string &reads) {
    std::string line = "\"$0\"";
    for (const std::string &word : words(tree, rows, reads, {"--memory", "64M", "--shard", "1/2", "--quiet"}))
      line += " " + word;
    const std::string peak = folder_.path("peak");
    const Finished done = run({"/bin/sh", "-c",
                               line +
                                   " & p=$!; most=0; while kill -0 $p 2>/dev/null; do "
                                   "now=$(awk '/^VmHWM/ {h = $2} /^RssFile/ {f = $2} END {print h - f}' "
                                   "/proc/$p/status 2>/dev/null); "
                                   "[ \"${now:-0}\" -gt $most ] && most=$now; sleep 0.01; done; wait $p && "
                                   "echo $most > " +
                                   peak,
                               program()});
    EXPECT_EQ(done.status, 0) << done.err;
    return std::atoi(read_file(peak).c_str());
  };
  const auto check = [](int kilobytes, [[maybe_unused]] int megabytes) {
    EXPECT_GT(kilobytes, 1000);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_LT(kilobytes, megabytes << 10);
#endif
  };
  const std::function<std::string(int, int)> subtree = [&](int first, int n) -> std::string {
    if (n == 1) return "t" + std::to_string(first) + ":0.1";
    return "(" + subtree(first, n / 2) + "," + subtree(first + n / 2, n - n / 2) + "):0.1";
  };
  const auto phylip = [&](int rows, const std::string &row) {
    std::string text = std::to_string(rows) + " " + std::to_string(row.size()) + "\n";
    for (int i = 0; i < rows; ++i) text += "t" + std::to_string(i) + " " + row + "\n";
    return text;
  };
  const std::string row = letters(60);
  std::string reads;
  for (int i = 0; i < 10000; ++i)
    reads += ">r" + std::to_string(i) + "\n" + row.substr(static_cast<std::size_t>(i % 30), 20) + "\n";
  const std::string many = folder_.write("many.fa", reads);
  check(peak_of(folder_.write("wide.nwk", subtree(0, 800) + ";"), folder_.write("wide.phy", phylip(800, row)), many),
        36);
  fs::remove_all(out_);
  const std::string tree = folder_.write("long.nwk", subtree(0, 100) + ";"),
                    rows = folder_.write("long.phy", phylip(100, letters(40000))),
                    one = folder_.write("one.fa", ">one\n" + letters(30) + "\n");
  check(peak_of(tree, rows, one), 56);
  check(peak_of(tree, rows, one), 56);
  const std::string longer = folder_.write("longer.phy", phylip(100, letters(45000)));
  const Finished refused = alnsmith(words(tree, longer, one, {"--memory", "64M"}));
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("longer.phy: is larger than its share of --memory"), std::string::npos) << refused.err;
}

TEST_F(PlaceWithKernels, AKilledRunGoesOnWithItsBlocks) {
  std::string reads;
  for (int i = 0; i < 20000; ++i)
    reads += ">r" + std::to_string(i) + "\n" + std::string("ACGTACGTAC").substr(i % 5, 4 + i % 3) + "\n";
  const std::string file = folder_.write("q.fa", reads);
  const std::string tree = folder_.write("t.nwk", kTree), rows = folder_.write("r.phy", kRows);
  Words stdin_words = words(tree, rows, "-", {"--quiet"});
  stdin_words.insert(stdin_words.begin(), program());
  {
    std::signal(SIGPIPE, SIG_IGN);        // a program that ends at once is an error below, not the end of the tests
    Process running(stdin_words, reads);  // waits for more reads
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(200);
    while (!fs::exists(out_ + "/blocks/00000002") && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    running.signal(SIGKILL);
    EXPECT_EQ(running.finish().status, 128 + SIGKILL);
  }
  ASSERT_TRUE(fs::exists(out_ + "/blocks/00000002"));
  EXPECT_FALSE(fs::exists(out_ + "/reads.tsv"));
  const Finished on = place(file);
  ASSERT_EQ(on.status, 0) << on.err;
  EXPECT_NE(on.err.find("blocks=3 blocks_kept=2"), std::string::npos) << on.err;
  const std::string table = out("reads.tsv"), jplace = out("placements.jplace"), alignment = out("alignment.fasta");
  out_ = folder_.path("whole");
  ASSERT_EQ(place(file, {"--quiet"}).status, 0);
  EXPECT_TRUE(out("reads.tsv") == table);
  EXPECT_TRUE(out("placements.jplace") == jplace);
  EXPECT_TRUE(out("alignment.fasta") == alignment);
}

TEST_F(PlaceWithKernels, ThreadsGiveTheSameBytes) {
  Words all{"reads.tsv", "placements.jplace", "alignment.fasta", "alignment.columns.phy"}, first;
  for (const char *threads : {"1", "2", "5"}) {
    out_ = folder_.path(std::string("threads") + threads);
    const Finished done = alnsmith(words(data_file("placement_tree.nwk"), data_file("placement_reference.phy.gz"),
                                         data_file("placement_reads.fasta"), {"--threads", threads, "--quiet"}));
    ASSERT_EQ(done.status, 0) << done.err;
    Words texts;
    for (const std::string &name : all) texts.push_back(out(name));
    if (first.empty()) first = texts;
    EXPECT_TRUE(texts == first) << threads;
  }
}

TEST_F(PlaceWithKernels, ProteinsAreRead) {
  const std::string spec = folder_.write("protein.yaml",
                                         "version: 1\nname: own-protein\nalignment: semiglobal\n"
                                         "alphabet: {state_sets: protein}\ncolumn_flags: 1\n"
                                         "score: {match: 2, mismatch: 0, at_flag: -3}\n"
                                         "gap:\n  deletion: {model: affine, open: 2, extend: 1, at_flag: 0}\n"
                                         "  insertion: {model: affine, open: 2, extend: 1}\n");
  const std::string tree = folder_.write("p.nwk", "((A:0.1,B:0.2):0.3,C:0.1,D:0.2);\n");
  const std::string rows = folder_.write("p.fa", ">A\nMKWVTFISLL\n>B\nMKWVTFLSLL\n>C\nMRYHERWKDE\n>D\nMRYHDRWKDE\n");
  const Finished done = alnsmith(
      words(tree, rows, folder_.write("q.fa", ">one\nWVTFI\n>two\nYHDRW\n"), {"--spec", spec, "--flags", "none"}));
  ASSERT_EQ(done.status, 0) << done.err;
  // Five matches; a branch between two letters has both.
  EXPECT_NE(out("reads.tsv").find("\none\t0\t10\t3\t3\t2\ntwo\t2\t10\t3\t0\t2\n"), std::string::npos)
      << out("reads.tsv");
}

TEST_F(PlaceWithKernels, ABandOfConstantsTakesReadsThatItHolds) {
  const std::string spec = folder_.write("band.yaml",
                                         "version: 1\nname: own-band\nalignment: global\n"
                                         "alphabet: {state_sets: dna}\nscore: {match: 2, mismatch: -1}\n"
                                         "gap: {model: affine, open: 2, extend: 1}\nband: {from: -4, to: 4}\n");
  const Words more{"--spec", spec, "--flags", "none"};
  const Finished done = place(folder_.write("q.fa", ">longer\nACGTACGTACGTACG\n"), more);
  ASSERT_EQ(done.status, 0) << done.err;
  out_ = folder_.path("refused");
  const Finished refused =
      place(folder_.write("p.fa", ">short\nACGTACGTACGT\n>far\n" + std::string(40, 'A') + "\n"), more);
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("p.fa: read far (40 letters): "), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("holds no alignment"), std::string::npos) << refused.err;
  EXPECT_FALSE(fs::exists(out_));
}

}  // namespace
}  // namespace alnsmith::testing
