// Bit-sliced kernels of mapping `strips`: template run directly, where the cell is an integer recurrence, = IR as
// evaluated, where it is a circuit, = IR after each pass = printed text = textbook DP; stages one behind another and
// side by side. For the circuits that there are, and for schemes drawn at random.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

#include "../mutated.h"
#include "backend/unit.h"
#include "circuits/shipped.h"
#include "compiled.h"
#include "direct_run.h"
#include "full_run.h"
#include "oracle.h"
#include "own_templates.h"
#include "plan/sliced_plan.h"
#include "random_letters.h"
#include "sliced_schemes.h"
#include "spec/parse.h"
#include "spec_problem.h"
#include "stages.h"
#include "strip_pair.h"

namespace {

using namespace alnsmith;
using circuits::Circuit;
using sliced::Numbers;
using sliced::yaml;
using Letters = std::pair<std::string, std::string>;

const backend::Target &v4() { return *backend::find_target("x86-64-v4"); }

// A kernel of a spec and circuit: letters of a lane, and of the target that go from lane to lane together. `of_call`:
// what the spec leaves to the call.
class Kernel {
 public:
  Kernel(const std::string &yaml, bool wildcard, const Circuit &circuit, int k, int columns,
         const backend::Target &target, std::map<std::string, int> of_call = {})
      : spec_(*spec::parse_text(yaml, "sliced.yaml", ".")),
        target_(target),
        problem_(oracle::spec_problem(spec_, {.values = {of_call.begin(), of_call.end()}, .matrix = {}})),
        scoring_(lanes::make_scoring(spec_, of_call, {})),
        letters_(wildcard ? "ACGTN" : "ACGT"),
        plan_(*plan::make_plan(spec_, target, own_templates())) {
    plan::KernelPlan kernel = plan_.kernels.front();
    kernel.form = Form::split;
    kernel.mapping = "strips";
    kernel.arithmetic = "bitsliced";
    kernel.width = 1;
    kernel.lanes = target.lanes(1);
    kernel.k = k;
    kernel.border_ints = 1;
    kernel.statics["k"] = columns;
    plan::put_circuit(kernel.statics, circuit);
    const auto facts = own_templates().facts(kernel.template_name(), kernel.told_statics());
    kernel.scratch_fixed = static_cast<int>(*facts->at("scratch").number) * k * kernel.lanes / 8;
    plan_.kernels = {kernel};
  }

  std::string text(const std::string &entry) {
    plan_.kernels[0].entry = entry;
    auto unit = backend::make_unit(spec_, plan_, own_templates());
    EXPECT_TRUE(unit) << unit.error().message;
    return unit->text;
  }

  // `entry` may be empty. The template and its IR run with fewer lanes.
  void check(std::mt19937 &random, const compiled::Kernel &entry) const {
    const plan::KernelPlan &kernel = plan_.kernels[0];
    const plan::KernelPlan narrow = lanes::narrowed(kernel);
    const auto run = [&](const Letters &pair, const plan::KernelPlan &one, int element_bytes, const strips::Call &call,
                         bool side_by_side = false) {
      return strips::Pair(spec_, one, pair.first, pair.second, scoring_, element_bytes).align(call, side_by_side);
    };
    const auto expect = [&](const strips::Answer &got, const oracle::Answer &want, const std::string &what) {
      ASSERT_EQ(got.score, want.score) << what;
      if (spec_.output.end) {
        ASSERT_EQ(got.query_end, want.query_end) << what;
        ASSERT_EQ(got.target_end, want.target_end) << what;
      }
      ASSERT_FALSE(got.raised) << what;
    };
    const direct::Machine machine = lanes_machine(1, narrow.lanes, nullptr);
    auto function = own_templates().evaluate(kernel.template_name(), kernel.statics);
    ASSERT_TRUE(function) << function.error().message;
    const auto made = stages::of(std::move(*function), machine);
    const std::size_t first = random();
    for (std::size_t turn = 0; turn < 4; ++turn) {
      const Letters pair = draw(random, static_cast<std::size_t>(narrow.lanes * narrow.k));
      SCOPED_TRACE(pair.first + " / " + pair.second);
      const oracle::Answer want = oracle::align(problem_, pair.first, pair.second);
      const strips::Call directly = [&](const aln_strip_args_v1 &args, auto) {
        return run_directly(kernel.statics, 1, narrow.lanes, nullptr, args);
      };
      expect(run(pair, narrow, 4, directly), want, "direct");
      const stages::Stage &stage = stages::in_turn(made, first + turn);
      const strips::Call interpret = strips::interpreted(stage, machine);
      expect(run(pair, narrow, 4, interpret), want, stage.name);
      if (testing::Test::HasFatalFailure()) return;
    }
    for (int turn = 0; entry && turn < (sample::full() ? 6 : 3); ++turn) {  // the textbook takes long
      const Letters pair = draw(random, static_cast<std::size_t>(kernel.lanes * kernel.k));
      SCOPED_TRACE(pair.first + " / " + pair.second);
      const oracle::Answer want = oracle::align(problem_, pair.first, pair.second);
      const auto printed = [&](const aln_strip_args_v1 &args, auto memory) { return entry(&args, memory); };
      expect(run(pair, kernel, 0, printed), want, "printed");
      if (!compiled::is_foreign(target_)) expect(run(pair, kernel, 0, printed, true), want, "side by side");
      if (testing::Test::HasFatalFailure()) return;
    }
  }

