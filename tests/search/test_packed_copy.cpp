// Packed copies of databases: searches give the same bytes with and without them; what is stale is not used, what is
// damaged is refused, and no mutated copy does harm.
#include <filesystem>
#include <fstream>
#include <random>

#include "alnsmith/packed_copy.hpp"
#include "databases.h"
#include "scratch.h"
#include "searches.h"

namespace alnsmith::testing {
namespace {

namespace fs = std::filesystem;
using search::Database;
using search::packed_copies;
using search::PackedCopy;

constexpr const char *kSpec = "dna-local-affine";

class PackedCopies : public ::testing::Test {
 protected:
  void SetUp() override {
    write("q.fa", random_fasta("q", 3, 60, 1) + ">long\n" + random_letters(700, 9) + "\n");
    write("t.fa", random_fasta("t", 700, 90, 2) + ">same\n" + random_letters(700, 9) + "\n");
    write("more.fa", random_fasta("m", 300, 200, 3));
    ASSERT_EQ(alnsmith({"makedb", path("t.fa"), "-o", db(), "--block", "20000", "--quiet"}).status, 0);
  }
  void write(const std::string &name, const std::string &text) { std::ofstream(path(name)) << text; }
  std::string path(const std::string &name) const { return folder_.path(name); }
  std::string db() const { return path("t.alndb"); }
  std::string search_all(const std::string &threads = "2") {
    return searched({"--spec", kSpec, "--stats", "none", "--query", path("q.fa"), "--db", db(), "--threads", threads,
                     "--top", "1000", "--columns", "query,target,strand,score"});
  }
  std::string copy() {
    const auto made = alnsmith({"makedb", "-o", db(), "--packed", kSpec, "--quiet"});
    EXPECT_EQ(made.status, 0) << made.err;
    const auto copies = packed_copies(db());
    EXPECT_EQ(copies.size(), 1U);
    return copies.empty() ? "" : copies.front();
  }
  static std::string bytes_of(const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void put_bytes(const std::string &file, const std::string &bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
  }

  scratch::Folder folder_;
};

TEST_F(PackedCopies, SearchesGiveTheSameBytesWithAnyNumberOfThreads) {
  const std::string before = search_all();
  EXPECT_GT(table(before).size(), 500U);
  copy();
  for (const char *threads : {"1", "2", "5"}) EXPECT_EQ(search_all(threads), before) << threads;
  EXPECT_EQ(alnsmith({"makedb", "verify", "--quiet", db()}).status, 0);
  const auto info = alnsmith({"makedb", "info", db()});
  EXPECT_NE(info.out.find("packed=lanes-u8-v1 lanes="), std::string::npos) << info.out;
}

// That the copy is what is read shows where it lies: letters that only the database has damaged are not missed.
TEST_F(PackedCopies, LettersAreNotReadWhereNoHitNeedsThem) {
  copy();
  std::string bytes = bytes_of(db());
  const auto database = Database::open(db());
  ASSERT_TRUE(database);
  const auto block = database->block(0);
  ASSERT_TRUE(block);
  const std::string last(block->letters(block->count() - 1));
  const std::size_t at = bytes.find(last);
  ASSERT_NE(at, std::string::npos);
  bytes[at] = bytes[at] == 'A' ? 'C' : 'A';
  put_bytes(path("u.alndb"), bytes);
  fs::copy_file(packed_copies(db()).front(), path("u.alndb") + packed_copies(db()).front().substr(db().size()));
  const Words few = {"search",     "--quiet", "--spec",        kSpec,   "--stats", "none",      "--query",
                     path("q.fa"), "--db",    path("u.alndb"), "--top", "1",       "--columns", "target,score"};
  EXPECT_EQ(alnsmith(few).status, 0) << alnsmith(few).err;
  Words all = few;
  all[11] = "1000";
  refused(all, 1, "are not those that were packed");
}

TEST_F(PackedCopies, AppendingKeepsThemRight) {
  copy();
  ASSERT_EQ(alnsmith({"makedb", path("more.fa"), "-o", db(), "--append", "--quiet"}).status, 0);
  const std::string with = search_all();
  EXPECT_EQ(alnsmith({"makedb", "verify", "--quiet", db()}).status, 0);
  for (const std::string &file : packed_copies(db())) {
    const auto opened = PackedCopy::open(file);
    const auto database = Database::open(db());
    ASSERT_TRUE(opened && database);
    for (std::uint64_t b = 0; b < database->blocks(); ++b) EXPECT_TRUE(opened->covers(*database, b)) << b;
    fs::remove(file);
  }
  EXPECT_EQ(with, search_all());
}

TEST_F(PackedCopies, OfOtherSequencesAreNotUsedAndSaidToBe) {
  const std::string stale = copy(), bytes = bytes_of(stale);
  ASSERT_EQ(alnsmith({"makedb", path("more.fa"), "-o", db(), "--quiet"}).status, 0);
  fs::remove(stale);
  const std::string without = search_all();
  put_bytes(stale, bytes);
  const auto with = alnsmith({"search", "--quiet", "--spec", kSpec, "--stats", "none", "--query", path("q.fa"), "--db",
                              db(), "--top", "1000", "--columns", "query,target,strand,score"});
  EXPECT_EQ(with.out, without);
  EXPECT_NE(with.err.find("0 of the database's"), std::string::npos) << with.err;
  EXPECT_NE(alnsmith({"makedb", "verify", "--quiet", db()}).status, 0);
}

TEST_F(PackedCopies, DamagedOnesAreRefusedByName) {
  const std::string file = copy(), bytes = bytes_of(file);
  const Words command = {"search", "--quiet", "--spec",     kSpec,  "--stats",
                         "none",   "--query", path("q.fa"), "--db", db()};
  for (const std::size_t at :
       {std::size_t{3}, std::size_t{60}, std::size_t{8192}, bytes.size() / 2, bytes.size() - 3}) {
    std::string changed = bytes;
    changed[at] ^= 4;
    put_bytes(file, changed);
    const auto got = alnsmith(command);
    if (got.status == 0) continue;  // between parts, or not read
    EXPECT_EQ(got.status, 1);
    EXPECT_TRUE(one_line(got.err)) << got.err;
    EXPECT_NE(got.err.find(".packed-"), std::string::npos) << got.err;
  }
  put_bytes(file, bytes.substr(0, bytes.size() / 2));
  refused(command, 1, ".packed-");
  put_bytes(file, "");
  refused(command, 1, "is no packed copy");
}

}  // namespace
}  // namespace alnsmith::testing
