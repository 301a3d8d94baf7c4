// Several devices, and devices that fail: fake drivers whose devices are lost, refuse launches and run out of memory.
#include <gtest/gtest.h>

#include <atomic>
#include <sstream>

#include "device/driver/executor.h"
#include "device_batch.h"
#include "full_run.h"

namespace {

using namespace alnsmith;
using namespace device_batch;

TEST_F(FakeDevices, SeveralShareOneQueue) {
  const Aligner aligner = open({"cuda:0", "cuda:1", "hip:0"});
  Report report;
  EXPECT_EQ(pairs(aligner, p_, &report), pairs(cpu_, p_));
  EXPECT_EQ(ids(report), (std::vector<std::string>{"cuda:0", "cuda:1", "hip:0"}));
  EXPECT_EQ(shares(report), 3000U - 3);
  EXPECT_EQ(std::string(aligner.target()), "cuda:sm_90,hip:gfx90a");
  const tiny::Pairs s = search(21, 4000);
  EXPECT_EQ(all(aligner, s, &report), all(cpu_, s));
  EXPECT_EQ(shares(report), 3U * 3999);
}

TEST_F(FakeDevices, WhatALostDeviceHadIsDoneElsewhere) {
  const tiny::Pairs s = search(22, 3000);
  const Answers all_expected = all(cpu_, s), pairs_expected = pairs(cpu_, p_);
  for (const char *when : {"0:5", "0:30", "0:60"}) {
    set("LOST", when);
    set("RUN", std::string("lost ") + when);
    const Aligner aligner = open({"cuda:0", "cuda:1"}, std::size_t{1} << 20);
    for (int call = 0; call < 2; ++call) {  // it stays lost
      Report report;
      EXPECT_EQ(pairs(aligner, p_, &report), pairs_expected);
      EXPECT_EQ(shares(report), 3000U - 3) << when;
      ASSERT_EQ(report.warnings.size(), 1U) << when;
      EXPECT_TRUE(has(report.warnings[0], "cuda:0: ") && has(report.warnings[0], "the run goes on without it"))
          << report.warnings[0];
    }
    EXPECT_EQ(all(aligner, s), all_expected);
  }
}

TEST_F(FakeDevices, ALostTileIsDoneElsewhere) {
  const tiny::Pairs s = search(23, 4000);
  const Answers expected = all(cpu_, s);
  for (const char *when : {"0:12", "0:40"}) {
    set("LOST", when);
    set("RUN", std::string("lost tile ") + when);
    const Aligner aligner = open({"cuda:0", "cpu"});
    Report report;
    EXPECT_EQ(all(aligner, s, &report), expected);
    EXPECT_EQ(shares(report), 3U * 3999) << when;
  }
}

// One call of the driver or another is the last one, while blocks are planned, under way or being collected; and while
// memory that ran out is given back. ALNSMITH_FULL=1 takes about twice as many.
TEST_F(FakeDevices, WhereverADeviceIsLostNothingElseIs) {
  const tiny::Pairs s = search(27, 1500), p = mixed_pairs(28, 400);
  const Answers all_expected = all(cpu_, s), pairs_expected = pairs(cpu_, p);
  for (const std::string memory_runs_out : {"", "0:6", "0:9"})
    for (int call = 4; call <= 64; call += memory_runs_out.empty() ? (sample::full() ? 5 : 11)
                                           : sample::full()        ? 11
                                                                   : 17) {
      set("FAIL_ALLOCATION", memory_runs_out);
      set("LOST", "0:" + std::to_string(call));
      set("RUN", "wherever " + memory_runs_out + " " + std::to_string(call));
      const Aligner aligner = open({"cuda:0", "cpu"}, std::size_t{1} << 20);
      Report report;
      EXPECT_EQ(all(aligner, s, &report), all_expected) << call;
      EXPECT_EQ(shares(report), 3U * 1499) << call;
      EXPECT_EQ(pairs(aligner, p, &report), pairs_expected) << call;
      EXPECT_EQ(shares(report), 400U - 3) << call;
    }
}

TEST_F(FakeDevices, TooLittleMemoryIsSaid) {
  const Aligner aligner = open({"cuda:0"}, 4096);
  Answers out(p_.queries.size());
  const auto done = aligner.align_pairs(p_.query_views(), p_.target_views(), out.score);
  ASSERT_FALSE(done);
  EXPECT_TRUE(has(done.error().message, "too few to align on it; free some, or raise --device-memory"))
      << done.error().message;
  Report report;
  EXPECT_EQ(pairs(open({"cuda:0", "cpu"}, 4096), p_, &report), pairs(cpu_, p_));
  EXPECT_EQ(ids(report), std::vector<std::string>{"cpu"});
}

TEST_F(FakeDevices, WithNoneLeftTheCpuGoesOn) {
  set("LOST", "25");
  const Aligner aligner = open({"cuda:0", "cuda:1"});
  Report report;
  EXPECT_EQ(pairs(aligner, p_, &report), pairs(cpu_, p_));
  EXPECT_EQ(report.warnings.size(), 2U);
  EXPECT_EQ(ids(report).front(), "cpu");
}

TEST_F(FakeDevices, ADeviceNamedAloneMustWork) {
  for (const auto &[what, when] :
       {std::pair("LOST", "25"), std::pair("FAIL_LAUNCH", "2"), std::pair("FAIL_ALLOCATION", "4+")}) {
    set(what, when);
    set("RUN", std::string("alone ") + what);
    const Aligner aligner = open({"cuda:0"});
    Answers out(p_.queries.size());
    const auto done = aligner.align_pairs(p_.query_views(), p_.target_views(), out.score);
    ASSERT_FALSE(done) << what;
    EXPECT_EQ(done.error().exit_code, 1);
    EXPECT_TRUE(done.error().message.starts_with("cuda:0: ")) << done.error().message;
    set(what, "");
  }
}

TEST_F(FakeDevices, MemoryThatRunsOutOnceIsNoFailure) {
  const tiny::Pairs s = search(24, 1200), p = mixed_pairs(26, 300);
  const Answers all_expected = all(cpu_, s), pairs_expected = pairs(cpu_, p);
  for (int nth = 1; nth <= 15; ++nth) {
    set("FAIL_ALLOCATION", std::to_string(nth));
    set("RUN", "memory " + std::to_string(nth));
    const Aligner aligner = open({"cuda:0"});
    Report report;
    EXPECT_EQ(all(aligner, s, &report), all_expected) << nth;
    EXPECT_EQ(pairs(aligner, p), pairs_expected) << nth;
    EXPECT_TRUE(report.warnings.empty());
  }
}

TEST_F(FakeDevices, ALaunchThatIsRefusedGoesElsewhere) {
  set("FAIL_LAUNCH", "0:2+");
  const Aligner aligner = open({"cuda:0", "hip:0"}, std::size_t{1} << 20);
  Report report;
  EXPECT_EQ(pairs(aligner, p_, &report), pairs(cpu_, p_));
  EXPECT_EQ(shares(report), 3000U - 3);
  EXPECT_EQ(report.warnings.size(), 2U);  // each refuses its second
}

// Copies of one launch go on while the next is copied in: slow ones take together much less than one after another.
TEST_F(FakeDevices, CopiesOfTwoLaunchesOverlap) {
  constexpr double kSecondsPerMib = 2.0;
  const tiny::Pairs p = tiny::random_pairs(25, 40000, 8);
  const Answers expected = pairs(cpu_, p);
  set("COPY_MS", std::to_string(kSecondsPerMib * 1000));
  set("LOG", folder_.file("log"));
  const Aligner aligner = open({"cuda:0"}, std::size_t{1} << 20);
  Report report;
  EXPECT_EQ(pairs(aligner, p, &report), expected);
  double copying = 0;
  for (const std::string &line : logged(" copy "))
    copying += std::stod(line.substr(line.rfind(' '))) / (1 << 20) * kSecondsPerMib;
  EXPECT_GT(copying, 1.0);
  EXPECT_LT(report.seconds, 0.85 * copying);
}

TEST_F(FakeDevices, AKernelMayBoundItsGrid) {
  auto kernels = device_folder::usual_kernels();
  for (auto &kernel : kernels) kernel.grid = 2;
  const Folder bounded(kernels);
  set("TEXTS", bounded.path());
  set("PROCESSORS", "3");
  const auto most = [&](const Folder &folder, const std::string &log) {
    set("RUN", log);
    set("LOG", folder_.file(log));
    Options options;
    options.devices = {"cuda:0"};
    const auto aligner = folder.open(options);
    EXPECT_TRUE(aligner) << aligner.error().message;
    EXPECT_EQ(pairs(*aligner, p_), pairs(cpu_, p_));
    int blocks = 0;
    std::ifstream file(folder_.file(log));
    for (std::string line; std::getline(file, line);)
      if (const std::size_t at = line.find(" grid "); has(line, "launch ") && at != std::string::npos)
        blocks = std::max(blocks, std::stoi(line.substr(at + 6)));
    return blocks;
  };
  EXPECT_EQ(most(bounded, "bounded"), 2 * 3);
  set("TEXTS", folder_.path());
  EXPECT_GT(most(folder_, "unbounded"), 2 * 3);
}

TEST_F(FakeDevices, AutoTakesAllGpusElseTheCpu) {
  Report report;
  EXPECT_EQ(pairs(open({"auto"}), p_, &report), pairs(cpu_, p_));
  for (const std::string &id : ids(report)) EXPECT_TRUE(id.starts_with("cuda:") || id.starts_with("hip:")) << id;
  set("DEVICES", "0");
  set("RUN", "none");
  const Aligner none = open({"auto"});
  EXPECT_EQ(pairs(none, p_, &report), pairs(cpu_, p_));
  EXPECT_EQ(ids(report), std::vector<std::string>{"cpu"});
  ASSERT_EQ(none.warnings().size(), 1U);
  EXPECT_TRUE(none.warnings()[0].starts_with("device auto: no GPU is found, so the CPU aligns alone (cuda: "))
      << none.warnings()[0];
  const auto lines = none.provenance();
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [](const auto &line) { return has(line, "auto: cuda: "); }));
}

