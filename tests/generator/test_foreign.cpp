// Golden rows on targets of other machines, under qemu-user: the kernels of a sample of modes and scorings, every
// width, must score the bundled pairs as they are stored.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "backend/unit.h"
#include "compiled.h"
#include "full_run.h"
#include "golden.h"
#include "lane_batch.h"
#include "spec/parse.h"
#include "spec_text.h"

namespace {

using namespace alnsmith;
using Rows = std::vector<const golden::Row *>;

constexpr std::size_t sample = 12;  // of the modes and scorings

struct Group {
  spec::Spec spec;
  plan::Plan plan;
  Rows rows;
};

class Foreign : public testing::TestWithParam<std::string> {
 protected:
  // Rows that no kernel answered: a status says that a narrow one may have overflowed.
  void check(const Group &group, const golden::Set &set, const compiled::Object &object) {
    const lanes::Scoring scoring = lanes::make_scoring(group.spec, {}, {});
    std::vector<bool> answered(group.rows.size());
    for (const plan::KernelPlan &kernel : group.plan.kernels) {
      if (kernel.form != Form::pairwise) continue;
      SCOPED_TRACE(kernel.entry);
      const compiled::Kernel entry = object.find(kernel.entry);
      ASSERT_TRUE(entry);
      const auto lanes = static_cast<std::size_t>(kernel.lanes);
      for (std::size_t first = 0; first < group.rows.size(); first += lanes) {
        std::vector<lanes::Batch::Pair> pairs;
        for (std::size_t l = 0; l < lanes; ++l) {
          const golden::Pair &pair = set.pairs.at(group.rows[std::min(first + l, group.rows.size() - 1)]->pair);
          pairs.emplace_back(pair.query, pair.target);
        }
        lanes::Batch batch(group.spec, kernel, pairs, scoring, kernel.width / 8);
        ASSERT_EQ(entry(batch.args(), batch.memory()), 0);
        for (std::size_t l = 0; l < lanes && first + l < group.rows.size(); ++l) {
          if (batch.status[l] != 0) continue;
          const golden::Row &row = *group.rows[first + l];
          answered[first + l] = true;
          ASSERT_EQ(batch.score[l], row.score) << row.pair;
          if (row.query_end) {
            ASSERT_EQ(batch.query_end[l], *row.query_end) << row.pair;
          }
          if (row.target_end) {
            ASSERT_EQ(batch.target_end[l], *row.target_end) << row.pair;
          }
        }
      }
    }
    EXPECT_EQ(std::ranges::count(answered, false), 0) << group.spec.name;
  }
};

TEST_P(Foreign, GoldenRowsAreReproduced) {
  const backend::Target &target = *backend::find_target(GetParam());
  if (const std::string why = compiled::obstacle(target); !why.empty()) GTEST_SKIP() << why;
  const golden::Set set = golden::load(golden::bundled_data());
  std::map<std::pair<std::string, std::string>, Rows> all;
  for (const golden::Row &row : set.rows) {
    const golden::Pair &pair = set.pairs.at(row.pair);
    if (!pair.query.empty() && !pair.target.empty()) all[{row.mode, row.scoring}].push_back(&row);
  }
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto &[name, rows] : all) names.push_back(name);
  std::ranges::shuffle(names, std::mt19937(5));
  if (!sample::full()) names.resize(std::min(names.size(), sample));
  auto templates = frontend::Templates::parse("");
  ASSERT_TRUE(templates) << templates.error().message;
  std::vector<Group> groups;
  std::vector<std::string> texts;
  for (const auto &[mode, scoring] : names) {
    auto spec = spec::parse_text(golden::spec_text(mode, golden::scoring(scoring), "[score, end]"), mode, ".");
    ASSERT_TRUE(spec) << spec.error().message;
    auto plan = plan::make_plan(*spec, target, *templates);
    ASSERT_TRUE(plan) << plan.error().message;
    std::erase_if(plan->kernels, [](const plan::KernelPlan &k) { return k.form != Form::pairwise; });
    auto unit = backend::make_unit(*spec, *plan, *templates);
    ASSERT_TRUE(unit) << unit.error().message;
    texts.push_back(unit->text);
    groups.push_back({*std::move(spec), *std::move(plan), all[{mode, scoring}]});
  }
  const compiled::Object object(texts, target);
  for (const Group &group : groups) check(group, set, object);
}

INSTANTIATE_TEST_SUITE_P(Targets, Foreign, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const targets::Cpu &row : targets::cpus())
                             if (!row.machine.empty() && row.machine != targets::host_machine())
                               names.emplace_back(row.name);
                           return names;
                         }()),
                         [](const auto &info) { return targets::identifier(info.param); });

}  // namespace
