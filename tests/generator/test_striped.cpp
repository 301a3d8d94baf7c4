// Kernels of mapping `striped` over every alignment mode x gap model x scoring kind x score width x target: template
// run directly = IR as evaluated = IR after each pass = printed text = textbook DP, and no wrong score without a raised
// status; stages one behind another and side by side. Lengths lie around those of vectors, stripes and stages; letters
// are few and costs small or nothing, so that gaps go round and ties abound.
//
// A seeded half of the points runs directly and interpreted on the widest ISA of this CPU, an eighth on the others,
// each with the narrowest of its widths, which take turns; texts are compiled for a tenth. With ALNSMITH_FULL=1 all of
// it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "../mutated.h"
#include "alnsmith/alnsmith.hpp"
#include "backend/unit.h"
#include "compiled.h"
#include "counts.h"
#include "device_points.h"
#include "direct_run.h"
#include "full_run.h"
#include "grid.h"
#include "kernels/predicate.h"
#include "random_letters.h"
#include "spec/parse.h"
#include "stages.h"
#include "strip_pair.h"

namespace {

using namespace alnsmith;
using Letters = std::pair<std::string, std::string>;

// One letter, few or all of them, and a target that is like the query or not; with stretches left out, so that long
// gaps go round.
Letters make_pair(std::mt19937 &random, const std::string &letters, std::size_t query, std::size_t stage) {
  const std::string some = random() % 3 == 0 ? letters.substr(0, 1 + random() % 2) : letters;
  const std::string q = random_text(random, some, query);
  std::string t = random() % 2 ? mutated(random, letters, q, 12)
                               : random_text(random, some, 1 + random() % std::min<std::size_t>(stage, 90));
  if (t.size() > 150) t.erase(random() % (t.size() - 150), t.size() - 150);
  if (t.size() > 4 && random() % 2) t.erase(t.size() / 4, t.size() / 2);
  if (random() % 4 == 0) t += random_text(random, some, 1 + random() % 40);
  return {q, t};
}

// Lengths of queries for lanes, stripes and stages of these.
std::vector<std::size_t> lengths(std::mt19937 &random, std::size_t lanes, std::size_t k) {
  std::vector<std::size_t> list = {1 + random() % 2, 1 + random() % (3 * lanes * k)};
  for (const std::size_t edge : {random() % 2 ? lanes : lanes * (k + 1) / 2, (1 + random() % 2) * lanes * k})
    list.push_back(std::max<std::size_t>(1, edge + random() % 3 - 1));
  return list;
}

class Tester {
 public:
  Tester(const backend::Target &target, unsigned seed)
      : target_(target), templates_(std::move(*frontend::Templates::parse(""))), random_(seed) {}

  // `arithmetic`: the narrowest. `print`: as text too. `wider`: the kernels of what is wider as well.
  void add(const grid::Case &c, const std::string &arithmetic, bool print, bool wider = sample::full()) {
    auto spec = spec::parse_text(c.yaml + "mapping: striped\narithmetic: " + arithmetic + "\n", c.name(), ".");
    ASSERT_TRUE(spec) << spec.error().message;
    auto plan = plan::make_plan(*spec, target_, templates_);
    if (!plan) return;  // no kernel at all holds the scoring
    std::erase_if(plan->kernels, [](const plan::KernelPlan &kernel) { return !kernel.split(); });
    if (plan->kernels.empty()) return;
    if (!wider) plan->kernels.resize(1);
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
        ASSERT_EQ(kernel.mapping, "striped");
        const compiled::Kernel entry = point.print ? object.find(kernel.entry) : compiled::Kernel();
        ASSERT_EQ(static_cast<bool>(entry), point.print);
        test_kernel(point, kernel, entry, given);
        if (testing::Test::HasFailure()) return;
      }
    counts::add("matrix points", points_.size());
  }
  int done(const std::string &arithmetic) const {
    const auto it = done_.find(arithmetic);
    return it == done_.end() ? 0 : it->second;
  }
  // Pairs by whether the status was raised, and those compared with the textbook.
  int raised() const { return raised_; }
  int compared() const { return compared_; }

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
    const auto vector = static_cast<std::size_t>(kernel.lanes), k = static_cast<std::size_t>(kernel.k);
    if (pairs.empty())
      for (const std::size_t query : lengths(random_, vector, k))
        pairs.push_back(make_pair(random_, point.grid.letters, query, vector * k));
    std::size_t turn = random_();
    for (const Letters &pair : pairs) {
      if (!usable->holds(device_points::predicate_values(scoring, pair))) return;
      SCOPED_TRACE(pair.first + " / " + pair.second);
      const auto aligned = [&](const strips::Call &call, int element_bytes, bool side_by_side = false) {
        return strips::Pair(point.spec, kernel, pair.first, pair.second, scoring, element_bytes)
            .align(call, side_by_side);
      };
      const strips::Answer got =
          aligned([&](const aln_strip_args_v1 &args,
                      auto) { return run_directly(kernel.statics, kernel.width, kernel.lanes, matrix, args); },
                  4);
      raised_ += got.raised;
      if (exact->holds(device_points::predicate_values(scoring, pair)) || !got.raised) {
        const oracle::Answer want = oracle::align(point.grid.problem, pair.first, pair.second);
        ASSERT_EQ(got.score, want.score);
        if (point.grid.end) {
          ASSERT_EQ(got.query_end, want.query_end);
          ASSERT_EQ(got.target_end, want.target_end);
        }
        ++compared_;
      }
      const stages::Stage &stage = stages::in_turn(made, turn++);
      const strips::Call interpret = strips::interpreted(stage, machine);
      ASSERT_EQ(aligned(interpret, 4), got) << stage.name;
      if (!entry) continue;
      const auto printed = [&](const aln_strip_args_v1 &args, auto memory) { return entry(&args, memory); };
      ASSERT_EQ(aligned(printed, kernel.width / 8), got);
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
  int raised_ = 0, compared_ = 0;
};

std::vector<std::string> targets_with_strips() {
  std::vector<std::string> names;
  for (const backend::Target &target : backend::targets())
    if (target.strips()) names.push_back(target.name);
  return names;
}

class Striped : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (const std::string why = compiled::obstacle(target()); !why.empty()) GTEST_SKIP() << why;
  }
  const backend::Target &target() const { return *backend::find_target(GetParam()); }
  // Whether it runs many points.
  bool whole() const { return sample::full() || *parse_isa(GetParam()) == *best_isa(); }
};

