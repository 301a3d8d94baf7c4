// SAM: bytes of small alignments, records that are read back by htslib (and samtools, where it is there), and what SAM
// refuses. Also what holds of every alignment: MD and cs give the target back, lengths of runs add up.
#include <gtest/gtest.h>
#include <htslib/sam.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include "formats.h"
#include "formats/pieces.h"
#include "program.h"

namespace alnsmith::testing {
namespace {

using formats::Format;

const OwnPair hand = {0, "read/1", "ggACGTTca", "chr", "tACCGATa", 7, 2, 1, runs_of("2M1D3M1I1M")};

std::string records_of(const std::string &text) {
  std::string out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line[0] != '@') out += line + "\n";
  return out;
}

TEST(FormatSam, HeaderAndARecord) {
  OwnPair again = hand;
  again.number = 1;
  again.query_name = "read/2";
  again.query = "ggACGTTcac";
  const std::string record =
      "read/1\t0\tchr\t2\t255\t2S2M1D3M1I1M\t*\t0\t0\tGGACGTTCA\t*\tAS:i:7\tNM:i:3\tMD:Z:2^C1A2\n";
  const std::string text = text_of(request(Format::sam), {hand, again});
  EXPECT_EQ(text,
            std::string("@HD\tVN:1.6\tSO:unsorted\tGO:query\n@SQ\tSN:chr\tLN:8\n@PG\tID:alnsmith\tPN:alnsmith\tVN:") +
                ALNSMITH_VERSION + "\tDS:spec mine, a gap of L letters costs 2+1*L\n" + record +
                "read/2\t0\tchr\t2\t255\t2S2M1D3M1I1M1S\t*\t0\t0\tGGACGTTCAC\t*\tAS:i:7\tNM:i:3\tMD:Z:2^C1A2\n");
  formats::Request wanted = request(Format::sam);
  wanted.eqx = true;
  EXPECT_NE(text_of(wanted, {hand}).find("\t2S2=1D1=1X1=1I1=\t"), std::string::npos);
}

TEST(FormatSam, WithoutLettersOfOneSide) {
  EXPECT_EQ(records_of(text_of(request(Format::sam), {{0, "a", "AC", "t", "GTT", -9, 0, 0, runs_of("2I3D")},
                                                      {1, "b", "AC", "u", "GTT", -4, 0, 3, runs_of("2I")},
                                                      {2, "c", "AC", "v", "GTT", -4, 2, 0, runs_of("3D")}})),
            "a\t0\tt\t1\t255\t2I3D\t*\t0\t0\tAC\t*\tAS:i:-9\tNM:i:5\tMD:Z:0^GTT0\n"
            "b\t0\tu\t3\t255\t2I\t*\t0\t0\tAC\t*\tAS:i:-4\tNM:i:2\tMD:Z:0\n"
            "c\t0\tv\t1\t255\t2S3D\t*\t0\t0\tAC\t*\tAS:i:-4\tNM:i:3\tMD:Z:0^GTT0\n");
}

TEST(FormatSam, UIsWrittenAsTAndTheWildcardAsN) {
  EXPECT_EQ(records_of(text_of(request(Format::sam, "rna"), {{0, "a", "ACUT", "t", "ACAU", 5, 0, 0, runs_of("4M")}})),
            "a\t0\tt\t1\t255\t4M\t*\t0\t0\tACTT\t*\tAS:i:5\tNM:i:1\tMD:Z:2A1\n");
  EXPECT_EQ(records_of(text_of(request(Format::sam, "dna5"), {{0, "a", "A=N0", "t", "A=N0", 5, 0, 0, runs_of("4M")}})),
            "a\t0\tt\t1\t255\t4M\t*\t0\t0\tANNN\t*\tAS:i:5\tNM:i:3\tMD:Z:1N0N0N0\n");
}

// The first aligned record of a query is the primary one; without any there is one unmapped record.
TEST(FormatSam, OneRecordOfAQueryIsPrimary) {
  const auto pair = [](std::uint64_t number, const char *query, const char *target, const char *cigar) {
    return OwnPair{number, query, "ACGT", target, "ACGT", *cigar ? 4 : 0, 0, 0, runs_of(cigar)};
  };
  std::istringstream in(records_of(
      text_of(request(Format::sam), {pair(1, "a", "t", ""), pair(1, "a", "u", "4M"), pair(1, "a", "v", ""),
                                     pair(1, "a", "w", "4M"), pair(2, "b", "t", ""), pair(2, "b", "u", ""),
                                     pair(3, "c", "t", "4M"), pair(4, "c", "t", "4M"), pair(5, "d", "t", "")})));
  std::string flags;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name, flag, target, position, quality, cigar;
    words >> name >> flag >> target >> position >> quality >> cigar;
    flags += name + flag + target + cigar + " ";
    EXPECT_EQ(quality, target == "*" ? "0" : "255");
  }
  EXPECT_EQ(flags, "a0u4M a256w4M b4** c0t4M c0t4M d4** ");
}

