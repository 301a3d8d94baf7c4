// Dispatch, batching and promotion through the public interface, against the textbook DP.
#include <gtest/gtest.h>

#include <atomic>

#include "alnsmith/alnsmith.hpp"
#include "targets/targets.h"
#include "tiny.h"

namespace {

using namespace alnsmith;

Aligner open(const std::string &name, const Options &options = {}) {
  auto aligner = Aligner::open_file(std::string(FAKE_DIR) + "/" + name + ".so", options);
  if (!aligner) throw std::runtime_error(aligner.error().message);
  return *std::move(aligner);
}

std::vector<std::int32_t> pairs(const Aligner &a, const tiny::Pairs &p, const Options &options = {},
                                Report *report = nullptr) {
  std::vector<std::int32_t> scores(p.queries.size(), -999);
  const auto r = a.align_pairs(p.query_views(), p.target_views(), scores, options);
  EXPECT_TRUE(r) << r.error().message;
  if (report && r) *report = *r;
  return scores;
}

std::vector<std::int32_t> all(const Aligner &a, const tiny::Pairs &p, const Options &options = {},
                              Report *report = nullptr) {
  std::vector<std::int32_t> scores(p.queries.size() * p.targets.size(), -999);
  const auto r = a.align_all(p.query_views(), p.target_views(), scores, options);
  EXPECT_TRUE(r) << r.error().message;
  if (report && r) *report = *r;
  return scores;
}

std::string pairs_error(const Aligner &a, const tiny::Pairs &p, const Options &options = {}) {
  std::vector<std::int32_t> scores(p.queries.size());
  const auto r = a.align_pairs(p.query_views(), p.target_views(), scores, options);
  return r ? "" : r.error().message;
}
std::string all_error(const Aligner &a, const tiny::Pairs &p, const Options &options = {}) {
  std::vector<std::int32_t> scores(p.queries.size() * p.targets.size());
  const auto r = a.align_all(p.query_views(), p.target_views(), scores, options);
  return r ? "" : r.error().message;
}

Columns columns(std::span<std::int32_t> scores, std::span<std::int32_t> query_ends,
                std::span<std::int32_t> target_ends) {
  return {{Output::score, scores}, {Output::query_end, query_ends}, {Output::target_end, target_ends}};
}

class AlignTest : public testing::TestWithParam<bool> {
 protected:
  bool local() const { return GetParam(); }
  Aligner aligner() const { return open(local() ? "fake_local" : "fake_global"); }
};
INSTANTIATE_TEST_SUITE_P(Modes, AlignTest, testing::Bool(), [](const auto &i) { return i.param ? "local" : "global"; });

TEST_P(AlignTest, RaggedPairsMatchTheTextbook) {
  const auto a = aligner();
  for (int longest : {1, 5, 40, 300}) {
    const auto p = tiny::random_pairs(7 + longest, 333, longest);
    const auto scores = pairs(a, p);
    for (std::size_t i = 0; i < scores.size(); ++i)
      ASSERT_EQ(scores[i], tiny::score(p.queries[i], p.targets[i], local())) << p.queries[i] << " " << p.targets[i];
  }
}

TEST_P(AlignTest, AllAgainstAllMatchesTheTextbook) {
  const auto a = aligner();
  for (int longest : {3, 60, 400}) {
    tiny::Pairs p = tiny::random_pairs(11 + longest, 23, longest);
    p.targets.push_back("ACGT");
    p.targets.push_back("");
    p.queries.push_back("");
    const auto scores = all(a, p);
    for (std::size_t q = 0; q < p.queries.size(); ++q)
      for (std::size_t t = 0; t < p.targets.size(); ++t)
        ASSERT_EQ(scores[q * p.targets.size() + t], tiny::score(p.queries[q], p.targets[t], local())) << q << " " << t;
  }
}

TEST_P(AlignTest, EndsOfPairsAndOfAllMatchTheTextbook) {
  const auto a = open(local() ? "fake_local_end" : "fake_global_end");
  EXPECT_TRUE(a.outputs() == (OutputSet{Output::score, Output::query_end, Output::target_end}));
  EXPECT_TRUE(aligner().outputs() == OutputSet{Output::score});
  tiny::Pairs p = tiny::random_pairs(13, 400, 200);  // related ones outgrow 8 bits
  p.queries[5] = p.targets[9] = "";
  for (int threads : {1, 3}) {
    Options options;
    options.threads = threads;
    std::vector<std::int32_t> scores(400, -9), query_ends = scores, target_ends = scores;
    const auto r = a.align_pairs(p.query_views(), p.target_views(), columns(scores, query_ends, target_ends), options);
    ASSERT_TRUE(r) << r.error().message;
    EXPECT_EQ(r->promoted > 0, local());
    for (std::size_t i = 0; i < scores.size(); ++i)
      ASSERT_EQ((tiny::Answer{scores[i], query_ends[i], target_ends[i]}),
                tiny::align(p.queries[i], p.targets[i], local()))
          << p.queries[i] << " " << p.targets[i];
    tiny::Pairs few = p;
    few.queries.resize(7);
    scores.assign(2800, -9);
    query_ends = target_ends = scores;
    const auto s =
        a.align_all(few.query_views(), few.target_views(), columns(scores, query_ends, target_ends), options);
    ASSERT_TRUE(s) << s.error().message;
    EXPECT_EQ(s->promoted > 0, local());
    for (std::size_t i = 0; i < scores.size(); ++i)
      ASSERT_EQ((tiny::Answer{scores[i], query_ends[i], target_ends[i]}),
                tiny::align(few.queries[i / 400], few.targets[i % 400], local()))
          << i / 400 << " " << i % 400;
    const auto without = a.align_pairs(p.query_views(), p.target_views(), std::span(scores).first(400), options);
    EXPECT_TRUE(without) << "ends need not be asked for";
  }
}

TEST_P(AlignTest, EmptySequencesScoreAsTheBorder) {
  const tiny::Pairs p{{"", "ACGT", ""}, {"", "", "ACGTA"}};
  const std::vector<std::int32_t> expected =
      local() ? std::vector<std::int32_t>{0, 0, 0} : std::vector<std::int32_t>{0, -6, -7};
  EXPECT_EQ(pairs(aligner(), p), expected);
  EXPECT_TRUE(pairs(aligner(), {}).empty());
  EXPECT_TRUE(all(aligner(), {}).empty());
}

TEST_P(AlignTest, ThreadsMemoryAndOrderDoNotChangeResults) {
  const auto a = aligner();
  const auto p = tiny::random_pairs(3, 500, 200);
  tiny::Pairs few = p;
  few.queries.resize(9);
  Report first;
  Options options;
  options.threads = 1;
  const auto expected = pairs(a, p, options, &first);
  const auto expected_all = all(a, few, options);
  EXPECT_EQ(first.pairs, 500u);
  for (int threads : {2, 8}) {
    options.threads = threads;
    for (std::size_t memory : {std::size_t{256} << 10, std::size_t{1} << 30}) {
      options.memory_bytes = memory;
      Report report;
      EXPECT_EQ(pairs(a, p, options, &report), expected);
      EXPECT_EQ(report.cells, first.cells);
      if (memory > (1u << 20)) {
        EXPECT_EQ(report.promoted, first.promoted);
      }
      EXPECT_EQ(all(a, few, options), expected_all);
    }
  }
}

TEST(Align, LettersAreCaseInsensitiveAndUIsT) {
  const auto a = open("fake_global");
  EXPECT_EQ(pairs(a, {{"acgu", "ACGT"}, {"ACGT", "uGCA"}}),
            (std::vector<std::int32_t>{8, tiny::score("ACGT", "TGCA", false)}));
}

TEST(Align, OverflowingPairsArePromotedAndOnlyThose) {
  const auto a = open("fake_local");
  tiny::Random random(5);
  tiny::Pairs p;
  for (int i = 0; i < 640; ++i) {  // unrelated: about 100 of 400 letters, within int8
    p.queries.push_back(random.letters(150));
    p.targets.push_back(i % 64 == 63 ? p.queries.back() : random.letters(150));
  }
  Report report;
  const auto scores = pairs(a, p, {}, &report);
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const int score = tiny::score(p.queries[i], p.targets[i], true);
    ASSERT_EQ(scores[i], score);
    expected += score > 127;
  }
  EXPECT_EQ(report.promoted, expected);
  EXPECT_GT(expected, 0u);
  EXPECT_EQ(report.kernels, (std::vector<std::string>{"fake_pairs_i16", "fake_pairs_i8"}));
  EXPECT_EQ(all(a, {{p.queries[0], p.queries[63]}, p.targets}, {}, &report)[640 + 63], 300);
}

