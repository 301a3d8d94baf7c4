// What gpu-check is made of: packed sequences, sets, the model, the texts that time pipes.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "build.h"
#include "compile/device_compiler.h"
#include "matrix.h"
#include "models/loop_bound.h"
#include "pipe_text.h"
#include "recipe.h"
#include "spec/parse.h"

namespace {

using namespace alnsmith;
using namespace alnsmith::check;

SequenceList list_of(std::initializer_list<std::string_view> sequences) {
  SequenceList list;
  for (const std::string_view one : sequences) list.add(one);
  return list;
}

TEST(GpuCheck, PackedSequencesComeBack) {
  for (const SequenceList &list : {list_of({"ACGT", "", "TTTTTTTTT", "A"}), list_of({"ACGTN", "NNN"}),
                                   list_of({"AAAA"}), list_of({"ARNDCQEGHILKMFPSTWYVBJZX", "WW"}), list_of({})}) {
    const std::string bytes = pack(list);
    const auto back = unpack(bytes, "list");
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->checksum(), list.checksum());
    ASSERT_EQ(back->size(), list.size());
    for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ((*back)[i], list[i]);
    if (list.letters() > 0) {
      EXPECT_FALSE(unpack(std::string_view(bytes).substr(0, bytes.size() - 1), "list"));
    }
    EXPECT_FALSE(unpack(bytes + "x", "list"));
  }
  EXPECT_FALSE(unpack("", "list"));
  EXPECT_LT(pack(list_of({std::string(4000, 'A') + "CGT"})).size(), 1100u);  // two bits per letter
}

Stored genome() {
  std::string text;
  for (unsigned i = 0; i < 50000; ++i) text += "ACGT"[(i * i / 7 + i / 3) % 4];
  Stored stored;
  stored["genome"].add(text);
  stored["proteins"] = list_of({"MKVLAARNDC", "WWYVARND"});
  stored["queries"] = list_of({"MKV"});
  return stored;
}

TEST(GpuCheck, SetsAreTheSameEachTimeAndTheirPairsDiffer) {
  Recipe recipe;
  recipe.kind = "windows";
  recipe.source = "genome";
  recipe.count = 300;
  recipe.shortest = recipe.longest = 200;
  recipe.substituted = 50;
  recipe.inserted = recipe.lost = 10;
  recipe.level = true;
  const Stored stored = genome();
  const auto one = make_set(recipe, stored), other = make_set(recipe, stored);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->queries.checksum(), other->queries.checksum());
  EXPECT_EQ(one->targets.checksum(), other->targets.checksum());
  std::set<std::string> pairs;
  for (std::size_t i = 0; i < 300; ++i) {
    EXPECT_EQ(one->queries.length(i), 200u);
    EXPECT_EQ(one->targets.length(i), 200u);
    pairs.insert(std::string(one->queries[i]) + std::string(one->targets[i]));
  }
  EXPECT_EQ(pairs.size(), 300u);
  recipe.seed = 2;
  EXPECT_NE(make_set(recipe, stored)->queries.checksum(), one->queries.checksum());

  recipe.level = false;
  recipe.shortest = 100;
  recipe.longest = 3000;
  const auto ragged = make_set(recipe, stored);
  ASSERT_TRUE(ragged);
  std::size_t shorter = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    EXPECT_GE(ragged->targets.length(i), 100u);
    EXPECT_LE(ragged->targets.length(i), 3000u);
    shorter += ragged->targets.length(i) < 548;  // the middle of the logarithms
  }
  EXPECT_NEAR(static_cast<double>(shorter), 150, 40);
}

TEST(GpuCheck, ProteinsBeginWithTheRealOnes) {
  Recipe recipe;
  recipe.kind = "proteins";
  recipe.source = "proteins";
  recipe.queries = "queries";
  recipe.count = 5;
  recipe.substituted = 300;
  const auto set = make_set(recipe, genome());
  ASSERT_TRUE(set);
  ASSERT_EQ(set->targets.size(), 5u);
  EXPECT_EQ(set->targets[0], "MKVLAARNDC");
  EXPECT_EQ(set->targets[1], "WWYVARND");
  EXPECT_EQ(set->queries[0], "MKV");
  recipe.source = "none";
  EXPECT_FALSE(make_set(recipe, genome()));
}

