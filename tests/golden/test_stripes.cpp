// Pairs under a matrix: those that are alone or few go in stripes, by the model, and score as the textbook says; full
// batches stay in lanes. What outgrows a width is aligned by wider stripes, and what these do not hold by strips.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "../mutated.h"
#include "host_isas.h"
#include "random_problems.h"
#include "sample.h"
#include "scratch.h"
#include "spec/parse.h"
#include "spec_problem.h"
#include "temporary_aligner.h"

namespace {

using alnsmith::Output;
using golden::random_letters;
using Texts = std::vector<std::string>;

constexpr const char *residues = "ARNDCQEGHILKMFPSTWYV";

std::vector<std::string_view> views(const Texts &texts) { return {texts.begin(), texts.end()}; }

bool ran(const alnsmith::Report &report, const std::string &kind) {
  return std::ranges::any_of(report.kernels,
                             [&](const std::string &entry) { return entry.find(kind) != std::string::npos; });
}

struct Columns {
  explicit Columns(std::size_t n) : score(n), query_end(n), target_end(n) {}
  std::vector<std::int32_t> score, query_end, target_end;
  alnsmith::Columns columns() {
    alnsmith::Columns all;
    all.set(Output::score, score);
    all.set(Output::query_end, query_end);
    all.set(Output::target_end, target_end);
    return all;
  }
};

class Stripes : public testing::TestWithParam<alnsmith::Isa> {
 protected:
  void SetUp() override {
    if (GetParam() != host_isas().front()) ONE_IN(3);
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
    if (GetParam().machine.empty()) GTEST_SKIP() << "one lane has nothing to share";
    options_.isa = GetParam();
    options_.threads = 1;
  }
  struct Opened {
    golden::TemporaryAligner aligner;
    oracle::Problem problem;
  };
  Opened open(const std::string &keys) const {
    const std::string yaml = "version: 1\nname: stripes\n" + keys;
    const auto spec = alnsmith::spec::parse_text(yaml, "stripes", ".");
    if (!spec) throw std::runtime_error(spec.error().message);
    alnsmith::Sources sources;
    sources.generator = ALNSMITH_GENERATOR_PROGRAM;
    sources.cache_dir = scratch::kernel_cache();
    auto aligner = golden::TemporaryAligner::open(yaml, sources, options_);
    if (!aligner) throw std::runtime_error(aligner.error().message);
    return {*std::move(aligner), oracle::spec_problem(*spec, {})};
  }
  Opened open_protein(const std::string &alignment,
                      const std::string &gap = "{model: affine, open: 11, extend: 1}") const {
    return open("alignment: " + alignment + "\ngap: " + gap +
                "\nalphabet: protein\nscore: {matrix: BLOSUM62}\noutput: [score, end]\n");
  }
  // Aligns the pairs in one call, and compares with the textbook.
  alnsmith::Report expect(const Opened &opened, const Texts &queries, const Texts &targets) const {
    Columns got(queries.size());
    const auto report = opened.aligner->align_pairs(views(queries), views(targets), got.columns(), options_);
    if (!report) throw std::runtime_error(report.error().message);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const oracle::Answer want = oracle::align(opened.problem, queries[i], targets[i]);
      EXPECT_EQ(got.score[i], want.score) << i;
      EXPECT_EQ(got.query_end[i], want.query_end) << i;
      EXPECT_EQ(got.target_end[i], want.target_end) << i;
    }
    return *report;
  }
  alnsmith::Options options_;
};

TEST_P(Stripes, TakePairsThatAreAlone) {
  std::mt19937 random(41);
  std::size_t turn = 0;
  for (const char *alignment : {"local", "global", "{free_ends: [target_begin, target_end]}",
                                "{free_ends: [query_begin, query_end, target_begin, target_end]}"})
    for (const char *gap : {"{model: affine, open: 11, extend: 1}", "{model: linear, extend: 4}"}) {
      if (const std::size_t point = turn++; !sample::falls_to(GetParam(), point + point / 2)) continue;
      SCOPED_TRACE(std::string(alignment) + gap);
      const Opened opened = open_protein(alignment, gap);
      for (const auto &[query, target] : {std::pair{1, 1}, {1, 700}, {700, 1}, {100, 350}, {351, 353}, {1600, 200}}) {
        const std::string q = random_letters(random, residues, static_cast<std::size_t>(query));
        for (const bool related : {false, true}) {
          std::string t = related ? mutated(random, residues, q, 6)
                                  : random_letters(random, residues, static_cast<std::size_t>(target));
          if (t.empty()) t = "A";
          const alnsmith::Report report = expect(opened, {q}, {t});
          if (query * static_cast<int>(t.size()) >= 10000) {
            EXPECT_TRUE(ran(report, "_striped_")) << query << " " << t.size();
          }
          if (HasFailure()) return;
        }
      }
    }
}

