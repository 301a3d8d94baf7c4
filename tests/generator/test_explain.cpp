// The cost report: what it reads from the IR and from a compiler's assembly.
#include <gtest/gtest.h>

#include <map>

#include "backend/unit.h"
#include "explain/explain.h"
#include "explain/explain_device.h"
#include "explain/reach.h"
#include "grid.h"
#include "models/assembly.h"
#include "models/cpu_model.h"
#include "models/gpu_model.h"
#include "models/resources.h"
#include "scratch.h"
#include "spec/parse.h"

namespace {

using namespace alnsmith;

// A function of two loops; the second is marked and has one spill store and two spill loads.
constexpr const char *assembly =
    "other:\n\tvpmaxsw\t%ymm0, %ymm1, %ymm2\n\t.cfi_endproc\n"
    "kernel:\n\t.cfi_startproc\n.L1:\n\tvmovdqa\t(%rdi), %ymm9\n\tjne\t.L1\n"
    ".L2:\n#APP\n\t# hot row\n#NO_APP\n\tvpaddw\t32(%rsp), %ymm0, %ymm1\n\tvpmaxsw\t%ymm0, %ymm1, "
    "%ymm2\n\tvmovdqa\t%ymm2, -64(%rbp)\n"
    "\tvpmaxsw\t-64(%rbp), %ymm2, %ymm3\n\tincq\t%rax\n\tjl\t.L2\n\tjmp\t.L1\n\tretq\n\t.cfi_endproc\n";

TEST(HotLoopCensus, ReadsTheLoopAroundTheMark) {
  const models::LoopCensus census = models::hot_loop_census(assembly, "kernel", "x86_64");
  EXPECT_EQ(census.instructions, 6);
  EXPECT_EQ(census.registers, 4);
  EXPECT_EQ(census.spill_stores, 1);
  EXPECT_EQ(census.spill_loads, 2);
  EXPECT_EQ(models::hot_loop_census(assembly, "absent", "x86_64").instructions, 0);
  EXPECT_EQ(models::hot_loop_census(assembly, "other", "x86_64").instructions, 0);
}

TEST(HotLoopCensus, ReadsAArch64) {
  const models::LoopCensus census = models::hot_loop_census(
      "kernel:\n\t.cfi_startproc\n.L1:\n\tldr\tq9, [x0]\n\tcbnz\tw1, .L1\n"
      ".L2:\n#APP\n\t# hot row\n#NO_APP\n\tldr\tq4, [sp, 32]\n\tadd\tv1.8h, v0.8h, v4.8h\n\tsmax\tv2.8h, v0.8h, "
      "v1.8h\n\tstr\tq2, [sp, 64]\n"
      "\tsubs\tx2, x2, #1\n\tbne\t.L2\n\tb\t.L1\n\tret\n\t.cfi_endproc\n",
      "kernel", "aarch64");
  EXPECT_EQ(census.instructions, 6);
  EXPECT_EQ(census.registers, 4);
  EXPECT_EQ(census.spill_stores, 1);
  EXPECT_EQ(census.spill_loads, 1);
}

TEST(PortLimit, IsTheNarrowestPort) {
  const models::CpuModel core{"test", "x86_64", 4.0, 2, 1, 1, 1, 4, 2, 2, 2};
  // 8 operations on two ports: 4 cycles; 6 of them maxima on one port: 6 cycles.
  EXPECT_DOUBLE_EQ(models::port_limit(core, 64, {8, 2, 1, 0, 4}, 32).value_or(0), 32 * 4.0 / 4);
  EXPECT_DOUBLE_EQ(models::port_limit(core, 64, {8, 6, 1, 0, 4}, 32).value_or(0), 32 * 4.0 / 6);
  EXPECT_DOUBLE_EQ(models::port_limit(core, 32, {8, 6, 1, 0, 4}, 32).value_or(0), 32 * 4.0 / 3);
}

TEST(PortLimit, OfAMeasuredCoreIsThatOfItsFile) {
  const auto core = models::parse_core(R"({"schema": 1, "machine": "x86_64", "cpu": "someone-1-2", "ghz": 3.5,
      "wide": {"any": 4, "maxima": 3, "compares": 2, "saturating": 1}})");
  ASSERT_TRUE(core) << core.error().message;
  EXPECT_EQ(core->name, models::measured_core);
  EXPECT_EQ(core->machine, "x86_64");
  EXPECT_DOUBLE_EQ(models::port_limit(*core, 64, {8, 2, 1, 0, 4}, 32).value_or(0), 32 * 3.5 / 2);
  EXPECT_DOUBLE_EQ(models::port_limit(*core, 64, {8, 2, 1, 4, 4}, 32).value_or(0), 32 * 3.5 / 4);
  EXPECT_FALSE(models::port_limit(*core, 32, {8, 2, 1, 0, 4}, 32));  // not measured
  for (const char *text :
       {"", "{}", R"({"schema": 1, "machine": "vax", "ghz": 1})", R"({"schema": 1, "machine": "x86_64"})",
        R"({"schema": 1, "machine": "x86_64", "ghz": -1})", R"({"schema": 2, "machine": "x86_64", "ghz": 1})",
        R"({"schema": 1, "machine": "x86_64", "ghz": 1, "wide": {"any": 4}})"})
    EXPECT_FALSE(models::parse_core(text)) << text;
}