TEST(Align, AProbeSendsHighScoringPairsStraightToTheWiderKernel) {
  const auto a = open("fake_local");
  tiny::Random random(6);
  tiny::Pairs p;
  for (int i = 0; i < 2000; ++i) p.targets.push_back(p.queries.emplace_back(random.letters(150)));
  tiny::Pairs shorter;
  for (int i = 0; i < 2000; ++i) shorter.targets.push_back(shorter.queries.emplace_back(random.letters(80)));
  Report report;
  pairs(a, p, {}, &report);
  EXPECT_EQ(report.promoted, 0u);  // halves of the sample tell
  pairs(a, shorter, {}, &report);
  EXPECT_EQ(report.promoted, 64u);  // the sample itself
  p.queries.resize(5);
  const auto scores = all(a, p, {}, &report);
  EXPECT_EQ(scores[0], 300);
}

TEST(Align, ErrorsNameThePairAndTheRule) {
  const auto a = open("fake_global");
  EXPECT_EQ(pairs_error(a, {{"ACGT", "ACNT"}, {"A", "X"}}),
            "pair 2, query, position 3: letter 'N' is not in the alphabet ACGT");
  EXPECT_EQ(pairs_error(a, {{"ACGT", "ACT"}, {"A", "AC\nG"}}),
            "pair 2, target, position 3: letter byte 10 is not in the alphabet ACGT");
  EXPECT_EQ(all_error(a, {{"A", "C"}, {"A", "*"}}), "target 2, position 1: letter '*' is not in the alphabet ACGT");
  EXPECT_EQ(pairs_error(a, {{""}, {"*"}}), "pair 1, target, position 1: letter '*' is not in the alphabet ACGT");
  EXPECT_EQ(pairs_error(a, {{"A", std::string(5001, 'A')}, {"A", "A"}}),
            "pair 2: the query has 5001 letters; the spec 'fake' allows 5000 (max_length)");
  std::vector<std::int32_t> scores(1);
  const std::vector<std::string_view> one{"A"}, two{"A", "C"};
  EXPECT_FALSE(a.align_pairs(one, two, scores));
  EXPECT_FALSE(a.align_all(one, two, scores));
  EXPECT_EQ(a.first_invalid_letter("ACGTx"), 4u);
  EXPECT_EQ(a.first_invalid_letter("acgu"), std::nullopt);
}

