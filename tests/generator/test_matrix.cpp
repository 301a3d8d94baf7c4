// Every alignment mode x gap model x scoring kind x score width x form x target:
// template run directly = IR as evaluated = IR after each pass = textbook DP, and no wrong score without a raised
// status; a seeded tenth also as text, compiled at the flags that kernels are shipped with.
//
// By default the CPU targets (other machines' as text under qemu-user) share out three fifths of the pairs of mode, gap
// model and scoring; outputs take turns, and so do a point's forms and widths; a kernel meets half of the kinds of
// batch. With ALNSMITH_FULL=1 every target has all, as text too. A table of what ran is printed and checked.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <random>

#include "../mutated.h"
#include "alnsmith/alnsmith.hpp"
#include "backend/unit.h"
#include "compiled.h"
#include "counts.h"
#include "device_points.h"
#include "direct_run.h"
#include "form_turns.h"
#include "grid.h"
#include "kernels/predicate.h"
#include "lane_batch.h"
#include "random_letters.h"
#include "sample.h"
#include "spec/parse.h"
#include "stages.h"

namespace {

using namespace alnsmith;
using device_points::predicate_values;
using Pair = lanes::Batch::Pair;

// The kinds of batch that a kernel meets.
enum class Kind { similar, ragged, unrelated, extremes, equal_length, overflowing };
constexpr Kind kinds[] = {Kind::similar,  Kind::ragged,       Kind::unrelated,
                          Kind::extremes, Kind::equal_length, Kind::overflowing};

std::vector<Pair> make_pairs(std::mt19937 &random, const std::string &letters, Kind kind, int count, bool shared) {
  std::vector<Pair> pairs;
  const int length = kind == Kind::extremes ? 1 : kind == Kind::overflowing ? 140 : 5 + static_cast<int>(random() % 30);
  const std::string common = random_text(random, letters, length);
  for (int i = 0; i < count; ++i) {
    std::string query = common, target;
    if (!shared) {
      switch (kind) {
        case Kind::extremes:
          query = random() % 2 ? std::string(1 + random() % 40, letters.back()) : random_text(random, letters, 1);
          break;
        case Kind::equal_length:
          query = random_text(random, letters, common.size());
          break;
        case Kind::overflowing:
          query = random_text(random, letters, 60 + random() % 80);
          break;
        default:
          query = random_text(random, letters, 1 + random() % 40);
      }
    }
    switch (kind) {
      case Kind::overflowing:
      case Kind::similar:
        target = mutated(random, letters, query, 16);
        break;
      case Kind::ragged:
        target = mutated(random, letters, query + random_text(random, letters, random() % 20), 16);
        break;
      case Kind::unrelated:
        target = random_text(random, letters, 1 + random() % 40);
        break;
      case Kind::extremes:
        target = random() % 2 ? std::string(1 + random() % 40, letters.back()) : random_text(random, letters, 1);
        break;
      case Kind::equal_length:
        target = mutated(random, letters, query, 16).substr(0, query.size()) + query;
        target.resize(query.size());
        break;
    }
    pairs.emplace_back(std::move(query), std::move(target));
  }
  return pairs;
}

class Tester {
 public:
  explicit Tester(const backend::Target &target)
      : target_(target), templates_(std::move(*frontend::Templates::parse(""))) {}

  // `rows`: stream letters per turn. `print`: as text too.
  // Where 8 bits beside a base hold all, wider kernels are asked for; by default for one such point in six.
  void add(grid::Case c, int rows, bool print) {
    const std::size_t before = points_.size();
    least_ += widths_of(c);
    add_planned(c, rows, print);
    if (points_.size() == before || !points_.back().narrow) return;
    if (narrow_++ % 6 != 0 && !sample::full()) {
      least_ -= widths_of(c) / 2;
      return;
    }
    c.yaml.replace(c.yaml.find("name: "), 6, "name: wide-") += "arithmetic: int16\n";
    add_planned(c, rows, print);
  }
  void add_planned(const grid::Case &c, int rows, bool print) {
    auto spec = spec::parse_text(c.yaml + "mapping: lanes\n", c.name(), ".");
    ASSERT_TRUE(spec) << spec.error().message;
    plan::Choice choice;
    choice.unroll = rows;
    auto plan = plan::make_plan(*spec, target_, templates_, plan::Tuning(choice));
    if (!plan) {
      std::printf("refused: %s\n", plan.error().message.c_str());
      refused_[c.name()] = plan.error().message;
      return;
    }
    std::erase_if(plan->kernels, [](const auto &kernel) { return kernel.form == Form::extent; });  // test_refill.cpp
    const bool narrow = form_turns::has_narrow_form(*plan);
    if (!sample::full()) form_turns::take_half(*plan, points_.size());
    if (print) {
      auto unit = backend::make_unit(*spec, *plan, templates_);
      ASSERT_TRUE(unit) << unit.error().message;
      texts_.push_back(std::move(unit->text));
    }
    points_.push_back({c, std::move(*spec), std::move(*plan), print, narrow});
  }

