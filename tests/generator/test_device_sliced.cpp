// Bit-sliced kernels of devices, 32 alignments per thread: template run directly, where the cell is an integer
// recurrence, = IR as evaluated, where it is a circuit, = IR after each pass = printed text on the SIMT library =
// textbook DP.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>

#include "../mutated.h"
#include "backend/unit.h"
#include "counts.h"
#include "device_batch.h"
#include "direct_run.h"
#include "full_run.h"
#include "oracle.h"
#include "random_letters.h"
#include "simt.h"
#include "sliced_schemes.h"
#include "spec/parse.h"
#include "spec_problem.h"
#include "stages.h"

namespace {

using namespace alnsmith;
using sliced::Numbers;
using Pairs = std::vector<devices::Batch::Pair>;

// As a spec asks for it, so that the planner chooses the circuit.
std::string yaml(const Numbers &numbers, bool wildcard, int free, bool end, int k) {
  std::string text = sliced::yaml(numbers, wildcard, free, end ? sliced::kEnd : sliced::kScore);
  const std::string int32 = "arithmetic: int32\n";
  text.replace(text.find(int32), int32.size(),
               "arithmetic: bitsliced\nmapping: lanes\ntile: {k: " + std::to_string(k) + "}\n");
  return text;
}

class DeviceSliced : public testing::TestWithParam<std::string> {
 protected:
  // The kernel of a spec, run on pairs of several groups, ragged, of one length and a few longer ones.
  void check(const std::string &body, bool wildcard, bool print) {
    SCOPED_TRACE(body);
    const spec::Spec spec = *spec::parse_text(body, "sliced.yaml", ".");
    auto plan = plan::make_plan(spec, *backend::find_target(GetParam()), templates_);
    ASSERT_TRUE(plan) << plan.error().message;
    const plan::KernelPlan kernel = plan->kernels.front();
    ASSERT_TRUE(kernel.sliced());
    plan->kernels = {kernel};
    std::optional<simt::Module> module;
    if (print) {
      auto unit = backend::make_unit(spec, *plan, templates_);
      ASSERT_TRUE(unit) << unit.error().message;
      try {
        module = simt::compile(unit->text, GetParam().starts_with("hip") ? simt::Dialect::hip : simt::Dialect::cuda);
      } catch (const std::exception &e) {
        FAIL() << e.what();
      }
    }
    const oracle::Problem problem = oracle::spec_problem(spec, {});
    const lanes::Scoring scoring = lanes::make_scoring(spec, {}, {});
    const direct::Machine machine = device_machine(kernel.arithmetic, kernel.statics, nullptr);
    auto function = templates_.evaluate(kernel.device_template(), kernel.statics);
    ASSERT_TRUE(function) << function.error().message;
    const auto made = stages::of(std::move(*function), machine);
    const std::string letters = wildcard ? "ACGTN" : "ACGT";
    const auto each = static_cast<std::size_t>(32 * kernel.lanes), first = static_cast<std::size_t>(random_());
    for (std::size_t batch = 0; batch < 3; ++batch) {
      const std::size_t count = batch == 0 ? 1 + random_() % 40 : batch == 1 ? each : 2 * each + 1 + random_() % 50;
      const Pairs pairs = draw(letters, count, batch);
      std::vector<oracle::Answer> want;
      for (const auto &[query, target] : pairs) want.push_back(oracle::align(problem, query, target));
      const auto expect = [&](const devices::Batch &got, const std::string &what) {
        for (std::size_t i = 0; i < pairs.size(); ++i) {
          const std::string where =
              what + ", pair " + std::to_string(i) + ": " + pairs[i].first + " / " + pairs[i].second;
          ASSERT_EQ(got.score[i], want[i].score) << where;
          ASSERT_EQ(got.status[i], 0) << where;
          if (!spec.output.end) continue;
          ASSERT_EQ(got.query_end[i], want[i].query_end) << where;
          ASSERT_EQ(got.target_end[i], want[i].target_end) << where;
        }
      };
      const int blocks = 1 + static_cast<int>(random_() % 2);
      if (batch < 2) {  // in process a group takes long
        devices::Batch direct(spec, kernel, pairs, scoring, blocks);
        ASSERT_EQ(run_directly(kernel.mapping, kernel.arithmetic, kernel.statics, blocks, direct.shared_bytes(),
                               nullptr, direct.args()),
                  0);
        expect(direct, "direct");
        if (HasFatalFailure()) return;
        const stages::Stage &stage = stages::in_turn(made, first + batch);
        devices::Batch run(spec, kernel, pairs, scoring, blocks);
        ASSERT_EQ(stage.program.run_blocks(machine, ir::fields_of(*run.args()), blocks, kernel.warps,
                                           static_cast<std::size_t>(run.shared_bytes())),
                  0);
        expect(run, stage.name);
        if (HasFatalFailure()) return;
      }
      if (!module) continue;
      devices::Batch printed(spec, kernel, pairs, scoring, blocks);
      simt::Settings settings;
      settings.seed = random_();
      settings.warp = kernel.lanes;
      const auto pointers = printed.pointers();
      try {
        module->launch(kernel.entry, blocks, kernel.lanes * kernel.warps, 0, pointers, settings);
      } catch (const std::exception &e) {
        FAIL() << e.what();
      }
      expect(printed, "printed");
      if (HasFatalFailure()) return;
    }
    counts::add("matrix points", 1);
  }

  Pairs draw(const std::string &letters, std::size_t count, std::size_t kind) {
    Pairs pairs;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t longest = kind == 2 && i % 97 == 0 ? 150 : 24;
      std::string query = random_text(random_, letters, kind == 1 ? 20 : 1 + random_() % longest);
      std::string target =
          random_() % 4 ? mutated(random_, letters, query, 8) : random_text(random_, letters, 1 + random_() % longest);
      if (kind == 1) target.resize(20, letters[0]);
      if (target.empty()) target = letters[0];
      pairs.emplace_back(std::move(query), std::move(target));
    }
    return pairs;
  }

  std::mt19937 random_{23};
  frontend::Templates templates_ = std::move(*frontend::Templates::parse(""));
};

const std::string targets[] = {"cuda:sm_90", "hip:gfx90a", "hip:gfx1100"};

TEST_P(DeviceSliced, EveryCircuitAndSubsetOfFreeEndsAgrees) {
  const bool full = sample::full();
  const auto place = std::ranges::find(targets, GetParam()) - std::begin(targets);
  int drawn = 0;
  for (const Numbers &n : sliced::with_circuits())
    for (int free = 0; free < 16; free += full ? 1 : 15) {
      const int number = drawn++;
      // Each scoring once, every other one with free ends; the targets share them out.
      if (((number / 2 + number) % 2 || number / 2 % 3 != place) && !full) continue;
      const bool wildcard = drawn % 3 == 1;
      const int ends = full ? free : free == 0 ? 0 : 1 + (5 * drawn) % 15;
      check(yaml(n, wildcard, ends, drawn % 3 != 0, 1 + drawn % 5), wildcard, full || drawn % 8 == 1 || drawn % 8 == 4);
      if (HasFailure()) return;
    }
}
INSTANTIATE_TEST_SUITE_P(, DeviceSliced, testing::ValuesIn(targets), [](const auto &info) {
  std::string name = info.param;
  std::ranges::replace(name, ':', '_');
  return name;
});

}  // namespace
