// Calls whose pairs take bit-sliced kernels: the scores of kernels of 32 bits and of the textbook, whatever the
// lengths; few pairs, unlike ones and too little memory leave them for the kernels behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include "../mutated.h"
#include "alignment_check.h"
#include "alnsmith/alnsmith.hpp"
#include "full_run.h"
#include "oracle.h"
#include "scratch.h"
#include "spec/parse.h"
#include "spec_problem.h"
#include "temporary_aligner.h"

namespace {

using namespace alnsmith;

struct Called {
  std::vector<int> scores, query_end, target_end, query_begin, target_begin;  // what the spec gives
  std::vector<std::string> cigars;
  Report report;
  bool has(std::string_view part) const {
    return std::ranges::any_of(report.kernels, [=](const auto &k) { return k.find(part) != std::string::npos; });
  }
  bool sliced() const { return has("_bits_"); }
  bool others() const { return report.kernels.size() > (sliced() ? 1u : 0u); }
};

struct Pairs {
  std::vector<std::string> queries, targets;
  void add(std::string query, std::string target) {
    queries.push_back(std::move(query));
    targets.push_back(std::move(target));
  }
};

class SlicedCalls : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
    if (!(*parse_isa("x86-64-v4") <= *best_isa())) GTEST_SKIP() << "this machine has no x86-64-v4";
  }
  Called call(const std::string &body, const char *arithmetic, const Pairs &pairs, std::size_t memory = 0,
              const std::map<std::string, int> &scoring = {}) {
    Sources sources;
    sources.generator = ALNSMITH_GENERATOR_PROGRAM;
    sources.cache_dir = cache_;
    Options options;
    options.threads = 2;
    options.scoring.values = {scoring.begin(), scoring.end()};
    if (memory > 0) options.memory_bytes = memory;
    const auto aligner = golden::TemporaryAligner::open(
        "version: 1\nname: s\n" + body + "arithmetic: " + arithmetic + "\n", sources, options);
    EXPECT_TRUE(aligner) << aligner.error().message;
    Called called;
    called.scores.assign(pairs.queries.size(), 12345);
    Columns columns = {{Output::score, called.scores}};
    const bool walks = body.find("cigar]") != std::string::npos;
    if (walks || body.find("end]") != std::string::npos) {
      called.query_end = called.target_end = called.scores;
      columns.set(Output::query_end, called.query_end);
      columns.set(Output::target_end, called.target_end);
    }
    Cigars cigars;
    if (walks) {
      called.query_begin = called.target_begin = called.scores;
      columns.set(Output::query_begin, called.query_begin);
      columns.set(Output::target_begin, called.target_begin);
      cigars.reset(called.scores.size());
      columns.set(cigars);
    }
    const std::vector<std::string_view> queries(pairs.queries.begin(), pairs.queries.end()),
        targets(pairs.targets.begin(), pairs.targets.end());
    const auto report = (*aligner)->align_pairs(queries, targets, columns, options);
    EXPECT_TRUE(report) << report.error().message;
    if (report) called.report = *report;
    for (std::size_t i = 0; i < cigars.size(); ++i) called.cigars.push_back(oracle::text(golden::runs_of(cigars[i])));
    return called;
  }
  void expect_textbook(const std::string &body, const Pairs &pairs, const Called &called,
                       const std::map<std::string, int> &scoring = {}) {
    const auto spec = spec::parse_text("version: 1\nname: s\n" + body, "s.yaml", ".");
    const oracle::Problem problem =
        oracle::spec_problem(*spec, {.values = {scoring.begin(), scoring.end()}, .matrix = {}});
    for (std::size_t i = 0; i < pairs.queries.size(); i += 7) {
      const oracle::Answer want = oracle::align(problem, pairs.queries[i], pairs.targets[i]);
      ASSERT_EQ(called.scores[i], want.score) << i;
      if (called.query_end.empty()) continue;
      ASSERT_EQ(called.query_end[i], want.query_end) << i;
      ASSERT_EQ(called.target_end[i], want.target_end) << i;
      if (called.cigars.empty() || pairs.queries[i].empty()) continue;
      ASSERT_EQ(called.cigars[i], oracle::text(want.cigar)) << i;
      ASSERT_EQ(called.query_begin[i], want.query_begin) << i;
      ASSERT_EQ(called.target_begin[i], want.target_begin) << i;
    }
  }
  Pairs drawn(int count, int least, int most, const std::string &letters, unsigned one_in = 10) {
    Pairs pairs;
    for (int i = 0; i < count; ++i) {
      std::string query(static_cast<std::size_t>(least) + random_() % static_cast<unsigned>(most - least + 1), 'A');
      for (char &c : query) c = letters[random_() % letters.size()];
      std::string target = query.empty() ? query : mutated(random_, letters, query, one_in);
      if (random_() % 50 == 0) target = letters.substr(0, 1);
      pairs.add(std::move(query), std::move(target));
    }
    return pairs;
  }
  std::mt19937 random_{11};
  std::string cache_ = scratch::kernel_cache();
};

