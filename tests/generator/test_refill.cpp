// Lane refill: several targets one behind another in each lane, against the textbook DP and the template run directly.
//
// The CPU targets share the gap models and scorings out, so that each target has every one of them and half of the
// pairs; with ALNSMITH_FULL=1 every target has all.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "alnsmith/alnsmith.hpp"
#include "backend/unit.h"
#include "best_cells.h"
#include "compiled.h"
#include "direct_run.h"
#include "grid.h"
#include "lane_batch.h"
#include "sample.h"
#include "spec/codes.h"
#include "spec/parse.h"

namespace {

using namespace alnsmith;

// The argument block of one query against lanes of targets, laid out with plain loops.
struct Refilled {
  std::vector<std::vector<std::string>> lanes;
  std::vector<unsigned char> letters, query, fresh, status;
  std::vector<int> columns, score, query_end, target_end, lengths, stream_lengths, segment_end;
  std::vector<std::vector<std::size_t>> row;  // of score, by lane and target
  std::vector<unsigned char> scratch;
  aln_args_v1 args{};

  Refilled(const spec::Spec &s, const plan::KernelPlan &kernel, const std::string &query_text,
           const std::vector<std::vector<std::string>> &targets, const lanes::Scoring &scoring, std::size_t element)
      : lanes(targets) {
    const std::size_t L = lanes.size(), k = static_cast<std::size_t>(kernel.k);
    const auto query_code = lanes::codes_of(s, spec::Side::query), target_code = lanes::codes_of(s, spec::Side::target);
    for (char c : query_text) query.push_back(static_cast<unsigned char>(query_code.at(static_cast<unsigned char>(c))));
    std::vector<std::vector<unsigned char>> codes(L);
    std::vector<std::vector<std::size_t>> begin(L);
    std::set<int> events;
    std::size_t longest = 0;
    for (std::size_t l = 0; l < L; ++l) {
      for (const std::string &target : lanes[l]) {
        begin[l].push_back(codes[l].size());
        if (!codes[l].empty()) events.insert(static_cast<int>(codes[l].size()));
        for (char c : target)
          codes[l].push_back(static_cast<unsigned char>(target_code.at(static_cast<unsigned char>(c))));
        while (codes[l].size() % k) codes[l].push_back(ALN_CODE_TARGET_PAD);
      }
      longest = std::max(longest, codes[l].size());
    }
    columns.assign(events.begin(), events.end());
    const std::size_t refills = columns.size();
    columns.push_back(-1);
    fresh.assign(refills * L, 0);
    row.resize(L);
    for (std::size_t l = 0; l < L; ++l)
      for (std::size_t t = 0; t < begin[l].size(); ++t) {
        if (t > 0) {
          const auto event =
              static_cast<std::size_t>(std::ranges::find(columns, static_cast<int>(begin[l][t])) - columns.begin());
          fresh[event * L + l] = 1;
          row[l].push_back(event);
        }
        if (t + 1 == begin[l].size()) row[l].push_back(refills);
      }
    letters.assign(longest * L, ALN_CODE_TARGET_PAD);
    for (std::size_t l = 0; l < L; ++l)
      for (std::size_t i = 0; i < codes[l].size(); ++i) letters[i * L + l] = codes[l][i];
    lengths.assign(L, static_cast<int>(longest));
    stream_lengths.assign(L, static_cast<int>(query.size()));
    segment_end = {static_cast<int>(query.size())};
    score.assign((refills + 1) * L, 0x55555555);
    status.assign((refills + 1) * L, 0x55);
    query_end = target_end = score;
    const std::size_t borders =
        static_cast<std::size_t>(kernel.scratch_per_stream_letter * 8 / (kernel.width * kernel.lanes));
    const std::size_t elements = borders * query.size() + s.alphabet.letters.size() * k;
    scratch.assign(elements * element * L + 64, 0xA5);
    args.size = sizeof args;
    args.register_min = args.register_max = static_cast<int>(longest);
    args.stream_max = static_cast<int>(query.size());
    args.segments = 1;
    args.segment_end = segment_end.data();
    args.register_length = lengths.data();
    args.stream_length = stream_lengths.data();
    args.register_letters = letters.data();
    args.stream_letters = query.data();
    args.scoring = scoring.values.data();
    args.matrix = scoring.matrix.empty() ? nullptr : scoring.matrix.data();
    void *aligned = scratch.data();
    std::size_t room = scratch.size();
    args.scratch = std::align(64, elements * element * L, aligned, room);
    args.score = score.data();
    args.status = status.data();
    args.query_end = query_end.data();
    args.target_end = target_end.data();
    args.refills = static_cast<int>(refills);
    args.refill_column = columns.data();
    args.refill_lanes = fresh.data();
  }
  Refilled(const Refilled &) = delete;