TEST(Align, TheFirstInvalidLetterIsNamedWhateverTheThreads) {
  const auto a = open("fake_global");
  auto p = tiny::random_pairs(9, 2000, 60);
  for (std::size_t i : {1999u, 1500u, 700u}) p.targets[i] = "AC.";
  Options options;
  options.threads = 8;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(pairs_error(a, p, options).substr(0, 28), "pair 701, target, position 3");
}

TEST(Align, EachWithEachIsTheSameInAnyNumberOfThreads) {
  auto p = tiny::random_pairs(12, 120, 200);
  p.queries.resize(60);
  p.queries[7] = "";
  p.queries[59] = p.targets[11] + p.targets[12];
  const auto one = all(open("fake_local"), p, {});  // as many as there are cores
  Options options;
  for (options.threads = 1; options.threads < 9; options.threads += 3)
    EXPECT_EQ(all(open("fake_local"), p, options), one) << options.threads;
}

TEST(Align, APairBeyondTheMemoryIsAnErrorThatStatesBoth) {
  const auto a = open("fake_global");
  Options options;
  options.memory_bytes = 100000;
  const tiny::Pairs p{{"ACGT", std::string(4000, 'A')}, {"ACGT", std::string(4000, 'A')}};
  const std::string error = pairs_error(a, p, options);
  EXPECT_NE(error.find("pair 2"), std::string::npos) << error;
  EXPECT_NE(error.find("100000 bytes"), std::string::npos) << error;
  EXPECT_NE(all_error(a, p, options).find("100000 bytes"), std::string::npos);
}

TEST(Align, CancellingStopsWithExitCode130) {
  const auto a = open("fake_global");
  const auto p = tiny::random_pairs(1, 5000, 100);
  std::atomic<int> asked{0};
  Options options;
  options.cancelled = [&] { return ++asked > 10; };
  std::vector<std::int32_t> scores(p.queries.size());
  const auto r = a.align_pairs(p.query_views(), p.target_views(), scores, options);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().message, "interrupted");
  EXPECT_EQ(r.error().exit_code, 130);
}