  void run() {
    const compiled::Object object(texts_, target_);
    for (const Point &point : points_)
      for (const plan::KernelPlan &kernel : point.plan.kernels) {
        SCOPED_TRACE(kernel.entry);
        const compiled::Kernel entry = point.print ? object.find(kernel.entry) : compiled::Kernel();
        ASSERT_EQ(static_cast<bool>(entry), point.print);
        test_kernel(point, kernel, entry);
        if (testing::Test::HasFatalFailure()) return;
      }
  }

  // mode x gap x score, with the widths that ran; a missing width is one that the planner left out, or not its turn.
  void print_table() const {
    std::printf("%-12s verified by DP, widths (pairwise | shared_profile); '-': no such kernel, or not its turn\n",
                std::string(target_.name).c_str());
    for (const auto &[name, widths] : done_) {
      std::string text;
      for (const Form form : {Form::pairwise, Form::shared_profile}) {
        for (int width : {8, 16, 32}) text += widths.contains({form, width}) ? " " + std::to_string(width) : "  -";
        text += form == Form::pairwise ? " |" : "";
      }
      std::printf("  %-44s%s\n", name.c_str(), text.c_str());
    }
    for (const auto &[name, why] : refused_) std::printf("  %-44s refused: %s\n", name.c_str(), why.c_str());
    std::printf("%zu of them also as text\n", texts_.size());
    counts::add("matrix points", points_.size());
  }

  void check_table() const {
    std::size_t kernels = 0;
    for (const auto &[name, widths] : done_) kernels += widths.size();
    EXPECT_GE(kernels, least_) << "kernels are missing from the table";
  }

 private:
  struct Point {
    grid::Case grid;
    spec::Spec spec;
    plan::Plan plan;
    bool print;
    bool narrow;  // a form has 8 bits alone
  };

  // At least: two of each form, of which whole alignments have one; by default half of them.
  static std::size_t widths_of(const grid::Case &c) { return (c.cigar ? 2 : 4) / (sample::full() ? 1 : 2); }

