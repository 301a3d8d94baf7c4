// What cannot be had is refused in one line before anything is aligned; formats of hits.
#include <fstream>

#include "searches.h"

namespace alnsmith::testing {
namespace {

class SearchUsage : public ::testing::Test {
 protected:
  void SetUp() override {
    ALNSMITH_NEEDS_KERNELS();
    query = data_file("protein_queries.fasta");
    target = data_file("protein_targets.fasta.gz");
    dna = folder.write("d.fa", random_fasta("d", 50, 80, 1));
    short_dna = folder.write("s.fa", ">s with words\nACGATTACAGGATTACCA\n>n\nCCCCCCCCCCAACCCCCC\n");
  }
  Words protein(const Words &more) const {
    Words words = {"search", "--spec", "protein-local-blosum62", "--query", query, "--db", target};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Words nucleotides(const Words &more, const std::string &spec = "blastn-local-affine") const {
    Words words = {"search", "--spec", spec, "--query", short_dna, "--db", dna};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Folder folder;
  std::string query, target, dna, short_dna;
};

TEST_F(SearchUsage, Refusals) {
  refused({"search", "--spec", "protein-local-blosum62", "--query", "-", "--db", "-"}, 2, "cannot both be stdin");
  refused(protein({"--shard", "1/2"}), 2, "add --hits FILE");
  refused(protein({"--shard", "3/2", "--hits", folder.path("h")}), 2, "is no i/n");
  refused(protein({"--shard", "0/2", "--hits", folder.path("h")}), 2, "is no i/n");
  refused(protein({"--shard", "1-2", "--hits", folder.path("h")}), 2, "is no i/n");
  refused(protein({"--hits", folder.path("h"), "--out", folder.path("o")}), 2, "--out");
  refused(protein({"--out", target}), 2, "is an input of this run");
  refused(protein({"--strand", "both"}), 2, "nucleotides alone have two strands");
  refused(protein({"--columns", "query,nonsense"}), 2, "nonsense: is none of");
  refused(protein({"--columns", "query,query"}), 2, "twice");
  refused(protein({"--format", "jsonl", "--columns", "query"}), 2, "--columns");
  refused(protein({"--format", "sam"}), 2, "nucleotides");
  refused(protein({"--columns", "z"}), 2, "--z-value");
  refused(protein({"--stats", "none", "--format", "blast6"}), 2, "E-values");
  refused(protein({"--stats", "none", "--sort", "evalue"}), 2, "--sort evalue");
  refused(protein({"--stats", "none", "-e", "1"}), 2, "--evalue 1");
  refused(protein({"--stats", "none", "--columns", "query,bits"}), 2, "bits");
  refused(protein({"--db", folder.path("nowhere")}), 2, "");
}

// Global scores and those of the linear phase have no E-value, and none is made up.
TEST_F(SearchUsage, NoEvalueIsFaked) {
  for (const std::string spec : {"dna-global-affine", "dna-semiglobal-affine"}) {
    refused(nucleotides({"-e", "1"}, spec), 2, "not local");
    refused(nucleotides({"--format", "blast6"}, spec), 2, "not local");
    refused(nucleotides({"--columns", "query,evalue"}, spec), 2, "evalue");
    EXPECT_EQ(alnsmith(nucleotides({"--quiet"}, spec)).out.find("evalue"), std::string::npos);
  }
  refused(nucleotides({"-e", "1"}, "dna-local-affine"), 2, "match 2, mismatch -3");
  refused(nucleotides({"--format", "blast6"}, "dna-local-affine"), 2, "match 2, mismatch -3");
  const Finished without = alnsmith(nucleotides({"--quiet"}, "dna-local-affine"));
  EXPECT_EQ(without.status, 0);
  EXPECT_NE(without.err.find("no E-values: "), std::string::npos) << without.err;
  EXPECT_EQ(without.out.find("evalue"), std::string::npos);
  EXPECT_GT(table(without.out).size(), 10u);
}

TEST_F(SearchUsage, ALetterOfADatabaseThatTheSpecHasNot) {
  const std::string mixed = folder.write("mixed.fa", ">a\nACGT\n>b odd\nACGUNA\n"), made = folder.path("mixed.alndb");
  ASSERT_EQ(alnsmith({"makedb", mixed, "-o", made, "--quiet"}).status, 0);
  const std::string strict = folder.write("strict.yaml", strict_spec);
  for (const std::string &from : {mixed, made})
    refused({"search", "--spec", strict, "--query", short_dna, "--db", from, "--stats", "none"}, 1,
            "record 2 (b): letter 'N' at position 5");  // U is T
}

TEST_F(SearchUsage, Formats) {
  const std::string tsv = searched({"--spec", "protein-local-blosum62", "--query", query, "--db", target, "-e", "100"});
  EXPECT_TRUE(
      tsv.starts_with("#query\ttarget\tscore\tevalue\tbits\tquery_begin\tquery_end\ttarget_begin\ttarget_end\t"
                      "identity\tcigar\n"))
      << tsv.substr(0, 200);
  const std::size_t hits = table(tsv).size();
  ASSERT_GT(hits, 10u);
  const auto with = [&](const Words &more) {
    Words words = {"--spec", "protein-local-blosum62", "--query", query, "--db", target, "-e", "100"};
    words.insert(words.end(), more.begin(), more.end());
    return searched(words);
  };
  const auto six = table(with({"--outfmt", "6"}));
  ASSERT_EQ(six.size(), hits);
  const auto own = table(tsv);
  for (std::size_t i = 0; i < hits; ++i) {
    ASSERT_EQ(six[i].size(), 12u);
    EXPECT_EQ(six[i][0], own[i][0]);
    EXPECT_EQ(six[i][10], own[i][3]);
    EXPECT_EQ(six[i][11], own[i][4]);
    EXPECT_EQ(std::stoi(six[i][6]), std::stoi(own[i][5]) + 1);
    EXPECT_EQ(std::stoi(six[i][9]), std::stoi(own[i][8]) + 1);
  }
  EXPECT_EQ(table(with({"--format", "blast6", "--columns", "qseqid,sseqid,evalue"})).front().size(), 3u);
  const std::string jsonl = with({"--format", "jsonl"});
  EXPECT_EQ(static_cast<std::size_t>(std::count(jsonl.begin(), jsonl.end(), '\n')), hits);
  EXPECT_NE(jsonl.find("\"evalue\":"), std::string::npos);
  EXPECT_NE(jsonl.find("\"rank\":1"), std::string::npos);
  EXPECT_NE(with({"--format", "paf"}).find("\tEV:f:"), std::string::npos);
  EXPECT_NE(with({"--format", "pretty"}).find(" bits), E "), std::string::npos);
  const auto sorted = table(with({"--sort", "evalue", "--columns", "query,evalue,rank"}));
  ASSERT_EQ(sorted.size(), hits);
  bool moved = false;
  for (std::size_t i = 1; i < hits; ++i) {
    if (sorted[i][0] != sorted[i - 1][0]) continue;
    EXPECT_GE(std::stod(sorted[i][1]), std::stod(sorted[i - 1][1]));
    moved = moved || std::stoi(sorted[i][2]) < std::stoi(sorted[i - 1][2]);
  }
  EXPECT_TRUE(moved);
  const std::string z = with({"--z-value", "100", "--columns", "query,target,score,z"});
  EXPECT_EQ(z, with({"--z-value", "100", "--columns", "query,target,score,z", "--threads", "1"}));
  for (const Cells &row : table(z)) EXPECT_GT(std::stod(row[3]), -2.0);
}

// What reports would compute and not print, and values that are none.
TEST_F(SearchUsage, OptionsThatSayNothingAreRefused) {
  refused(protein({"--z-value", "10", "--format", "paf"}), 2, "--z-value");
  refused(protein({"--z-value", "10", "--columns", "score"}), 2, "--z-value");
  refused(protein({"--eqx", "--columns", "score"}), 2, "--eqx");
  refused(protein({"--eqx", "--format", "blast6"}), 2, "--eqx");
  refused(protein({"--composition", "off", "--stats", "none"}), 2, "--composition off");
  for (const char *e : {"nan", "inf", "-1", "many"}) refused(protein({"-e", e}), 2, "--evalue");
  refused(protein({"--hits", query}), 2, "--hits");
  refused(protein({"--shard", "1/2", "--hits", folder.path("nowhere/part")}), 1, "nowhere/part");
  refused(protein({"--shard", "1/2", "--hits", folder.write("full", "of something else")}), 1,
          "is no part of a search");
  refused(protein({"--columns", "\xff"}), 2, "is none of");
  // Columns that need no E-value may be had in BLAST's form of any spec.
  const std::string global = searched({"--spec", "dna-global-affine", "--query", short_dna, "--db", dna, "--format",
                                       "blast6", "--columns", "qseqid,sseqid,score"});
  EXPECT_EQ(table(global).size(), 100u);
}

// Letters that alone make any score likely have no E-value; the hit is there all the same.
TEST_F(SearchUsage, HitsWithoutAnEvalueArePrinted) {
  const std::string q = folder.write("pq.fa", ">polyQ\n" + std::string(40, 'Q') + "\n");
  const auto rows = table(
      searched({"--spec", "protein-local-blosum62", "--query", q, "--db", q, "--columns", "target,score,evalue,bits"}));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0], (Cells{"polyQ", "200", ".", "."}));
}

// Both strands are two tries, so chance has twice as many hits.
TEST_F(SearchUsage, BothStrandsCountTwice) {
  const auto with = [&](const std::string &strand) {
    return table(searched({"--spec", "blastn-local-affine", "--query", short_dna, "--db", short_dna, "--strand", strand,
                           "--composition", "off", "-e", "1000", "--columns", "query,target,evalue"}));
  };
  const auto plus = with("plus"), both = with("both");
  ASSERT_FALSE(plus.empty());
  ASSERT_EQ(plus[0][0], both[0][0]);
  EXPECT_NEAR(std::stod(both[0][2]) / std::stod(plus[0][2]), 2, 0.02);
}

// BLAST counts from 1 on the strand that was read and turns the target round where the strand is minus.
TEST_F(SearchUsage, StrandsInBlastsColumns) {
  const std::string q = folder.write("one.fa", ">q\nAAAACCCCGGATTTGAC\n");
  const std::string t = folder.write("both.fa", ">plus\nTTTTTTCCCCGGATTTGAC\n>minus\nGTCAAATCCGGGGAAAAAA\n");
  const auto rows =
      table(searched({"--spec", "blastn-local-affine", "--query", q, "--db", t, "--stats", "simulate", "-e", "1e9",
                      "--columns", "sseqid,sstrand,qstart,qend,sstart,send,pident,qcovhsp,qseq,sseq"}));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0], (Cells{"plus", "plus", "5", "17", "7", "19", "100.000", "76", "CCCCGGATTTGAC", "CCCCGGATTTGAC"}));
  EXPECT_EQ(rows[1],
            (Cells{"minus", "minus", "5", "17", "13", "1", "100.000", "76", "CCCCGGATTTGAC", "CCCCGGATTTGAC"}));
}

TEST_F(SearchUsage, SamListsTheTargetsOfHitsAlone) {
  const std::string sam = searched({"--spec", "dna-local-cigar", "--query", short_dna, "--db", dna, "--top", "3",
                                    "--stats", "none", "--format", "sam", "--strand", "plus"});
  std::istringstream in(sam);
  std::size_t targets = 0, records = 0;
  for (std::string line; std::getline(in, line);) {
    targets += line.starts_with("@SQ") ? 1 : 0;
    records += line.starts_with("@") ? 0 : 1;
  }
  EXPECT_EQ(records, 6u);
  EXPECT_LE(targets, 6u);
  EXPECT_GE(targets, 3u);
}

}  // namespace
}  // namespace alnsmith::testing
