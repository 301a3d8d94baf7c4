// Random specs whose tiles the planner chooses, compiled for devices: none is refused because a kernel spills.
//
// 20 of them for a target each in turn, a half of their kernels; ALNSMITH_FULL=1 takes 200 for every target, hours of
// compilers' time. Of kernels that differ by their tile alone one of the widest is compiled: the others need fewer
// registers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <thread>

#include "backend/unit.h"
#include "compile/fitting.hpp"
#include "draw.h"
#include "kernels/manifest.hpp"
#include "plan/plan.h"
#include "processors.h"
#include "spec/parse.h"

namespace alnsmith::test {
namespace {

using backend::Target;

// A spec that leaves tile, mapping and arithmetic to the planner. Every fifth affine one has a second line.
Result<spec::Spec> drawn_spec(std::uint64_t number) {
  soak::SpecValues values = soak::draw(7, number).spec;
  values.p = values.k = 0;
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

bool full() { return std::getenv("ALNSMITH_FULL") != nullptr; }

// Leaves one kernel of those alike but for their tile, of these each second one where not all are taken.
void sample(plan::Plan &plan, std::uint64_t number) {
  using Key = std::tuple<std::string, std::string, std::string>;
  const auto key = [](const plan::KernelPlan &k) { return Key{k.form, k.mapping, k.arithmetic}; };
  std::map<Key, int> most;
  for (const plan::KernelPlan &kernel : plan.kernels) most[key(kernel)] = std::max(most[key(kernel)], kernel.k);
  std::map<Key, std::vector<std::string>> widest;
  for (const plan::KernelPlan &kernel : plan.kernels)
    if (kernel.k == most[key(kernel)]) widest[key(kernel)].push_back(kernel.entry);
  std::set<std::string> taken;
  std::uint64_t place = number;
  for (const auto &[kind, list] : widest)
    if (full() || taken.empty() || place++ % 2 == 0) taken.insert(list[number % list.size()]);
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
  const auto make = [&](const rt::Spilled &spilled) -> Result<rt::PlannedTexts> {
    auto plan = plan::make_plan(job.spec, *job.target, templates, {}, {spilled.begin(), spilled.end()});
    if (!plan) return plan.error();
    sample(*plan, job.number);
    ++turns;
    kernels = static_cast<int>(plan->kernels.size());
    auto unit = backend::make_unit(job.spec, *plan, templates);
    if (!unit) return unit.error();
    return rt::PlannedTexts{std::move(unit->text), plan::manifest(job.spec, *plan)};
  };
  rt::CompileOptions options;
  options.check = true;
  const auto compile = [&](const rt::PlannedTexts &texts) {
    return rt::compile_device(texts.text, target, options, {});
  };
  const auto made = rt::compile_fitting(target, make, compile);
  if (!made && turns == 0) return ++counts.refused, "";  // by the planner: the scoring fits no arithmetic
  if (!made) return made.error().message;
  ++counts.units;
  counts.kernels += kernels;
  counts.narrowed += turns > 1;
  return "";
}

std::vector<Job> jobs() {
  const auto targets = backend::device_targets();
  std::vector<Job> list;
  int specs = 0;
  for (std::uint64_t number = 0; specs < (full() ? 200 : 20); ++number) {
    const auto spec = drawn_spec(number);
    if (!spec) continue;  // the draws hold specs that rules refuse
    ++specs;
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (!full() && t != static_cast<std::size_t>(specs) % targets.size()) continue;
      if (rt::find_device_compiler(std::string(targets[t].name), {}, {})) list.push_back({number, *spec, &targets[t]});
    }
  }
  return list;
}

TEST(RandomSpecs, StayInRegistersWithTheTilesThatThePlannerChooses) {
  const std::vector<Job> list = jobs();
  if (list.empty()) GTEST_SKIP() << "no compiler for any device target: run tools/setup cuda hip";
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
  for (std::size_t i = 0; i < list.size(); ++i)
    EXPECT_EQ(failures[i], "") << "draw " << list[i].number << " for " << list[i].target->name;
  fmt::print("{} units, {} kernels of them compiled, {} units refused by the planner, {} made narrower\n", all.units,
             all.kernels, all.refused, all.narrowed);
  EXPECT_GT(all.units, static_cast<int>(list.size() / 2));
}

// What a plan promises of a kernel where it was not yet known to spill must hold of the narrower one that is run.
TEST(NarrowerTiles, HoldAllThatTheirPlanPromisedBefore) {
  const auto templates = frontend::Templates::parse_facts("");
  ASSERT_TRUE(templates) << templates.error().message;
  int compared = 0;
  const auto compare = [&](const spec::Spec &spec, const Target &target) {
    const auto wide = plan::make_plan(spec, target, *templates);
    if (!wide) return;
    const auto before = rt::parse_manifest(plan::manifest(spec, *wide));
    ASSERT_TRUE(before) << before.error().message;
    for (std::size_t i = 0; i < wide->kernels.size(); ++i) {
      const auto narrow = plan::make_plan(spec, target, *templates, {}, {wide->kernels[i].entry});
      ASSERT_TRUE(narrow) << narrow.error().message;
      const auto after = rt::parse_manifest(plan::manifest(spec, *narrow));
      ASSERT_TRUE(after) << after.error().message;
      if (after->kernels.size() != before->kernels.size()) continue;  // it became as narrow as another one
      const rt::KernelInfo &a = before->kernels[i], &b = after->kernels[i];
      ASSERT_LT(b.k, a.k) << a.entry;
      EXPECT_EQ(a.device.border_ints, b.device.border_ints) << a.entry;
      EXPECT_EQ(a.device.threads, b.device.threads) << a.entry;
      EXPECT_LE(b.device.shared_bytes, a.device.shared_bytes) << a.entry;
      rt::Values values{};
      for (std::size_t v = 0; v < ALN_SCORING_COUNT; ++v) values[v] = before->scoring[v].value_or(v < 2 ? 3 : 5);
      for (const std::uint32_t query : {1U, 100U, 300U, 5000U, 1000000U})
        for (const std::uint32_t stream : {1U, 100U, 3000U, 1000000U}) {
          values[rt::kQuery] = query;
          values[rt::kTarget] = stream;
          EXPECT_LE(a.usable.holds(values), b.usable.holds(values)) << a.entry;
          EXPECT_LE(a.exact.holds(values), b.exact.holds(values)) << a.entry << " " << query << " x " << stream;
          EXPECT_LE(a.lengths.holds(values), b.lengths.holds(values)) << a.entry;
          ++compared;
        }
    }
  };
  const auto targets = backend::device_targets();
  for (std::uint64_t number = 0; number < 60; ++number)
    if (const auto spec = drawn_spec(number)) compare(*spec, targets[number % targets.size()]);
  EXPECT_GT(compared, 1000);
}

}  // namespace
}  // namespace alnsmith::test