  std::vector<compiled::Region> memory(const lanes::Scoring &scoring) const {
    std::vector<compiled::Region> list;
    const auto add = [&](const auto &vector) {
      if (!vector.empty()) list.push_back({vector.data(), vector.size() * sizeof vector[0]});
    };
    for (const auto *bytes : {&letters, &query, &fresh, &status}) add(*bytes);
    for (const auto *numbers : {&columns, &score, &query_end, &target_end, &lengths, &stream_lengths, &segment_end,
                                &scoring.values, &scoring.matrix})
      add(*numbers);
    const auto *from = static_cast<const unsigned char *>(args.scratch);  // where it is aligned
    list.push_back({from, static_cast<std::size_t>(scratch.data() + scratch.size() - from)});
    return list;
  }
};

std::string random_text(std::mt19937 &random, const std::string &letters, int length) {
  std::string text;
  for (int i = 0; i < length; ++i) text += letters[random() % letters.size()];
  return text;
}

class Refill : public testing::TestWithParam<std::string> {
 protected:
  // Whether the target has a pair of gap model and scoring, by their places.
  static bool has(std::size_t gap, std::size_t score) {
    const std::size_t share = compiled::place(compiled::cpu_targets(), GetParam());
    return grid::in_share(0, gap, score, share % 2, 2) || sample::everything();
  }
};

TEST_P(Refill, EachTargetScoresAsAlone) {
  const backend::Target &target = *backend::find_target(GetParam());
  if (const std::string why = compiled::obstacle(target); !why.empty()) GTEST_SKIP() << why;
  auto templates = frontend::Templates::parse("");
  ASSERT_TRUE(templates);
  std::mt19937 random(11);
  int point = 0;
  for (std::size_t g = 0; const std::string &gap : grid::gaps()) {
    const std::size_t gap_place = g++;
    for (std::size_t s = 0; const char *score : {"match_wildcard", "matrix", "matrix_32"}) {
      if (!has(gap_place, s++)) continue;
      const bool end = ++point % 2 != 0;
      const grid::Case c = grid::make_case("local", gap, score, 1 + static_cast<int>(random() % 6), end);
      auto spec = spec::parse_text(c.yaml, c.name(), ".");
      ASSERT_TRUE(spec) << spec.error().message;
      auto plan = plan::make_plan(*spec, target, *templates);
      ASSERT_TRUE(plan) << plan.error().message;
      std::erase_if(plan->kernels, [](const auto &k) { return k.form != Form::shared_profile; });
      auto unit = backend::make_unit(*spec, *plan, *templates);
      ASSERT_TRUE(unit) << unit.error().message;
      const compiled::Object object({unit->text}, target);
      const lanes::Scoring scoring = lanes::make_scoring(*spec, {}, {});
      for (const auto &kernel : plan->kernels) {
        ASSERT_EQ(kernel.ends, plan::LaneEnds::refilled) << kernel.entry;
        const std::string query = random_text(random, c.letters, 30);
        std::vector<std::vector<std::string>> targets(static_cast<std::size_t>(kernel.lanes));
        for (auto &lane : targets)
          for (unsigned n = 1 + random() % 5; n > 0; --n)
            lane.push_back(random() % 3 ? random_text(random, c.letters, 1 + static_cast<int>(random() % 20))
                                        : query.substr(random() % 20, 1 + random() % 20));
        Refilled printed(*spec, kernel, query, targets, scoring, static_cast<std::size_t>(kernel.width / 8));
        Refilled direct(*spec, kernel, query, targets, scoring, 4);
        ASSERT_EQ(object.find(kernel.entry)(&printed.args, printed.memory(scoring)), 0);
        ASSERT_EQ(run_directly(kernel.mapping, kernel.statics, kernel.width, kernel.lanes,
                               plan->matrix.empty() ? nullptr : plan->matrix.data(), &direct.args),
                  0);
        EXPECT_EQ(printed.score, direct.score) << kernel.entry;
        EXPECT_EQ(printed.status, direct.status) << kernel.entry;
        EXPECT_EQ(printed.query_end, direct.query_end) << kernel.entry;
        EXPECT_EQ(printed.target_end, direct.target_end) << kernel.entry;
        for (std::size_t l = 0; l < targets.size(); ++l)
          for (std::size_t t = 0; t < targets[l].size(); ++t) {
            const std::size_t at = printed.row[l][t] * targets.size() + l;
            if (printed.status[at] == 0) {
              const oracle::Answer want = oracle::align(c.problem, query, targets[l][t]);
              const std::string where = kernel.entry + " lane " + std::to_string(l) + " target " + std::to_string(t) +
                                        " " + query + " / " + targets[l][t];
              EXPECT_EQ(printed.score[at], want.score) << where;
              if (!end) continue;
              EXPECT_EQ(printed.target_end[at], want.target_end) << where;
              EXPECT_EQ(printed.query_end[at], want.query_end) << where;
            }
          }
        if (HasFailure()) return;
      }
    }
  }
}

// Kernels of form `extent`: the last row and the strip of the last column of all cells that have the best score.
TEST_P(Refill, ExtentsReachAllBestCells) {
  const backend::Target &target = *backend::find_target(GetParam());
  if (const std::string why = compiled::obstacle(target); !why.empty()) GTEST_SKIP() << why;
  auto templates = frontend::Templates::parse("");
  ASSERT_TRUE(templates);
  std::mt19937 random(12);
  std::size_t ties = 0;
  for (std::size_t g = 0; const std::string &gap : grid::gaps()) {
    const std::size_t gap_place = g++;
    for (std::size_t s = 0; const char *score : {"match_wildcard", "matrix"}) {
      if (!has(gap_place, s++)) continue;
      const grid::Case c =
          grid::with_cigar(grid::make_case("local", gap, score, 1 + static_cast<int>(random() % 6), true));
      auto spec = spec::parse_text(c.yaml, c.name(), ".");
      ASSERT_TRUE(spec) << spec.error().message;
      auto plan = plan::make_plan(*spec, target, *templates);
      ASSERT_TRUE(plan) << plan.error().message;
      std::erase_if(plan->kernels, [](const auto &k) { return k.form != Form::extent; });
      ASSERT_FALSE(plan->kernels.empty());
      auto unit = backend::make_unit(*spec, *plan, *templates);
      ASSERT_TRUE(unit) << unit.error().message;
      const compiled::Object object({unit->text}, target);
      const lanes::Scoring scoring = lanes::make_scoring(*spec, {}, {});
      for (const auto &kernel : plan->kernels) {
        const std::string query = random_text(random, c.letters, 12) + random_text(random, c.letters.substr(0, 2), 14);
        std::vector<std::vector<std::string>> targets(static_cast<std::size_t>(kernel.lanes));
        for (auto &lane : targets)
          for (unsigned n = 1 + random() % 4; n > 0; --n)
            lane.push_back(random() % 3 ? random_text(random, c.letters.substr(0, 1 + random() % c.letters.size()), 18)
                                        : query.substr(random() % 20, 1 + random() % 20));
        Refilled printed(*spec, kernel, query, targets, scoring, static_cast<std::size_t>(kernel.width / 8));
        Refilled direct(*spec, kernel, query, targets, scoring, 4);
        ASSERT_EQ(object.find(kernel.entry)(&printed.args, printed.memory(scoring)), 0);
        ASSERT_EQ(run_directly(kernel.mapping, kernel.statics, kernel.width, kernel.lanes,
                               plan->matrix.empty() ? nullptr : plan->matrix.data(), &direct.args),
                  0);
        EXPECT_EQ(printed.score, direct.score) << kernel.entry;
        EXPECT_EQ(printed.status, direct.status) << kernel.entry;
        EXPECT_EQ(printed.query_end, direct.query_end) << kernel.entry;
        EXPECT_EQ(printed.target_end, direct.target_end) << kernel.entry;
        for (std::size_t l = 0; l < targets.size(); ++l)
          for (std::size_t t = 0; t < targets[l].size(); ++t) {
            const std::size_t at = printed.row[l][t] * targets.size() + l;
            if (printed.status[at] != 0) continue;
            const golden::BestCells want = golden::best_cells(c.problem, query, targets[l][t]);
            const std::string where = kernel.entry + " " + query + " / " + targets[l][t];
            EXPECT_EQ(printed.score[at], want.score) << where;
            EXPECT_EQ(printed.query_end[at], want.row) << where;
            EXPECT_EQ(printed.target_end[at], want.score == 0 ? -1 : want.column / kernel.k * kernel.k + kernel.k - 1)
                << where;
            const oracle::Answer first = oracle::align(c.problem, query, targets[l][t]);
            ties += first.query_end != want.row || first.target_end != want.column;
          }
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(ties, 10u);
}

INSTANTIATE_TEST_SUITE_P(Targets, Refill, testing::ValuesIn(compiled::cpu_targets()),
                         [](const auto &info) { return compiled::test_name(info.param); });

}  // namespace
