// The shipped specs of PaPaRa's two recurrences score reads against ancestral vectors as its own program does: every
// read with every branch of the large data's small tree, under both rules of flags; and the bundled sample, whose
// scores come from a plain DP of another hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <alnsmith/devices.hpp>
#include <map>
#include <sstream>

#include "golden.h"
#include "host_isas.h"
#include "sample.h"
#include "spec/yaml_tree.h"
#include "state_columns.h"
#include "whole_alignments.h"

#ifndef ALNSMITH_GENERATOR_PROGRAM
#define ALNSMITH_GENERATOR_PROGRAM ""
#endif

namespace {

using golden::ColumnTarget;

struct ScoredRead {
  std::string letters, scheme;
  std::vector<std::int32_t> scores;  // of each vector
};
struct Placement {
  std::vector<ColumnTarget> vectors;
  std::vector<ScoredRead> reads;
};

std::vector<std::string> fields_of(const std::string &line, char separator) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, separator);) fields.push_back(field);
  return fields;
}

ColumnTarget vector_of(const std::string &states, const std::string &flags) {
  ColumnTarget target;
  for (const char digit : states)
    target.sets.push_back(static_cast<std::uint32_t>(std::stoul(std::string(1, digit), nullptr, 16)));
  for (const char flag : flags) target.flags.push_back(static_cast<std::uint8_t>(flag - '0'));
  return target;
}

std::vector<std::int32_t> scores_of(const std::string &list) {
  std::vector<std::int32_t> scores;
  for (const std::string &score : fields_of(list, ',')) scores.push_back(std::stoi(score));
  return scores;
}

Placement bundled() {
  Placement out;
  for (const std::string &line : golden::read_lines(golden::bundled_dir() + "/state_sets.tsv.gz")) {
    const auto row = fields_of(line, '\t');
    if (row[0] == "column") out.vectors.push_back(vector_of(row[1], row[2]));
    if (row[0] == "scores") out.reads.push_back({row[1], row[2], scores_of(row[3])});
  }
  return out;
}

// PaPaRa leaves letters out of reads that may be any base.
std::string as_papara_reads(const std::string &letters) {
  std::string read;
  for (const char letter : letters)
    if (std::string_view("-?.Nn").find(letter) == std::string_view::npos) read += letter;
  return read;
}

Placement large(const std::string &folder, const std::string &rule) {
  Placement out;
  for (const std::string &line : golden::read_lines(folder + "/golden/" + rule + ".vec.tsv.gz"))
    if (const auto row = fields_of(line, '\t'); line[0] != '#') out.vectors.push_back(vector_of(row[1], row[2]));
  std::map<std::string, std::string> reads;
  for (const golden::Record &record : golden::read_sequences(folder + "/query_golden.fasta"))
    reads[record.name] = as_papara_reads(record.letters);
  for (const std::string &line : golden::read_lines(folder + "/golden/" + rule + ".scores.tsv.gz"))
    if (const auto row = fields_of(line, '\t'); line[0] != '#')
      out.reads.push_back({reads.at(row[0]), row[1], scores_of(row[2])});
  return out;
}

class PlacementScores : public testing::TestWithParam<alnsmith::Isa> {
 protected:
  void SetUp() override {
    if (GetParam() != host_isas().front()) ONE_IN(3);
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
  }
  // The shipped spec's fields, with other outputs.
  golden::WholeAligner open(const std::string &scheme, const std::string &output, std::vector<std::string> devices = {},
                            const std::string &more = "") const {
    const auto text = alnsmith::spec::read_text_file(std::string(ALNSMITH_SPECS) + "/papara-" + scheme + ".yaml");
    if (!text) throw std::runtime_error(text.error().message);
    return golden::open_whole(text->substr(text->find("\n", text->find("\nname:") + 1) + 1) + more, GetParam(),
                              {ALNSMITH_GENERATOR_PROGRAM, "", std::move(devices), 0}, output);
  }
  void expect_equal(const Placement &data) const;
};

void PlacementScores::expect_equal(const Placement &data) const {
  std::vector<alnsmith::StateColumns> targets;
  for (const ColumnTarget &vector : data.vectors) targets.push_back(vector.view());
  for (const std::string scheme : {"v25", "eq1"}) {
    SCOPED_TRACE(scheme);
    std::vector<std::string_view> queries;
    std::vector<std::int32_t> want;
    for (const ScoredRead &read : data.reads) {
      if (read.scheme != scheme) continue;
      queries.push_back(read.letters);
      want.insert(want.end(), read.scores.begin(), read.scores.end());
    }
    ASSERT_GT(queries.size(), 0u);
    std::vector<std::int32_t> got(want.size());
    const golden::WholeAligner scores = open(scheme, "[score]");
    const auto done = scores.aligner->align_all(queries, targets, {{alnsmith::Output::score, got}}, scores.options);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(got, want);

    // Each read with its best vector, the first of equals: an alignment that scores what it should.
    std::vector<alnsmith::StateColumns> best;
    std::vector<std::size_t> places;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const auto row = std::span(want).subspan(q * targets.size(), targets.size());
      const auto at = scheme == "v25" ? std::ranges::max_element(row) : std::ranges::min_element(row);
      places.push_back(static_cast<std::size_t>(at - row.begin()));
      best.push_back(targets[places.back()]);
    }
    const golden::WholeAligner whole = open(scheme, "[score, end, begin, cigar]");
    golden::Alignments alignments(queries.size());
    const auto aligned = whole.aligner->align_pairs(queries, best, alignments.columns(), whole.options);
    ASSERT_TRUE(aligned) << aligned.error().message;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      ASSERT_EQ(alignments.score[q], want[q * targets.size() + places[q]]) << q;
      ASSERT_EQ(golden::rescored(whole.problem, queries[q], data.vectors[places[q]].plain(), alignments.answer(q)),
                alignments.score[q])
          << q;
    }
  }
}