models::RowLoop hybrid_loop() {
  return {1,
          237,
          {{"VIADDMNMX.S16x2.RELU", 64},
           {"VIMNMX3.S16x2.RELU", 32},
           {"VIMNMX3.S16x2", 15},
           {"HADD2", 32},
           {"HFMA2.MMA", 32},
           {"IMAD.MOV.U32", 34},
           {"LDS.128", 8},
           {"SHFL.UP", 3},
           {"BRA", 1}}};
}

TEST(GpuCheck, TheModelIsBoundByTheBusiestPipeOrByIssue) {
  const models::Bound issue = models::bound(hybrid_loop(), models::assumed_rates());
  EXPECT_EQ(issue.limit, "issue");
  EXPECT_DOUBLE_EQ(issue.clocks, 237 / 128.0);
  models::Rates slow = models::assumed_rates();
  for (const char *name : {"viaddmnmx16", "vimnmx3_16"}) slow.lanes[name] = 32;
  const models::Bound alu = models::bound(hybrid_loop(), slow);
  EXPECT_EQ(alu.limit, "alu");
  EXPECT_DOUBLE_EQ(alu.clocks, 111 / 32.0);
  // 132 processors at 1.98 GHz, 32 columns of two alignments per turn.
  EXPECT_NEAR(models::cells_per_second(issue, hybrid_loop(), 32, 2, 132, 1.98e9) * 1e-12, 9.03, 0.01);
}

TEST(GpuCheck, MeasuredPairsMoveOperationsBetweenPipes) {
  // HADD2 turns out to run where the integer maxima do, IMAD elsewhere.
  models::Rates rates = models::assumed_rates();
  models::correct(rates, {{"viaddmnmx16", 64}, {"hadd2", 64}, {"imad", 64}},
                  {{"viaddmnmx16", "hadd2", 32}, {"viaddmnmx16", "imad", 63}});
  EXPECT_TRUE(rates.measured);
  EXPECT_EQ(rates.pipe["hadd2"], "alu");
  EXPECT_EQ(rates.pipe["imad"], "imad");
  const models::Bound limit = models::bound(hybrid_loop(), rates);
  EXPECT_EQ(limit.limit, "alu");
  EXPECT_DOUBLE_EQ(limit.clocks, (111 + 32) / 64.0);
}

// As on an H100: what shares some time with two others joins them to no common pipe.
TEST(GpuCheck, OperationsInEachOthersWayKeepTheirPipes) {
  models::Rates rates = models::assumed_rates();
  models::correct(rates, {{"viaddmnmx16", 61.5}, {"hadd2", 88.8}, {"imad", 63.9}, {"viadd16", 63.9}},
                  {{"viaddmnmx16", "hadd2", 43}, {"hadd2", "imad", 41.5}, {"imad", "viadd16", 32}});
  EXPECT_EQ(rates.pipe["hadd2"], "fp16");
  EXPECT_EQ(rates.pipe["imad"], "imad");
  EXPECT_EQ(rates.pipe["viadd16"], "imad");
}

TEST(GpuCheck, MachineInstructionsHaveTheirOperation) {
  EXPECT_EQ(models::operation_of("VIADDMNMX.S16x2.RELU"), "viaddmnmx16");
  EXPECT_EQ(models::operation_of("VIADDMNMX"), "viaddmnmx32");
  EXPECT_EQ(models::operation_of("VIADD.16x2"), "viadd16");
  EXPECT_EQ(models::operation_of("VIADD"), "iadd");
  EXPECT_EQ(models::operation_of("LDS.128"), "lds128");
  EXPECT_EQ(models::operation_of("LDS.U16"), "lds32");
  EXPECT_EQ(models::operation_of("SHFL.UP"), "shfl");
  EXPECT_EQ(models::operation_of("SHF.L.W.U32.HI"), "shf");
  EXPECT_EQ(models::operation_of("BRA"), "");
}