TEST_P(Stripes, LeaveFullBatchesInLanes) {
  std::mt19937 random(42);
  const Opened opened = open_protein("local");
  Texts queries, targets;
  for (int i = 0; i < 64; ++i) {
    queries.push_back(random_letters(random, residues, 300));
    targets.push_back(random_letters(random, residues, 300));
  }
  EXPECT_FALSE(ran(expect(opened, queries, targets), "_striped_"));
  queries.resize(4);
  targets.resize(4);
  const alnsmith::Report few = expect(opened, queries, targets);
  EXPECT_TRUE(ran(few, "_striped_"));
  EXPECT_FALSE(ran(few, "_pairwise_"));
}

// 4,000 tryptophans score 11 each, more than 16 bits have a number for.
TEST_P(Stripes, HandOnWhatOutgrowsTheirWidths) {
  std::mt19937 random(43);
  const Opened opened = open_protein("local");
  const std::string query = random_letters(random, residues, 2500);
  const alnsmith::Report once = expect(opened, {query}, {mutated(random, residues, query, 8)});
  EXPECT_TRUE(ran(once, "_striped_i8_") && ran(once, "_striped_i16_"));
  EXPECT_FALSE(ran(once, "_split_"));
  EXPECT_EQ(once.promoted, 1u);
  const std::string tryptophans(4000, 'W');
  for (const int threads : {1, 2}) {
    alnsmith::Options options = options_;
    options.threads = threads;
    Columns got(1);
    const auto report = opened.aligner->align_pairs({{tryptophans}}, {{tryptophans}}, got.columns(), options);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(got.score[0], 44000);
    EXPECT_EQ(got.query_end[0], 3999);
    EXPECT_EQ(got.target_end[0], 3999);
    EXPECT_EQ(report->promoted, 1u);
    for (const char *kind : {"_striped_i8_", "_striped_i16_", "_split_i16_"}) EXPECT_TRUE(ran(*report, kind)) << kind;
    EXPECT_FALSE(ran(*report, "_pairwise_"));
  }
}

// One query, targets that fill no vector of lanes.
TEST_P(Stripes, TakeFewLongTargetsOfAQuery) {
  std::mt19937 random(44);
  const Opened opened = open_protein("local");
  const Texts query = {random_letters(random, residues, 3000)};
  Texts queries, targets;
  for (int i = 0; i < 4; ++i) {
    queries.push_back(query[0]);
    targets.push_back(random_letters(random, residues, i == 0 ? 4000 : 1000));
  }
  Columns all(4), each(4);
  const auto report = opened.aligner->align_all(views(query), views(targets), all.columns(), options_);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(ran(*report, "_striped_"));
  EXPECT_FALSE(ran(*report, "_shared_"));
  ASSERT_TRUE(opened.aligner->align_pairs(views(queries), views(targets), each.columns(), options_));
  EXPECT_EQ(all.score, each.score);
  EXPECT_EQ(all.query_end, each.query_end);
  EXPECT_EQ(all.target_end, each.target_end);
  EXPECT_EQ(all.score[3], oracle::align(opened.problem, queries[3], targets[3]).score);
}

TEST_P(Stripes, AreThereUnderAMatrixAlone) {
  const std::string gap = "alignment: local\ngap: {model: affine, open: 11, extend: 1}\n";
  const std::string matrix = gap + "alphabet: protein\nscore: {matrix: BLOSUM62}\n";
  EXPECT_NE(open(matrix).aligner->manifest().find("_striped_i16_"), std::string::npos);
  for (const std::string &keys :
       {gap + "alphabet: dna\nscore: {match: 2, mismatch: -3}\n", matrix + "output: [score, end, begin]\n",
        matrix + "band: {width: 5}\n", matrix + "mapping: lanes\n", matrix + "mapping: strips\n"}) {
    EXPECT_EQ(open(keys).aligner->manifest().find("_striped_"), std::string::npos) << keys;
  }
}

TEST_P(Stripes, AreExplained) {
  const Opened opened = open_protein("local");
  const std::vector<std::string> lines = opened.aligner->provenance();
  const auto of = [&](const std::string &begin) {
    const auto it = std::ranges::find_if(lines, [&](const std::string &line) { return line.starts_with(begin); });
    return it == lines.end() ? "" : *it;
  };
  const std::string line = of("a pair of 500 and 500 letters alone: aln_stripes_");
  EXPECT_NE(line.find("_striped_i"), std::string::npos) << line;
  EXPECT_NE(line.find(" of the time in lanes, "), std::string::npos) << line;
  EXPECT_NE(line.find(" of the time in strips"), std::string::npos) << line;
  EXPECT_EQ(of("a pair of 500 and 500 letters alone: aln_stripes_").find("_pairwise_"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(isa, Stripes, testing::ValuesIn(host_isas()),
                         [](const auto &info) { return test_name(info.param); });

}  // namespace