const std::string kLinear =
    "alignment: global\ngap: {model: linear, extend: 1}\nalphabet: dna\nscore: {match: 2, mismatch: -1}\n";

TEST_F(SlicedCalls, ScoresAreThoseOf32BitsAndOfTheTextbook) {
  for (const std::string &body :
       {kLinear,
        std::string("alignment: global\nobjective: minimize\ngap: {model: linear, extend: 1}\nalphabet: dna5\n"
                    "score: {match: 0, mismatch: 1}\n"),
        std::string(
            "alignment: global\ngap: {insertion: {model: linear, extend: 0}, deletion: {model: linear, extend: 2}}\n"
            "alphabet: rna\nscore: {match: 2, mismatch: -1}\n"),
        std::string("alignment: global\noutput: [score, end]\ngap: {model: affine, open: 1, extend: 1}\nalphabet: dna\n"
                    "score: {match: 2, mismatch: -1}\n"),
        std::string("alignment: semiglobal\noutput: [score, end]\ngap: {model: affine, open: 1, extend: 1}\n"
                    "alphabet: dna5\nscore: {match: 1, mismatch: -1}\n"),
        std::string("alignment: {free_ends: [target_begin, query_end]}\noutput: [score, end]\n"
                    "gap: {model: linear, extend: 1}\nalphabet: dna\nscore: {match: 2, mismatch: -1}\n"),
        std::string(
            "alignment: global\ngap: {model: linear, extend: 2}\nalphabet: dna5\nscore: {match: 1, mismatch: -3}\n")}) {
    SCOPED_TRACE(body);
    const std::string letters = body.find("dna5") != std::string::npos ? "ACGTNacgtn" : "ACGTU";
    const Pairs pairs = drawn(3000, 0, 300, letters);
    const Called sliced = call(body, "bitsliced", pairs), wide = call(body, "int32", pairs);
    EXPECT_TRUE(sliced.sliced());
    EXPECT_EQ(sliced.scores, wide.scores);
    EXPECT_EQ(sliced.query_end, wide.query_end);
    EXPECT_EQ(sliced.target_end, wide.target_end);
    expect_textbook(body, pairs, sliced);
    if (HasFailure()) return;
  }
}

