// Device kernels over every alignment mode x gap model x scoring kind x arithmetic x mapping x form:
// template run directly = IR as evaluated = IR after each pass = printed text on the SIMT library = textbook DP, scores
// and ends, and no wrong score without a raised status.
//
// By default a fifth of the points, with every pair of mode, gap model and scoring (grid::in_share), runs directly and
// interpreted, with target, arithmetic, mapping and tile drawn from a seed so that all combinations are met, every
// other kernel of a point with half of the kinds of pairs; texts are compiled for a tenth of them. With ALNSMITH_FULL=1
// all points and kernels, all as text too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <set>

#include "backend/unit.h"
#include "counts.h"
#include "device_points.h"
#include "direct_run.h"
#include "grid.h"
#include "kernels/predicate.h"
#include "random_letters.h"
#include "sample.h"
#include "simt.h"
#include "spec/parse.h"
#include "stages.h"

namespace {

using namespace alnsmith;
using namespace device_points;

class Tester {
 public:
  explicit Tester(unsigned seed) : random_(seed), templates_(std::move(*frontend::Templates::parse(""))) {}

  // `given`: pairs that the kernels of form `pairwise` align, instead of drawn ones for all.
  void point(const grid::Case &c, const Choice &choice, bool print, const std::vector<Pair> &given = {}) {
    SCOPED_TRACE(c.name() + " on " + choice.name());
    auto spec = spec::parse_text(with_choice(c.yaml, choice), c.name(), ".");
    ASSERT_TRUE(spec) << spec.error().message;
    plan::Choice tuned;
    if (choice.mapping == "lanes") tuned.unroll = choice.rows;
    auto plan = plan::make_plan(*spec, *backend::find_target(choice.target), templates_, plan::Tuning(tuned));
    if (!plan) {  // the scoring does not fit, or has to be checked at run time
      ++refused_;
      return;
    }
    ++points_;
    if (!given.empty()) std::erase_if(plan->kernels, [](const auto &kernel) { return kernel.form != Form::pairwise; });
    if (given.empty() && !sample::everything()) take_half(plan->kernels);
    const lanes::Scoring scoring = lanes::make_scoring(*spec, c.runtime, c.runtime_matrix);
    std::optional<simt::Module> module;
    const bool amd = choice.target.starts_with("hip");
    if (print) {
      auto unit = backend::make_unit(*spec, *plan, templates_);
      ASSERT_TRUE(unit) << unit.error().message;
      try {
        module = simt::compile(unit->text, amd ? simt::Dialect::hip : simt::Dialect::cuda);
      } catch (const std::exception &e) {
        FAIL() << e.what();
      }
    }
    for (const plan::KernelPlan &kernel : plan->kernels) {
      SCOPED_TRACE(kernel.entry);
      const auto usable = rt::kernels::Predicate::parse(kernel.usable.text),
                 exact = rt::kernels::Predicate::parse(kernel.exact.text);
      ASSERT_TRUE(usable && exact);
      auto function = templates_.evaluate(kernel.device_template(), kernel.statics);
      ASSERT_TRUE(function) << function.error().message;
      const int *matrix = plan->matrix.empty() ? nullptr : plan->matrix.data();
      const direct::Machine machine = device_machine(kernel.arithmetic, kernel.statics, matrix);
      const auto made = stages::of(std::move(*function), machine);
      std::size_t batch = random_();
      for (const Kind kind : sample::half(kinds, random_)) {
        const auto pairs = given.empty() ? make_pairs(random_, c.letters, kind, kernel) : given;
        if (!usable->holds(predicate_values(scoring, pairs[0]))) continue;
        const stages::Stage &stage = stages::in_turn(made, batch);
        const bool borders = batch++ / 2 % 2;
        std::vector<devices::Kept> kept{devices::Kept::codes};
        if (spec->output.begin && (borders || !given.empty())) kept.push_back(devices::Kept::borders);
        if (spec->output.begin && (!borders || !given.empty())) kept.push_back(devices::Kept::sections);
        for (const devices::Kept one : kept) {
          SCOPED_TRACE("kept " + std::to_string(static_cast<int>(one)));
          run(c, *spec, kernel, scoring, *exact, pairs, machine, stage, module ? &*module : nullptr, one);
          if (testing::Test::HasFailure()) return;
        }
        if (!given.empty()) break;
      }
      off_pipe_ += kernel.statics.at("off_pipe_columns") > 0;
      ++done_[choice.target.substr(0, choice.target.find(':')) + " " + kernel.arithmetic + " " + kernel.mapping + " " +
              name_of(kernel.form)];
      printed_ += module.has_value();
    }
  }

