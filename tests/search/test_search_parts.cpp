// Shards: the union of their parts is one search, to the byte; parts that do not belong together are refused by name.
#include <algorithm>
#include <fstream>
#include <random>

#include "alnsmith/search_parts.hpp"
#include "searches.h"

namespace alnsmith::testing {
namespace {

class SearchParts : public ::testing::Test {
 protected:
  void SetUp() override {
    ALNSMITH_NEEDS_KERNELS();
    query = data_file("protein_queries.fasta");
    target = data_file("protein_targets.fasta.gz");
    database = folder.path("t.alndb");
    ASSERT_EQ(alnsmith({"makedb", target, "-o", database, "--quiet"}).status, 0);
  }

  // Options given again replace those that are there.
  Words search(const std::string &from, const Words &more = {}) const {
    std::map<std::string, std::string> options = {
        {"--spec", "protein-local-blosum62"}, {"--query", query}, {"--db", from}, {"--top", "20"}, {"-e", "1000"}};
    for (std::size_t i = 0; i + 1 < more.size(); i += 2) options[more[i]] = more[i + 1];
    Words words;
    for (const auto &[name, value] : options) words.insert(words.end(), {name, value});
    return words;
  }
  // The parts of all shards, in an order drawn from the seed.
  Words parts(const std::string &from, int n, unsigned seed, const Words &more = {}) const {
    Words files;
    for (int i = 1; i <= n; ++i) {
      const std::string index = std::to_string(i), file = folder.path("part" + std::to_string(n) + "." + index);
      Words words = search(from, more);
      words.insert(words.end(), {"--shard", index + "/" + std::to_string(n), "--hits", file, "--threads",
                                 i % 2 == 0 ? "1" : "2", "--isa", i % 3 == 0 ? "scalar" : ""});
      if (words.back().empty()) words.resize(words.size() - 2);
      EXPECT_EQ(searched(words), "");
      files.push_back(file);
    }
    std::shuffle(files.begin(), files.end(), std::mt19937(seed));
    return files;
  }
  static std::string merged(Words files, const Words &more = {}) {
    files.insert(files.begin(), {"merge", "--quiet"});
    files.insert(files.end(), more.begin(), more.end());
    const Finished got = alnsmith(files);
    EXPECT_EQ(got.status, 0) << got.err;
    EXPECT_EQ(got.err, "");
    return got.out;
  }
  void forget_parts() const {
    const Finished got = run({"/bin/sh", "-c", "rm -f " + folder.path("part") + "*"});
    EXPECT_EQ(got.status, 0);
  }