// Ways back too, of short pairs and of such that keep the borders of a section of strips alone.
TEST_F(SlicedCalls, BeginsAndCigarsAreThoseOf32BitsAndOfTheTextbook) {
  const std::string output = "output: [score, end, begin, cigar]\n", linear = "gap: {model: linear, extend: 1}\n",
                    affine = "gap: {model: affine, open: 1, extend: 1}\n", dna5 = "alphabet: dna5\n",
                    score = "score: {match: 2, mismatch: -1}\n";
  for (const std::string &body :
       {"alignment: global\n" + linear + dna5 + score,
        "alignment: global\nobjective: minimize\n" + linear + dna5 + "score: {match: 0, mismatch: 1}\n",
        "alignment: {free_ends: [target_begin, target_end]}\n" + affine + dna5 + score,
        "alignment: {free_ends: [query_begin, target_end]}\n" + linear + dna5 + score,
        "alignment: semiglobal\ngap: {insertion: {model: affine, open: 1, extend: 0}, deletion: {model: affine, open: "
        "1, "
        "extend: 2}}\n" +
            dna5 + score}) {
    SCOPED_TRACE(body);
    // By default whole batches of 512: those left go to other kernels, as in the tests of scores and of few pairs.
    const bool full = sample::full();
    Pairs pairs = drawn(full ? 2000 : 2048, 0, 300, "ACGTNacgtn");
    const Pairs longer = drawn(full ? 600 : 512, 600, 650, "ACGT");
    for (std::size_t i = 0; i < longer.queries.size(); ++i) pairs.add(longer.queries[i], longer.targets[i]);
    const Called sliced = call(output + body, "bitsliced", pairs), wide = call(output + body, "int32", pairs);
    EXPECT_TRUE(sliced.sliced());
    EXPECT_EQ(sliced.scores, wide.scores);
    EXPECT_EQ(sliced.query_begin, wide.query_begin);
    EXPECT_EQ(sliced.target_begin, wide.target_begin);
    EXPECT_EQ(sliced.cigars, wide.cigars);
    expect_textbook(output + body, pairs, sliced);
    if (HasFailure()) return;
  }
}

// Each scheme that has a circuit has its kernel; other scorings take those of 8 bits and more.
TEST_F(SlicedCalls, ScoringOfTheCallTakesTheKernelOfItsScheme) {
  using Values = std::map<std::string, int>;
  const auto values = [](int match, int mismatch, std::optional<int> open, int extend) {
    Values all{{"match", match}, {"mismatch", mismatch}};
    for (const std::string side : {"insertion_", "deletion_"}) {
      if (open) all[side + "open"] = *open;
      all[side + "extend"] = extend;
    }
    return all;
  };
  const std::string ends = "alignment: semiglobal\noutput: [score, end]\n",
                    score = "score: {match: runtime, mismatch: runtime}\n",
                    linear = "gap: {model: linear, extend: runtime}\nalphabet: dna5\n" + score,
                    affine = "gap: {model: affine, open: runtime, extend: runtime}\nalphabet: dna\n" + score;
  struct Row {
    std::string body;
    Values scoring;
    std::string kernel;  // part of its name; empty: none is bit-sliced
  };
  for (const Row &row : {Row{ends + linear, values(2, -1, {}, 1), "_bits_4_1_k"},
                         {ends + linear, values(0, -1, {}, 1), "_bits_2_1_k"},
                         {ends + linear, values(-2, -5, {}, 3), ""},  // differences may be below 0
                         {"alignment: global\n" + linear, values(-1, -3, {}, 2), "_bits_3_1_k"},
                         {"alignment: global\n" + linear, values(-2, -5, {}, 3), "_bits_4_1_k"},
                         {"alignment: global\n" + linear, values(5, -4, {}, 7), ""},
                         {ends + affine, values(2, -1, 1, 1), "_bits_6_3_1_1_k"},
                         {ends + affine, values(2, -1, 2, 1), "_bits_8_5_2_2_k"},
                         {ends + affine, values(2, -1, 3, 1), ""},
                         {ends + affine, values(2, -1, 0, 1), ""},
                         {"alignment: global\n" + affine, values(6, 3, 1, 0), ""}}) {
    std::string named = row.body;
    for (const auto &[name, value] : row.scoring) named += " " + name + "=" + std::to_string(value);
    SCOPED_TRACE(named);
    const Pairs pairs = drawn(600, 90, 100, row.body.find("dna5") != std::string::npos ? "ACGTN" : "ACGT");
    const Called called = call(row.body, "auto", pairs, 0, row.scoring);
    EXPECT_EQ(called.sliced(), !row.kernel.empty());
    const auto own = [&](const std::string &kernel) { return kernel.find(row.kernel) != std::string::npos; };
    EXPECT_TRUE(std::ranges::any_of(called.report.kernels, own));
    expect_textbook(row.body, pairs, called, row.scoring);
    if (HasFailure()) return;
  }
}

