// Random specs whose tiles the planner chooses, compiled for devices: none is refused because a kernel spills.
//
// 20 of them for a target each in turn, a fourth of their kernels; ALNSMITH_FULL=1 takes 200 for every target, of each
// a third of its kernels, another third for the next target. Of kernels that differ by their tile alone one of the
// widest is compiled: the others need fewer registers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <thread>

#include "backend/unit.h"
#include "compile/fitting.h"
#include "full_run.h"
#include "kernels/manifest.h"
#include "plan/plan.h"
#include "processors.h"
#include "soak/draw.h"
#include "spec/parse.h"
#include "widest.h"

namespace alnsmith::test {
namespace {

using backend::Target;

// A spec that leaves tile, mapping and arithmetic to the planner and asks for nothing that the target has not. Every
// fifth affine one has a second line.
Result<spec::Spec> drawn_spec(std::uint64_t number, const Target &target) {
  soak::SpecValues values = soak::draw(7, number).spec;
  values.p = values.k = 0;
  const std::string arithmetics = fmt::format("{} {}", target.device->local, target.device->others);
  if (arithmetics.find("half2") == std::string::npos) values.half_precision = false;
  values.mapping = values.arithmetic = "auto";
  const std::string text = soak::yaml(values);
  if (number % 5 == 0) {
    const std::regex line("model: affine, open: ([0-9a-z]+), extend: ([0-9a-z]+)");
    const std::string two =
        std::regex_replace(text, line, "model: dual_affine, open: $1, extend: $2, open2: runtime, extend2: runtime");
    if (auto spec = spec::parse_text(two, "drawn.yaml", ".")) return spec;
  }
  return spec::parse_text(text, "drawn.yaml", ".");
}

using sample::full;

// Leaves one kernel of those alike but for their tile, and of these each third or fourth one; which ones goes round
// with the specs and with the targets.
void sample(plan::Plan &plan, std::uint64_t number, const Target &target) {
  const auto lists = widest_kernels(plan);
  const auto step = std::clamp<std::size_t>(lists.size(), 1, full() ? 3 : 4);
  const auto first = number + static_cast<std::size_t>(&target - backend::device_targets().data());
  std::set<std::string> taken;
  for (std::size_t i = first % step; i < lists.size(); i += step) taken.insert(lists[i][number % lists[i].size()]);
  std::erase_if(plan.kernels, [&](const plan::KernelPlan &kernel) { return !taken.contains(kernel.entry); });
}

struct Counts {
  int units = 0, kernels = 0, refused = 0, narrowed = 0;
};

struct Job {
  std::uint64_t number;
  spec::Spec spec;
  const Target *target;
};

// Why the job's kernels cannot be had, empty if they can.
std::string compile(const Job &job, const frontend::Templates &templates, Counts &counts) {
  const std::string target(job.target->name);
  int turns = 0, kernels = 0;
  const auto make = [&](const rt::compile::Spilled &spilled) -> Result<rt::compile::PlannedTexts> {
    auto plan = plan::make_plan(job.spec, *job.target, templates, {}, {spilled.begin(), spilled.end()});
    if (!plan) return plan.error();
    sample(*plan, job.number, *job.target);
    ++turns;
    kernels = static_cast<int>(plan->kernels.size());
    auto unit = backend::make_unit(job.spec, *plan, templates);
    if (!unit) return unit.error();
    return rt::compile::PlannedTexts{std::move(unit->text), plan::manifest(job.spec, *plan)};
  };
  rt::compile::CompileOptions options;
  options.check = true;
  const auto compile = [&](const rt::compile::PlannedTexts &texts) {
    return rt::compile::compile_device(texts.text, target, options, {});
  };
  const auto made = rt::compile::compile_fitting(target, make, compile);
  const bool no_arithmetic = !made && made.error().message.find("the scoring does not fit") != std::string::npos;
  if (turns == 0 && no_arithmetic) return ++counts.refused, "";
  if (!made) return made.error().message;
  ++counts.units;
  counts.kernels += kernels;
  counts.narrowed += turns > 1;
  return "";
}

const Target &target_at(std::size_t index) { return backend::device_targets()[index]; }

// Of one target.
std::vector<Job> jobs(std::size_t index) {
  const std::size_t targets = backend::device_targets().size();
  std::vector<Job> list;
  std::size_t specs = 0;
  for (std::uint64_t number = 0; specs < (full() ? 200 : 20); ++number) {
    const auto spec = drawn_spec(number, target_at(index));
    if (!spec) continue;  // the draws hold specs that rules refuse
    if (specs++ % targets == index || full()) list.push_back({number, *spec, &target_at(index)});
  }
  return list;
}

class RandomSpecs : public testing::TestWithParam<std::size_t> {};

TEST_P(RandomSpecs, StayInRegistersWithTheTilesThatThePlannerChooses) {
  const std::string target(target_at(GetParam()).name);
  if (const auto there = rt::compile::find_device_compiler(target, {}, {}); !there)
    GTEST_SKIP() << there.error().message;
  const std::vector<Job> list = jobs(GetParam());
  std::atomic<std::size_t> next{0};
  std::vector<Counts> counts(processors());
  std::vector<std::string> failures(list.size());
  const auto work = [&](Counts &own) {
    const auto templates = frontend::Templates::parse("");
    for (std::size_t i; (i = next++) < list.size();)
      failures[i] = templates ? compile(list[i], *templates, own) : templates.error().message;
  };
  {
    std::vector<std::jthread> threads;
    for (Counts &own : counts) threads.emplace_back([&] { work(own); });
  }
  Counts all;
  for (const Counts &own : counts) {
    all.units += own.units;
    all.kernels += own.kernels;
    all.refused += own.refused;
    all.narrowed += own.narrowed;
  }
  for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ(failures[i], "") << "draw " << list[i].number;
  fmt::print("{}: {} units, {} of their kernels compiled, {} units refused by the planner, {} made narrower\n", target,
             all.units, all.kernels, all.refused, all.narrowed);
  EXPECT_GE(all.units, all.refused);
  EXPECT_GT(all.units, 0);
}

INSTANTIATE_TEST_SUITE_P(Targets, RandomSpecs, testing::Range(std::size_t{0}, backend::device_targets().size()),
                         [](const auto &info) { return std::string(target_at(info.param).identifier); });

// A call's values: what the spec folds in, and for the rest a scoring as users write one, `scale` times.
rt::kernels::Values scored(const rt::kernels::Manifest &m, bool matrix, int scale) {
  rt::kernels::Values values{};
  const auto given = [&](std::size_t v, int value) { values[v] = m.scoring[v].value_or(value * scale); };
  given(ALN_MATCH, 2);
  given(ALN_MISMATCH, -1);
  for (const int *opens : {kInsertionOpens, kDeletionOpens}) {
    given(static_cast<std::size_t>(opens[0]), 2);
    given(static_cast<std::size_t>(opens[0]) + 1, 1);
    given(static_cast<std::size_t>(opens[1]), 12);
    values[static_cast<std::size_t>(opens[1]) + 1] = m.scoring[static_cast<std::size_t>(opens[1]) + 1].value_or(0);
  }
  const auto [least, most] = std::minmax(values[ALN_MATCH], values[ALN_MISMATCH]);
  values[ALN_SCORE_MIN] = m.scoring[ALN_SCORE_MIN].value_or(matrix ? -4 * scale : static_cast<int>(least));
  values[ALN_SCORE_MAX] = m.scoring[ALN_SCORE_MAX].value_or(matrix ? 11 * scale : static_cast<int>(most));
  return values;
}

// The last number of [1, most] for which `holds`, which does for the first ones only; 0: for none.
template <class Holds>
int edge(int most, const Holds &holds) {
  int below = 0, above = most + 1;
  while (above - below > 1) {
    const int middle = below + (above - below) / 2;
    (holds(middle) ? below : above) = middle;
  }
  return below;
}

// Of a kernel and the narrower one in its place: how often each promise of the wide one was there to be kept.
struct Promises {
  int kernels = 0, usable = 0, usable_edges = 0, exact = 0, exact_edges = 0;

