// Batch calls on each kind of device: OpenCL for real (PoCL), CUDA and HIP on the fake drivers of tests/simt/fake.
// Every result is compared with the CPU's.
#include "device_batch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <sstream>

#include "device/driver/executor.h"

namespace {

using namespace alnsmith;
using namespace device_batch;

INSTANTIATE_TEST_SUITE_P(Kinds, EachDevice, testing::Values("opencl:0", "cuda:0", "hip:0"),
                         [](const auto &i) { return std::string(i.param).substr(0, std::string(i.param).find(':')); });

TEST_P(EachDevice, PairsAndTheirEndsAreTheCpus) {
  const Aligner aligner = open({id()});
  const tiny::Pairs p = mixed_pairs(1, 500);
  Report report, cpu;
  EXPECT_EQ(pairs(aligner, p, &report), pairs(cpu_, p, &cpu));
  EXPECT_EQ(ids(report), std::vector<std::string>{id()});
  EXPECT_EQ(report.cells, cpu.cells);
  EXPECT_GT(report.promoted, 0U);  // on the device: the wide kernels are there too
  EXPECT_EQ(report.kernels, (std::vector<std::string>{"pairs_narrow", "pairs_wide", "pairs_wide_short"}));
  EXPECT_TRUE(report.warnings.empty());
}

TEST_P(EachDevice, EachWithEachIsTheCpus) {
  const Aligner aligner = open({id()});
  const tiny::Pairs p = search(2, 1500);
  Report report;
  EXPECT_EQ(all(aligner, p, &report), all(cpu_, p));
  EXPECT_EQ(ids(report), std::vector<std::string>{id()});
  EXPECT_EQ(shares(report), 3U * 1499);
  for (const char *kernel : {"shared_narrow", "single_narrow"})  // two queries, and the third by itself
    EXPECT_EQ(std::count(report.kernels.begin(), report.kernels.end(), kernel), 1) << kernel;
}

// A launch takes the kernel that suits its longest query: what that one cannot hold of the other query is made anew,
// though a kernel that suits the other one could.
TEST_P(EachDevice, ALaunchIsAsExactAsTheKernelThatRan) {
  std::vector<device_folder::Kernel> kernels = device_folder::usual_kernels();
  kernels.insert(kernels.begin() + 3, {"shared_short", "shared_profile", 0, 2, 1 << 30, "query <= 80", "1", 32768});
  const Folder folder(kernels);
  set("TEXTS", folder.path());
  Options options;
  options.devices = {id()};
  const auto aligner = folder.open(options);
  ASSERT_TRUE(aligner) << aligner.error().message;
  tiny::Pairs p = search(8, 1500);
  p.queries = {std::string(200, 'A'), p.queries[0].substr(0, 80)};  // the other one lies in some targets as it is
  Report report;
  EXPECT_EQ(all(*aligner, p, &report), all(cpu_, p));
  EXPECT_EQ(std::count(report.kernels.begin(), report.kernels.end(), "shared_narrow"), 1);
}

TEST_P(EachDevice, FewTargetsGoPairByPair) {
  const Aligner aligner = open({id()});
  const tiny::Pairs p = search(3, 20);
  Report report;
  EXPECT_EQ(all(aligner, p, &report), all(cpu_, p));
  if (id() != "opencl:0") {
    EXPECT_EQ(std::count(report.kernels.begin(), report.kernels.end(), "shared_narrow"), 0);
  }
}

TEST_P(EachDevice, LittleMemoryMeansManyLaunches) {
  set("LOG", folder_.file("log"));
  const Aligner aligner = open({id()}, std::size_t{1} << 20), large = open({id()});
  const tiny::Pairs p = mixed_pairs(4, 3000);
  const Answers expected = pairs(cpu_, p);
  EXPECT_EQ(pairs(large, p), expected);
  const std::size_t few = logged(" launch ").size();
  EXPECT_EQ(pairs(aligner, p), expected);
  if (id() != "opencl:0") {
    EXPECT_GT(logged(" launch ").size(), 2 * few);
  }
  const tiny::Pairs s = search(5, 6000);
  EXPECT_EQ(all(aligner, s), all(cpu_, s));
}

TEST_P(EachDevice, PreparedTargetsStay) {
  set("LOG", folder_.file("log"));
  const Aligner aligner = open({id()});
  tiny::Pairs p = search(6, 1500);
  const auto targets = p.target_views();
  const auto prepared = aligner.prepare(targets);
  ASSERT_TRUE(prepared);
  EXPECT_EQ(prepared->size(), 1500U);
  std::size_t letters = 0;
  for (const std::string &target : p.targets) letters += target.size();
  for (int call = 0; call < 3; ++call) {
    p.queries[0] = p.targets[static_cast<std::size_t>(100 + call)];
    Answers out(p.queries.size() * p.targets.size());
    const auto done = aligner.align_all(p.query_views(), *prepared, out.columns());
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(out, all(cpu_, p));
  }
  if (id() != "opencl:0") {
    EXPECT_EQ(logged(" copy in " + std::to_string(letters)).size(), 1U);
  }
  std::vector<std::int32_t> scores(6000);
  const auto foreign = cpu_.align_all(p.query_views(), *prepared, scores);
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().message, "align_all: the targets were prepared by another aligner");
}

