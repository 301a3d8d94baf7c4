// Kernels of mapping `strips` over every alignment mode x gap model x scoring kind x score width x target: template run
// directly = IR as evaluated = IR after each pass = printed text = textbook DP, and no wrong score without a raised
// status; stages one behind another and side by side.
//
// The CPU targets share the points out, each with every pair of mode, gap model and scoring (grid::in_share), widths
// and tiles in turn; a kernel meets half of the kinds of pair; texts are compiled for a tenth. With ALNSMITH_FULL=1
// every target has all of it.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <thread>

#include "../mutated.h"
#include "alnsmith/alnsmith.hpp"
#include "backend/unit.h"
#include "compiled.h"
#include "counts.h"
#include "device_points.h"
#include "direct_run.h"
#include "grid.h"
#include "kernels/predicate.h"
#include "random_letters.h"
#include "sample.h"
#include "spec/parse.h"
#include "stages.h"
#include "strip_pair.h"

namespace {

using namespace alnsmith;
using device_points::predicate_values;
using Letters = std::pair<std::string, std::string>;

// The kinds of pair that a kernel meets.
enum class Kind { similar, ragged, unrelated, islands, overhang, one_letter, extremes };
constexpr Kind kinds[] = {Kind::similar,  Kind::ragged,     Kind::unrelated, Kind::islands,
                          Kind::overhang, Kind::one_letter, Kind::extremes};

// `stage`: letters of the query that a stage takes.
Letters make_pair(std::mt19937 &random, const std::string &letters, Kind kind, std::size_t stage) {
  const auto any = [&](std::size_t most) { return 1 + random() % most; };
  const std::string query = random_text(random, letters, any(random() % 2 ? 3 * stage : 40));
  switch (kind) {
    case Kind::similar:
      return {query, mutated(random, letters, query, 16)};
    case Kind::ragged:
      return {query,
              mutated(random, letters, query.substr(query.size() / 3) + random_text(random, letters, any(60)), 16)};
    case Kind::unrelated:
      return {query, random_text(random, letters, any(3 * stage))};
    case Kind::islands: {
      // Stretches that are equal, and others, so that local scores rise far and fall to the floor again.
      std::string target;
      for (std::size_t at = 0; at < query.size();) {
        const std::size_t length = any(120);
        target += random() % 2 ? query.substr(at, length) : std::string(any(120), letters[random() % letters.size()]);
        at += length;
      }
      return {query, target};
    }
    case Kind::overhang: {
      // Equal up to the end of one of them.
      const std::string longer = query + random_text(random, letters, any(2 * stage));
      return random() % 2 ? Letters{query, longer} : Letters{longer, query};
    }
    case Kind::one_letter:
      return {std::string(any(2 * stage), letters[0]), std::string(any(2 * stage), letters[0])};
    case Kind::extremes:
      break;
  }
  const auto extreme = [&] { return std::string(random() % 2 ? 1 : any(3 * stage), letters.back()); };
  return {extreme(), extreme()};
}

class Tester {
 public:
  Tester(const backend::Target &target, unsigned seed)
      : target_(target), templates_(std::move(*frontend::Templates::parse(""))), random_(seed) {}

  // `arithmetic`: the narrowest. `print`: as text too.
  void add(const grid::Case &c, const std::string &arithmetic, bool print) {
    auto spec = spec::parse_text(c.yaml + "mapping: strips\narithmetic: " + arithmetic + "\n", c.name(), ".");
    ASSERT_TRUE(spec) << spec.error().message;
    auto plan = plan::make_plan(*spec, target_, templates_);
    if (!plan) return;  // no kernel at all holds the scoring
    std::erase_if(plan->kernels, [](const plan::KernelPlan &kernel) { return !kernel.split(); });
    if (plan->kernels.empty()) return;
    if (print) {
      auto unit = backend::make_unit(*spec, *plan, templates_);
      ASSERT_TRUE(unit) << unit.error().message;
      texts_.push_back(std::move(unit->text));
    }
    points_.push_back({c, std::move(*spec), std::move(*plan), print});
  }