  void compare(const rt::kernels::Manifest &m, const rt::kernels::KernelInfo &wide,
               const rt::kernels::KernelInfo &narrow) {
    ++kernels;
    const bool matrix = m.matrix == rt::kernels::MatrixKind::runtime;
    constexpr int kMost = 833;  // times 12 is 10000, the largest value
    const int last = edge(kMost, [&](int scale) { return wide.usable.holds(scored(m, matrix, scale)); });
    usable_edges += last > 0 && last < kMost;
    for (const int scale : {1, 7, last / 2, last - 1, last, last + 1}) {
      if (scale < 1 || scale > kMost) continue;
      const rt::kernels::Values values = scored(m, matrix, scale);
      if (!wide.usable.holds(values)) continue;
      ++usable;
      EXPECT_TRUE(narrow.usable.holds(values)) << wide.entry << " times " << scale;
      compare_lengths(values, wide, narrow);
    }
  }

 private:
  void compare_lengths(rt::kernels::Values values, const rt::kernels::KernelInfo &wide,
                       const rt::kernels::KernelInfo &narrow) {
    for (const auto &[query, target] : {std::pair{1, 1}, {1, 8}, {8, 1}}) {
      const auto at = [&](int length) -> const rt::kernels::Values & {
        values[rt::kernels::kQuery] = query * static_cast<std::int64_t>(length);
        values[rt::kernels::kTarget] = target * static_cast<std::int64_t>(length);
        return values;
      };
      constexpr int kLongest = 1 << 28;
      const int last = edge(kLongest, [&](int n) { return wide.exact.holds(at(n)) && wide.lengths.holds(at(n)); });
      exact_edges += last > 0 && last < kLongest;
      for (const int length : {1, 100, last / 2, last - 1, last, last + 1}) {
        if (length < 1) continue;
        const bool counted = wide.lengths.holds(at(length)), held = wide.exact.holds(at(length));
        exact += held && counted;
        EXPECT_LE(counted, narrow.lengths.holds(at(length))) << wide.entry << " " << length;
        EXPECT_LE(held, narrow.exact.holds(at(length)))
            << wide.entry << " " << query << ":" << target << " x " << length;
      }
    }
  }
};

// What a plan promises of a kernel where it was not yet known to spill must hold of the narrower one that is run.
TEST(NarrowerTiles, HoldAllThatTheirPlanPromisedBefore) {
  const auto templates = frontend::Templates::parse("");
  ASSERT_TRUE(templates) << templates.error().message;
  Promises promises;
  const auto compare = [&](const spec::Spec &spec, const Target &target) {
    const auto wide = plan::make_plan(spec, target, *templates);
    if (!wide) return;
    const auto before = rt::kernels::parse_manifest(plan::manifest(spec, *wide));
    ASSERT_TRUE(before) << before.error().message;
    for (std::size_t i = 0; i < wide->kernels.size(); ++i) {
      plan::Spilled spilled{wide->kernels[i].entry};
      auto narrow = plan::make_plan(spec, target, *templates, {}, spilled);
      ASSERT_TRUE(narrow) << narrow.error().message;
      // The same tile with registers for fewer blocks, at last for one alone, comes first (CUDA).
      for (int left = wide->kernels[i].residents; left > 1;) {
        ASSERT_LT(i, narrow->kernels.size());
        const plan::KernelPlan &next = narrow->kernels[i];
        EXPECT_EQ(next.k, wide->kernels[i].k) << next.entry;
        ASSERT_LT(next.residents, left) << next.entry;
        left = next.residents;
        EXPECT_EQ(next.entry, wide->kernels[i].entry + "_o" + std::to_string(left));
        spilled.insert(next.entry);
        narrow = plan::make_plan(spec, target, *templates, {}, spilled);
        ASSERT_TRUE(narrow) << narrow.error().message;
      }
      const auto after = rt::kernels::parse_manifest(plan::manifest(spec, *narrow));
      ASSERT_TRUE(after) << after.error().message;
      if (after->kernels.size() != before->kernels.size()) continue;  // it became as narrow as another one
      const rt::kernels::KernelInfo &a = before->kernels[i], &b = after->kernels[i];
      ASSERT_LT(b.k, a.k) << a.entry;
      const auto kind = [](const rt::kernels::KernelInfo &k) {
        return std::tie(k.form, k.level, k.mapping, k.arithmetic, k.width, k.checked, k.outputs, k.device.p,
                        k.device.packing, k.device.warp, k.device.threads, k.device.block, k.device.border_ints);
      };
      EXPECT_EQ(kind(a), kind(b)) << a.entry;
      EXPECT_LE(b.device.shared_bytes, a.device.shared_bytes) << a.entry;
      promises.compare(*before, a, b);
    }
  };
  const auto targets = backend::device_targets();
  for (std::uint64_t number = 0; number < 60; ++number) {
    const Target &target = targets[number % targets.size()];
    if (const auto spec = drawn_spec(number, target)) compare(*spec, target);
  }
  fmt::print("{} kernels; usable {}, at an edge {}; exact {}, at an edge {}\n", promises.kernels, promises.usable,
             promises.usable_edges, promises.exact, promises.exact_edges);
  EXPECT_GT(promises.kernels, 500);
  EXPECT_GT(promises.usable, 2000);
  EXPECT_GT(promises.usable_edges, 100);
  EXPECT_GT(promises.exact, 20000);
  EXPECT_GT(promises.exact_edges, 3000);
}

// A narrower tile whose registers are shared out among many warps again is tried with fewer before it is narrowed.
TEST(NarrowerTiles, LoseWarpsFirstAtEachWidth) {
  const auto templates = frontend::Templates::parse("");
  ASSERT_TRUE(templates) << templates.error().message;
  const auto spec = spec::parse_file(std::string(ALNSMITH_SPECS) + "/dna-global-affine.yaml");
  ASSERT_TRUE(spec) << spec.error().message;
  const Target *target = backend::find_target("cuda:sm_90");
  ASSERT_NE(target, nullptr);
  plan::Spilled spilled;
  std::vector<std::pair<int, int>> tried;  // columns, blocks per processor
  const auto widest = [](const plan::Plan &plan) {
    const auto is = [](const plan::KernelPlan &k) {
      return k.form == Form::pairwise && k.mapping == "wavefront" && k.p == 32;
    };
    return std::ranges::find_if(plan.kernels, is);
  };
  while (tried.size() < 12) {
    const auto plan = plan::make_plan(*spec, *target, *templates, {}, spilled);
    ASSERT_TRUE(plan) << plan.error().message;
    const auto kernel = widest(*plan);
    ASSERT_NE(kernel, plan->kernels.end());
    tried.emplace_back(kernel->k, kernel->residents);
    EXPECT_TRUE(spilled.insert(kernel->entry).second) << kernel->entry;
  }
  const std::vector<std::pair<int, int>> expected = {{32, 1}, {28, 1}, {24, 3}, {24, 1}, {20, 3}, {20, 1},
                                                     {16, 4}, {16, 3}, {16, 1}, {12, 4}, {12, 3}, {12, 1}};
  EXPECT_EQ(tried, expected);
}

}  // namespace
}  // namespace alnsmith::test