TEST_P(Striped, DirectInterpretedPrintedAndTextbookAgree) {
  static constexpr const char *arithmetics[] = {"int8", "int16", "int32"};
  std::mt19937 random(31);
  Tester tester(target(), 32);
  unsigned turn = 0;
  for (const auto &mode : grid::modes())
    for (const auto &gap : grid::gaps())
      for (const auto &score : grid::scores()) {
        const int k = 1 + static_cast<int>(random() % 5);
        const grid::Case c = grid::make_case(mode, gap, score, k, random() % 2 != 0);
        const bool print = sample::full() || random() % 10 == 0;
        const char *const arithmetic = arithmetics[turn++ % 3];
        if (sample::full() || random() % (whole() ? 2 : 8) == 0) tester.add(c, arithmetic, print);
        if (HasFailure()) return;
      }
  tester.run();
  for (const char *arithmetic : arithmetics) EXPECT_GT(tester.done(arithmetic), whole() ? 50 : 10) << arithmetic;
  EXPECT_GT(tester.compared(), whole() ? 600 : 120);
}

// Gaps that open or go on for nothing among them: a gap that comes round meets H as high as itself.
TEST_P(Striped, GapLinesOfAnyCostAgree) {
  std::mt19937 random(33);
  Tester tester(target(), 34);
  const auto modes = grid::modes();
  for (std::size_t round = 0; round < (whole() ? 60 : 20); ++round) {
    const std::string mode = round % 2 ? "local" : modes[round / 2 % modes.size()];
    const grid::Case c = grid::make_case(mode, "affine", "match", 1 + static_cast<int>(round % 9), round % 3 != 0);
    const int most = static_cast<int>(round % 4);
    tester.add(grid::with_gaps(c, grid::random_gap(random, most, most), grid::random_gap(random, most, 2)), "int8",
               round % 10 == 0);
    if (HasFailure()) return;
  }
  tester.run();
  EXPECT_GT(tester.done("int8"), whole() ? 40 : 12);
}

// A range that is exceeded is told of, in the stage that has it, and the next width holds the pair.
TEST_P(Striped, ScoresBeyondAWidthRaiseTheStatus) {
  std::mt19937 random(35);
  const std::string query = random_text(random, "ACGT", 350), other = random_text(random, "ACGT", 150);
  for (const char *mode : {"global", "local", "sg_qb_qe"}) {
    Tester tester(target(), 36);
    tester.add(grid::make_case(mode, "affine", "match", 2, true), "int8", true, true);
    tester.run({{query, query}, {other + query, query}, {query, query + other}});
    if (HasFailure()) return;
    EXPECT_EQ(tester.done("int8"), 1) << mode;
    EXPECT_EQ(tester.done("int16"), 1) << mode;
    EXPECT_EQ(tester.raised(), 3) << mode;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Striped, testing::ValuesIn(targets_with_strips()),
                         [](const auto &info) { return compiled::test_name(info.param); });

}  // namespace
