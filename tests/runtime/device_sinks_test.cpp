// Results of devices through sinks: what columns get, each pair once, whatever happens to a device on the way.
#include <map>

#include "alnsmith/sinks.hpp"
#include "device_batch.h"
#include "full_run.h"

namespace {

using namespace device_batch;

using Values = std::array<std::int32_t, 3>;
using Found = std::map<std::uint64_t, Values>;

Found table(const Answers &answers) {
  Found found;
  for (std::size_t i = 0; i < answers.score.size(); ++i)
    found[i] = {answers.score[i], answers.query_end[i], answers.target_end[i]};
  return found;
}

// What a stream gives; a pair that comes twice fails the test.
Found streamed(const Aligner &aligner, const tiny::Pairs &p, bool all, Report *report = nullptr) {
  Found found;
  StreamSink sink(
      [&](const ResultBlock &block) -> Result<Next> {
        for (std::size_t i = 0; i < block.size(); ++i) {
          const Values values = {block[Output::score][i], block[Output::query_end][i], block[Output::target_end][i]};
          EXPECT_TRUE(found.try_emplace(block.pair[i], values).second) << "pair " << block.pair[i] << " twice";
        }
        return Next::more;
      },
      {}, 100);
  const auto done = all ? aligner.align_all(p.query_views(), p.target_views(), sink)
                        : aligner.align_pairs(p.query_views(), p.target_views(), sink);
  EXPECT_TRUE(done) << done.error().message;
  if (done && report) *report = *done;
  return found;
}

void expect_top(const Aligner &aligner, const tiny::Pairs &p, const Answers &dense) {
  TopSink top(7);
  const auto done = aligner.align_all(p.query_views(), p.target_views(), top);
  ASSERT_TRUE(done) << done.error().message;
  const std::size_t targets = p.targets.size();
  for (std::size_t q = 0; q < p.queries.size(); ++q) {
    std::vector<std::size_t> order(targets);
    for (std::size_t t = 0; t < targets; ++t) order[t] = t;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return dense.score[q * targets + a] > dense.score[q * targets + b];
    });
    const auto hits = top.hits(q);
    ASSERT_EQ(hits.size(), 7U);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      const std::size_t at = q * targets + order[i];
      EXPECT_EQ(hits[i].target, order[i]) << q << " " << i;
      EXPECT_EQ((Values{dense.score[at], dense.query_end[at], dense.target_end[at]}),
                (Values{hits[i][Output::score], hits[i][Output::query_end], hits[i][Output::target_end]}));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EachDevice, testing::Values("opencl:0", "cuda:0", "hip:0"),
                         [](const auto &i) { return std::string(i.param).substr(0, std::string(i.param).find(':')); });

TEST_P(EachDevice, SinksGetWhatColumnsGet) {
  const tiny::Pairs p = mixed_pairs(41, 600), s = search(42, 1500);
  const Answers pairs_expected = pairs(cpu_, p), all_expected = all(cpu_, s);
  for (const auto &devices : {std::vector<std::string>{id()}, {"cpu", id()}}) {
    const Aligner aligner = open(devices, std::size_t{1} << 20);
    Report report;
    EXPECT_EQ(streamed(aligner, p, false, &report), table(pairs_expected));
    EXPECT_GT(report.promoted, 0U);
    EXPECT_EQ(report.pairs, 600U);
    EXPECT_EQ(streamed(aligner, s, true, &report), table(all_expected));
    expect_top(aligner, s, all_expected);
  }
}

TEST_P(EachDevice, ASinkMayStopTheCallOrFailIt) {
  const Aligner aligner = open({id()}, std::size_t{1} << 20);
  const tiny::Pairs s = search(43, 3000);
  int calls = 0;
  StreamSink enough([&](const ResultBlock &) -> Result<Next> { return ++calls == 3 ? Next::stop : Next::more; }, {},
                    100);
  const auto stopped = aligner.align_all(s.query_views(), s.target_views(), enough);
  ASSERT_TRUE(stopped) << stopped.error().message;
  EXPECT_EQ(calls, 3);
  EXPECT_GE(stopped->pairs, 300U);
  EXPECT_LT(stopped->pairs, 12000U);
  EXPECT_TRUE(stopped->warnings.empty());
  StreamSink failing([](const ResultBlock &) -> Result<Next> { return Error{"disk full", 9}; });
  const auto failed = aligner.align_all(s.query_views(), s.target_views(), failing);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "disk full");
  EXPECT_EQ(failed.error().exit_code, 9);
  StreamSink throwing([](const ResultBlock &) -> Result<Next> { throw std::runtime_error("thrown"); });
  const auto thrown = aligner.align_all(s.query_views(), s.target_views(), throwing);
  ASSERT_FALSE(thrown);
  EXPECT_EQ(thrown.error().message, "unexpected: thrown");
  EXPECT_EQ(streamed(aligner, s, true), table(all(cpu_, s))) << "the device is as good as before";
}