TEST(Align, ProgressReachesTheNumberOfPairs) {
  std::atomic<std::uint64_t> most{0};
  Options options;
  options.threads = 2;
  options.progress = [&](std::uint64_t n) {
    std::uint64_t seen = most;
    while (n > seen && !most.compare_exchange_weak(seen, n)) {
    }
  };
  auto p = tiny::random_pairs(2, 700, 200);
  p.queries[3] = "";
  pairs(open("fake_local"), p, options);
  EXPECT_EQ(most, 700u);
  most = 0;
  p.queries.resize(10);
  all(open("fake_local"), p, options);
  EXPECT_EQ(most, 7000u);
}

TEST(Align, RuntimeScoringComesWithTheCall) {
  const auto a = open("fake_runtime");
  const auto p = tiny::random_pairs(4, 200, 80);
  EXPECT_NE(pairs_error(a, p).find("--set score.match=VALUE"), std::string::npos);
  Options options;
  options.scoring.values = {
      {"match", 5}, {"mismatch", -3}, {"insertion_open", 4}, {"insertion_extend", 2}, {"deletion_open", 1}};
  EXPECT_NE(pairs_error(a, p, options).find("--set gap.extend=VALUE"), std::string::npos) << pairs_error(a, p, options);
  options.scoring.values["deletion_extend"] = 3;
  const auto scores = pairs(a, p, options);
  for (std::size_t i = 0; i < scores.size(); ++i)
    ASSERT_EQ(scores[i], tiny::score(p.queries[i], p.targets[i], false, {5, -3, 4, 2, 1, 3}));
  options.scoring.values["match"] = 10001;
  EXPECT_NE(pairs_error(a, p, options).find("outside -10000..10000"), std::string::npos);
  options.scoring.values["match"] = 5;
  options.scoring.values["deletion_open"] = -1;
  EXPECT_NE(pairs_error(a, p, options).find("outside 0..10000"), std::string::npos);
  options.scoring.values = {{"match", 5}};
  EXPECT_NE(pairs_error(open("fake_global"), p, options).find("fixes score.match"), std::string::npos);
  options.scoring.values = {{"colour", 5}};
  EXPECT_NE(pairs_error(open("fake_global"), p, options).find("'colour'"), std::string::npos);
}

TEST(Align, AScoreBeyondAllKernelsIsAnErrorNotANumber) {
  const auto a = open("fake_runtime");
  Options options;
  options.scoring.values = {{"match", 1},          {"mismatch", -1},
                            {"insertion_open", 0}, {"insertion_extend", 10000},
                            {"deletion_open", 0},  {"deletion_extend", 10000}};
  const std::string error = pairs_error(a, {{"A"}, {std::string(300000, 'A')}}, options);
  EXPECT_NE(error.find("pair 1: query of 1 and target of 300000 letters"), std::string::npos) << error;
  EXPECT_NE(error.find("32 bits"), std::string::npos) << error;
}

// Two gaps over everything must leave room in the 32 bits that kernels count with: `lengths` says so.
TEST(Align, AScoreThatGapsAloneMayTakeBeyond32BitsIsAnError) {
  const auto a = open("fake_runtime");
  Options options;
  options.scoring.values = {{"match", 1},          {"mismatch", -1},
                            {"insertion_open", 0}, {"insertion_extend", 10000},
                            {"deletion_open", 0},  {"deletion_extend", 10000}};
  const tiny::Pairs fits{{"A"}, {std::string(107000, 'A')}}, exceeds{{"A"}, {std::string(108000, 'A')}};
  EXPECT_EQ(pairs_error(a, fits, options), "");
  EXPECT_EQ(all_error(a, fits, options), "");
  for (const std::string &error : {pairs_error(a, exceeds, options), all_error(a, exceeds, options)}) {
    EXPECT_NE(error.find("query of 1 and target of 108000 letters: the score may exceed 32 bits"), std::string::npos);
    EXPECT_NE(error.find("<= 1073741824); use shorter sequences or smaller gap costs"), std::string::npos);
  }
}