// A core whose 32-byte vectors nobody measured is not said to reach nothing with them.
TEST(PortLimit, IsLeftOutWhereTheModelHasNone) {
  auto spec = spec::parse_text(grid::make_case("global", "linear", "match", 8).yaml, "t", ".");
  ASSERT_TRUE(spec) << spec.error().message;
  auto templates = frontend::Templates::parse("");
  auto plan = plan::make_plan(*spec, *backend::find_target("x86-64-v3"), *templates);
  ASSERT_TRUE(plan) << plan.error().message;
  auto unit = backend::make_unit(*spec, *plan, *templates);
  ASSERT_TRUE(unit) << unit.error().message;
  const models::CpuModel cores[] = {{"wide only", "x86_64", 4.0, 2, 1, 1, 1, 0, 0, 0, 0},
                                    {"both", "x86_64", 4.0, 2, 1, 1, 1, 2, 1, 1, 1}};
  const scratch::Folder folder;
  for (const std::string &text :
       {limits(*plan, *unit, cores), explain(*plan, *unit, folder.write("kernels.cpp", unit->text), cores)}) {
    EXPECT_EQ(text.find("wide only"), std::string::npos) << text;
    EXPECT_NE(text.find("both"), std::string::npos) << text;
  }
}

// What a kernel costs a row or step does not depend on how many of them a turn takes.
TEST(Explain, CountsRowsNotTurns) {
  auto spec = spec::parse_text(grid::make_case("global", "affine", "match", 8).yaml, "t", ".");
  ASSERT_TRUE(spec) << spec.error().message;
  auto templates = frontend::Templates::parse("");
  const auto report = [&](const char *target, int rows) {
    plan::Choice choice;
    choice.unroll = rows;
    choice.mapping = "lanes";
    auto plan = plan::make_plan(*spec, *backend::find_target(target), *templates, plan::Tuning(choice));
    EXPECT_TRUE(plan) << plan.error().message;
    auto unit = backend::make_unit(*spec, *plan, *templates);
    EXPECT_TRUE(unit) << unit.error().message;
    return unit->reports[0];
  };
  const auto one = report("x86-64-v4", 1), four = report("x86-64-v4", 4);
  EXPECT_GT(one.row.maxima, 0);
  EXPECT_NEAR(four.row.maxima, one.row.maxima, 1);
  EXPECT_NEAR(four.row.any, one.row.any, 2);
  EXPECT_EQ(four.row.memory, one.row.memory);
  const auto lane = report("cuda:sm_90", 2), longer = report("cuda:sm_90", 8);
  ASSERT_TRUE(lane.step && longer.step);
  EXPECT_GE(lane.step->integer, 8 * 2);  // two maxima a cell, one of them of three
  EXPECT_NEAR(longer.step->integer, lane.step->integer, 2);
}

