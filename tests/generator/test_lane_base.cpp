// Scores beside a base of each lane's own (templates/lane_base.h): chunks as long as their proof allows run directly
// and agree with the textbook; longer ones go wrong, so that what is drawn meets the bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "../mutated.h"
#include "direct_run.h"
#include "frontend/templates.h"
#include "full_run.h"
#include "grid.h"
#include "lane_batch.h"
#include "plan/plan.h"
#include "random_letters.h"
#include "spec/parse.h"

namespace {

using namespace alnsmith;
using Pair = lanes::Batch::Pair;

// Related and not, runs of a letter, long gaps: what climbs, falls and jumps as fast as scores can.
std::string letters_of(std::mt19937 &random, const std::string &letters, std::size_t length) {
  const std::size_t run = random() % 3 == 0 ? 1 + random() % 40 : 1;
  std::string text;
  while (text.size() < length) text += std::string(run, letters[random() % letters.size()]);
  return text.substr(0, length);
}
std::vector<Pair> pairs_of(std::mt19937 &random, const std::string &letters, int count, bool shared) {
  std::vector<Pair> pairs;
  const std::string common = letters_of(random, letters, 1 + random() % 120);
  for (int i = 0; i < count; ++i) {
    const std::string query = shared ? common : letters_of(random, letters, 1 + random() % 120);
    std::string target = letters_of(random, letters, 1 + random() % 120);
    if (random() % 2 == 0) target = mutated(random, letters, query, 12);
    if (random() % 3 == 0) target += letters_of(random, letters, random() % 60);
    if (random() % 3 == 0) target = letters_of(random, letters, random() % 60) + target;
    pairs.emplace_back(query, target.empty() ? query : target);
  }
  return pairs;
}

// Lanes whose answer is not the textbook's; `where` names the last.
int wrong_lanes(const grid::Case &c, const spec::Spec &spec, const plan::KernelPlan &kernel, const int *matrix,
                const std::vector<Pair> &pairs, std::string &where) {
  const lanes::Scoring scoring = lanes::make_scoring(spec, {}, {});
  lanes::Batch batch(spec, kernel, pairs, scoring, 4);
  EXPECT_EQ(run_directly(kernel.mapping, kernel.statics, 8, kernel.lanes, matrix, batch.args()), 0);
  int wrong = 0;
  for (std::size_t l = 0; l < pairs.size(); ++l) {
    const oracle::Answer want = c.textbook(pairs[l].first, pairs[l].second);
    bool right = batch.score[l] == want.score && batch.status[l] == 0;
    if (c.end) right = right && batch.target_end[l] == want.target_end && batch.query_end[l] == want.query_end;
    if (spec.output.cigar)
      right = right && batch.target_begin[l] == want.target_begin && batch.query_begin[l] == want.query_begin &&
              batch.cigar(l) == oracle::text(want.cigar);
    if (right) continue;
    ++wrong;
    where = c.yaml + pairs[l].first + " / " + pairs[l].second;
  }
  return wrong;
}

TEST(LaneBase, ChunksAsLongAsTheirProofAllowsAgreeWithTheTextbook) {
  const auto templates = frontend::Templates::parse("");
  const backend::Target &target = *backend::find_target("x86-64-v2");
  const auto modes = grid::modes();
  static constexpr const char *scores[] = {"match", "matrix", "match_wildcard", "matrix_32"};
  std::mt19937 random(23);
  int kernels = 0, longer = 0, longer_wrong = 0;
  for (std::size_t round = 0; round < (sample::full() ? 240 : 170); ++round) {
    const int output = static_cast<int>(round % 3), most = round % 2 == 0 ? 4 : 24;
    grid::Case c = grid::with_gaps(grid::make_case(modes[round % modes.size()], "affine", scores[round / 3 % 4],
                                                   1 + static_cast<int>(random() % 12), output > 0),
                                   grid::random_gap(random, most, most), grid::random_gap(random, most, most));
    if (output == 2) c = grid::with_cigar(c);
    const auto spec = spec::parse_text(c.yaml + "mapping: lanes\n", c.name(), ".");
    ASSERT_TRUE(spec) << spec.error().message << c.yaml;
    const auto plan = plan::make_plan(*spec, target, *templates);
    if (!plan) continue;
    const int *matrix = plan->matrix.empty() ? nullptr : plan->matrix.data();
    for (plan::KernelPlan kernel : plan->kernels) {
      if (kernel.chunk == 0 || kernel.form == Form::extent) continue;
      SCOPED_TRACE(kernel.entry);
      const auto pairs = pairs_of(random, c.letters, kernel.lanes, kernel.form == Form::shared_profile);
      const lanes::Scoring scoring = lanes::make_scoring(*spec, {}, {});
      const auto fits = [&](int chunk) {
        kernel.statics["chunk"] = chunk;
        return facts_at(kernel.mapping, kernel.statics, scoring.values.data(), 100, 100)["usable"] != 0;
      };
      std::string where;
      EXPECT_EQ(wrong_lanes(c, *spec, kernel, matrix, pairs, where), 0) << where;
      ++kernels;
      if (spec->output.begin) continue;  // patches are as long as chunks
      int chunk = kernel.chunk;
      while (chunk < 120 && fits(chunk + 1)) ++chunk;
      kernel.statics["chunk"] = chunk;
      EXPECT_EQ(wrong_lanes(c, *spec, kernel, matrix, pairs, where), 0) << where << " chunk " << chunk;
      kernel.statics["chunk"] = chunk + 16;
      ++longer;
      longer_wrong += wrong_lanes(c, *spec, kernel, matrix, pairs, where) > 0;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(kernels, 150);
  EXPECT_GT(longer_wrong, longer / 20) << longer;
}

// A cell that keeps the lowest score is no floor: all gaps free, no letter that costs.
TEST(LaneBase, AFloorThatIsTooLowToBeKeptEndsNoWay) {
  const auto templates = frontend::Templates::parse("");
  const grid::Case c = [] {
    grid::Case local = grid::with_cigar(grid::make_case("local", "affine", "match", 6, true));
    for (const auto &[was, is] : {std::pair{"match: 2", "match: 11"}, {"mismatch: -1", "mismatch: 0"}}) {
      const std::size_t at = local.yaml.find(was);
      if (at != std::string::npos) local.yaml.replace(at, std::string(was).size(), is);
    }
    return local;
  }();
  const std::size_t gap = c.yaml.find("gap: "), behind = c.yaml.find('\n', gap);
  std::string yaml = c.yaml;
  yaml.replace(gap, behind - gap, "gap: {model: affine, open: 0, extend: 0}");
  const auto spec = spec::parse_text(yaml + "mapping: lanes\n", "free", ".");
  ASSERT_TRUE(spec) << spec.error().message << yaml;
  const auto plan = plan::make_plan(*spec, *backend::find_target("x86-64-v2"), *templates);
  ASSERT_TRUE(plan) << plan.error().message;
  const plan::KernelPlan &kernel = plan->kernels[0];
  ASSERT_GT(kernel.chunk, 0);
  const std::string query = "GTGTAAATATGGGTCGTTGATACCCGGGATGATT";
  const std::string target = std::string(40, 'T') + std::string(12, 'A') +
                             "TTGTATAAATTTCTGAAGTTGGGGGGGGGGGGGGGGGGGGGGGGGGGTGACACCCCCCCCCCCCCCCCCCCCTGTACGGGTAATT";
  const std::vector<Pair> pairs(static_cast<std::size_t>(kernel.lanes), {query, target});
  const lanes::Scoring scoring = lanes::make_scoring(*spec, {}, {});
  lanes::Batch batch(*spec, kernel, pairs, scoring, 4);
  ASSERT_EQ(run_directly(kernel.mapping, kernel.statics, 8, kernel.lanes, nullptr, batch.args()), 0);
  EXPECT_EQ(batch.query_begin[0], 0);
  EXPECT_EQ(batch.target_begin[0], 54);
  EXPECT_EQ(batch.cigar(0), "7M4D1M2D1M2D1M20D12M17D3M1D1M3D8M");
}

// Twelve columns of a gap that costs 6 a letter are more than a base holds: ten are taken, but where a spec asks for
// twelve.
TEST(LaneBase, TilesAreNarrowedUntilABaseHoldsTheCosts) {
  const auto templates = frontend::Templates::parse("");
  const std::string yaml =
      "version: 1\nname: steep\nalignment: {free_ends: [target_begin]}\ngap: {model: linear, extend: 6}\n"
      "alphabet: protein\nscore: {matrix: BLOSUM62}\n";
  for (const bool asked : {false, true}) {
    const auto spec = spec::parse_text(yaml + (asked ? "tile: {k: 12}\n" : ""), "steep.yaml", ".");
    ASSERT_TRUE(spec) << spec.error().message;
    const auto plan = plan::make_plan(*spec, *backend::find_target("x86-64-v4"), *templates);
    ASSERT_TRUE(plan) << plan.error().message;
    const auto shared = std::ranges::find(plan->kernels, Form::shared_profile, &plan::KernelPlan::form);
    ASSERT_NE(shared, plan->kernels.end());
    EXPECT_EQ(shared->k, asked ? 12 : 10);
    EXPECT_EQ(shared->chunk > 0, !asked);
  }
}

}  // namespace