TEST(FormatSam, WhatSamCannotSayIsRefused) {
  const auto refused = [](OwnPair pair, const std::string &words) {
    const std::string text = text_of(request(Format::sam), {std::move(pair)});
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  for (const std::string &name : {std::string("@x"), std::string(255, 'x'), std::string("x\xff")}) {
    OwnPair pair = hand;
    pair.query_name = name;
    refused(pair, "rename it");
  }
  for (const char *name : {"*x", "=x", "x,y", "x<y", "x\xff"}) {
    OwnPair pair = hand;
    pair.target_name = name;
    refused(pair, "rename it");
  }
  OwnPair longest = hand;
  longest.query_name = std::string(254, 'x');
  EXPECT_NE(text_of(request(Format::sam), {longest}).find("AS:i:7"), std::string::npos);
  OwnPair other = hand;
  other.target[0] = 'A';
  EXPECT_NE(text_of(request(Format::sam), {hand, other}).find("two targets are called chr and differ"),
            std::string::npos);
  formats::Request little = request(Format::sam);
  little.header_bytes = 100;
  EXPECT_NE(text_of(little, {hand}).find("raise --memory"), std::string::npos);
}

// A record as htslib reads it, with what MD and the CIGAR say of the target.
struct Read {
  int flag = 0;
  std::int64_t position = 0, score = 0, differences = 0, on_query = 0, on_target = 0;
  std::string target, letters, cigar, md;
};

std::map<std::string, Read> read_back(const std::string &path) {
  std::map<std::string, Read> out;
  samFile *file = sam_open(path.c_str(), "r");
  sam_hdr_t *header = sam_hdr_read(file);
  bam1_t *record = bam_init1();
  while (sam_read1(file, header, record) >= 0) {
    Read read;
    read.flag = record->core.flag;
    read.position = record->core.pos;
    read.target = record->core.tid < 0 ? "" : sam_hdr_tid2name(header, record->core.tid);
    for (int i = 0; i < record->core.l_qseq; ++i) read.letters += seq_nt16_str[bam_seqi(bam_get_seq(record), i)];
    const auto runs = static_cast<int>(record->core.n_cigar);
    read.on_query = bam_cigar2qlen(runs, bam_get_cigar(record));
    read.on_target = bam_cigar2rlen(runs, bam_get_cigar(record));
    for (int i = 0; i < runs; ++i)
      read.cigar.append(bam_cigar_oplen(bam_get_cigar(record)[i]), bam_cigar_opchr(bam_get_cigar(record)[i]));
    read.score = bam_aux2i(bam_aux_get(record, "AS"));
    read.differences = bam_aux2i(bam_aux_get(record, "NM"));
    read.md = bam_aux2Z(bam_aux_get(record, "MD"));
    EXPECT_TRUE(out.emplace(bam_get_qname(record), read).second);
  }
  bam_destroy1(record);
  sam_hdr_destroy(header);
  EXPECT_EQ(sam_close(file), 0);
  return out;
}

// The aligned letters of the target, from the query's, the operations one by one and MD.
std::string target_by_md(const Read &read) {
  std::string out;
  std::istringstream md(read.md);
  std::int64_t equal = 0;
  md >> equal;
  std::size_t query = 0;
  for (const char operation : read.cigar) {
    if (operation == 'S' || operation == 'I') {
      ++query;
      continue;
    }
    if (equal > 0) {
      EXPECT_NE(operation, 'D');
      --equal;
      out += read.letters[query++];
      continue;
    }
    if (md.peek() == '^') {
      md.get();
      EXPECT_EQ(operation, 'D');
    }
    out += static_cast<char>(md.get());
    if (operation != 'D') ++query;
    if (md.peek() >= '0' && md.peek() <= '9') md >> equal;
  }
  EXPECT_EQ(equal, 0) << read.md;
  EXPECT_TRUE(md.eof() || md.peek() == EOF) << read.md;
  return out;
}

// Columns with a gap or two unlike letters, counted along the CIGAR.
std::int64_t differences(const Read &read, const std::string &target) {
  std::int64_t out = 0;
  std::size_t query = 0, at = 0;
  for (const char operation : read.cigar) {
    const bool both = operation == 'M' || operation == '=' || operation == 'X';
    out += operation == 'I' || operation == 'D' || (both && read.letters[query] != target[at]) ? 1 : 0;
    if (both && operation != 'M') {
      EXPECT_EQ(operation == '=', read.letters[query] == target[at]);
    }
    query += operation == 'D' ? 0 : 1;
    at += both || operation == 'D' ? 1 : 0;
  }
  return out;
}

std::string upper(std::string text) {
  for (char &c : text) c = c == 'u' || c == 'U' ? 'T' : static_cast<char>(std::toupper(c));
  return text;
}

// The target's letters by cs.
std::string target_by_cs(const std::string &cs, const std::string &query) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t i = 0; i < cs.size();) {
    const char sign = cs[i++];
    if (sign == ':') {
      std::size_t end = i;
      const auto n = static_cast<std::size_t>(std::stoul(cs.substr(i), &end));
      out += query.substr(at, n);
      at += n;
      i += end;
    } else if (sign == '*') {
      out += cs[i];
      EXPECT_EQ(std::toupper(cs[i + 1]), query[at]);
      i += 2;
      ++at;
    } else {
      for (; i < cs.size() && std::isalpha(cs[i]); ++i)
        if (sign == '-')
          out += cs[i];
        else
          EXPECT_EQ(std::toupper(cs[i]), query[at++]);
    }
  }
  EXPECT_EQ(at, query.size());
  return upper(out);
}