  void test_kernel(const Point &point, const plan::KernelPlan &kernel, const compiled::Kernel &entry) {
    const lanes::Scoring scoring = lanes::make_scoring(point.spec, point.grid.runtime, point.grid.runtime_matrix);
    const auto exact = rt::kernels::Predicate::parse(kernel.exact.text),
               usable = rt::kernels::Predicate::parse(kernel.usable.text);
    ASSERT_TRUE(exact) << exact.error().message;
    ASSERT_TRUE(usable) << usable.error().message;
    const int *matrix = point.plan.matrix.empty() ? nullptr : point.plan.matrix.data();
    const direct::Machine machine = lanes_machine(kernel.width, kernel.lanes, matrix);
    auto function = templates_.evaluate(kernel.mapping, kernel.statics);
    ASSERT_TRUE(function) << function.error().message;
    const auto made = stages::of(std::move(*function), machine);
    std::mt19937 random(static_cast<unsigned>(std::hash<std::string>()(kernel.entry)));
    std::size_t batch = random();
    for (const Kind kind : sample::half(kinds, random)) {
      if (kind == Kind::overflowing && kernel.width != 8) continue;
      // One lane at a time needs more batches for as many pairs.
      for (int repeat = 0; repeat < (kernel.lanes == 1 ? 3 : 1); ++repeat) {
        const auto pairs = make_pairs(random, point.grid.letters, kind, kernel.lanes, kernel.shares_query());
        if (!usable->holds(predicate_values(scoring, pairs[0]))) return;
        lanes::Batch direct(point.spec, kernel, pairs, scoring, 4);
        ASSERT_EQ(run_directly(kernel.mapping, kernel.statics, kernel.width, kernel.lanes, matrix, direct.args()), 0);
        for (std::size_t l = 0; l < pairs.size(); ++l) {
          const oracle::Answer want = point.grid.textbook(pairs[l].first, pairs[l].second);
          const bool proven = exact->holds(predicate_values(scoring, pairs[l]));
          if (!proven && direct.status[l] != 0) continue;
          const std::string where = "lane " + std::to_string(l) + ": " + pairs[l].first + " / " + pairs[l].second;
          ASSERT_EQ(direct.score[l], want.score) << where << (proven ? " (proven)" : "");
          if (!point.grid.end) continue;
          ASSERT_EQ(direct.target_end[l], want.target_end) << where << (proven ? " (proven)" : "");
          ASSERT_EQ(direct.query_end[l], want.query_end) << where << (proven ? " (proven)" : "");
          if (!point.grid.cigar) continue;
          ASSERT_EQ(direct.cigar(l), oracle::text(want.cigar)) << where << (proven ? " (proven)" : "");
          ASSERT_EQ(direct.target_begin[l], want.target_begin) << where << (proven ? " (proven)" : "");
          ASSERT_EQ(direct.query_begin[l], want.query_begin) << where << (proven ? " (proven)" : "");
        }
        const stages::Stage &stage = stages::in_turn(made, batch++);
        lanes::Batch run(point.spec, kernel, pairs, scoring, 4);
        ASSERT_EQ(stage.program.run(machine, ir::fields_of(*run.args())), 0) << stage.name;
        same(run, direct, pairs, point.grid.cigar, stage.name);
        if (testing::Test::HasFatalFailure()) return;
        if (!entry) continue;
        lanes::Batch printed(point.spec, kernel, pairs, scoring, kernel.width / 8);
        ASSERT_EQ(entry(printed.args(), printed.memory()), 0);
        same(printed, direct, pairs, point.grid.cigar, "printed");
        if (testing::Test::HasFatalFailure()) return;
      }
    }
    done_[point.grid.name()].insert({kernel.form, kernel.width});
  }

  static void same(const lanes::Batch &a, const lanes::Batch &b, const std::vector<Pair> &pairs, bool cigars,
                   const std::string &what) {
    for (std::size_t l = 0; l < pairs.size(); ++l) {
      const std::string where = what + ", lane " + std::to_string(l) + ": " + pairs[l].first + " / " + pairs[l].second;
      ASSERT_EQ(a.score[l], b.score[l]) << where;
      ASSERT_EQ(a.status[l], b.status[l]) << where;
      ASSERT_EQ(a.query_end[l], b.query_end[l]) << where;
      ASSERT_EQ(a.target_end[l], b.target_end[l]) << where;
      ASSERT_EQ(a.query_begin[l], b.query_begin[l]) << where;
      ASSERT_EQ(a.target_begin[l], b.target_begin[l]) << where;
      ASSERT_EQ(a.cigar_runs[l], b.cigar_runs[l]) << where;
      if (!cigars) continue;
      ASSERT_EQ(a.cigar(l), b.cigar(l)) << where;
    }
  }