  void run(const std::vector<Letters> &given = {}) {
    const compiled::Object object(texts_, target_);
    for (const Point &point : points_)
      for (const plan::KernelPlan &kernel : point.plan.kernels) {
        SCOPED_TRACE(kernel.entry + "\n" + point.grid.yaml);
        const compiled::Kernel entry = point.print ? object.find(kernel.entry) : compiled::Kernel();
        ASSERT_EQ(static_cast<bool>(entry), point.print);
        test_kernel(point, kernel, entry, given);
        if (testing::Test::HasFailure()) return;
      }
    for (const auto &[name, count] : done_) std::printf("%-24s %5d kernels\n", name.c_str(), count);
    std::printf("%zu of the points also as text\n", texts_.size());
    counts::add("matrix points", points_.size());
  }
  int done(const std::string &arithmetic) const {
    const auto it = done_.find(arithmetic);
    return it == done_.end() ? 0 : it->second;
  }
  int raised() const { return raised_; }
  // Pairs whose way was compared with the textbook's.
  int ways() const { return ways_; }
  // Bands that were too narrow, and that did.
  int narrow() const { return narrow_; }
  int enough() const { return enough_; }

 private:
  struct Point {
    grid::Case grid;
    spec::Spec spec;
    plan::Plan plan;
    bool print;
  };

  void test_kernel(const Point &point, const plan::KernelPlan &kernel, const compiled::Kernel &entry,
                   const std::vector<Letters> &given) {
    const lanes::Scoring scoring = lanes::make_scoring(point.spec, point.grid.runtime, point.grid.runtime_matrix);
    const auto exact = rt::kernels::Predicate::parse(kernel.exact.text),
               usable = rt::kernels::Predicate::parse(kernel.usable.text);
    ASSERT_TRUE(exact && usable);
    const int *matrix = point.plan.matrix.empty() ? nullptr : point.plan.matrix.data();
    const direct::Machine machine = lanes_machine(kernel.width, kernel.lanes, matrix);
    auto function = templates_.evaluate(kernel.mapping, kernel.statics);
    ASSERT_TRUE(function) << function.error().message;
    const auto made = stages::of(std::move(*function), machine);
    std::vector<Letters> pairs = given;
    if (pairs.empty())
      for (const Kind kind : sample::half(kinds, random_))
        pairs.push_back(
            make_pair(random_, point.grid.letters, kind, static_cast<std::size_t>(kernel.lanes * kernel.k)));
    std::size_t turn = random_();
    for (const Letters &pair : pairs) {
      if (!usable->holds(predicate_values(scoring, pair))) return;
      SCOPED_TRACE(pair.first + " / " + pair.second);
      const auto aligned = [&](const strips::Call &call, int element_bytes, bool side_by_side = false) {
        return strips::Pair(point.spec, kernel, pair.first, pair.second, scoring, element_bytes)
            .align(call, side_by_side);
      };
      const strips::Call run = [&](const aln_strip_args_v1 &args, auto) {
        return run_directly(kernel.statics, kernel.width, kernel.lanes, matrix, args);
      };
      const strips::Answer got = aligned(run, 4);
      // Windows of a band are global alignments' alone; what comes of them is the score of some alignment.
      const bool windows = point.grid.problem.mode == oracle::Mode::global && !point.spec.band_width;
      const int width = static_cast<int>(random_() % 20);
      const auto banded = [&](const strips::Call &call, int element_bytes) {
        return strips::Pair(point.spec, kernel, pair.first, pair.second, scoring, element_bytes)
            .align_band(call, width);
      };
      const auto in_windows = [&](const strips::Call &call, int element_bytes) {
        return strips::Pair(point.spec, kernel, pair.first, pair.second, scoring, element_bytes).align_windows(call);
      };
      if (point.spec.band_width) {
        ASSERT_EQ(in_windows(run, 4), got);
      }
      const strips::Answer in_band = windows ? banded(run, 4) : strips::Answer();
      const bool proven = exact->holds(predicate_values(scoring, pair));
      raised_ += got.raised;
      if (proven || !got.raised) {
        const oracle::Answer want = oracle::align(point.grid.problem, pair.first, pair.second);
        ASSERT_EQ(got.score, want.score);
        if (point.grid.end) {
          ASSERT_EQ(got.query_end, want.query_end);
          ASSERT_EQ(got.target_end, want.target_end);
        }
        if (windows) {
          ASSERT_LE(in_band.score, want.score) << "width " << width;
          narrow_ += in_band.score < want.score;
          enough_ += in_band.score == want.score;
        }
        if (point.grid.cigar) {
          ASSERT_EQ(got.cigar, oracle::text(want.cigar));
          ASSERT_EQ(got.query_begin, want.query_begin);
          ASSERT_EQ(got.target_begin, want.target_begin);
          ++ways_;
        }
      }
      const stages::Stage &stage = stages::in_turn(made, turn++);
      const strips::Call interpret = strips::interpreted(stage, machine);
      ASSERT_EQ(aligned(interpret, 4), got) << stage.name;
      if (windows) {
        ASSERT_EQ(banded(interpret, 4), in_band) << stage.name;
      }
      if (!entry) continue;
      const auto printed = [&](const aln_strip_args_v1 &args, auto memory) { return entry(&args, memory); };
      ASSERT_EQ(aligned(printed, kernel.width / 8), got);
      if (windows) {
        ASSERT_EQ(banded(printed, kernel.width / 8), in_band);
      }
      if (point.spec.band_width) {
        ASSERT_EQ(in_windows(printed, kernel.width / 8), got);
      }
      if (!compiled::is_foreign(target_)) {
        ASSERT_EQ(aligned(printed, kernel.width / 8, true), got) << "side by side";
      }
    }
    ++done_[kernel.arithmetic];
  }