 private:
  // Up to three stages, some with few letters.
  Letters draw(std::mt19937 &random, std::size_t stage) const {
    const auto any = [&](std::size_t most) { return 1 + random() % most; };
    const std::string query = random_text(random, letters_, any(random() % 4 ? 3 * stage : 20));
    std::string target = random() % 4 ? mutated(random, letters_, query, 8) : random_text(random, letters_, any(300));
    if (target.empty()) target = letters_[0];
    return {query, target};
  }

  spec::Spec spec_;
  const backend::Target &target_;
  oracle::Problem problem_;
  lanes::Scoring scoring_;
  std::string letters_;
  plan::Plan plan_;
};

// The first `printed` of them as text too.
void check_all(std::vector<std::pair<std::string, Kernel>> &kernels, std::size_t printed,
               const backend::Target &target = v4()) {
  std::vector<std::string> texts;
  std::mt19937 random(19);
  for (std::size_t i = 0; i < printed; ++i) texts.push_back(kernels[i].second.text("kernel" + std::to_string(i)));
  const bool runs = compiled::obstacle(target).empty();
  const compiled::Object object(runs ? texts : std::vector<std::string>(), target);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    SCOPED_TRACE(kernels[i].first);
    kernels[i].second.check(random,
                            i < printed && runs ? object.find("kernel" + std::to_string(i)) : compiled::Kernel());
    if (testing::Test::HasFatalFailure()) return;
  }
}

class EveryCircuit : public testing::TestWithParam<std::string> {};

TEST_P(EveryCircuit, AgreesWithTheTextbook) {
  const backend::Target &target = *backend::find_target(GetParam());
  if (const std::string why = compiled::obstacle(target); !why.empty()) GTEST_SKIP() << why;
  std::vector<std::pair<std::string, Kernel>> kernels;
  int drawn = 0;
  for (const Numbers &n : sliced::with_circuits())
    for (const int free : {0, 1 + drawn % 15}) {
      const int number = drawn++;  // each scoring once, every other one with free ends
      if ((number / 2 + number) % 2 && !sample::full()) continue;
      const bool wildcard = drawn % 3 == 0;
      const std::string body = yaml(n, wildcard, free, drawn % 3 != 0 ? sliced::kEnd : sliced::kScore);
      const auto sliced = plan::sliced_kernels(*spec::parse_text(body, "sliced.yaml", "."), target);
      if (sliced.empty() && target.name != v4().name && n.insertion.open == 2) continue;  // too many gates of two
      ASSERT_FALSE(sliced.empty()) << n.match << " " << n.mismatch;
      kernels.emplace_back(body, Kernel(body, wildcard, sliced.front().circuit, 1 + drawn % 3, 1 << drawn % 3, target));
    }
  check_all(kernels, kernels.size(), target);
}

std::vector<std::string> targets_of_vectors() {
  std::vector<std::string> names = compiled::cpu_targets();
  std::erase(names, "scalar");
  return names;
}
INSTANTIATE_TEST_SUITE_P(, EveryCircuit, testing::ValuesIn(targets_of_vectors()),
                         [](const auto &info) { return compiled::test_name(info.param); });

// Every subset of free ends, linear and affine, scoring of the spec's and of the call.
TEST(SlicedStrips, EverySubsetOfFreeEndsAgreesWithTheTextbook) {
  std::vector<std::pair<std::string, Kernel>> kernels;
  for (int free = 0; free < 16; ++free)
    for (const Numbers &n : {Numbers{2, -1, {0, 1}, {0, 1}}, {2, -1, {1, 1}, {1, 1}}}) {
      if ((n.insertion.open + free / 2) % 2 && !sample::full()) continue;
      const bool of_call = free % 4 == 3;
      const std::string body = yaml(n, free % 2, free, sliced::kEnd, of_call);
      kernels.emplace_back(body, Kernel(body, free % 2, *circuits::find(n.scheme(), *circuits::find_gate_set("avx512")),
                                        2, 2, v4(), of_call ? n.values() : std::map<std::string, int>()));
    }
  check_all(kernels, kernels.size());
}

TEST(SlicedStrips, SchemesDrawnAtRandomAgreeWithTheTextbook) {
  std::mt19937 random(6);
  const auto draw = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  };
  std::vector<std::pair<std::string, Kernel>> kernels;
  while (kernels.size() < (sample::full() ? 200u : 24u)) {
    const bool affine = draw(0, 1), wildcard = draw(0, 1);
    const int free = draw(0, 1) * draw(0, 15);
    const Numbers n = sliced::drawn(random, affine, free);
    const bool of_call = kernels.size() % 3 == 1;
    const std::string body = yaml(n, wildcard, free, draw(0, 1) ? sliced::kEnd : sliced::kScore, of_call);
    kernels.emplace_back(body, Kernel(body, wildcard, sliced::plain_circuit(n.scheme(), draw(0, 31)), draw(1, 4),
                                      1 << draw(0, 2), v4(), of_call ? n.values() : std::map<std::string, int>()));
  }
  check_all(kernels, 10);
}

}  // namespace
