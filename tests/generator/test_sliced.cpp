// Bit-sliced kernels: template run directly, where the cell is an integer recurrence, = IR as evaluated, where it is a
// circuit, = IR after each pass = printed text = textbook DP. For all circuits that there are, and for schemes drawn at
// random, whose circuits are made here of adders and comparators.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "../mutated.h"
#include "backend/unit.h"
#include "circuits/shipped.h"
#include "compiled.h"
#include "direct_run.h"
#include "full_run.h"
#include "lane_batch.h"
#include "oracle.h"
#include "own_templates.h"
#include "plan/sliced_plan.h"
#include "random_letters.h"
#include "sliced_schemes.h"
#include "spec/parse.h"
#include "spec_problem.h"
#include "stages.h"

namespace {

using namespace alnsmith;
using circuits::Circuit;
using sliced::Numbers;
using sliced::yaml;
using Pair = lanes::Batch::Pair;

const backend::Target &v4() { return *backend::find_target("x86-64-v4"); }

std::vector<Pair> ragged_pairs(std::mt19937 &random, const std::string &letters, int count, int longest, bool equal) {
  std::vector<Pair> pairs;
  const std::size_t length = 1 + random() % static_cast<unsigned>(longest);
  for (int i = 0; i < count; ++i) {
    const std::size_t own = equal ? length : 1 + random() % length;
    std::string query = random_text(random, letters, own);
    std::string target =
        random() % 4 ? mutated(random, letters, query, 8) : random_text(random, letters, 1 + random() % length);
    if (equal) target.resize(length, letters[0]);
    if (target.empty()) target = letters[0];
    pairs.emplace_back(std::move(query), std::move(target));
  }
  return pairs;
}

// A kernel of a spec and circuit; `of_call`: what the spec leaves to the call.
class Kernel {
 public:
  Kernel(const std::string &yaml, bool wildcard, const Circuit &circuit, int k, int rows,
         const backend::Target &target = v4(), std::map<std::string, int> of_call = {})
      : spec_(*spec::parse_text(yaml, "sliced.yaml", ".")),
        problem_(oracle::spec_problem(spec_, {.values = {of_call.begin(), of_call.end()}, .matrix = {}})),
        scoring_(lanes::make_scoring(spec_, of_call, {})) {
    letters_ = wildcard ? "ACGTN" : "ACGT";
    plan_ = *plan::make_plan(spec_, target, own_templates());
    plan::KernelPlan kernel = plan_.kernels.front();
    kernel.width = 1;
    kernel.arithmetic = "bitsliced";
    kernel.lanes = target.lanes(1);
    kernel.k = k;
    kernel.unroll = rows;
    kernel.ends = plan::LaneEnds::segments;
    kernel.statics["k"] = k;
    kernel.statics["unroll"] = rows;
    if (kernel.patch_rows > 0) kernel.statics["patch_rows"] = kernel.patch_rows = 1 + 5 * k * rows % 16;
    plan::put_circuit(kernel.statics, circuit);
    const auto facts = own_templates().facts("sliced", kernel.statics);
    const auto bytes = [&](const char *name) { return static_cast<int>(*facts->at(name).number) * kernel.lanes / 8; };
    kernel.scratch_per_stream_letter = bytes("scratch_per_stream_letter");
    kernel.scratch_fixed = bytes("scratch_fixed");
    kernel.border_per_stream_letter = bytes("border_per_stream_letter");
    kernel.states_per_stream_letter = bytes("states_per_stream_letter");
    plan_.kernels = {kernel};
  }

  std::string text(const std::string &entry) {
    plan_.kernels[0].entry = entry;
    auto unit = backend::make_unit(spec_, plan_, own_templates());
    EXPECT_TRUE(unit) << unit.error().message;
    return unit->text;
  }

  // `entry` may be empty. The template and its IR run with fewer lanes.
  void check(std::mt19937 &random, int longest, bool equal, const compiled::Kernel &entry) {
    const plan::KernelPlan &kernel = plan_.kernels[0];
    const plan::KernelPlan narrow = lanes::narrowed(kernel);
    const auto pairs = ragged_pairs(random, letters_, entry ? kernel.lanes : narrow.lanes, longest, equal);
    std::vector<oracle::Answer> want;
    for (const auto &[query, target] : pairs) want.push_back(oracle::align(problem_, query, target));
    const auto expect = [&](lanes::Batch &batch, const char *what) {
      batch.read_paths();
      for (std::size_t l = 0; l < batch.score.size(); ++l) {
        const std::string where =
            std::string(what) + ", lane " + std::to_string(l) + ": " + pairs[l].first + " / " + pairs[l].second;
        ASSERT_EQ(batch.score[l], want[l].score) << where;
        if (spec_.output.end) {
          ASSERT_EQ(batch.query_end[l], want[l].query_end) << where;
          ASSERT_EQ(batch.target_end[l], want[l].target_end) << where;
        }
        if (spec_.output.cigar) {
          ASSERT_EQ(batch.cigar(l), oracle::text(want[l].cigar)) << where;
          ASSERT_EQ(batch.query_begin[l], want[l].query_begin) << where;
          ASSERT_EQ(batch.target_begin[l], want[l].target_begin) << where;
        }
        ASSERT_EQ(batch.status[l], 0) << what;
      }
    };
    const direct::Machine machine = lanes_machine(1, narrow.lanes, nullptr);
    const std::span few = std::span(pairs).first(static_cast<std::size_t>(narrow.lanes));
    lanes::Batch direct(spec_, narrow, few, scoring_, 4);
    ASSERT_EQ(run_directly("sliced", kernel.statics, 1, narrow.lanes, nullptr, direct.args()), 0);
    expect(direct, "direct");
    if (made_.empty()) {
      auto function = own_templates().evaluate("sliced", kernel.statics);
      ASSERT_TRUE(function) << function.error().message;
      made_ = stages::of(std::move(*function), machine);
      turn_ = random();
    }
    const stages::Stage &stage = stages::in_turn(made_, turn_++);
    lanes::Batch run(spec_, narrow, few, scoring_, 4);
    ASSERT_EQ(stage.program.run(machine, ir::fields_of(*run.args())), 0) << stage.name;
    expect(run, stage.name.c_str());
    if (!entry || testing::Test::HasFatalFailure()) return;
    lanes::Batch printed(spec_, kernel, pairs, scoring_, 0);
    ASSERT_EQ(entry(printed.args(), printed.memory()), 0);
    expect(printed, "printed");
  }

