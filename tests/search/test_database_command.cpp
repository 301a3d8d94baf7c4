// `alnsmith makedb`: what it makes of real and odd inputs, what it refuses, and that it leaves all or nothing.
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "alnsmith/content_hash.hpp"
#include "common/reader.h"
#include "databases.h"
#include "program.h"
#include "words.h"

namespace alnsmith::search::testing {
namespace {

using namespace alnsmith::testing;
using Words = std::vector<std::string>;

// What the reader of `align` makes of the files, one behind another.
Entries read_inputs(const Words &paths) {
  Entries out;
  for (const std::string &path : paths) {
    auto reader = tool::SequenceReader::open(path, std::size_t{1} << 30);
    EXPECT_TRUE(reader) << path;
    if (!reader) return out;
    tool::Record record;
    for (auto more = reader->next(record); more && *more; more = reader->next(record))
      out.push_back({std::string(record.name), std::string(record.letters), std::string(record.description)});
  }
  return out;
}

class MakeDatabase : public ::testing::Test {
 protected:
  Finished makedb(Words words, const std::string &stdin_path = "") const {
    words.insert(words.begin(), "makedb");
    return alnsmith::testing::alnsmith(words, stdin_path);
  }
  Folder folder, out;
  const std::string path = out.path("x.alndb");
};

TEST_F(MakeDatabase, TakesFastaAndFastqFromFilesAndStdinInOrder) {
  const std::string fasta = folder.write("a.fa", ">a first one\nACgt\nNN\n\n>b\nGG-*\r\n> c\tx\nA\n");
  write_gzip(folder.path("b.fq.gz"), "@q 1:N:0\nACGT\n+\nII@I\n", true);
  const std::string rest = folder.write("rest.fa", ">last\nTTT\n");
  const Finished got = makedb({fasta, folder.path("b.fq.gz"), "-", "-o", path}, rest);
  EXPECT_EQ(got.status, 0) << got.err;
  EXPECT_EQ(got.out, "");
  EXPECT_TRUE(one_line(got.err));
  EXPECT_TRUE(got.err.starts_with("added=5 sequences=5 letters=18 longest=6 blocks=1 bytes=")) << got.err;
  const Entries want = {
      {"a", "ACgtNN", "first one"}, {"b", "GG-*", ""}, {"c", "A", "x"}, {"q", "ACGT", "1:N:0"}, {"last", "TTT", ""}};
  EXPECT_EQ(*read(path), want);
  const Finished more = makedb({fasta, "-o", path, "--append", "--quiet"});
  EXPECT_EQ(more.status, 0);
  EXPECT_EQ(more.err, "");
  EXPECT_EQ(read(path)->size(), 8U);
  const Finished anew = makedb({rest, "-o", path, "--quiet"});
  EXPECT_EQ(anew.status, 0);
  EXPECT_EQ(*read(path), (Entries{{"last", "TTT", ""}}));
  EXPECT_EQ(out.entries(), Words{"x.alndb"});
}

TEST_F(MakeDatabase, HoldsRealSequencesAsTheyAre) {
  std::vector<Words> sets = {{data_file("protein_targets.fasta.gz"), data_file("protein_queries.fasta")},
                             {data_file("lambda_reads.fastq.gz"), data_file("lambda_windows.fasta.gz")},
                             {data_file("emp16S_reads.fasta.gz")}};
  const char *named = std::getenv("ALNSMITH_DATA_DIR");
  const std::string large = named != nullptr ? named : ALNSMITH_DATA_DIR;
  for (const Words &set : {Words{"protein/db.fasta.gz"}, Words{"genomes/ecoli536.fasta.gz", "genomes/lambda.fasta"},
                           Words{"reads/illumina_ecoli1K_1.fastq.gz", "reads/long_lambda_racon.fastq.gz"}}) {
    Words paths;
    for (const std::string &name : set)
      if (std::filesystem::exists(large + "/" + name)) paths.push_back(large + "/" + name);
    if (paths.size() == set.size()) sets.push_back(paths);
  }
  for (const Words &inputs : sets)
    for (const char *block : {"64M", "100K"}) {
      Words words = {"--block", block, "-o", path};
      words.insert(words.end(), inputs.begin(), inputs.end());
      const Finished got = makedb(words);
      ASSERT_EQ(got.status, 0) << got.err;
      const Entries want = read_inputs(inputs);
      ASSERT_FALSE(want.empty());
      ContentHash content;
      for (const Entry &e : want) content.add(e.name, e.letters);
      const auto database = Database::open(path);
      ASSERT_TRUE(database);
      EXPECT_EQ(database->info().content, content.hex());
      EXPECT_TRUE(*read(*database) == want) << inputs[0];
      EXPECT_EQ(makedb({"verify", path}).out, "ok " + path + "\n");
    }
}

TEST_F(MakeDatabase, SaysWhatItHolds) {
  const std::string fasta = folder.write("a.fa", ">a\nACGA\n>bb\nAa\n");
  ASSERT_EQ(makedb({fasta, "-o", path}).status, 0);
  const Finished info = makedb({"info", path, "--letters"});
  EXPECT_EQ(info.status, 0);
  EXPECT_TRUE(info.out.starts_with(path + ": sequences=2 letters=6 longest=4 blocks=1 bytes=")) << info.out;
  EXPECT_TRUE(info.out.ends_with("\nA\t3\t0.500000\nC\t1\t0.166667\nG\t1\t0.166667\na\t1\t0.166667\n")) << info.out;
  const Finished json = makedb({"info", path, "--json"});
  for (const char *part : {"\"sequences\": 2", "\"longest_name\": 2", "\"letter_counts\": {\n      \"A\": 3,"})
    EXPECT_TRUE(has(json.out, part)) << json.out;
  std::string bytes = read_file(path);
  bytes[4096] ^= 1;
  folder.write("torn.alndb", bytes);
  EXPECT_EQ(makedb({"info", folder.path("torn.alndb")}).status, 0);
  const Finished both = makedb({"verify", folder.path("torn.alndb"), path, fasta});
  EXPECT_EQ(both.status, 1);
  EXPECT_EQ(both.out, "ok " + path + "\n");
  EXPECT_TRUE(has(both.err, "torn.alndb: damaged: in block 1 of 1 (sequences from 1), letters do not have their"))
      << both.err;
  EXPECT_TRUE(has(both.err, "a.fa: is no database of sequences: make it with `alnsmith makedb`")) << both.err;
}

TEST_F(MakeDatabase, RefusesInOneLineAndLeavesNothing) {
  const std::string good = folder.write("good.fa", ">a\nACGT\n");
  const std::string gzip = folder.path("x.gz");
  std::string many;
  for (int i = 0; i < 1000; ++i) many += ">r" + std::to_string(i * 7919 % 1009) + "\nACGT\n";
  write_gzip(gzip, many, false);
  const std::string whole = read_file(gzip);
  struct Case {
    Words words;
    std::string what;
    int status = 1;
  };
  const std::vector<Case> cases = {
      {{folder.path("none.fa")}, "none.fa: cannot be opened: No such file"},
      {{folder.path()}, "is a folder"},
      {{good, folder.write("empty.fa", "")}, "empty.fa: has no records"},
      {{"-"}, "stdin: has no records"},
      {{folder.write("h.fa", ">a\nAC\n>hollow x\n>c\nA\n")}, "h.fa: record 2 (hollow): has no sequence"},
      {{folder.write("s.fa", ">a\nAC GT\n")}, "s.fa: record 1 (a): byte 0x20 at position 3 is no letter"},
      {{folder.write("c.fa", ">a\nA\x01\n")}, "c.fa: record 1 (a): byte 0x01 at position 2 is no letter"},
      {{folder.write("t.fa", "ACGT\n")}, "begins with 'A'"},
      {{folder.write("half.gz", whole.substr(0, whole.size() / 2))}, "half.gz: the gzip data is truncated"},
      {{folder.write("l.fa", ">long\n" + std::string(5 << 20, 'A') + "\n"), "--memory", "16M", "--block", "1M"},
       "l.fa: record 1 (long) is larger than"},
      {{}, "no input", 2},
      {{good, "--block", "0"}, "--block 0: 1 to 1G letters", 2},
      {{good, "--block", "2G"}, "--block 2G: 1 to 1G letters", 2},
      {{good, "--block", "600M"}, "more than a quarter of --memory 2G", 2},
      {{good, "--memory", "1M"}, "at least 16M", 2},
      {{"-", "-"}, "stdin is named twice", 2},
      {{good, "--append"}, "x.alndb: cannot be appended to: No such file"},
      {{good, "--nonsense"}, "--nonsense", 2}};
  for (const Case &c : cases) {
    Words words = c.words;
    words.insert(words.end(), {"-o", path});
    const Finished got = makedb(words);
    EXPECT_EQ(got.status, c.status) << c.what;
    EXPECT_TRUE(one_line(got.err)) << got.err;
    EXPECT_TRUE(has(got.err, c.what)) << got.err;
    EXPECT_EQ(got.out, "");
    EXPECT_TRUE(out.entries().empty()) << c.what;
  }
  EXPECT_TRUE(has(makedb({good}).err, "no output"));
}

TEST_F(MakeDatabase, AnOutputThatIsAnInputIsRefused) {
  const std::string fasta = folder.write("a.fa", ">a\nACGT\n");
  ASSERT_EQ(makedb({fasta, "-o", path}).status, 0);
  const std::string before = read_file(path);
  const Finished own = makedb({fasta, "-o", fasta});
  EXPECT_EQ(own.status, 2);
  EXPECT_TRUE(has(own.err, "is an input of this run")) << own.err;
  EXPECT_EQ(read_file(fasta), ">a\nACGT\n");
  EXPECT_EQ(makedb({path, "-o", path, "--append"}).status, 2);
  const Finished other = makedb({path, "-o", out.path("y.alndb")});
  EXPECT_EQ(other.status, 1);
  EXPECT_TRUE(has(other.err, "is a database, not FASTA or FASTQ")) << other.err;
  EXPECT_EQ(read_file(path), before);
  EXPECT_EQ(out.entries(), Words{"x.alndb"});
}

TEST_F(MakeDatabase, AFullDiskIsOneLineAndLeavesTheOldFile) {
  const std::string large = folder.write("large.fa", ">l\n" + std::string(300000, 'A') + "\n");
  const std::string small = folder.write("small.fa", ">s\nACGT\n");
  ASSERT_EQ(makedb({small, "-o", path}).status, 0);
  const std::string before = read_file(path);
  for (const char *append : {"", " --append"}) {
    const std::string command =
        "ulimit -f 100; exec '" + program() + "' makedb '" + large + "' -o '" + path + "'" + append;
    const Finished got = run({"bash", "-c", command});
    EXPECT_EQ(got.status, 1);
    EXPECT_EQ(got.err, "alnsmith: " + path + ": cannot be written: File too large\n");
    EXPECT_EQ(read_file(path), before);
    EXPECT_EQ(out.entries(), Words{"x.alndb"});
  }
}

TEST_F(MakeDatabase, InterruptedItLeavesTheOldFile) {
  const std::string small = folder.write("small.fa", ">s\nACGT\n");
  const std::string several = folder.write("several.fa", ">a\nACGT\n>b\nACGT\n>c\nACGT\n");
  ASSERT_EQ(makedb({small, "-o", path}).status, 0);
  const std::string before = read_file(path);
  for (const bool append : {false, true})
    for (const int signal : {SIGINT, SIGTERM}) {
      Words words = {program(), "makedb", several, "-", "-o", path, "--block", "1"};
      if (append) words.push_back("--append");
      // It waits for more of stdin with blocks written.
      Process process(words, ">d\nAC");
      const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
      const auto begun = [&] { return append ? read_file(path).size() > before.size() : out.entries().size() > 1; };
      while (!begun() && std::chrono::steady_clock::now() < limit)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      ASSERT_TRUE(begun());
      process.signal(signal);
      const Finished got = process.finish();
      EXPECT_EQ(got.status, 130);
      EXPECT_EQ(got.err, "");
      EXPECT_EQ(out.entries(), Words{"x.alndb"});
      EXPECT_EQ(read(path)->size(), 1U);
      if (!append) {
        EXPECT_EQ(read_file(path), before);
      }
      ASSERT_EQ(makedb({small, "-o", path, "--append"}).status, 0);
      EXPECT_EQ(read(path)->size(), 2U);
      ASSERT_EQ(makedb({small, "-o", path}).status, 0);
    }
}

TEST_F(MakeDatabase, MemoryIsThatOfABlock) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  const std::string fasta = folder.path("a.fa");
  {  // Never in this process's memory, which a child's peak begins with.
    std::ofstream file(fasta, std::ios::binary);
    for (int i = 0; i < 250000; ++i)
      file << ">sequence" << i << " with some words\n" << std::string(400, "ACGT"[i % 4]) << "\n";
  }
  const auto peak = [] {  // KiB, of the programs that have ended
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return usage.ru_maxrss;
  };
  ASSERT_EQ(makedb({folder.write("b.fa", ">b\nA\n"), "-o", path}).status, 0);
  const long least = peak();
  ASSERT_EQ(makedb({fasta, "-o", path, "--block", "1M"}).status, 0);
  ASSERT_EQ(makedb({"verify", path}).status, 0);
  EXPECT_LT(peak() - least, 12 << 10);
}

TEST_F(MakeDatabase, HelpNamesEveryOptionAndGivesExamples) {
  const std::string help = alnsmith::testing::alnsmith({"makedb", "--help"}).out;
  for (const char *word : {"--out", "--append", "--block", "--memory", "--quiet", "info", "verify", "Examples:"})
    EXPECT_TRUE(has(help, word)) << word;
}

}  // namespace
}  // namespace alnsmith::search::testing