  Folder folder;
  std::string query, target, database;
};

TEST_F(SearchParts, AnyNumberOfShardsGivesTheSameBytes) {
  const std::string wanted = searched(search(target));
  ASSERT_GT(table(wanted).size(), 20u);
  for (const std::string &from : {target, database}) {
    forget_parts();
    for (const int n : {1, 2, 7, 64}) EXPECT_EQ(merged(parts(from, n, 5)), wanted) << n << " " << from;
  }
  forget_parts();
  const Words keep = {"--ties", "keep", "--format", "blast6", "--top", "2"};
  EXPECT_EQ(merged(parts(database, 3, 6, keep)), searched(search(target, keep)));
}

TEST_F(SearchParts, MergeMayReportInAnotherWay) {
  const Words files = parts(database, 3, 7);
  EXPECT_EQ(merged(files, {"--format", "blast6", "-e", "0.5"}),
            searched(search(target, {"--format", "blast6", "-e", "0.5"})));
  EXPECT_EQ(merged(files, {"--composition", "off", "--columns", "query,target,evalue"}),
            searched(search(target, {"--composition", "off", "--columns", "query,target,evalue"})));
  EXPECT_EQ(merged(files, {"--stats", "none"}).find("evalue"), std::string::npos);
}

TEST_F(SearchParts, APartThatIsCompleteIsNotMadeAgain) {
  const std::string file = folder.path("part");
  for (const std::string &from : {database, target}) {
    run({"/bin/rm", "-f", file});
    Words words = search(from, {"--shard", "1/2", "--hits", file});
    EXPECT_EQ(searched(words), "");
    const std::string before = read_file(file);
    words.insert(words.begin(), "search");
    const Finished again = alnsmith(words);
    EXPECT_EQ(again.status, 0);
    EXPECT_NE(again.err.find("is complete already"), std::string::npos) << again.err;
    EXPECT_EQ(read_file(file), before);
    Words other = search(from, {"--shard", "2/2", "--hits", file});
    other.insert(other.begin(), "search");
    refused(other, 1, "is a part of another search");
    Words top = search(from, {"--shard", "1/2", "--hits", file, "--min-score", "30"});
    top.insert(top.begin(), "search");
    refused(top, 1, "is a part of another search");
    EXPECT_EQ(read_file(file), before);
    std::ofstream(file, std::ios::binary) << before.substr(0, 300);  // damaged: made again
    words.erase(words.begin());
    EXPECT_EQ(searched(words), "");
    EXPECT_EQ(read_file(file), before);
  }
}

// What comes from stdin is not known before it is read: the part is made again, but no other search's is replaced.
TEST_F(SearchParts, PartsOfStdin) {
  const std::string file = folder.path("part"), plain = folder.path("plain.fa");
  ASSERT_EQ(run({"/bin/sh", "-c", "zcat " + target + " > " + plain}).status, 0);
  Words words = search("-", {"--shard", "1/2", "--hits", file});
  words.insert(words.begin(), {"search", "--quiet"});
  ASSERT_EQ(alnsmith(words, plain).status, 0);
  const std::string before = read_file(file);
  EXPECT_EQ(alnsmith(words, plain).status, 0);
  EXPECT_EQ(read_file(file), before);
  Words other = search("-", {"--shard", "1/2", "--hits", file, "--top", "3"});
  other.insert(other.begin(), {"search", "--quiet"});
  EXPECT_EQ(alnsmith(other, plain).status, 1);
  EXPECT_EQ(read_file(file), before);
}

TEST_F(SearchParts, WhatDoesNotBelongTogetherIsRefusedByName) {
  const Words files = parts(database, 3, 8);
  refused({"merge", files[0], files[1]}, 1, "of 3 shards 1 are missing");
  refused({"merge", files[0], files[1], files[1], files[2]}, 1, "give each shard once");
  const std::string other = folder.path("other");
  EXPECT_EQ(searched(search(target, {"--shard", "1/3", "--hits", other})), "");
  refused({"merge", files[0], other}, 1, "split otherwise");
  run({"/bin/rm", other});
  EXPECT_EQ(searched(search(database, {"--shard", "1/2", "--hits", other})), "");
  refused({"merge", files[0], other}, 1, "one of 3");
  run({"/bin/rm", other});
  query = target;
  EXPECT_EQ(searched(search(database, {"--shard", "1/3", "--hits", other})), "");
  refused({"merge", files[0], other}, 1, "other queries");
  refused({"merge", files[0], query}, 1, "is no part of a search");
  refused({"merge", folder.path("nowhere")}, 1, "nowhere");
}

TEST_F(SearchParts, WhatMergeWouldRefuseIsNotSearched) {
  const std::string file = folder.path("part");
  const Words shard = {"--shard", "1/2", "--hits", file};
  const auto with = [&](const Words &more) {
    Words words = search(database, more);
    words.insert(words.begin(), "search");
    words.insert(words.end(), shard.begin(), shard.end());
    return words;
  };
  refused(with({"--columns", "query,nonsense"}), 2, "nonsense: is none of");
  refused(with({"--stats", "none"}), 2, "--evalue");
  refused(with({"--spec", "protein-global-blosum62"}), 2, "not local");
  refused(with({"--format", "sam"}), 2, "nucleotides");
  EXPECT_NE(run({"/bin/ls", file}).status, 0);
}

// Bits turned, bytes cut off or put in: refused, or what it was before.
TEST_F(SearchParts, DamagedPartsAreRefused) {
  const std::string file = parts(database, 1, 9).front();
  const std::string sound = read_file(file);
  const auto whole = search::read_part(file);
  ASSERT_TRUE(whole);
  std::mt19937 random(10);
  const std::string damaged = folder.path("damaged");
  for (int i = 0; i < 1000; ++i) {
    std::string bytes = sound;
    const std::size_t at = random() % bytes.size();
    switch (random() % 4) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8);
        break;
      case 1:
        bytes.resize(at);
        break;
      case 2:
        bytes.insert(at, 1 + random() % 9, static_cast<char>(random()));
        break;
      default:
        bytes.erase(at, 1 + random() % 100);
    }
    std::ofstream(damaged, std::ios::binary) << bytes;
    const auto part = search::read_part(damaged);
    if (bytes == sound) continue;
    ASSERT_FALSE(part) << i;
    EXPECT_TRUE(part.error().message.starts_with(damaged + ": is ")) << part.error().message;
  }
  // What is inside is checked too, not its hash alone.
  search::Part wrong = *whole;
  wrong.findings.targets.erase(wrong.findings.targets.begin());
  ASSERT_TRUE(search::write_part(damaged, wrong));
  EXPECT_FALSE(search::read_part(damaged));
}

TEST_F(SearchParts, APartOfNoKnownStrandIsRefused) {
  search::Part part = *search::read_part(parts(database, 1, 9).front());
  const std::string strand = R"("strand":"plus")", file = folder.path("other");
  const std::size_t at = part.id.run.find(strand);
  ASSERT_NE(at, std::string::npos);
  part.id.run.replace(at, strand.size(), R"("strand":"up")");
  ASSERT_TRUE(search::write_part(file, part));
  refused({"merge", file}, 1, "does not say what was searched");
}

TEST_F(SearchParts, APartComesBackAsItWas) {
  search::Part part;
  part.id = {R"({"a": "b"})",
             "hash",
             "range",
             5,
             70,
             3,
             search::Ties::keep,
             true,
             {{"q", "", "ACGT"}, {"r", "words \xff", "AC"}}};
  part.shard = {2, 9};
  part.findings.hits = {{{4, -7, search::Strand::minus}, {1, 3, search::Strand::plus}}, {}};
  part.findings.targets = {{4, {"t4", "", "AA"}}, {1, {"t1", "d", "CC"}}};
  part.findings.sequences = 2;
  part.findings.letters = 4;
  const std::string file = folder.path("own");
  ASSERT_TRUE(search::write_part(file, part));
  const auto back = search::read_part(file);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->id, part.id);
  EXPECT_EQ(back->shard, part.shard);
  EXPECT_EQ(back->findings.hits, part.findings.hits);
  EXPECT_EQ(back->findings.targets, part.findings.targets);
  EXPECT_EQ(back->findings.letters, 4u);
}

}  // namespace
}  // namespace alnsmith::testing