TEST_F(FakeDevices, WhatCannotBeUsedIsSaid) {
  int code = 0;
  EXPECT_TRUE(has(open_error({"cuda:7"}, &code), "cuda:7: there is no such device"));
  EXPECT_EQ(code, 1);
  const Aligner aligner = open({"cuda:7", "cuda:1"});
  ASSERT_EQ(aligner.warnings().size(), 1U);
  EXPECT_TRUE(has(aligner.warnings()[0], "cuda:7: ") && has(aligner.warnings()[0], "the run goes on without it"));
  EXPECT_TRUE(has(open_error({"gpu"}, &code), "'gpu' names no device"));
  EXPECT_EQ(code, 2);
  EXPECT_TRUE(has(open_error({"cuda:0", "gpu"}, &code), "'gpu' names no device"));
  EXPECT_EQ(code, 2);
  EXPECT_TRUE(has(open_error({"auto", "cuda:0"}, &code), "cannot be listed with others"));
  EXPECT_TRUE(has(open_error({"cuda:0", "cuda:0"}, &code), "is listed twice"));
  EXPECT_EQ(code, 2);
  std::filesystem::remove(folder_.stem("cuda:sm_90") + ".json");
  EXPECT_TRUE(has(open_error({"cuda:0"}, &code), "cuda:0: no kernels for the spec 'fake' on cuda:sm_90"));
  EXPECT_EQ(code, 1);
}

TEST_F(FakeDevices, ADeviceAloneNeedsNoKernelsForTheCpu) {
  for (const auto &file : std::filesystem::directory_iterator(folder_.path()))
    if (file.path().extension() == ".so") std::filesystem::remove(file.path());
  const Aligner aligner = open({"cuda:0"});
  EXPECT_EQ(pairs(aligner, p_), pairs(cpu_, p_));
  EXPECT_EQ(std::string(aligner.target()), "cuda:sm_90");
  EXPECT_TRUE(has(open_error({"cuda:0", "cpu"}), "no kernels for the spec 'fake'"));
}

}  // namespace