  const backend::Target &target_;
  frontend::Templates templates_;
  std::mt19937 random_;
  std::vector<std::string> texts_;
  std::vector<Point> points_;
  std::map<std::string, int> done_;
  int raised_ = 0, ways_ = 0, narrow_ = 0, enough_ = 0;
};

std::vector<std::string> targets_with_strips() {
  std::vector<std::string> names;
  for (const backend::Target &target : backend::targets())
    if (target.strips()) names.push_back(target.name);
  return names;
}

class Strips : public testing::TestWithParam<std::string> {};

TEST_P(Strips, DirectInterpretedPrintedAndTextbookAgree) {
  const backend::Target &target = *backend::find_target(GetParam());
  if (const std::string why = compiled::obstacle(target); !why.empty()) GTEST_SKIP() << why;
  const bool full = sample::full();
  const auto names = targets_with_strips();
  const std::size_t share = compiled::place(names, GetParam());
  static constexpr const char *arithmetics[] = {"int8", "int16", "int32"};
  std::mt19937 random(21);
  Tester tester(target, 22);
  unsigned turn = 0;
  for (std::size_t m = 0; const auto &mode : grid::modes()) {
    const std::size_t mode_place = m++;
    for (std::size_t g = 0; const auto &gap : grid::gaps()) {
      const std::size_t gap_place = g++;
      for (std::size_t s = 0; const auto &score : grid::scores()) {
        if (!grid::in_share(mode_place, gap_place, s++, share, names.size()) && !full) continue;
        const int k = 1 + static_cast<int>(random() % 5);
        const auto output = random() % 4;  // half of them with the way back
        const grid::Case c = output < 2 ? grid::with_cigar(grid::make_case(mode, gap, score, k, true))
                                        : grid::make_case(mode, gap, score, k, output == 2);
        const bool print = full || turn % 10 == 0;
        tester.add(c, arithmetics[turn++ % 3], print);
        if (HasFailure()) return;
      }
    }
  }
  tester.run();
  for (const char *arithmetic : arithmetics) EXPECT_GT(tester.done(arithmetic), full ? 100 : 20) << arithmetic;
  EXPECT_GT(tester.ways(), full ? 1000 : 200);
  EXPECT_GT(tester.narrow(), full ? 5 : 0);
  EXPECT_GT(tester.enough(), full ? 20 : 2);
}

// Bands of the spec: the textbook's, which knows no cell outside, in windows of rows and in all rows.
TEST_P(Strips, BandsOfAnyWidthAgree) {
  const backend::Target &target = *backend::find_target(GetParam());
  if (const std::string why = compiled::obstacle(target); !why.empty()) GTEST_SKIP() << why;
  const bool whole = sample::full();
  const unsigned one_in = *parse_isa(GetParam()) == *best_isa() ? 5 : 9;
  std::mt19937 random(27);
  Tester tester(target, 28);
  unsigned turn = 0;
  for (const auto &mode : grid::modes())
    for (const auto &gap : grid::gaps())
      for (const int width : {0, 1, 7, 40, 5000}) {
        const auto scores = grid::scores();
        const std::string &score = scores[turn % scores.size()];
        const int k = 1 + static_cast<int>(random() % 4);
        const grid::Case c = turn % 2 ? grid::with_cigar(grid::make_case(mode, gap, score, k, true))
                                      : grid::make_case(mode, gap, score, k, turn % 4 == 0);
        ++turn;
        if (whole || random() % one_in == 0) tester.add(grid::with_band(c, width), "int32", turn % 12 == 0);
        if (HasFailure()) return;
      }
  tester.run();
  EXPECT_GT(tester.done("int32"), whole ? 400 : 20);
  EXPECT_GT(tester.ways(), whole ? 1000 : 50);
}

// Costs near the edge of what 8 bits beside a base hold.
TEST_P(Strips, GapLinesOfAnyCostAgree) {
  const backend::Target &target = *backend::find_target(GetParam());
  if (const std::string why = compiled::obstacle(target); !why.empty()) GTEST_SKIP() << why;
  const bool whole = *parse_isa(GetParam()) == *best_isa();
  std::mt19937 random(23);
  Tester tester(target, 24);
  const auto modes = grid::modes();
  for (std::size_t round = 0; round < (whole ? 45 : 30); ++round) {
    const grid::Case c =
        grid::make_case(modes[round % modes.size()], "affine", "match", 1 + static_cast<int>(round % 9), round % 2);
    tester.add(grid::with_gaps(c, grid::random_gap(random, 8, 3), grid::random_gap(random, 8, 3)), "int8",
               round % 20 == 0);
    if (HasFailure()) return;
  }
  tester.run();
  EXPECT_GT(tester.done("int8"), whole ? 30 : 20);
}

// Scores far beyond their width, which they are kept beside a base for.
TEST_P(Strips, LongPairsOutgrowTheirWidth) {
  const backend::Target &target = *backend::find_target(GetParam());
  if (const std::string why = compiled::obstacle(target); !why.empty()) GTEST_SKIP() << why;
  std::mt19937 random(25);
  const std::string text = random_text(random, "ACGT", 1100), before = random_text(random, "ACGT", 700);
  std::size_t turn = compiled::place(targets_with_strips(), GetParam());
  for (const char *mode : {"global", "local", "sg_qb_qe"}) {
    ++turn;  // widths take turns from mode to mode
    for (const auto &[match, mismatch, arithmetic] : {std::tuple{2, -1, "int8"}, {40, -30, "int16"}}) {
      if (turn++ % 2 && !sample::everything()) continue;
      grid::Case c = grid::with_cigar(grid::make_case(mode, "affine", "match", 8, true));
      c.yaml.replace(c.yaml.find("{match: 2, mismatch: -1}"), 24,
                     "{match: " + std::to_string(match) + ", mismatch: " + std::to_string(mismatch) + "}");
      c.problem.substitution = oracle::Substitution::match_mismatch("ACGT", match, mismatch);
      // 44,000 of 16 bits, 1,000 of 8.
      const std::size_t part = match > 2 ? 1 : 2;
      const std::string query = text.substr(0, text.size() / part), other = before.substr(0, before.size() / part);
      Tester tester(target, 26);
      tester.add(c, arithmetic, true);
      tester.run({{query, query},
                  {query, random_text(random, "ACGT", query.size() + 100)},
                  {other + query + other, query},
                  {query, other + query}});
      if (HasFailure()) return;
      EXPECT_EQ(tester.done(arithmetic), 1) << mode;
      EXPECT_EQ(tester.raised(), 0) << mode;
      EXPECT_EQ(tester.ways(), 4) << mode;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Strips, testing::ValuesIn(targets_with_strips()),
                         [](const auto &info) { return compiled::test_name(info.param); });

}  // namespace