TEST_P(PlacementScores, OfTheBundledSampleAreAPlainDps) { expect_equal(bundled()); }

TEST_P(PlacementScores, AreThoseOfPaparaForEveryReadAndBranch) {
  const auto data = golden::data_dir();
  if (!data) GTEST_SKIP() << golden::missing_data();
  for (const std::string rule : {"cgap", "pgap"}) {
    SCOPED_TRACE(rule);
    expect_equal(large(*data + "/papara/lacto16s", rule));
  }
}

// On the first OpenCL device (PoCL), a share of the large data's.
// With a tile that PoCL compiles soon; in a full run with the planner's own.
TEST_P(PlacementScores, AreTheSameOnADevice) {
  if (GetParam() != host_isas().front()) GTEST_SKIP() << "the device is the same for all";
  if (!golden::has_opencl_device()) GTEST_SKIP() << "no OpenCL device";
  std::vector<Placement> all = {bundled()};
  if (const auto data = golden::data_dir())
    for (const char *rule : {"cgap", "pgap"}) all.push_back(large(*data + "/papara/lacto16s", rule));
  for (const Placement &data : all)
    for (const std::string scheme : {"v25", "eq1"}) {
      SCOPED_TRACE(scheme);
      std::vector<alnsmith::StateColumns> targets;
      for (const ColumnTarget &vector : data.vectors) targets.push_back(vector.view());
      std::vector<std::string_view> queries;
      std::vector<std::int32_t> want;
      std::size_t number = 0;
      for (const ScoredRead &read : data.reads) {
        if (read.scheme != scheme || number++ % 24 != 0) continue;
        queries.push_back(read.letters);
        want.insert(want.end(), read.scores.begin(), read.scores.end());
      }
      std::vector<std::int32_t> got(want.size());
      const golden::WholeAligner scores =
          open(scheme, "[score]", {"opencl:0"}, sample::full() ? "" : "\ntile: {p: 2, k: 16}");
      const auto done = scores.aligner->align_all(queries, targets, {{alnsmith::Output::score, got}}, scores.options);
      ASSERT_TRUE(done) << done.error().message;
      ASSERT_EQ(done->devices.at(0).id, "opencl:0");
      EXPECT_EQ(done->devices[0].pairs, want.size());
      EXPECT_EQ(got, want);
    }
}

// The textbook itself, on a share of them.
TEST(PlacementTextbook, ScoresAsPaparaDoes) {
  std::vector<Placement> all = {bundled()};
  if (const auto data = golden::data_dir())
    for (const char *rule : {"cgap", "pgap"}) all.push_back(large(*data + "/papara/lacto16s", rule));
  using oracle::Problem;
  const std::map<char, std::uint32_t> sets = {{'A', 1}, {'C', 2},  {'G', 4}, {'T', 8},  {'R', 5},  {'Y', 10}, {'S', 6},
                                              {'W', 9}, {'K', 12}, {'M', 3}, {'B', 14}, {'D', 13}, {'H', 11}, {'V', 7}};
  const Problem v25{.mode = oracle::Mode::semiglobal,
                    .free = {true, true, true, true},
                    .insertion = {2, 1},
                    .deletion = {2, 1},
                    .substitution = oracle::Substitution::state_sets(sets, 2, 0),
                    .flag_score = -3,
                    .flag_cost = 0};
  const Problem eq1{.mode = oracle::Mode::semiglobal,
                    .free = {false, false, true, true},
                    .insertion = {0, 3},
                    .deletion = {3, 1},
                    .substitution = oracle::Substitution::state_sets(sets, 0, 3),
                    .minimize = true,
                    .band_from = [](long, long) { return 0l; },
                    .band_to = [](long query, long target) { return target - query; },
                    .flag_score = 3,
                    .flag_cost = 0,
                    .query_begin_forbidden = true};
  std::size_t step = 0, compared = 0;
  for (const Placement &data : all)
    for (const ScoredRead &read : data.reads)
      for (std::size_t v = 0; v < data.vectors.size(); ++v) {
        if (++step % 61 != 0) continue;
        const Problem &problem = read.scheme == "v25" ? v25 : eq1;
        ASSERT_EQ(oracle::align(problem, read.letters, data.vectors[v].plain()).score, read.scores[v])
            << read.scheme << " " << read.letters << " " << v;
        ++compared;
      }
  EXPECT_GT(compared, 2u);
}

INSTANTIATE_TEST_SUITE_P(isa, PlacementScores, testing::ValuesIn(host_isas()),
                         [](const auto &info) { return test_name(info.param); });

}  // namespace