TEST_P(EachDevice, BadInputHasTheCpusErrors) {
  const Aligner aligner = open({id()});
  std::vector<tiny::Pairs> bad(4, mixed_pairs(7, 60));
  bad[0].queries[40] = "ACxT";
  bad[1].targets[41] = "AC-T";
  bad[2].queries[42] = std::string(5001, 'A');
  bad[3].targets[5] = "";
  bad[3].queries[5] = "N";
  for (const tiny::Pairs &p : bad) {
    Answers out(p.queries.size()), every(p.queries.size() * p.targets.size());
    const auto q = p.query_views(), t = p.target_views();
    const auto device = aligner.align_pairs(q, t, out.score), cpu = cpu_.align_pairs(q, t, out.score);
    ASSERT_TRUE(!device && !cpu);
    EXPECT_EQ(device.error().message, cpu.error().message);
    const auto device_all = aligner.align_all(q, t, every.score), cpu_all = cpu_.align_all(q, t, every.score);
    ASSERT_TRUE(!device_all && !cpu_all);
    EXPECT_EQ(device_all.error().message, cpu_all.error().message);
  }
}

TEST_P(EachDevice, ProgressReachesTheEndAndACancelledCallStops) {
  const Aligner aligner = open({id()});
  const tiny::Pairs p = mixed_pairs(8, 700);
  Answers out(p.queries.size());
  std::atomic<std::uint64_t> most{0};
  Options options;
  options.progress = [&](std::uint64_t done) {
    for (std::uint64_t old = most; old < done && !most.compare_exchange_weak(old, done);) {
    }
  };
  ASSERT_TRUE(aligner.align_pairs(p.query_views(), p.target_views(), out.score, options));
  EXPECT_EQ(most, 700U);
  options.cancelled = [] { return true; };
  const auto stopped = aligner.align_pairs(p.query_views(), p.target_views(), out.score, options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().exit_code, 130);
}

TEST_P(EachDevice, TheCpuTakesPart) {
  const Aligner aligner = open({"cpu", id()}, std::size_t{1} << 20);
  const tiny::Pairs p = mixed_pairs(9, 3000);
  Report report;
  EXPECT_EQ(pairs(aligner, p, &report), pairs(cpu_, p));
  EXPECT_EQ(shares(report), 3000U - 3);
  const tiny::Pairs s = search(10, 3000);
  EXPECT_EQ(all(aligner, s, &report), all(cpu_, s));
  EXPECT_EQ(shares(report), 3U * 2999);
}

// Targets that would keep the others of a portion waiting have a block each, though the block's kernel is meant for
// pairs of 2^24 cells. What it cannot hold goes on to the wider kernels of pairs.
class WithBlocks : public EachDevice {
 protected:
  void SetUp() override {
    EachDevice::SetUp();
    set("TEXTS", with_blocks_.path());
  }
  static std::vector<device_folder::Kernel> kernels() {
    auto list = device_folder::usual_kernels();
    list.insert(list.begin(), device_folder::block_kernel());
    return list;
  }
  Aligner open_with_blocks(std::size_t device_memory = 0) const {
    Options options;
    options.devices = {id()};
    options.device_memory_bytes = device_memory;
    auto aligner = with_blocks_.open(options);
    if (!aligner) throw std::runtime_error(aligner.error().message);
    return *std::move(aligner);
  }
  static bool used(const Report &report, const std::string &kernel) {
    return std::count(report.kernels.begin(), report.kernels.end(), kernel) == 1;
  }
  // Among the others, so that results have to find their places.
  static tiny::Pairs with_long_targets(unsigned seed) {
    tiny::Pairs p = search(seed, 3000);
    tiny::Random random(seed + 100);
    p.targets[3] = random.letters(4000);
    p.targets[1500] = random.letters(1500) + p.queries[0] + random.letters(1500);
    p.targets[2999] = random.letters(3500);
    return p;
  }
  const Folder with_blocks_{kernels()};
};
INSTANTIATE_TEST_SUITE_P(Kinds, WithBlocks, testing::Values("opencl:0", "cuda:0", "hip:0"),
                         [](const auto &i) { return std::string(i.param).substr(0, std::string(i.param).find(':')); });

