// Targets of state sets on devices: scores and ends are the textbook's, each with each and pair by pair, alone and with
// the CPU at work beside; PaPaRa 2.5's own scores are reproduced (test_placement_scores.cpp).
//
// On the first OpenCL device (PoCL); skipped where there is none. The texts of CUDA and HIP run on the SIMT library
// (tests/generator/test_device_matrix.cpp, tests/device/kernels).
#include <gtest/gtest.h>

#include <algorithm>
#include <alnsmith/devices.hpp>
#include <random>

#include "full_run.h"
#include "golden.h"
#include "host_isas.h"
#include "random_problems.h"
#include "state_set_points.h"
#include "whole_alignments.h"

namespace {

using namespace golden::state_sets;

class StateSetDevices : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
    if (!golden::has_opencl_device()) GTEST_SKIP() << "no OpenCL device";
  }
  golden::WholeAligner open(const Point &point, const std::string &choice) const {
    return golden::open_whole(fields(point), host_isas().front(), {ALNSMITH_GENERATOR_PROGRAM, choice, {"opencl:0"}, 0},
                              "[score, end]");
  }
  // Scores and ends of each with each.
  void expect_textbook(const Point &point, const golden::WholeAligner &whole, const Material &made) const;
};

void StateSetDevices::expect_textbook(const Point &point, const golden::WholeAligner &whole,
                                      const Material &made) const {
  SCOPED_TRACE(fields(point));
  ASSERT_GT(made.targets.size(), 10u);
  const std::size_t n = made.queries.size() * made.targets.size();
  std::vector<std::int32_t> score(n), query_end(n), target_end(n);
  const alnsmith::Columns columns{{alnsmith::Output::score, score},
                                  {alnsmith::Output::query_end, query_end},
                                  {alnsmith::Output::target_end, target_end}};
  const auto done = whole.aligner->align_all(made.query_views(), made.target_views(), columns, whole.options);
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_FALSE(done->devices.empty());
  EXPECT_EQ(done->devices[0].id, "opencl:0");
  for (std::size_t i = 0; i < n; ++i) {
    const auto &query = made.queries[i / made.targets.size()];
    const oracle::Answer want = oracle::align(whole.problem, query, made.targets[i % made.targets.size()].plain());
    ASSERT_EQ(score[i], want.score) << i << " " << query;
    ASSERT_EQ(query_end[i], want.query_end) << i;
    ASSERT_EQ(target_end[i], want.target_end) << i;
  }
}

// Letters of one byte, of three, of five; flags, bands, forbidden begins; each mapping. PoCL takes longer for wide
// lanes: those are of a full run.
TEST_F(StateSetDevices, EachWithEachIsTheTextbooks) {
  const bool full = sample::full();
  const std::pair<int, const char *> chosen[] = {{0, "mapping=wavefront,p=4,k=4"},
                                                 {2, full ? "mapping=lanes,k=8" : "mapping=lanes,k=4"},
                                                 {4, full ? "mapping=lanes,k=4" : "mapping=lanes,k=2"},
                                                 {9, "mapping=wavefront,p=2,k=3"},
                                                 {11, "mapping=wavefront,p=2,k=2"},
                                                 {14, "mapping=block,p=2,k=3"}};
  for (const auto &[number, choice] : chosen) {
    std::mt19937 random(18);
    const golden::WholeAligner whole = open(points[number], choice);
    expect_textbook(points[number], whole, each_with_each(random, whole.problem, points[number]));
    if (HasFailure()) return;
  }
}

// What the planner takes, with pairs of their own bands: by the device alone, and where the CPU may take a share, or
// all. The planner's own tile is of a full run: PoCL compiles one of two processors in a quarter of the time.
TEST_F(StateSetDevices, PairsAreTheTextbooksAloneAndBesideTheCpu) {
  const Point &point = points[10];
  for (const std::vector<std::string> &devices : {std::vector<std::string>{"opencl:0"}, {"opencl:0", "cpu"}}) {
    std::mt19937 random(19);
    const golden::WholeAligner whole =
        golden::open_whole(fields(point) + (sample::full() ? "" : "\ntile: {p: 2, k: 4}"), host_isas().front(),
                           {ALNSMITH_GENERATOR_PROGRAM, "", devices, 0}, "[score, end]");
    const Material made = pairs_that_exist(whole.problem, material(random, whole.problem, point, 300, 90));
    ASSERT_GT(made.queries.size(), 20u);
    std::vector<std::int32_t> score(made.queries.size());
    const alnsmith::Columns columns{{alnsmith::Output::score, score}};
    const auto done = whole.aligner->align_pairs(made.query_views(), made.target_views(), columns, whole.options);
    ASSERT_TRUE(done) << done.error().message;
    const auto by_device = [](const std::string &kernel) { return kernel.ends_with("_opencl"); };
    EXPECT_TRUE(devices.size() > 1 || std::ranges::all_of(done->kernels, by_device));
    for (std::size_t i = 0; i < score.size(); ++i)
      ASSERT_EQ(score[i], oracle::align(whole.problem, made.queries[i], made.targets[i].plain()).score) << i;
  }
}

// Borders and bands are of any alphabet.
TEST_F(StateSetDevices, BordersAndBandsHoldForPlainLettersToo) {
  struct Rule {
    const char *scores, *more, *choice;
  };
  constexpr const char *dna = "alphabet: dna\nscore: {match: 2, mismatch: -3}",
                       *protein = "alphabet: protein\nscore: {matrix: BLOSUM62}";
  std::mt19937 random(20);
  for (const Rule &rule :
       {Rule{dna, kPaperBand, "mapping=wavefront,p=2,k=3"},
        Rule{protein, "\nborder: {target_begin: forbidden}", "mapping=wavefront,p=2,k=2"},
        Rule{protein, "\nband: {from: -7, to: 9}", sample::full() ? "mapping=lanes,k=4" : "mapping=lanes,k=2"}}) {
    const bool free = std::string_view(rule.more).find("target_begin") == std::string_view::npos;
    const std::string spec = std::string("alignment: ") + (free ? kTargetEnds : "{free_ends: [target_end]}") +
                             "\ngap: {model: affine, open: 4, extend: 1}\n" + rule.scores + rule.more;
    SCOPED_TRACE(spec);
    const golden::WholeAligner whole = golden::open_whole(
        spec, host_isas().front(), {ALNSMITH_GENERATOR_PROGRAM, rule.choice, {"opencl:0"}, 0}, "[score, end]");
    golden::PairList all = golden::ragged_pairs(random, "ACGT", 80, 90), pairs;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (oracle::align(whole.problem, all.queries[i], all.targets[i]).score != oracle::no_alignment)
        pairs.add(all.queries[i], all.targets[i]);
    ASSERT_GT(pairs.size(), 10u);
    std::vector<std::int32_t> score(pairs.size()), query_end(pairs.size()), target_end(pairs.size());
    const alnsmith::Columns columns{{alnsmith::Output::score, score},
                                    {alnsmith::Output::query_end, query_end},
                                    {alnsmith::Output::target_end, target_end}};
    const auto done = whole.aligner->align_pairs(pairs.query_views(), pairs.target_views(), columns, whole.options);
    ASSERT_TRUE(done) << done.error().message;
    for (std::size_t i = 0; i < score.size(); ++i) {
      const oracle::Answer want = oracle::align(whole.problem, pairs.queries[i], pairs.targets[i]);
      ASSERT_EQ(score[i], want.score) << i;
      ASSERT_EQ(query_end[i], want.query_end) << i;
      ASSERT_EQ(target_end[i], want.target_end) << i;
    }
  }
}

}  // namespace