  void print_table() const {
    for (const auto &[name, count] : done_) std::printf("%-40s %5d kernels\n", name.c_str(), count);
    counts::add("matrix points", points_);
    std::printf("%d kernels also as text on the SIMT library; %d points refused by the planner\n", printed_, refused_);
  }
  std::size_t points() const { return points_; }
  int off_pipe() const { return off_pipe_; }  // kernels that choose some gaps by max_off_pipe

 private:
  // Every other one, the first or the second by turns.
  void take_half(std::vector<plan::KernelPlan> &kernels) const {
    if (kernels.size() < 2) return;
    std::size_t place = points_;
    std::erase_if(kernels, [&](const auto &) { return place++ % 2 != 0; });
  }

  void run(const grid::Case &c, const spec::Spec &spec, const plan::KernelPlan &kernel, const lanes::Scoring &scoring,
           const rt::kernels::Predicate &exact, const std::vector<Pair> &pairs, const direct::Machine &machine,
           const stages::Stage &stage, const simt::Module *module, devices::Kept kept) {
    const int blocks = 1 + static_cast<int>(random_() % 2);
    devices::Batch direct(spec, kernel, pairs, scoring, blocks, kept);
    ASSERT_EQ(run_directly(kernel.mapping, kernel.arithmetic, kernel.statics, blocks, direct.shared_bytes(),
                           machine.matrix, direct.args()),
              0);
    check(c, spec, exact, scoring, pairs, direct, "direct");
    devices::Batch interpreted(spec, kernel, pairs, scoring, blocks, kept);
    ASSERT_EQ(stage.program.run_blocks(machine, ir::fields_of(*interpreted.args()), blocks, kernel.warps,
                                       static_cast<std::size_t>(interpreted.shared_bytes())),
              0);
    ASSERT_EQ(interpreted.score, direct.score) << stage.name;
    ASSERT_EQ(interpreted.status, direct.status) << stage.name;
    ASSERT_EQ(interpreted.query_end, direct.query_end) << stage.name;
    ASSERT_EQ(interpreted.target_end, direct.target_end) << stage.name;
    ASSERT_EQ(interpreted.query_begin, direct.query_begin) << stage.name;
    ASSERT_EQ(interpreted.target_begin, direct.target_begin) << stage.name;
    for (std::size_t i = 0; i < pairs.size() && spec.output.cigar; ++i)
      ASSERT_EQ(interpreted.cigar(i), direct.cigar(i)) << stage.name;
    if (!module || testing::Test::HasFailure()) return;
    devices::Batch printed(spec, kernel, pairs, scoring, blocks, kept);
    simt::Settings settings;
    settings.seed = random_();
    settings.warp = kernel.lanes;
    const auto pointers = printed.pointers();
    try {
      module->launch(kernel.entry, blocks, kernel.lanes * kernel.warps,
                     static_cast<std::size_t>(printed.shared_bytes()), pointers, settings);
    } catch (const std::exception &e) {
      FAIL() << e.what();
    }
    check(c, spec, exact, scoring, pairs, printed, "printed");
  }