TEST(Explain, ReportsOperationsTrafficRegistersAndLimits) {
  auto spec = spec::parse_text(grid::make_case("global", "affine", "matrix", 8).yaml, "t", ".");
  ASSERT_TRUE(spec);
  auto templates = frontend::Templates::parse("");
  auto plan = plan::make_plan(*spec, *backend::find_target("x86-64-v3"), *templates);
  ASSERT_TRUE(plan);
  auto unit = backend::make_unit(*spec, *plan, *templates);
  ASSERT_TRUE(unit);
  // Pairs with a matrix of 6 letters, which are blended: per row 7 operations of the recurrence a cell at most, 6
  // blends a cell and the six compares; the loop over the letters counts six times.
  ASSERT_EQ(plan->kernels[0].form, Form::pairwise);
  EXPECT_GE(unit->reports[0].row.any, 8 * (6 + 6) + 6);
  EXPECT_LE(unit->reports[0].row.any, 8 * (7 + 6) + 2 * 6 + 2);
  const scratch::Folder folder;
  const std::string path = folder.write("kernels.cpp", unit->text);
  const std::string report = explain(*plan, *unit, path);
  for (const char *part : {"after evaluated", "after 50 sweep", "a row of 8 x 32 cells", "bytes per 1,000 cells",
                           "of 16 vector registers", "spill stores", "by compare and blend",
                           "port limit, Intel AVX-512", "port limit, AMD Zen 4", "port limit, AMD Zen 5"})
    EXPECT_NE(report.find(part), std::string::npos) << part << "\n" << report;
}

// Of pairs under a matrix of many letters, what looks scores up counts although it stands ahead of the rows.
TEST(Explain, CountsLookUpsAheadOfTheRows) {
  auto spec = spec::parse_text(grid::make_case("local", "affine", "matrix_runtime", 8).yaml, "t", ".");
  ASSERT_TRUE(spec);
  auto templates = frontend::Templates::parse("");
  auto plan = plan::make_plan(*spec, *backend::find_target("x86-64-v4"), *templates);
  ASSERT_TRUE(plan);
  auto unit = backend::make_unit(*spec, *plan, *templates);
  ASSERT_TRUE(unit);
  // A cell: two shuffles, what merges them and four that turn 16 rows; two loads for each 16 entries, a store and the
  // row's own load. Borders have two loads and two stores.
  const models::OperationMix &row = unit->reports[0].row;
  EXPECT_EQ(row.by_name.at("look_up"), 8 * 7);
  EXPECT_EQ(row.compares, 8 * 6);
  EXPECT_EQ(row.memory, 8 * (5 + 1) + 4);
  EXPECT_FALSE(row.by_name.contains("select"));
  const scratch::Folder folder;
  const std::string report = explain(*plan, *unit, folder.write("kernels.cpp", unit->text));
  EXPECT_NE(report.find("looked up in tables of each lane's own"), std::string::npos) << report;
}

// Where all scores of the matrix fit a byte, wider ones are made of bytes: of n bytes, an nth of the look-ups, of what
// merges them, and of the shuffles before scores are as wide as a byte; doublings, of which each but the last is of
// fewer vectors; and the sign.
TEST(Explain, CountsFewerOfLookUpsThatFindBytes) {
  const auto spec = spec::parse_text(
      "version: 1\nname: t\nalignment: local\ngap: {model: affine, open: 40, extend: 3}\nalphabet: protein\n"
      "score: {matrix: BLOSUM62}\ntile: {k: 6}\noutput: [score, end]\n",
      "t", ".");
  ASSERT_TRUE(spec);
  auto templates = frontend::Templates::parse("");
  auto plan = plan::make_plan(*spec, *backend::find_target("x86-64-v4"), *templates);
  ASSERT_TRUE(plan);
  auto unit = backend::make_unit(*spec, *plan, *templates);
  ASSERT_TRUE(unit);
  const std::map<int, double> a_cell = {
      {8, 2 + 4 + 1}, {16, 2 / 2.0 + 3 / 2.0 + 1 + 1 / 2.0 + 1}, {32, 2 / 4.0 + 2 / 4.0 + (1 / 2.0 + 1) + 1 / 4.0 + 1}};
  std::map<int, double> found;
  for (std::size_t i = 0; i < plan->kernels.size(); ++i)
    if (plan->kernels[i].form == Form::pairwise)
      found[plan->kernels[i].width] = unit->reports[i].row.by_name.at("look_up") / 6;
  EXPECT_EQ(found, a_cell);
}