// On an H100 every instruction counts. Constants that were negated by inline assembly were made anew for each use,
// twice as many instructions in all; and a sum that enters the maximum first keeps it from taking three values.
TEST(GpuCheck, CellsOfPackedShortsAreFewInstructionsOnHopper) {
  const internal::WorkFolder folder;
  std::filesystem::create_directory(folder.file("kernels"));
  const std::string path = folder.file("small.yaml");
  ASSERT_TRUE(
      internal::write_file(path,
                           "version: 1\nname: small\nalignment: local\ngap: {model: affine, open: 11, extend: 1}\n"
                           "alphabet: protein\nscore: {matrix: BLOSUM62}\narithmetic: s16x2\n"
                           "mapping: wavefront\ntile: {p: 8, k: 16}\n"));
  const auto spec = spec::parse_file(path);
  ASSERT_TRUE(spec) << spec.error().message;
  if (const auto there = rt::compile::find_device_compiler("cuda:sm_90", {}, {}); !there)
    GTEST_SKIP() << "skipped: " << there.error().message;
  const auto made = Builder({folder.path(), GENERATOR, false, false}).build(*spec, path, "cuda:sm_90", false);
  ASSERT_TRUE(made) << made.error().message;
  if (made->loops.empty()) GTEST_SKIP() << "skipped: no nvdisasm: tools/setup cuda";
  int looked_at = 0;
  for (const auto &[entry, loop] : made->loops) {
    if (entry.find("_shared_profile_wavefront_s16x2_") == std::string::npos) continue;
    ++looked_at;
    const double cells = 16.0 * loop.rows;
    std::map<std::string_view, int> count;
    for (const auto &[instruction, times] : loop.operations) count[models::operation_of(instruction)] += times;
    EXPECT_LT(loop.instructions, 7.6 * cells) << entry;
    EXPECT_LE(count["viadd16"], 2.1 * cells) << entry;
    EXPECT_LE(count["viaddmnmx16"], 2.1 * cells) << entry;
    EXPECT_GE(count["vimnmx3_16"], cells) << entry;
  }
  EXPECT_EQ(looked_at, 1);
}

TEST(GpuCheck, PointsOfTheMatrixAreSpecsAndMeetAllDraws) {
  std::set<std::string> drawn;
  for (const MatrixPoint &point : matrix_points()) {
    EXPECT_TRUE(spec::parse_text(point.cpu_yaml(), point.name, ".")) << point.cpu_yaml();
    for (int draw = 0; draw < device_draws(); ++draw) {
      const auto spec = spec::parse_text(point.device_yaml(draw), point.name, ".");
      ASSERT_TRUE(spec) << spec.error().message << "\n" << point.device_yaml(draw);
      drawn.insert(spec->mapping + " " + spec->arithmetic + " " + std::to_string(*spec->tile.p) + "x" +
                   std::to_string(*spec->tile.k));
    }
  }
  EXPECT_EQ(drawn.size(), 105u);
}

TEST(GpuCheck, PipeKernelsCompile) {
  for (const int architecture : {80, 90}) {
    const PipeText pipes = pipe_text(architecture);
    EXPECT_GT(pipes.kernels.size(), 50u);
    const std::string target = "cuda:sm_" + std::to_string(architecture);
    rt::compile::CompileOptions options;
    options.name = "pipes.cu";
    if (const auto found = rt::compile::find_device_compiler(target, options, {}); !found)
      GTEST_SKIP() << found.error().message;
    const auto binary = rt::compile::compile_device(pipes.text, target, options, {});
    ASSERT_TRUE(binary) << binary.error().message;
    for (const PipeEntry &kernel : pipes.kernels) EXPECT_TRUE(binary->kernels.contains(kernel.entry)) << kernel.entry;
  }
}

}  // namespace