// Also where another worker could go on.
TEST_P(EachDevice, WhatProgressThrowsIsTheCallsError) {
  const tiny::Pairs p = mixed_pairs(49, 600);
  for (const auto &devices : {std::vector<std::string>{id()}, {"cpu", id()}}) {
    const Aligner aligner = open(devices, std::size_t{1} << 20);
    Answers out(p.queries.size());
    Options options;
    options.progress = [](std::uint64_t pairs) {
      if (pairs > 100) throw std::runtime_error("no more");
    };
    const auto done = aligner.align_pairs(p.query_views(), p.target_views(), out.score, options);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message, "unexpected: no more");
    EXPECT_EQ(pairs(aligner, p), pairs(cpu_, p)) << "the device is as good as before";
  }
}

// What no kernel of the device holds is the CPU's.
TEST_P(EachDevice, WhatTheCpuTakesOverComesOnce) {
  auto kernels = device_folder::usual_kernels();
  std::erase_if(kernels, [](const auto &kernel) { return kernel.level > 0; });
  const Folder narrow(kernels);
  set("TEXTS", narrow.path());
  Options options;
  options.devices = {id()};
  const auto aligner = narrow.open(options);
  ASSERT_TRUE(aligner) << aligner.error().message;
  const tiny::Pairs p = mixed_pairs(44, 600), s = search(45, 1500);
  EXPECT_EQ(streamed(*aligner, p, false), table(pairs(cpu_, p)));
  EXPECT_EQ(streamed(*aligner, s, true), table(all(cpu_, s)));
}

// At one call of the driver or another, at twice as many with ALNSMITH_FULL=1.
TEST_F(FakeDevices, WhereverADeviceIsLostEachPairComesOnce) {
  const tiny::Pairs s = search(46, 1500), p = mixed_pairs(47, 400);
  const Found all_expected = table(all(cpu_, s)), pairs_expected = table(pairs(cpu_, p));
  for (const std::string memory_runs_out : {"", "0:6"})
    for (int call = 4; call <= 64; call += sample::full() ? 6 : 13) {
      set("FAIL_ALLOCATION", memory_runs_out);
      set("LOST", "0:" + std::to_string(call));
      set("RUN", "once " + memory_runs_out + " " + std::to_string(call));
      const Aligner aligner = open({"cuda:0", "cpu"}, std::size_t{1} << 20);
      EXPECT_EQ(streamed(aligner, s, true), all_expected) << call;
      EXPECT_EQ(streamed(aligner, p, false), pairs_expected) << call;
    }
}

// A device with narrow kernels alone is lost while a block is planned: pairs that it had left to the CPU by then are
// not given back a second time.
TEST_F(FakeDevices, WhatWasLeftToTheCpuIsNotGivenBackToo) {
  auto kernels = device_folder::usual_kernels();
  std::erase_if(kernels, [](const auto &kernel) { return kernel.level > 0; });
  const Folder narrow(kernels);
  set("TEXTS", narrow.path());
  const tiny::Pairs p = mixed_pairs(48, 400);
  const Found expected = table(pairs(cpu_, p));
  for (int call = 4; call <= 64; call += sample::full() ? 3 : 7) {
    set("LOST", "0:" + std::to_string(call));
    set("RUN", "left " + std::to_string(call));
    Options options;
    options.devices = {"cuda:0", "cpu"};
    options.device_memory_bytes = std::size_t{1} << 20;
    const auto aligner = narrow.open(options);
    ASSERT_TRUE(aligner) << aligner.error().message;
    EXPECT_EQ(streamed(*aligner, p, false), expected) << call;
  }
}

}  // namespace
