// Each pass, and all of them one behind another, over random IR: the function does the same before and after.
//
// Each pass meets 10,000 functions by default, 4,000 of its own and the 6,000 that all passes change together; with
// ALNSMITH_FULL=1 100,000 of its own and as many. A failing one is made smaller, statement by
// statement, and printed before and after the pass with the seed that makes it. Passes that are broken on purpose
// (broken_passes.h) show that a mistake would be found.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "broken_passes.h"
#include "full_run.h"
#include "passes/passes.h"
#include "random_ir.h"

namespace {

using namespace alnsmith;
using random_ir::Cut;
using Change = void (*)(ir::Function &);

void all_passes(ir::Function &function) { passes::run_all(function); }

// The first filling of memory on which the change makes the function do something else.
std::optional<unsigned> filling_that_differs(unsigned seed, std::span<const Cut> cuts, Change change) {
  const direct::Machine machine = random_ir::machine_of(seed);
  ir::Function before = random_ir::make(seed), after = random_ir::make(seed);
  random_ir::apply(before, cuts);
  random_ir::apply(after, cuts);
  change(after);
  const random_ir::Ready one = random_ir::ready(before, machine), other = random_ir::ready(after, machine);
  if (one == other) return {};
  for (unsigned filling = seed; filling < seed + 2; ++filling) {
    const random_ir::Outcome want = random_ir::run(one, machine, filling);
    if (!want.error.empty()) return {};  // cut too far
    if (random_ir::run(other, machine, filling) != want) return filling;
  }
  return {};
}

// Cuts after which the change still does harm, until no further one leaves it so.
std::vector<Cut> shrink(unsigned seed, Change change) {
  std::vector<Cut> cuts;
  const auto count = static_cast<std::size_t>(random_ir::statements(random_ir::make(seed)));
  std::vector<bool> gone(count);
  const auto still_harms_after_all = [&](std::span<const Cut> more) {
    cuts.insert(cuts.end(), more.begin(), more.end());
    if (filling_that_differs(seed, cuts, change)) return true;
    cuts.resize(cuts.size() - more.size());
    return false;
  };
  const auto still_harms_after = [&](const Cut &cut) { return still_harms_after_all({&cut, 1}); };
  // Many at once as long as that does.
  for (std::size_t size = count; size > 1; size /= 3) {
    still_harms_after({Cut::unread, 0});
    for (std::size_t begin = 0; begin < count; begin += size) {
      std::vector<Cut> some;
      for (std::size_t i = std::min(begin + size, count); i-- > begin;)
        if (!gone[i]) some.push_back({i, 0});
      if (some.empty() || !still_harms_after_all(some)) continue;
      for (const Cut &cut : some) gone[cut.index] = true;
    }
  }
  for (bool again = true; again;) {
    again = false;
    still_harms_after({Cut::unread, 0});
    for (std::size_t i = count; i-- > 0;)
      for (int variant = 0; variant < 2 && !gone[i]; ++variant)
        if (still_harms_after({i, variant})) again = gone[i] = true;
  }
  for (std::size_t i = count; i-- > 0;) still_harms_after({i, Cut::if_unread});
  return cuts;
}

struct Found {
  std::string text;  // the case
  int statements;
};

// The first of the seeds that shows the change to do harm, made small.
std::optional<Found> find(unsigned first, unsigned count, Change change) {
  for (unsigned seed = first; seed < first + count; ++seed) {
    if (!filling_that_differs(seed, {}, change)) continue;
    const std::vector<Cut> cuts = shrink(seed, change);
    ir::Function before = random_ir::make(seed), after = random_ir::make(seed);
    random_ir::apply(before, cuts);
    random_ir::apply(after, cuts);
    change(after);
    const direct::Machine machine = random_ir::machine_of(seed);
    const random_ir::Outcome outcome =
        random_ir::run(random_ir::ready(after, machine), machine, *filling_that_differs(seed, cuts, change));
    return Found{
        "seed " + std::to_string(seed) + "\n" + ir::dump(before) + "becomes\n" + ir::dump(after) + outcome.error,
        random_ir::statements(before)};
  }
  return {};
}

// Functions for one pass alone, and for all of them.
unsigned own_functions() { return sample::full() ? 100000 : 4000; }
unsigned shared_functions() { return sample::full() ? 100000 : 6000; }

TEST(RandomIr, RunsAndUsesEveryOperation) {
  std::set<const ir::Op *> met;
  std::set<ir::StatementKind> kinds;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const ir::Function f = random_ir::make(seed);
    ir::for_each_statement(f.body, [&](const ir::Statement &s) {
      kinds.insert(s.kind);
      if (s.value && s.value->op) met.insert(s.value->op);
    });
    const direct::Machine machine = random_ir::machine_of(seed);
    const random_ir::Ready one = random_ir::ready(f, machine), same = random_ir::ready(random_ir::make(seed), machine);
    for (unsigned filling = 0; filling < 4; ++filling) {
      const auto outcome = random_ir::run(one, machine, filling);
      ASSERT_EQ(outcome.error, "") << seed << "\n" << ir::dump(f);
      ASSERT_EQ(outcome, random_ir::run(same, machine, filling)) << seed;
    }
  }
  EXPECT_EQ(kinds.size(), 5u);
  for (const ir::Op &op : ir::ops())
    EXPECT_TRUE(met.contains(&op) || random_ir::left_out(op.name)) << op.name << op.signature;
}

// A pass, or all of them, and the functions that it meets: each has others, 30,000 together.
struct Fuzzed {
  const char *name;
  Change change;
  unsigned first, count;
};

class PassFuzz : public testing::TestWithParam<Fuzzed> {};

TEST_P(PassFuzz, FunctionsDoTheSameBeforeAndAfter) {
  const auto found = find(GetParam().first, GetParam().count, GetParam().change);
  EXPECT_FALSE(found) << found->text;
}

std::vector<Fuzzed> each_and_all() {
  std::vector<Fuzzed> list = {{"all", all_passes, 1000, shared_functions()}};
  for (const passes::Pass &pass : passes::all())
    list.push_back({pass.name, pass.run, list.back().first + list.back().count, own_functions()});
  return list;
}

INSTANTIATE_TEST_SUITE_P(Passes, PassFuzz, testing::ValuesIn(each_and_all()),
                         [](const auto &info) { return std::string(info.param.name); });

class BrokenPass : public testing::TestWithParam<passes::Pass> {};

TEST_P(BrokenPass, IsFoundAndMadeSmall) {
  const auto found = find(1000, 4000, GetParam().run);
  ASSERT_TRUE(found) << GetParam().purpose;
  EXPECT_LE(found->statements, 16) << found->text;
  RecordProperty("case", found->text);
}

INSTANTIATE_TEST_SUITE_P(Broken, BrokenPass, testing::ValuesIn(broken::all().begin(), broken::all().end()),
                         [](const auto &info) { return std::string(info.param.name); });

}  // namespace