TEST(ExplainDevice, ReadsRegistersAndSpillsOfBothCompilers) {
  const std::string nvidia =
      "ptxas info    : Compiling entry function 'aln_a' for 'sm_90'\nptxas info    : Function properties for aln_a\n"
      "    16 bytes stack frame, 24 bytes spill stores, 40 bytes spill loads\n"
      "ptxas info    : Used 80 registers, used 1 barriers\n"
      "ptxas info    : Compiling entry function 'aln_b' for 'sm_90'\nptxas info    : Function properties for aln_b\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 122 registers\n";
  auto all = models::ptxas_resources(nvidia, "sm_90");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all["aln_a"].registers, 80);
  EXPECT_EQ(all["aln_a"].spill_store_bytes, 24);
  EXPECT_EQ(all["aln_b"].registers, 122);
  EXPECT_EQ(all["aln_b"].spill_store_bytes, 0);
  const std::string amd =
      "    .name:           aln_c\n    .private_segment_fixed_size: 0\n    .vgpr_count:     71\n"
      "    .vgpr_spill_count: 3\n";
  all = models::amd_listing_resources(amd);
  EXPECT_EQ(all["aln_c"].registers, 71);
  EXPECT_EQ(all["aln_c"].spill_store_bytes, 4 * 3);
}

TEST(ExplainDevice, CountsOneStepByPipe) {
  const std::string yaml =
      "version: 1\nname: t\nalignment: global\ngap: {model: affine, open: 1, extend: 1}\nalphabet: dna\n"
      "score: {match: 2, mismatch: -1}\narithmetic: s16x2\nmapping: wavefront\ntile: {p: 16, k: 8}\n";
  auto spec = spec::parse_text(yaml, "t", ".");
  ASSERT_TRUE(spec);
  auto templates = frontend::Templates::parse("");
  auto plan = plan::make_plan(*spec, *backend::find_target("cuda:sm_90"), *templates);
  ASSERT_TRUE(plan);
  auto unit = backend::make_unit(*spec, *plan, *templates);
  ASSERT_TRUE(unit);
  ASSERT_EQ(plan->kernels[0].form, Form::pairwise);
  ASSERT_TRUE(unit->reports[0].step);
  const models::StepMix &mix = *unit->reports[0].step;
  // A cell: a pick, H's maximum of three, E's and F's maxima; two additions as multiply-adds. Three values enter at
  // the segment's edge.
  EXPECT_EQ(mix.integer, 8 * 4 + 3);
  EXPECT_EQ(mix.multiply, 8 * 2);
  EXPECT_EQ(mix.half, 0);
  const models::GpuModel gpu{"t", "t", 1, 1.0, 64, 64, 128, 128, 32, true};
  EXPECT_DOUBLE_EQ(models::pipe_limit(gpu, mix, 8 * 2), 16 / (35 / 64.0));
  const scratch::Folder folder;
  const std::string path = folder.write("kernels.cu", unit->text);
  const std::string report = explain(*plan, *unit, path);
  for (const char *part : {"a step of 8 x 2 cells", "bytes per 1,000 cells", "registers:", "pipe limit, NVIDIA H100"})
    EXPECT_NE(report.find(part), std::string::npos) << part << "\n" << report;
}

}  // namespace
