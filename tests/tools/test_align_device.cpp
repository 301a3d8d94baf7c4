// `align --device`: generated kernels on an OpenCL device and on the fake drivers of tests/simt give the CPU's output;
// what cannot be used is said.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "alnsmith/devices.hpp"
#include "full_run.h"
#include "program.h"

namespace alnsmith::testing {
namespace {

using Words = std::vector<std::string>;

bool has(const std::string &text, const std::string &words) { return text.find(words) != std::string::npos; }

Words reads(const Words &more, const std::string &spec = "dna-semiglobal-affine") {
  Words out = {"align",
               "--spec",
               spec,
               "--query",
               data_file("lambda_reads.fastq.gz"),
               "--target",
               data_file("lambda_windows.fasta.gz")};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

class AlignDevice : public ::testing::Test {
 protected:
  void SetUp() override { ALNSMITH_NEEDS_KERNELS(); }
  // A shipped spec with one tile: compilers of drivers take seconds for all that a plan has.
  std::string of_one_tile(const std::string &spec, const std::string &tile) const {
    return folder_.write(spec + ".yaml", read_file(shipped_spec(spec)) + "\ntile: " + tile + "\n");
  }
  Folder folder_;
};

TEST_F(AlignDevice, OpenClScoresTheBundledReadsAsTheCpu) {
  for (const PlatformReport &platform : list_devices())
    if (platform.kind == DeviceKind::opencl && platform.devices.empty()) GTEST_SKIP() << platform.problem;
  // The planner's tile of eight processors takes PoCL 16 s.
  const std::string shipped = "dna-semiglobal-affine";
  const std::string spec = sample::full() ? shipped : of_one_tile(shipped, "{p: 2, k: 4}");
  const Finished cpu = alnsmith(reads({"--output", "end"}, spec));
  ASSERT_EQ(cpu.status, 0) << cpu.err;
  EXPECT_TRUE(has(cpu.err, " device=cpu ")) << cpu.err;
  const Finished device = alnsmith(reads({"--device", "opencl:0", "--output", "end"}, spec));
  EXPECT_EQ(device.status, 0) << device.err;
  EXPECT_TRUE(one_line(device.err) && has(device.err, " device=opencl:0 ")) << device.err;
  EXPECT_TRUE(has(device.err, " target=opencl ")) << device.err;
  EXPECT_TRUE(device.out == cpu.out);
  const Finished both = alnsmith(reads({"--device", "cpu,opencl:0", "--device-memory", "2M", "--output", "end"}, spec));
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_TRUE(both.out == cpu.out);
}

// Scores by the device, alignments by the CPU.
TEST_F(AlignDevice, ReadsArePlacedAsByTheCpu) {
  for (const PlatformReport &platform : list_devices())
    if (platform.kind == DeviceKind::opencl && platform.devices.empty()) GTEST_SKIP() << platform.problem;
  const std::string spec = of_one_tile("papara-v25", sample::full() ? "{p: 2, k: 16}" : "{p: 2, k: 4}");
  const auto place = [&](const Words &more) {
    Words words{"place",
                "--spec",
                spec,
                "--tree",
                data_file("placement_tree.nwk"),
                "--reference",
                data_file("placement_reference.phy.gz"),
                "--query",
                data_file("placement_reads.fasta")};
    words.insert(words.end(), more.begin(), more.end());
    return alnsmith(words);
  };
  const std::string cpu = folder_.path("cpu"), device = folder_.path("device"), both = folder_.path("both");
  ASSERT_EQ(place({"--out", cpu, "--quiet"}).status, 0);
  const Finished beside = place({"--out", both, "--device", "cpu,opencl:0", "--quiet"});
  ASSERT_EQ(beside.status, 0) << beside.err;
  const Finished done = place({"--out", device, "--device", "opencl:0"});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(one_line(done.err) && has(done.err, "opencl:0")) << done.err;
  for (const char *name : {"/reads.tsv", "/placements.jplace", "/alignment.fasta", "/alignment.columns.phy"}) {
    EXPECT_TRUE(read_file(device + name) == read_file(cpu + name)) << name;
    EXPECT_TRUE(read_file(both + name) == read_file(cpu + name)) << name;
  }
}

// Scores on the device, on both, and shards of one by the device and the other by the CPU: the same bytes.
TEST_F(AlignDevice, SearchesAreThoseOfTheCpu) {
  for (const PlatformReport &platform : list_devices())
    if (platform.kind == DeviceKind::opencl && platform.devices.empty()) GTEST_SKIP() << platform.problem;
  std::mt19937 random(5);
  const auto fasta = [&](const std::string &name, int records) {
    std::string text;
    for (int i = 0; i < records; ++i) {
      text += ">" + name + std::to_string(i) + "\n";
      for (unsigned n = 30 + random() % 90; n > 0; --n) text += "ACGT"[random() % 4];
      text += "\n";
    }
    return folder_.write(name + ".fa", text);
  };
  const std::string queries = fasta("q", 5), targets = fasta("t", 300);
  const std::string spec = of_one_tile("blastn-local-affine", sample::full() ? "{p: 2, k: 8}" : "{p: 2, k: 4}");
  const auto search = [&](const Words &more) {
    Words out = {"search",
                 "--spec",
                 spec,
                 "--query",
                 queries,
                 "--db",
                 targets,
                 "--top",
                 "20",
                 "-e",
                 "1e9",
                 "--columns",
                 "query,target,strand,score,evalue",
                 "--quiet"};
    out.insert(out.end(), more.begin(), more.end());
    const Finished got = alnsmith(out);
    EXPECT_EQ(got.status, 0) << got.err;
    return got.out;
  };
  const std::string cpu = search({});
  EXPECT_GT(cpu.size(), 2000u);
  EXPECT_TRUE(search({"--device", "opencl:0"}) == cpu);
  EXPECT_TRUE(search({"--device", "cpu,opencl:0", "--device-memory", "2M"}) == cpu);
  const std::string first = folder_.path("1"), second = folder_.path("2");
  search({"--device", "opencl:0", "--shard", "1/2", "--hits", first});
  search({"--shard", "2/2", "--hits", second});
  EXPECT_TRUE(alnsmith({"merge", second, first, "--quiet"}).out == cpu);
}

// The CPU's own kernels have the matrix folded in; the device's generic ones read it.
TEST_F(AlignDevice, GenericKernelsOfADeviceGetWhatTheCpusHaveFoldedIn) {
  for (const PlatformReport &platform : list_devices())
    if (platform.kind == DeviceKind::opencl && platform.devices.empty()) GTEST_SKIP() << platform.problem;
  folder_.write("m.mat", "   A  C  G  T\nA  5 -3 -1 -3\nC -4  5 -3 -1\nG -1 -3  6 -3\nT -3 -2 -3  5\n");
  const auto spec = [&](const std::string &name, const std::string &extend, const std::string &matrix) {
    return folder_.write(name + ".yaml", "version: 1\nname: " + name +
                                             "\nalignment: local\ngap: {model: linear, extend: " + extend +
                                             "}\nalphabet: dna\nscore: {matrix: " + matrix + "}\n");
  };
  // A generic spec names no tile, so by default its text is made with one: the driver's compiler takes seconds for a
  // plan's.
  const auto pack = [&](const std::string &of, const std::string &target, const std::string &choice) {
    Words words = {"pack", "build", of, "--target", target, "-o", of + ".pack", "--quiet"};
    if (!sample::full()) {
      const std::string texts = folder_.path(target);
      const Finished made = alnsmith({"generate", of, "--target", target, "--choice", choice, "-o", texts});
      EXPECT_EQ(made.status, 0) << made.err;
      words.insert(words.end(), {"--texts", texts});
    }
    const Finished built = alnsmith(words);
    EXPECT_EQ(built.status, 0) << built.err;
    return of + ".pack";
  };
  const std::string own = spec("own", "2", "./m.mat"), generic = spec("generic", "runtime", "runtime");
  const std::string query = folder_.write("q.fa", ">a\nACGTACGGTT\n>b\nGGTCA\n>c\nTTACGCAGT\n>d\nG\n");
  const auto align = [&](const Words &more) {
    Words words = {"align", "--spec", own, "--query", query, "--target", query, "--isa", "scalar", "--all"};
    words.insert(words.end(), more.begin(), more.end());
    return alnsmith(words);
  };
  const Finished cpu = align({"--pack", pack(own, "scalar", "mapping=lanes")});
  ASSERT_EQ(cpu.status, 0) << cpu.err;
  const Finished device =
      align({"--pack", own + ".pack", "--pack", pack(generic, "opencl", "p=2,k=4"), "--device", "opencl:0"});
  EXPECT_EQ(device.status, 0) << device.err;
  EXPECT_TRUE(has(device.err, "opencl:0: no kernels of the spec 'own' are at hand: generic kernels")) << device.err;
  EXPECT_EQ(device.out, cpu.out);
}

TEST_F(AlignDevice, ListsGoOnWithoutADeviceThatIsLost) {
  const std::string drivers = FAKE_DRIVERS;
  if (!std::filesystem::exists(drivers + "/libcuda.so.1")) GTEST_SKIP() << "this build has no fake drivers";
  const std::string spec = of_one_tile("dna-semiglobal-affine", "{p: 8, k: 16}");
  const auto with = [&](const std::string &setting, const std::string &devices) {
    Words words = {"env", "LD_LIBRARY_PATH=" + drivers, "ALNSMITH_NVRTC=" + drivers + "/libnvrtc.so.13",
                   std::string("SIMT_FAKE_CACHE=") + FAKE_CACHE, "SIMT_FAKE_DEVICES=2"};
    if (!setting.empty()) words.push_back(setting);
    words.push_back(program());
    for (const std::string &word : reads({"--device", devices}, spec)) words.push_back(word);
    return run(words);
  };
  std::filesystem::create_directories(FAKE_CACHE);
  const std::string expected = alnsmith(reads({})).out;
  const Finished two = with("", "cuda:0,cuda:1");
  EXPECT_EQ(two.status, 0) << two.err;
  EXPECT_TRUE(one_line(two.err) && has(two.err, " device=cuda:0,cuda:1 ")) << two.err;
  EXPECT_TRUE(two.out == expected);
  const Finished lost = with("SIMT_FAKE_LOST=0:40", "cuda:0,cuda:1");
  EXPECT_EQ(lost.status, 0) << lost.err;
  EXPECT_TRUE(lost.err.starts_with("alnsmith: note: cuda:0: ")) << lost.err;
  EXPECT_TRUE(has(lost.err, "the run goes on without it\npairs=400 ")) << lost.err;
  EXPECT_TRUE(lost.out == expected);
  const Finished alone = with("SIMT_FAKE_LOST=0:40", "cuda:0");
  EXPECT_EQ(alone.status, 1);
  EXPECT_TRUE(one_line(alone.err) && alone.err.starts_with("alnsmith: cuda:0: ")) << alone.err;
}

// The kernels are those of sm_90, so the threshold is the one that such a device would have, were it one processor.
TEST_F(AlignDevice, LongTargetsOfASearchHaveABlockEach) {
  const std::string drivers = FAKE_DRIVERS;
  if (!std::filesystem::exists(drivers + "/libcuda.so.1")) GTEST_SKIP() << "this build has no fake drivers";
  std::mt19937 random(6);
  const auto letters = [&](unsigned n) {
    std::string text;
    for (; n > 0; --n) text += "ACGT"[random() % 4];
    return text + "\n";
  };
  const std::string query = folder_.write("q.fa", ">q\n" + letters(1100));
  std::string text;
  for (int i = 0; i < 1000; ++i) text += ">t" + std::to_string(i) + "\n" + letters(i == 70 ? 2500 : 10 + random() % 40);
  const std::string targets = folder_.write("t.fa", text);
  const Words align = {"align", "--spec", "dna-local-affine", "--query", query, "--target", targets, "--all"};
  const Finished cpu = alnsmith(align);
  ASSERT_EQ(cpu.status, 0) << cpu.err;
  std::filesystem::create_directories(FAKE_CACHE);
  Words words = {"env",
                 "LD_LIBRARY_PATH=" + drivers,
                 "ALNSMITH_NVRTC=" + drivers + "/libnvrtc.so.13",
                 std::string("SIMT_FAKE_CACHE=") + FAKE_CACHE,
                 "SIMT_FAKE_PROCESSORS=1",
                 program()};
  words.insert(words.end(), align.begin(), align.end());
  for (const char *word : {"--device", "cuda:0", "--explain"}) words.push_back(word);
  const Finished device = run(words);
  EXPECT_EQ(device.status, 0) << device.err;
  EXPECT_TRUE(device.out == cpu.out);
  EXPECT_TRUE(
      has(device.err,
          "block threshold of cuda:0: targets of 2,500 letters and more a block each (1 of 1,000 pairs), by the "
          "model 0."))
      << device.err;
  EXPECT_TRUE(has(device.err, "_pairwise_block_") && has(device.err, "_single_query_wavefront_")) << device.err;
}

// Bit by bit where there are so many pairs that all lanes have some, else as before.
TEST_F(AlignDevice, ManyPairsGoBitByBit) {
  const std::string drivers = FAKE_DRIVERS;
  if (!std::filesystem::exists(drivers + "/libcuda.so.1")) GTEST_SKIP() << "this build has no fake drivers";
  std::mt19937 random(8);
  std::filesystem::create_directories(FAKE_CACHE);
  for (const int pairs : {9000, 1500}) {
    std::string queries, targets;
    for (int i = 0; i < pairs; ++i)
      for (std::string *text : {&queries, &targets}) {
        *text += ">" + std::to_string(i) + "\n";
        for (unsigned n = 1 + random() % (i % 50 ? 40 : 200); n > 0; --n) *text += "ACGTN"[random() % 5];
        *text += "\n";
      }
    const std::string query = folder_.write("q.fa", queries), target = folder_.write("t.fa", targets);
    for (const auto &[spec, k] : {std::pair("edit-distance", "k16"), std::pair("dna-semiglobal-linear", "k12")}) {
      const Words files = {"--query", query, "--target", target, "--output", "end"};
      const auto with = [&](const std::string &of) {
        Words words = {"align", "--spec", of};
        words.insert(words.end(), files.begin(), files.end());
        return words;
      };
      const Finished cpu = alnsmith(with(spec));
      ASSERT_EQ(cpu.status, 0) << cpu.err;
      Words words = {"env",
                     "LD_LIBRARY_PATH=" + drivers,
                     "ALNSMITH_NVRTC=" + drivers + "/libnvrtc.so.13",
                     std::string("SIMT_FAKE_CACHE=") + FAKE_CACHE,
                     "SIMT_FAKE_PROCESSORS=1",
                     program()};
      for (const std::string &word : with(of_one_tile(spec, "{p: 8, k: 16}"))) words.push_back(word);
      for (const char *word : {"--device", "cuda:0", "--explain"}) words.push_back(word);
      const Finished device = run(words);
      EXPECT_EQ(device.status, 0) << device.err;
      EXPECT_TRUE(device.out == cpu.out) << spec;
      EXPECT_EQ(has(device.err, std::string("_lanes_bitsliced_p1") + k + "_cuda_sm_90 target="), pairs == 9000)
          << device.err;
    }
  }
}

// Clang makes a code object for a real GPU; the fake driver runs the text that it was made from in its place.
TEST_F(AlignDevice, HipScoresTheBundledReadsAsTheCpu) {
  const std::string drivers = FAKE_DRIVERS;
  if (!std::filesystem::exists(drivers + "/libamdhip64.so.5")) GTEST_SKIP() << "this build has no fake drivers";
  const std::string texts = folder_.path("texts"), spec = of_one_tile("dna-semiglobal-affine", "{p: 8, k: 16}");
  const Finished made = alnsmith({"generate", spec, "--target", "hip:gfx90a", "--target", "hip:gfx1100", "-o", texts});
  ASSERT_EQ(made.status, 0) << made.err;
  std::filesystem::create_directories(FAKE_CACHE);
  const std::string expected = alnsmith(reads({})).out;
  for (const std::string arch : {"gfx90a", "gfx1100"}) {
    Words words = {"env",
                   "LD_LIBRARY_PATH=" + drivers,
                   "SIMT_FAKE_TEXTS=" + texts,
                   std::string("SIMT_FAKE_CACHE=") + FAKE_CACHE,
                   "SIMT_FAKE_ARCH=" + arch,
                   program()};
    for (const std::string &word : reads({"--device", "hip:0"}, spec)) words.push_back(word);
    const Finished device = run(words);
    if (has(device.err, "ld.lld") || has(device.err, "no HIP compiler")) GTEST_SKIP() << device.err;
    EXPECT_EQ(device.status, 0) << device.err;
    EXPECT_TRUE(has(device.err, " device=hip:0 ") && has(device.err, " target=hip:" + arch)) << device.err;
    EXPECT_TRUE(device.out == expected);
  }
}

TEST_F(AlignDevice, AutoSaysThatItEndsOnTheCpuAndWhy) {
  for (const PlatformReport &platform : list_devices())
    for (const DeviceInfo &device : platform.devices)
      if (device.gpu) GTEST_SKIP() << "this machine has the GPU " << device.id;
  const Finished cpu = alnsmith(reads({})), automatic = alnsmith(reads({"--device", "auto"}));
  EXPECT_EQ(automatic.status, 0);
  EXPECT_TRUE(
      automatic.err.starts_with("alnsmith: note: device auto: no GPU is found, so the CPU aligns alone (cuda: "))
      << automatic.err;
  EXPECT_EQ(std::ranges::count(automatic.err, '\n'), std::ranges::count(cpu.err, '\n') + 1) << automatic.err;
  EXPECT_TRUE(has(automatic.err, " device=cpu ")) << automatic.err;
  EXPECT_TRUE(automatic.out == cpu.out);
}

TEST_F(AlignDevice, WhatCannotBeUsedIsSaidInOneLine) {
  const std::string spec = folder_.write("strict.yaml", strict_spec);
  const std::string query = folder_.write("q.fa", ">a\nACGT\n"), target = folder_.write("t.fa", ">x\nACGA\n");
  const auto align = [&](const Words &more) {
    Words words = {"align", "--spec", spec, "--query", query, "--target", target};
    words.insert(words.end(), more.begin(), more.end());
    return alnsmith(words);
  };
  for (const auto &[devices, status, part] :
       {std::tuple("toaster", 2, "names no device"), std::tuple("cpu,,cuda:0", 2, "an empty name"),
        std::tuple("cpu,cpu", 2, "listed twice"), std::tuple("auto,cpu", 2, "cannot be listed with others"),
        std::tuple("cuda:99", 1, "cuda:99: ")}) {
    const Finished got = align({"--device", devices});
    EXPECT_EQ(got.status, status) << devices;
    EXPECT_TRUE(one_line(got.err) && has(got.err, part)) << got.err;
    EXPECT_EQ(got.out, "");
  }
  EXPECT_EQ(align({"--device", "auto", "--device-memory", "some"}).status, 2);
  EXPECT_EQ(align({"--device", "auto", "--device-memory", "1K"}).status, 2);
  const Finished list = align({"--device", "cuda:99,cpu"});
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_TRUE(list.err.starts_with("alnsmith: note: cuda:99: ") && has(list.err, " device=cpu ")) << list.err;
  EXPECT_EQ(list.out, align({"--device", "cpu"}).out);
}

}  // namespace
}  // namespace alnsmith::testing