  std::mt19937 random_;
  frontend::Templates templates_;
  std::map<std::string, int> done_;
  std::size_t points_ = 0;
  int printed_ = 0, refused_ = 0, off_pipe_ = 0;
};

Choice draw(std::mt19937 &random) {
  struct Row {
    const char *target;
    std::vector<const char *> arithmetics;
  };
  static const std::vector<Row> rows = {{"cuda:sm_90", {"int32", "fp32", "half2", "s16x2", "hybrid"}},
                                        {"cuda:sm_80", {"half2", "int32"}},
                                        {"hip:gfx90a", {"int32", "fp32", "half2", "s16x2"}},    // waves of 64
                                        {"hip:gfx1100", {"int32", "fp32", "half2", "s16x2"}}};  // waves of 32
  const Row &row = rows[random() % rows.size()];
  static constexpr const char *mappings[] = {"wavefront", "lanes", "block"};
  static constexpr int lanes[] = {8, 16, 32};
  Choice c;
  c.target = row.target;
  c.arithmetic = row.arithmetics[random() % row.arithmetics.size()];
  c.mapping = mappings[random() % 3];
  c.p = lanes[random() % 3];
  c.k = 1 + static_cast<int>(random() % 6);
  c.rows = c.p / 4;  // of `lanes`, which has no use for p
  return c;
}

class DeviceGrid : public testing::TestWithParam<std::string> {};  // a gap model each, to be run side by side

TEST_P(DeviceGrid, DirectInterpretedPrintedAndTextbookAgree) {
  const bool full = sample::full();
  std::mt19937 random(11);
  Tester tester(12);
  unsigned turn = 0;
  for (std::size_t m = 0; const auto &mode : grid::modes()) {
    const std::size_t mode_place = m++;
    for (std::size_t g = 0; const auto &gap : grid::gaps()) {
      const std::size_t gap_place = g++;
      for (std::size_t s = 0; const auto &score : grid::scores()) {
        grid::Case c = grid::make_case(mode, gap, score, 1, random() % 2);
        if (random() % 3 == 0) c = grid::with_cigar(grid::make_case(mode, gap, score, 1, true));
        const Choice choice = draw(random);
        if (!grid::in_share(mode_place, gap_place, s++, 0, 7) && !full) continue;
        const bool print = full || turn++ % 10 == 0;
        if (gap == GetParam()) tester.point(c, choice, print);
        if (HasFailure()) return;
      }
    }
  }
  tester.print_table();
}

INSTANTIATE_TEST_SUITE_P(Gaps, DeviceGrid, testing::ValuesIn(grid::gaps()),
                         [](const auto &info) { return info.param; });

// Sets of states, flagged columns, borders and cells that do not exist.
TEST(DeviceMatrix, ColumnsThatDifferAgree) {
  std::mt19937 random(31);
  Tester tester(32);
  unsigned turn = 0;
  const auto lane_scores = grid::lane_scores(), plain = grid::scores();
  for (std::size_t m = 0; const auto &mode : grid::modes()) {
    const std::size_t mode_place = m++;
    for (std::size_t g = 0; const auto &gap : grid::gaps()) {
      const std::size_t gap_place = g++;
      for (std::size_t s = 0; const auto &score : lane_scores) {
        if (std::ranges::find(plain, score) != plain.end()) continue;
        // By default every two of mode, gap model and scoring, not every three.
        if (!grid::in_share(mode_place, gap_place, s++, 0, 2) && !sample::everything()) continue;
        Choice choice = draw(random);
        choice.arithmetic = "int32";
        tester.point(grid::make_case(mode, gap, score, 1, random() % 2), choice, turn++ % 10 == 0);
        if (HasFailure()) return;
      }
    }
  }
  tester.print_table();
  EXPECT_GT(tester.points(), sample::everything() ? 100u : 50u);
}

// Steep and flat lines of cost, near the edge of what packed scores hold, run directly.
TEST(DeviceMatrix, GapLinesOfAnyCostAgree) {
  std::mt19937 random(15);
  Tester tester(16);
  const auto modes = grid::modes();
  for (std::size_t round = 0; round < 40; ++round) {
    const grid::Case c =
        grid::make_case(modes[round % modes.size()], "affine", round % 3 ? "match" : "matrix", 1, round % 2);
    tester.point(grid::with_gaps(c, grid::random_gap(random, 90, 60), grid::random_gap(random, 90, 60)), draw(random),
                 false);
    if (HasFailure()) return;
  }
  tester.print_table();
}

// Two alignments of a register, the first of which ends long before the second: its free border, were it to grow on,
// would reach 2^16 and carry into the other half. As text, since only there halves lie in one word.
TEST(DeviceMatrix, AnAlignmentThatHasEndedLeavesItsNeighbourAlone) {
  std::mt19937 random(17);
  Tester tester(18);
  const std::string query = "ACGTTGCAACGG";
  const std::vector<Pair> pairs = {{query, "CCCCCCCC"}, {query, std::string(880, 'C') + query + "CCC"}};
  const grid::Case c = grid::with_gaps(grid::make_case("sg_tb_te", "affine", "match", 1, true), {3, 100}, {3, 100});
  for (const char *mapping : {"wavefront", "block", "lanes"}) {
    tester.point(c, {"cuda:sm_90", "s16x2", mapping, 8, 2}, true, pairs);
    if (HasFailure()) return;
  }
  tester.print_table();
}

// Several strips of a block's warps: what is left of their codes, and a border of their own between the warps. Gaps
// that are longer than a strip and lead through its borders, paths of one letter, ties. The modes share the gap models.
TEST(DeviceMatrix, CheckpointsOfABlocksStripsAgree) {
  std::mt19937 random(20);
  Tester tester(21);
  const auto letters = [&](std::size_t length) { return random_text(random, "ACGT", length); };
  const std::string left = letters(270), between = letters(300), right = letters(150);
  const std::vector<Pair> pairs = {{left + between + right, left + right},
                                   {left + right, left + between + right},
                                   {std::string(700, 'A'), std::string(60, 'A')},
                                   {letters(1100), "G"},
                                   {"G", letters(90)},
                                   {std::string(520, 'A'), std::string(90, 'C')}};
  unsigned turn = 0;
  std::size_t place = 0;
  for (const char *mode : {"global", "local", "sg_tb_te"}) {
    for (std::size_t g = place++; const auto &gap : grid::gaps()) {
      if (g++ % 3 != 0 && !sample::everything()) continue;
      const grid::Case c = grid::with_cigar(grid::make_case(mode, gap, "match", 1, true));
      const Choice choice{turn % 3 ? "cuda:sm_90" : "hip:gfx1100", turn % 2 ? "s16x2" : "int32", "block", 32, 1};
      tester.point(c, choice, turn++ % 4 == 0, pairs);
      if (HasFailure()) return;
    }
  }
  tester.print_table();
}

// Gaps whose letters cost nothing: what is subtracted in each half is 0.
TEST(DeviceMatrix, LocalGapsThatExtendForNothingAgree) {
  Tester tester(19);
  const std::vector<Pair> pairs = {{"AAAAAAAAAAAAAAAA", "ACCCCCCCCCCCCAA"}, {"AAAAAAAAAAAAAAAA", "CCCCCCCCCCCCCC"}};
  const grid::Case c = grid::with_gaps(grid::make_case("local", "affine", "match", 1, true), {2, 0}, {3, 0});
  for (const char *arithmetic : {"hybrid", "s16x2", "half2"}) {
    tester.point(c, {"cuda:sm_90", arithmetic, "wavefront", 8, 2}, true, pairs);
    if (HasFailure()) return;
  }
  tester.print_table();
}

// Half precision is chosen for gaps with a border only where its range is enough: seldom above. A sixth of the points,
// or all.
TEST(DeviceMatrix, GapsChosenBySumsAgree) {
  const bool full = sample::full();
  std::mt19937 random(13);
  Tester tester(14);
  unsigned turn = 0;
  for (const auto &mode : grid::modes())
    for (const auto &gap : grid::gaps())
      for (const auto &score : grid::scores()) {
        if (mode == "local" || gap == "linear" || score.find("match") == std::string::npos) continue;
        if (!full && random() % 6 > 0) continue;
        const Choice choice{"cuda:sm_90", "hybrid", turn % 3 == 2 ? "block" : "wavefront", 8 << turn % 3,
                            3 + static_cast<int>(random() % 4)};
        const bool print = full || turn % 10 == 0;
        tester.point(grid::make_case(mode, gap, score, 1, turn++ % 2), choice, print);
        if (HasFailure()) return;
      }
  tester.print_table();
  EXPECT_GT(tester.off_pipe(), full ? 60 : 15);
}

}  // namespace