TEST(FormatSam, RandomAlignmentsAreReadBack) {
  RandomPairs random(7);
  std::vector<OwnPair> pairs;
  for (int i = 0; i < 3000; ++i) pairs.push_back(random.next());
  const Folder folder;
  for (const bool eqx : {false, true}) {
    formats::Request wanted = request(Format::sam);
    wanted.eqx = eqx;
    wanted.header_bytes = std::size_t{1} << 30;
    const std::string path = folder.write("a.sam", text_of(wanted, pairs));
    const auto reads = read_back(path);
    ASSERT_EQ(reads.size(), pairs.size());
    for (const OwnPair &pair : pairs) {
      const Read &read = reads.at(pair.query_name);
      const formats::AlignedPair view = pair.view();
      const int begin = view[Output::target_begin], end = view[Output::target_end];
      EXPECT_EQ(read.flag, 0);
      EXPECT_EQ(read.target, pair.target_name);
      EXPECT_EQ(read.letters, upper(pair.query));
      EXPECT_EQ(read.score, pair.score);
      EXPECT_EQ(read.on_query, static_cast<std::int64_t>(pair.query.size()));
      const std::string aligned =
          upper(pair.target).substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end + 1 - begin));
      EXPECT_EQ(read.differences, differences(read, aligned));
      if (aligned.empty()) continue;
      EXPECT_EQ(read.position, begin);
      EXPECT_EQ(read.on_target, end + 1 - begin);
      EXPECT_EQ(target_by_md(read), aligned) << read.md;
      EXPECT_EQ(read.cigar.find(eqx ? 'M' : '='), std::string::npos);
    }
  }
}

TEST(FormatPaf, CsGivesTheTargetBack) {
  RandomPairs random(8);
  for (int i = 0; i < 3000; ++i) {
    const OwnPair pair = random.next();
    const formats::AlignedPair view = pair.view();
    const auto part = [](const std::string &text, int begin, int end) {
      return upper(text).substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end + 1 - begin));
    };
    const std::string line = text_of(request(Format::paf), {pair});
    const std::size_t at = line.find("\tcs:Z:") + 6;
    EXPECT_EQ(target_by_cs(line.substr(at, line.size() - at - 1),
                           part(pair.query, view[Output::query_begin], view[Output::query_end])),
              part(pair.target, view[Output::target_begin], view[Output::target_end]))
        << line;
  }
}

// samtools counts NM and makes MD of its own from the reference: what it then says differs from ours in nothing.
TEST(FormatSam, SamtoolsAgrees) {
  if (run({"/bin/sh", "-c", "command -v samtools"}).status != 0) GTEST_SKIP() << "no samtools (apt install samtools)";
  RandomPairs random(9);
  std::vector<OwnPair> pairs;
  std::string reference;
  while (pairs.size() < 500) {
    OwnPair pair = random.next();
    const formats::AlignedPair view = pair.view();
    if (view[Output::target_end] < view[Output::target_begin]) continue;  // samtools has no MD without the target
    reference += ">" + pair.target_name + "\n" + upper(pair.target) + "\n";
    pairs.push_back(std::move(pair));
  }
  const Folder folder;
  folder.write("ref.fa", reference);
  const std::string text = text_of(request(Format::sam), pairs);
  folder.write("a.sam", text);
  const Finished checked = run({"/bin/sh", "-c",
                                "cd '" + folder.path() +
                                    "' && samtools quickcheck a.sam && samtools view -b a.sam > a.bam && samtools view "
                                    "a.bam && samtools calmd a.sam ref.fa 2>&1 >calmd.sam"});
  EXPECT_EQ(checked.status, 0);
  EXPECT_EQ(checked.out, records_of(text)) << checked.err;
  EXPECT_EQ(records_of(read_file(folder.path("calmd.sam"))), records_of(text));
}

}  // namespace
}  // namespace alnsmith::testing