  const backend::Target &target_;
  frontend::Templates templates_;
  std::vector<std::string> texts_;
  std::vector<Point> points_;
  std::size_t narrow_ = 0;  // points without kernels of more than 8 bits
  std::size_t least_ = 0;   // kernels that the table has to have
  std::map<std::string, std::set<std::pair<Form, int>>> done_;
  std::map<std::string, std::string> refused_;
};

// A target and a gap model, so that ctest runs many at a time.
class Matrix : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(Matrix, DirectInterpretedPrintedAndTextbookAgree) {
  const auto &[name, only] = GetParam();
  const backend::Target &target = *backend::find_target(name);
  if (const std::string why = compiled::obstacle(target); !why.empty()) GTEST_SKIP() << why;
  const bool full = sample::full();
  const auto names = compiled::cpu_targets();
  const std::size_t share = compiled::place(names, name);
  std::mt19937 random(7), printed(8);
  Tester tester(target);
  static constexpr const char *outputs[] = {"score", "end", "cigar"};
  std::size_t points = 0, turn = 0;
  for (std::size_t m = 0; const auto &mode : grid::modes()) {
    const std::size_t mode_place = m++;
    for (std::size_t g = 0; const auto &gap : grid::gaps()) {
      const std::size_t gap_place = g++;
      for (std::size_t s = 0; const auto &score : grid::lane_scores()) {
        if (!grid::in_share(mode_place, gap_place, s++, share, names.size()) && !full) continue;
        ++turn;
        if (sample::seed_of(mode + gap + score) % 5 < 2 && !full) continue;
        for (std::size_t n = 0; n < std::size(outputs); ++n) {
          if (turn % std::size(outputs) != n && !full) continue;
          // Odd tiles, so that strips end inside sequences.
          const int k = 1 + static_cast<int>(random() % 5);
          const int rows = static_cast<int>(points++ % 4) + 1;
          const bool print = printed() % 10 == 0 || full, end = n > 0, cigar = n == 2;
          if (gap != only) continue;
          const grid::Case c = grid::make_case(mode, gap, score, k, end);
          tester.add(cigar ? grid::with_cigar(c) : c, rows, print);
          if (HasFailure()) return;
        }
      }
    }
  }
  tester.run();
  tester.print_table();
  tester.check_table();
}

// A free border that outgrows the range is clamped; where the gaps that lead away from it cost nothing, no score ever
// rises above the clamp, and the status must be raised all the same.
TEST(Overflow, AClampedBorderIsReportedWhereGapsAreFree) {
  const auto templates = frontend::Templates::parse("");
  for (const char *costs : {"{model: linear, extend: 0}", "{model: affine, open: 0, extend: 0}",
                            "{model: affine, open: 5, extend: 0}", "{model: linear, extend: 1}"}) {
    const std::string yaml = std::string("version: 1\nname: clamp\nalignment: {free_ends: [target_begin]}\n") +
                             "gap: {insertion: " + costs + ", deletion: {model: linear, extend: 1}}\n" +
                             "alphabet: dna\nscore: {match: 1, mismatch: -1}\narithmetic: int16\n";
    const auto spec = spec::parse_text(yaml, "clamp.yaml", ".");
    ASSERT_TRUE(spec) << spec.error().message;
    const auto plan = plan::make_plan(*spec, *backend::find_target("scalar"), *templates);
    ASSERT_TRUE(plan) << plan.error().message;
    const lanes::Scoring scoring = lanes::make_scoring(*spec, {}, {});
    const plan::KernelPlan &kernel = plan->kernels[0];
    ASSERT_EQ(kernel.width, 16);
    int raised = 0;
    for (int length = 65400; length < 65700; length += 29) {
      const std::vector<Pair> pairs = {{"A", std::string(static_cast<std::size_t>(length), 'C')}};
      lanes::Batch batch(*spec, kernel, pairs, scoring, 4);
      ASSERT_EQ(run_directly(kernel.mapping, kernel.statics, 16, 1, nullptr, batch.args()), 0);
      const oracle::Problem problem{oracle::Mode::semiglobal,
                                    {false, false, true, false},
                                    {spec->insertion.open.value, spec->insertion.extend.value},
                                    {0, 1},
                                    oracle::Substitution::match_mismatch("ACGT", 1, -1),
                                    false};
      raised += batch.status[0] != 0;
      if (batch.status[0] == 0) {
        ASSERT_EQ(batch.score[0], oracle::score(problem, pairs[0].first, pairs[0].second)) << costs << " " << length;
      }
    }
    EXPECT_GT(raised, 0);
  }
}

// Steep and flat lines, near the edge of what the narrow kernels hold: a score that wraps is reported, or excluded by
// the planner.
TEST(Overflow, GapLinesOfAnyCostNeverWrapUnseen) {
  const auto templates = frontend::Templates::parse("");
  const backend::Target &target = *backend::find_target("x86-64-v2");
  std::mt19937 random(17);
  const auto modes = grid::modes();
  int narrow = 0, raised = 0, kept = 0;
  for (int round = 0; round < 600; ++round) {
    const bool matrix = round % 3 == 0;
    const grid::Case c =
        grid::with_gaps(grid::make_case(modes[static_cast<std::size_t>(round) % modes.size()], "affine",
                                        matrix ? "matrix" : "match", 1 + round % 7, round % 2),
                        grid::random_gap(random, 20, 24), grid::random_gap(random, 20, 24));
    const auto spec = spec::parse_text(c.yaml, c.name(), ".");
    ASSERT_TRUE(spec) << spec.error().message << c.yaml;
    const auto plan = plan::make_plan(*spec, target, *templates);
    if (!plan || plan->kernels[0].width != 8) continue;
    ++narrow;
    const plan::KernelPlan &kernel = plan->kernels[0];
    const lanes::Scoring scoring = lanes::make_scoring(*spec, {}, {});
    const auto pairs = make_pairs(random, c.letters, kinds[random() % std::size(kinds)], kernel.lanes, false);
    lanes::Batch batch(*spec, kernel, pairs, scoring, 4);
    const int *folded = plan->matrix.empty() ? nullptr : plan->matrix.data();
    ASSERT_EQ(run_directly(kernel.mapping, kernel.statics, 8, kernel.lanes, folded, batch.args()), 0);
    const auto exact = rt::kernels::Predicate::parse(kernel.exact.text);
    ASSERT_TRUE(exact) << kernel.exact.text;
    for (std::size_t l = 0; l < pairs.size(); ++l) {
      const std::string where = c.yaml + pairs[l].first + " / " + pairs[l].second;
      const bool reported = batch.status[l] != 0;
      ++(reported ? raised : kept);
      if (reported && !exact->holds(predicate_values(scoring, pairs[l]))) continue;
      const oracle::Answer want = oracle::align(c.problem, pairs[l].first, pairs[l].second);
      ASSERT_EQ(batch.score[l], want.score) << where;
      if (!c.end) continue;
      ASSERT_EQ(batch.target_end[l], want.target_end) << where;
      ASSERT_EQ(batch.query_end[l], want.query_end) << where;
    }
  }
  EXPECT_GT(narrow, 150);
  EXPECT_GT(raised, 150);
  EXPECT_GT(kept, 1500);
}

// A pad scores the mismatch, so a local kernel cannot serve one that gains.
TEST(Overflow, ALocalKernelRefusesAMismatchThatGains) {
  const auto templates = frontend::Templates::parse("");
  const auto spec = spec::parse_text(
      "version: 1\nname: pads\nalignment: local\ngap: {model: linear, extend: 5}\nalphabet: dna\n"
      "score: {match: runtime, mismatch: runtime}\n",
      "pads.yaml", ".");
  ASSERT_TRUE(spec) << spec.error().message;
  const auto plan = plan::make_plan(*spec, *backend::find_target("scalar"), *templates);
  ASSERT_TRUE(plan) << plan.error().message;
  const std::vector<std::tuple<int, int, bool>> rows = {{-5, 3, false}, {5, 3, false}, {5, -3, true}, {-5, 0, true}};
  for (const auto &[match, mismatch, holds] : rows) {
    const auto scoring = lanes::make_scoring(*spec, {{"match", match}, {"mismatch", mismatch}}, {});
    const auto usable = [&](const plan::KernelPlan &kernel) {
      const auto predicate = rt::kernels::Predicate::parse(kernel.usable.text);
      EXPECT_TRUE(predicate) << predicate.error().message;
      return predicate && predicate->holds(predicate_values(scoring, {"A", "A"}));
    };
    EXPECT_EQ(std::ranges::any_of(plan->kernels, usable), holds) << match << " " << mismatch;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Matrix,
                         testing::Combine(testing::ValuesIn(compiled::cpu_targets()), testing::ValuesIn(grid::gaps())),
                         [](const auto &info) {
                           return compiled::test_name(std::get<0>(info.param) + "_" + std::get<1>(info.param));
                         });

}  // namespace