TEST_F(SlicedCalls, FewPairsGoToOtherKernels) {
  const Pairs few = drawn(100, 100, 110, "ACGT"), full = drawn(512, 100, 110, "ACGT"),
              more = drawn(600, 100, 110, "ACGT");
  const scratch::Folder own;
  cache_ = own.path();
  const auto compiled = [&] {
    return std::ranges::count_if(own.entries(), [](const std::string &name) { return name.starts_with("built-"); });
  };
  const Called one = call(kLinear, "bitsliced", drawn(1, 100, 110, "ACGT")), a = call(kLinear, "bitsliced", few);
  EXPECT_EQ(compiled(), 2);  // in lanes and alone, and none that is bit-sliced
  const Called b = call(kLinear, "bitsliced", full), c = call(kLinear, "bitsliced", more);
  EXPECT_FALSE(one.sliced() || a.sliced());
  EXPECT_TRUE(b.sliced() && !b.others());
  EXPECT_TRUE(c.sliced() && c.others());
  expect_textbook(kLinear, few, a);
  expect_textbook(kLinear, full, b);
  expect_textbook(kLinear, more, c);
}

TEST_F(SlicedCalls, UnlikePairsGoToOtherKernels) {
  Pairs pairs = drawn(452, 10, 12, "ACGT");
  const Pairs longer = drawn(60, 200, 200, "ACGT");
  for (std::size_t i = 0; i < longer.queries.size(); ++i) pairs.add(longer.queries[i], longer.targets[i]);
  const Called called = call(kLinear, "bitsliced", pairs);
  EXPECT_FALSE(called.sliced());
  expect_textbook(kLinear, pairs, called);
}

TEST_F(SlicedCalls, WhereMemoryIsShortOtherKernelsTakeThePairs) {
  const Pairs pairs = drawn(512, 3000, 3000, "ACGT");
  const Called called = call(kLinear, "bitsliced", pairs, 1 << 20);
  EXPECT_FALSE(called.has("_pairwise_bits_"));  // alone they may go bit by bit
  EXPECT_EQ(called.scores, call(kLinear, "bitsliced", pairs).scores);
}

TEST_F(SlicedCalls, EachWithEachTakesThemWherePairsAreMany) {
  const Pairs sides = drawn(60, 140, 160, "ACGT");
  Sources sources;
  sources.generator = ALNSMITH_GENERATOR_PROGRAM;
  sources.cache_dir = cache_;
  const auto aligner = golden::TemporaryAligner::open("version: 1\nname: s\n" + kLinear, sources, {});
  ASSERT_TRUE(aligner) << aligner.error().message;
  const std::vector<std::string_view> queries(sides.queries.begin(), sides.queries.end()),
      targets(sides.targets.begin(), sides.targets.end());
  Pairs pairs;
  for (const std::string &query : sides.queries)
    for (const std::string &target : sides.targets) pairs.add(query, target);
  Called called;
  called.scores.resize(pairs.queries.size());
  const auto report = (*aligner)->align_all(queries, targets, called.scores, {});
  ASSERT_TRUE(report) << report.error().message;
  called.report = *report;
  EXPECT_TRUE(called.sliced());
  EXPECT_EQ(called.scores, call(kLinear, "int32", pairs).scores);
  const auto few = (*aligner)->align_all(std::span(queries).first(2), targets, std::span(called.scores).first(120), {});
  ASSERT_TRUE(few) << few.error().message;
  called.report = *few;
  EXPECT_FALSE(called.sliced());
}