TEST_P(WithBlocks, LongTargetsOfATileHaveABlockEach) {
  const tiny::Pairs p = with_long_targets(31);
  Report report;
  EXPECT_EQ(all(open_with_blocks(), p, &report), all(cpu_, p));
  for (const char *kernel : {"shared_narrow", "single_narrow", "pairs_block", "pairs_wide"})
    EXPECT_TRUE(used(report, kernel)) << kernel;
  EXPECT_GT(report.promoted, 0U);  // the target that holds a query
  ASSERT_EQ(report.devices.size(), 1U);
  const BlockThreshold &threshold = report.devices[0].threshold;
  EXPECT_EQ(threshold.pairs, 3U * 2999);
  EXPECT_GE(threshold.block_pairs, 3U * 3);
  EXPECT_LT(threshold.block_pairs, 3U * 300);
  EXPECT_LE(threshold.most, 3090U);
  EXPECT_GT(threshold.least, 40U);
  EXPECT_LT(threshold.time, 0.8 * threshold.time_without);
  EXPECT_EQ(all(open_with_blocks(std::size_t{1} << 20), p), all(cpu_, p));
}

TEST_P(WithBlocks, BlocksAreDoneAgainWhereMemoryRunsOut) {
  if (id() != "cuda:0") GTEST_SKIP() << "on the fake driver of CUDA alone";
  const tiny::Pairs p = with_long_targets(34);
  const Answers expected = all(cpu_, p);
  for (int nth = 20; nth < 60; nth += 8) {
    set("FAIL_ALLOCATION", std::to_string(nth));
    set("RUN", "memory of blocks " + std::to_string(nth));
    Report report;
    EXPECT_EQ(all(open_with_blocks(), p, &report), expected) << nth;
    EXPECT_TRUE(used(report, "pairs_block")) << nth;
  }
}

TEST_P(WithBlocks, EvenTargetsHaveNone) {
  tiny::Pairs p = search(32, 3000);
  for (std::string &target : p.targets) target.resize(35, 'C');
  Report report;
  EXPECT_EQ(all(open_with_blocks(), p, &report), all(cpu_, p));
  EXPECT_FALSE(used(report, "pairs_block"));
  ASSERT_EQ(report.devices.size(), 1U);
  EXPECT_EQ(report.devices[0].threshold.pairs, 3U * 3000);
  EXPECT_EQ(report.devices[0].threshold.block_pairs, 0U);
  EXPECT_EQ(report.devices[0].threshold.time, report.devices[0].threshold.time_without);
}

TEST_P(WithBlocks, WithoutAKernelForBlocksThereIsNoThreshold) {
  set("TEXTS", folder_.path());
  const tiny::Pairs p = with_long_targets(33);
  Report report;
  EXPECT_EQ(all(open({id()}), p, &report), all(cpu_, p));
  ASSERT_EQ(report.devices.size(), 1U);
  EXPECT_EQ(report.devices[0].threshold.pairs, 0U);
}

// What no kernel of the device holds is the CPU's, whether it was listed or not.
class NarrowOnly : public EachDevice {
 protected:
  static std::vector<device_folder::Kernel> kernels() {
    auto list = device_folder::usual_kernels();
    std::erase_if(list, [](const auto &kernel) { return kernel.level > 0; });
    return list;
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, NarrowOnly, testing::Values("opencl:0", "cuda:0"),
                         [](const auto &i) { return std::string(i.param).substr(0, std::string(i.param).find(':')); });

TEST_P(NarrowOnly, TheCpuScoresWhatNoKernelHolds) {
  const Folder narrow(kernels());
  set("TEXTS", narrow.path());
  Options options;
  options.devices = {id()};
  const auto aligner = narrow.open(options);
  ASSERT_TRUE(aligner) << aligner.error().message;
  const tiny::Pairs p = mixed_pairs(11, 600);
  Report report;
  EXPECT_EQ(pairs(*aligner, p, &report), pairs(cpu_, p));
  EXPECT_EQ(ids(report), (std::vector<std::string>{"cpu", id()}));
  EXPECT_GT(report.promoted, 0U);
  const tiny::Pairs s = search(12, 1500);
  EXPECT_EQ(all(*aligner, s, &report), all(cpu_, s));
}

}  // namespace
