// Choices by hand and rows of tuned tables: what reaches the plan, and what is refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "direct_run.h"
#include "plan/plan.h"
#include "plan/tables.h"
#include "scratch.h"
#include "spec/canonical.h"
#include "spec/parse.h"
#include "target/target.h"

namespace {

using namespace alnsmith;

spec::Spec spec_of(const std::string &more = "") {
  auto spec = spec::parse_text(
      "version: 1\nname: t\nalignment: global\ngap: {model: affine, open: 2, extend: 1}\nalphabet: dna\n"
      "score: {match: 2, mismatch: -1}\n" +
          more,
      "t.yaml", ".");
  EXPECT_TRUE(spec) << spec.error().message;
  return *spec;
}

Result<plan::Plan> plan_of(const spec::Spec &s, const std::string &target, const plan::Tuning &tuning) {
  return plan::make_plan(s, *backend::find_target(target), DirectTeller(), tuning);
}

plan::Tuning by_hand(const std::string &text) {
  auto choice = plan::parse_choice(text);
  EXPECT_TRUE(choice) << choice.error().message;
  return plan::Tuning(*choice);
}

std::string table(const spec::Spec &s, const std::string &rows) {
  std::string text = R"({"schema": 1, "target": "x86-64-v4", "rows": [)" + rows + "]}";
  for (std::size_t at; (at = text.find("HASH")) != std::string::npos;) text.replace(at, 4, spec::hash(s));
  return text;
}

int k_of(const plan::Plan &p, Form form, const std::string &arithmetic) {
  for (const plan::KernelPlan &kernel : p.kernels)
    if (kernel.form == form && kernel.arithmetic == arithmetic) return kernel.k;
  return 0;
}

TEST(Choice, ReplacesWhatTheSpecSaysAndKeepsItsHash) {
  const spec::Spec s = spec_of("tile: {k: 4}\narithmetic: int8\n");
  const auto p = plan_of(s, "x86-64-v4", by_hand("k=9,arithmetic=int16"));
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_EQ(p->spec_hash, spec::hash(s));
  EXPECT_EQ(k_of(*p, Form::pairwise, "int16"), 9);
  EXPECT_EQ(k_of(*p, Form::shared_profile, "int32"), 9);
  EXPECT_EQ(k_of(*p, Form::pairwise, "int8"), 0);
}

TEST(Choice, GivesDevicesTheirTileMappingAndBlock) {
  const auto p =
      plan_of(spec_of(), "cuda:sm_90", by_hand("p=16,k=8,block=2,grid=3,mapping=wavefront,arithmetic=s16x2"));
  ASSERT_TRUE(p) << p.error().message;
  for (const plan::KernelPlan &kernel : p->kernels) {
    EXPECT_EQ(kernel.mapping, "wavefront");
    EXPECT_EQ(kernel.p, 16);
    EXPECT_EQ(kernel.k, 8);
    EXPECT_EQ(kernel.warps, 2);
    EXPECT_EQ(kernel.grid, 3);
    EXPECT_TRUE(kernel.entry.ends_with("_w2")) << kernel.entry;
  }
}

TEST(Choice, RowsATurnAreForOneLaneAnAlignment) {
  for (const char *target : {"x86-64-v4", "cuda:sm_90"}) {
    const auto p = plan_of(spec_of(), target, by_hand("mapping=lanes,rows=3"));
    ASSERT_TRUE(p) << p.error().message;
    for (const plan::KernelPlan &kernel : p->kernels) {
      EXPECT_EQ(kernel.unroll, 3);
      EXPECT_EQ(kernel.statics.at("unroll"), 3);
      const bool cpu = !p->target->device;
      EXPECT_TRUE(kernel.entry.ends_with(cpu ? "_r3_" + std::string(p->target->identifier) : "_r3")) << kernel.entry;
    }
  }
  const auto wide = plan_of(spec_of(), "cuda:sm_90", by_hand("mapping=wavefront,p=8,rows=3"));
  ASSERT_FALSE(wide);
  EXPECT_NE(wide.error().message.find("rows is for one lane per alignment"), std::string::npos) << wide.error().message;
}

TEST(Choice, IsRefusedWhereItCannotBeHad) {
  for (const auto &[target, text] :
       {std::pair{"x86-64-v4", "block=4"}, std::pair{"x86-64-v4", "p=16"}, std::pair{"x86-64-v4", "grid=2"},
        std::pair{"x86-64-v4", "mapping=wavefront"}, std::pair{"opencl", "block=4"}, std::pair{"cuda:sm_90", "p=64"},
        std::pair{"cuda:sm_75", "arithmetic=half2"}})
    EXPECT_FALSE(plan_of(spec_of(), target, by_hand(text))) << target << " " << text;
  for (const char *text : {"k", "k=", "k=0", "k=65", "k=8x", "p=3", "block=64", "rows=9", "mapping=", ",", "k=8,,p=2"})
    EXPECT_FALSE(plan::parse_choice(text)) << text;
}

TEST(Table, RowsFillInWhatTheSpecLeavesOpen) {
  const spec::Spec s = spec_of();
  plan::Tuning tuning;
  const auto added = tuning.add_table(
      table(s, R"({"spec": "HASH", "kernel": {"form": "pairwise", "arithmetic": "int8"}, "choice": {"k": 12}},
                  {"spec": "HASH", "kernel": {"form": "shared_profile"}, "choice": {"arithmetic": "int16"}})"),
      "t.json", spec::hash(s), "x86-64-v4", "znver4");
  ASSERT_TRUE(added) << added.error().message;
  const auto model = plan_of(s, "x86-64-v4", {}), p = plan_of(s, "x86-64-v4", tuning);
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_EQ(k_of(*p, Form::pairwise, "int8"), 12);
  EXPECT_NE(k_of(*model, Form::shared_profile, "int8"), 0);
  EXPECT_EQ(k_of(*p, Form::shared_profile, "int8"), 0);
  EXPECT_EQ(k_of(*p, Form::shared_profile, "int16"), k_of(*model, Form::shared_profile, "int8"));
  const auto own = plan_of(spec_of("tile: {k: 4}\n"), "x86-64-v4", tuning);
  ASSERT_TRUE(own);
  EXPECT_EQ(k_of(*own, Form::pairwise, "int8"), 4);
}

TEST(Table, RowsForOtherSpecsTargetsAndProcessorsAreLeftOut) {
  const spec::Spec s = spec_of();
  const std::string row = R"({"spec": "HASH", "cpu": "znver4", "choice": {"k": 3}})";
  const auto k_with = [&](const std::string &text, const std::string &hash, const std::string &target,
                          const std::string &cpu) {
    plan::Tuning tuning;
    EXPECT_TRUE(tuning.add_table(text, "t.json", hash, target, cpu));
    return tuning.of(Form::pairwise, "int8").k;
  };
  EXPECT_EQ(k_with(table(s, row), spec::hash(s), "x86-64-v4", "znver4"), 3);
  EXPECT_EQ(k_with(table(s, row), spec::hash(s), "x86-64-v4", "sapphirerapids"), std::nullopt);
  EXPECT_EQ(k_with(table(s, row), spec::hash(s), "x86-64-v4", ""), std::nullopt);
  EXPECT_EQ(k_with(table(s, row), spec::hash(s), "x86-64-v3", "znver4"), std::nullopt);
  EXPECT_EQ(k_with(table(s, row), std::string(64, '0'), "x86-64-v4", "znver4"), std::nullopt);
}

TEST(Table, DamagedOnesAreRefusedByRow) {
  const spec::Spec s = spec_of();
  for (const std::string &text :
       {std::string("{"), std::string("[]"), std::string(R"({"schema": 2, "target": "x86-64-v4", "rows": []})"),
        std::string(R"({"schema": 1, "target": "x86-64-v4", "rows": {}})"), table(s, "7"),
        table(s, R"({"spec": "HASH"})"), table(s, R"({"spec": "HASH", "choice": {"k": 0}})"),
        table(s, R"({"spec": "HASH", "choice": {"x": 1}})"),
        table(s, R"({"spec": "HASH", "kernel": 1, "choice": {"k": 2}})"),
        table(s, R"({"spec": "HASH", "kernel": {"x": ""}, "choice": {"k": 2}})")}) {
    plan::Tuning tuning;
    EXPECT_FALSE(tuning.add_table(text, "t.json", spec::hash(s), "x86-64-v4", "znver4")) << text;
  }
  plan::Tuning tuning;
  const std::string old = table(s, R"({"spec": "HASH", "kernel": {"form": "pairs"}, "choice": {"k": 2}})");
  EXPECT_EQ(tuning.add_table(old, "t.json", spec::hash(s), "x86-64-v4", "znver4").error().message,
            "t.json: row 1: form: there is none of name \"pairs\", only pairwise, shared_profile, single_query, split"
            " and extent");
}

TEST(Table, IsReadFromAFolderByTarget) {
  const spec::Spec s = spec_of();
  const scratch::Folder made;
  const std::string &folder = made.path();
  made.write("x86-64-v4.json", table(s, R"({"spec": "HASH", "choice": {"k": 5}})"));
  const auto tuning = plan::make_tuning({"", folder, "znver4"}, s, "x86-64-v4");
  ASSERT_TRUE(tuning) << tuning.error().message;
  EXPECT_EQ(tuning->of(Form::pairwise, "int8").k, 5);
  EXPECT_TRUE(plan::make_tuning({"", folder, "znver4"}, s, "cuda:sm_90"));
  EXPECT_FALSE(plan::make_tuning({"", folder + "/none", ""}, s, "x86-64-v4"));
  EXPECT_FALSE(plan::make_tuning({"k=0", "", ""}, s, "x86-64-v4"));
}

}  // namespace