// What goes alone by the model is taken out of a batch; where a band may do, sooner.
TEST_F(SlicedCalls, LongPairsAreAlignedAlone) {
  const std::string affine =
      "gap: {model: affine, open: 2, extend: 1}\nalphabet: dna\nscore: {match: 2, mismatch: -1}\n";
  const auto alone = [](const Called &called) { return called.has("_split_"); };
  Pairs pairs = drawn(1022, 100, 110, "ACGT");
  const Pairs longer = drawn(2, 9000, 9000, "ACGT"), many = drawn(512, 4000, 4000, "ACGT", 120);
  for (std::size_t i = 0; i < longer.queries.size(); ++i) pairs.add(longer.queries[i], longer.targets[i]);
  const Called mixed = call("alignment: global\n" + affine, "auto", pairs);
  EXPECT_TRUE(mixed.sliced() && alone(mixed));
  EXPECT_EQ(mixed.scores, call("alignment: global\n" + affine, "int32", pairs).scores);
  const Called banded = call("alignment: global\n" + affine, "auto", many);
  EXPECT_TRUE(!banded.sliced() && alone(banded));
  EXPECT_GT(banded.report.banded, 400u);
  const Called whole = call("alignment: semiglobal\n" + affine, "auto", many);  // no band can be proven
  EXPECT_TRUE(whole.sliced() && !alone(whole));
  EXPECT_EQ(whole.scores, call("alignment: semiglobal\n" + affine, "int16", many).scores);
}

// Unlike pairs, of which no band does: all lanes share each, two threads share the longest.
TEST_F(SlicedCalls, LongPairsGoBitByBitToo) {
  const std::string ends = "output: [score, end]\n";
  int number = 0;
  for (const std::string &alignment :
       {std::string("global"), std::string("semiglobal"), std::string("{free_ends: [query_end, target_begin]}"),
        std::string("{free_ends: [query_begin, query_end, target_begin, target_end]}")})
    for (const std::string &gap :
         {std::string("{model: linear, extend: 1}"), std::string("{model: affine, open: 1, extend: 1}")}) {
      const bool of_call = number++ % 2 == 1, affine = gap.find("affine") != std::string::npos;
      const std::string body = "alignment: " + alignment + "\nalphabet: dna5\n" + ends + "gap: " + gap +
                               "\nscore: {match: " + (of_call ? "runtime" : "2") + ", mismatch: -1}\n";
      SCOPED_TRACE(body);
      const std::map<std::string, int> scoring = {{"match", 2}};
      Pairs pairs;
      for (const auto &[query, target] :
           {std::pair{40000, 9000}, {2900, 7000}, {6000, 6000}, {5000, 300}, {600, 9000}}) {
        Pairs side = drawn(2, query, query, "ACGTN"), other = drawn(2, target, target, "ACGTN");
        pairs.add(std::move(side.queries[0]), std::move(other.queries[1]));
      }
      const Called whole = call(body, "auto", pairs, 0, of_call ? scoring : std::map<std::string, int>());
      EXPECT_TRUE(std::ranges::any_of(whole.report.kernels, [](const auto &k) {
        return k.find("_split_bits") != std::string::npos;
      })) << affine;
      EXPECT_EQ(whole.report.banded, 0u);
      const Called want = call(body, "int32", pairs, 0, of_call ? scoring : std::map<std::string, int>());
      EXPECT_EQ(whole.scores, want.scores);
      EXPECT_EQ(whole.query_end, want.query_end);
      EXPECT_EQ(whole.target_end, want.target_end);
    }
}

TEST_F(SlicedCalls, ALetterOutsideTheAlphabetIsAnError) {
  Pairs pairs = drawn(600, 50, 60, "ACGT");
  pairs.targets[300][10] = 'N';
  Sources sources;
  sources.generator = ALNSMITH_GENERATOR_PROGRAM;
  sources.cache_dir = cache_;
  const auto aligner =
      golden::TemporaryAligner::open("version: 1\nname: s\n" + kLinear + "arithmetic: bitsliced\n", sources, {});
  ASSERT_TRUE(aligner) << aligner.error().message;
  const std::vector<std::string_view> queries(pairs.queries.begin(), pairs.queries.end()),
      targets(pairs.targets.begin(), pairs.targets.end());
  std::vector<int> scores(600);
  const auto report = (*aligner)->align_pairs(queries, targets, scores, {});
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("pair 301, target, position 11: letter 'N'"), std::string::npos)
      << report.error().message;
}

}  // namespace