TEST(Align, ALocalCallWhosePaddingWouldGainIsRefused) {
  Options options;
  options.scoring.values = {{"match", -5},           {"mismatch", 3},      {"insertion_open", 4},
                            {"insertion_extend", 2}, {"deletion_open", 4}, {"deletion_extend", 2}};
  const tiny::Pairs p{{"AAA"}, {"AAA"}};
  EXPECT_EQ(pairs_error(open("fake_local_runtime"), p, options),
            "scoring: a local alignment cannot have a positive mismatch; give --set score.mismatch=0 or less");
  options.scoring.values["mismatch"] = 0;
  EXPECT_EQ(pairs(open("fake_local_runtime"), p, options)[0], 0);
  options.scoring.matrix.assign(16, 1);
  EXPECT_EQ(pairs_error(open("fake_local_matrix"), p, options),
            "scoring: a local alignment cannot have a matrix of positive scores only; make one of them 0 or less");
}

TEST(Align, ARuntimeMatrixIsExpandedAndChecked) {
  const auto a = open("fake_matrix");
  Options options;
  options.scoring.values = {{"match", 0},         {"mismatch", 0},       {"insertion_open", 4}, {"insertion_extend", 2},
                            {"deletion_open", 4}, {"deletion_extend", 2}};
  const tiny::Pairs p{{"ACGT", "AAAA"}, {"ACGT", "CCCC"}};
  EXPECT_NE(pairs_error(a, p, options).find("--matrix FILE"), std::string::npos);
  options.scoring.matrix = {5, 1, -2, -2, -3, 6, -2, -2, -2, -2, 7, -2, -2, -2, -2, 8};
  EXPECT_EQ(pairs(a, p, options), (std::vector<std::int32_t>{26, 4}));  // row = query: A against C is 1
  options.scoring.matrix.pop_back();
  EXPECT_NE(pairs_error(a, p, options).find("needs 4 x 4"), std::string::npos);
}

TEST(Align, IsaCapsApply) {
  Options options;
  options.isa = parse_isa("x86-64-v3");
  const auto capped = Aligner::open_file(std::string(FAKE_DIR) + "/fake_v4.so", options);
  ASSERT_FALSE(capped);
  EXPECT_NE(capped.error().message.find("made for x86-64-v4"), std::string::npos);
  setenv("ALNSMITH_ISA", "scalar", 1);
  EXPECT_EQ(*best_isa(), Isa{});
  EXPECT_FALSE(Aligner::open_file(std::string(FAKE_DIR) + "/fake_v4.so"));
  EXPECT_TRUE(Aligner::open_file(std::string(FAKE_DIR) + "/fake_global.so"));
  setenv("ALNSMITH_ISA", "avx9", 1);
  EXPECT_EQ(best_isa().error().exit_code, 2);
  unsetenv("ALNSMITH_ISA");
  for (const targets::Cpu &row : targets::cpus()) {
    const auto isa = parse_isa(row.name);
    ASSERT_TRUE(isa) << row.name;
    EXPECT_EQ(isa_name(*isa), row.name);
  }
}

TEST(Align, InstructionSetsAreOrderedOnOneMachineOnly) {
  const Isa scalar, narrow = *parse_isa("x86-64-v2"), wide = *parse_isa("x86-64-v4"), arm = *parse_isa("aarch64-neon");
  EXPECT_TRUE(scalar <= narrow && narrow <= wide && scalar <= arm && !(wide <= narrow));
  EXPECT_FALSE(narrow <= arm || arm <= narrow || arm <= scalar);
  EXPECT_EQ(isa_name({"x86_64", 99}), "");
  EXPECT_FALSE(parse_isa("x86-64-v9"));
  const bool here = targets::host_machine() == arm.machine;
  Options options;
  options.isa = here ? wide : arm;
  const auto other = Aligner::open_file(std::string(FAKE_DIR) + "/fake_global.so", options);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("; use one of "), std::string::npos) << other.error().message;
}

TEST(Align, TellsWhatItIs) {
  const auto a = open("fake_global");
  EXPECT_EQ(a.target(), "scalar");
  EXPECT_EQ(a.gap_formula(), "cost(L) = 2 + 1*L");
  EXPECT_EQ(a.provenance().size(), 6u);
  EXPECT_EQ(a.memory().size(), 2u);
  EXPECT_EQ(a.manifest()[0], '{');
}

}  // namespace