 private:
  spec::Spec spec_;
  oracle::Problem problem_;
  lanes::Scoring scoring_;
  std::string letters_;
  plan::Plan plan_;
  std::vector<stages::Stage> made_;
  std::size_t turn_ = 0;
};

// Kernels drawn and how each is run: 4 batches, ragged and of one length.
void check_all(std::vector<std::pair<std::string, Kernel>> &kernels, std::size_t printed, int longest,
               const backend::Target &target = v4()) {
  std::vector<std::string> texts;
  std::mt19937 random(17);
  for (std::size_t i = 0; i < printed; ++i) texts.push_back(kernels[i].second.text("kernel" + std::to_string(i)));
  const bool runs = compiled::obstacle(target).empty();
  const compiled::Object object(runs ? texts : std::vector<std::string>(), target);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    SCOPED_TRACE(kernels[i].first);
    const compiled::Kernel entry = i < printed && runs ? object.find("kernel" + std::to_string(i)) : compiled::Kernel();
    for (int batch = 0; batch < 4; ++batch) {
      kernels[i].second.check(random, batch == 3 ? longest : 25, batch == 2, entry);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

class EveryCircuit : public testing::TestWithParam<std::string> {};

// As `generate` takes them: of a target's own operations.
TEST_P(EveryCircuit, AgreesWithTheTextbook) {
  const backend::Target &target = *backend::find_target(GetParam());
  if (const std::string why = compiled::obstacle(target); !why.empty()) GTEST_SKIP() << why;
  std::vector<std::pair<std::string, Kernel>> kernels;
  int drawn = 0;
  for (const Numbers &n : sliced::with_circuits())
    for (const int free : {0, 1 + drawn % 15})
      for (const bool wildcard : {false, true}) {
        if ((drawn + free) % (GetParam() == v4().name ? 5 : 13) &&
            !sample::full()) {  // templates and passes are the same
          ++drawn;
          continue;
        }
        const std::string body = yaml(n, wildcard, free, static_cast<sliced::Wanted>(drawn % 3));
        const spec::Spec spec = *spec::parse_text(body, "sliced.yaml", ".");
        const auto sliced = plan::sliced_kernels(spec, target);
        if (sliced.empty() && target.name != v4().name && n.insertion.open == 2) continue;  // too many gates of two
        ASSERT_FALSE(sliced.empty()) << n.match << " " << n.mismatch;
        kernels.emplace_back(body,
                             Kernel(body, wildcard, sliced.front().circuit, 1 + drawn % 5, 1 + drawn % 2, target));
        ++drawn;
      }
  check_all(kernels, kernels.size(), GetParam() == v4().name ? 300 : 100, target);
}

std::vector<std::string> targets_of_vectors() {
  std::vector<std::string> names = compiled::cpu_targets();
  std::erase(names, "scalar");
  return names;
}
INSTANTIATE_TEST_SUITE_P(, EveryCircuit, testing::ValuesIn(targets_of_vectors()),
                         [](const auto &info) { return compiled::test_name(info.param); });

// Every subset of free ends, linear and affine by turns, and both with ALNSMITH_FULL=1.
TEST(Sliced, EverySubsetOfFreeEndsAgreesWithTheTextbook) {
  std::vector<std::pair<std::string, Kernel>> kernels;
  for (int free = 0; free < 16; ++free)
    for (const Numbers &n : {Numbers{2, -1, {0, 1}, {0, 1}}, {2, -1, {1, 1}, {1, 1}}}) {
      if ((n.insertion.open + free / 2) % 2 && !sample::full()) continue;
      const bool of_call = free % 4 == 3;
      const std::string body = yaml(n, free % 2, free, sliced::kCigar, of_call);
      kernels.emplace_back(body, Kernel(body, free % 2, *circuits::find(n.scheme(), *circuits::find_gate_set("avx512")),
                                        3, 1, v4(), of_call ? n.values() : std::map<std::string, int>()));
    }
  check_all(kernels, kernels.size(), 100);
}

TEST(Sliced, SchemesDrawnAtRandomAgreeWithTheTextbook) {
  std::mt19937 random(5);
  const auto draw = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  };
  std::vector<std::pair<std::string, Kernel>> kernels;
  while (kernels.size() < (sample::full() ? 200u : 40u)) {
    const bool affine = draw(0, 1), wildcard = draw(0, 1);
    const int free = draw(0, 1) * draw(0, 15);
    const Numbers n = sliced::drawn(random, affine, free);
    const bool of_call = kernels.size() % 3 == 1;
    const std::string body = yaml(n, wildcard, free, static_cast<sliced::Wanted>(draw(0, 2)), of_call);
    kernels.emplace_back(body, Kernel(body, wildcard, sliced::plain_circuit(n.scheme(), draw(0, 31)), draw(1, 5),
                                      draw(1, 3), v4(), of_call ? n.values() : std::map<std::string, int>()));
  }
  check_all(kernels, 6, 60);
}

}  // namespace
