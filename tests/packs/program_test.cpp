// `alnsmith pack` as users run it: the same bytes anywhere, exit statuses, installing, and `align` with packs.
#include "program.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "alnsmith/devices.hpp"
#include "alnsmith/packs.hpp"
#include "full_run.h"
#include "targets/targets.h"

namespace alnsmith::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

bool has(const std::string &text, const std::string &words) { return text.find(words) != std::string::npos; }

Words operator+(Words words, const Words &more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// From generated/, so that a build without the generator can do it too.
Words build(const std::string &out, const Words &more = {}) {
  return Words{"pack", "build", "dna-global-affine", "--texts", GENERATED, "-o", out} + more;
}

const Words kReads = {"--query", data_file("lambda_reads.fastq.gz"), "--target", data_file("lambda_windows.fasta.gz")};

// Variables set for the program; those without '=' are unset.
Finished with(const Words &environment, const Words &words) {
  Words all = {"env"};
  for (const std::string &variable : environment)
    if (variable.find('=') == std::string::npos) all = all + Words{"-u", variable};
  for (const std::string &variable : environment)
    if (variable.find('=') != std::string::npos) all.push_back(variable);
  return run(all + Words{program()} + words);
}

TEST(PackCommand, TheSameInputGivesTheSameBytesInAnyFolder) {
  const Folder one, two;
  fs::create_directories(two.path("deep/er"));
  fs::create_directories(two.path("tmp"));
  const std::string a = one.path("a.pack"), b = two.path("deep/er/other.pack");
  const Words specs = {"dna-semiglobal-end"};
  const Finished first = with({"ALNSMITH_CACHE=" + one.path("cache")},
                              build(a, specs + Words{"--target", "x86-64-v4", "--target", "scalar", "--threads", "2"}));
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_TRUE(one_line(first.out) && has(first.out, "2 specs, 2 targets, 16 kernels")) << first.out;
  const Finished second =
      with({"ALNSMITH_CACHE=" + two.path("cache"), "TMPDIR=" + two.path("tmp"), "ALNSMITH_ISA=scalar"},
           Words{"pack", "build", "dna-semiglobal-end", "dna-global-affine", "dna-semiglobal-end", "--texts", GENERATED,
                 "-o", b, "--target", "scalar", "--target", "x86-64-v4", "--threads", "1"});
  ASSERT_EQ(second.status, 0) << second.err;
  EXPECT_TRUE(read_file(a) == read_file(b));
  EXPECT_FALSE(has(read_file(a), one.path("")) || has(read_file(a), GENERATED) || has(read_file(a), "/tmp/"));
  EXPECT_EQ(alnsmith({"pack", "diff", a, b}).status, 0);
  EXPECT_EQ(fs::status(a).permissions() & fs::perms::group_write, fs::perms::none);
}

// Two kernels per device: what is compiled here takes seconds.
const char *const device_spec = R"(version: 1
name: small
alignment: local
gap: {model: affine, open: 2, extend: 1}
alphabet: dna5
score: {match: 2, mismatch: -1}
arithmetic: int32
tile: {p: 8, k: 8}
)";

// GPU parts: whatever compilers there are. Texts come from the generator.
TEST(PackCommand, DeviceUnitsAreReproducibleToo) {
  ALNSMITH_NEEDS_KERNELS();
  const Folder one, two;
  fs::create_directories(two.path("tmp"));
  Words targets = {"--target", "opencl"};
  std::string built = "opencl";
  const Words words = {"pack", "build", one.write("small.yaml", device_spec), "-o"};
  for (const std::string target : {"opencl:spirv64", "hip:gfx90a", "cuda:compute_80", "cuda:sm_90"}) {
    const Finished tried = alnsmith(words + Words{one.path("try.pack"), "--target", target});
    if (tried.status != 0) {
      EXPECT_TRUE(one_line(tried.err)) << tried.err;
      EXPECT_TRUE(has(tried.err, " no ") || has(tried.err, "missing")) << tried.err;  // no such compiler here
      continue;
    }
    targets = targets + Words{"--target", target};
    built += " " + target;
  }
  std::cout << "targets: " << built << "\n";
  const std::string a = one.path("a.pack"), b = two.path("b.pack");
  ASSERT_EQ(alnsmith(words + Words{a} + targets).status, 0);
  const Finished again =
      with({"ALNSMITH_CACHE=" + two.path("cache"), "TMPDIR=" + two.path("tmp")}, words + Words{b} + targets);
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_TRUE(read_file(a) == read_file(b)) << alnsmith({"pack", "diff", a, b}).out;
  EXPECT_EQ(alnsmith({"pack", "verify", a}).status, 0);
  const std::string list = alnsmith({"pack", "list", "--json", a}).out;
  EXPECT_FALSE(has(list, "/usr/") || has(list, "/root") || has(list, "/home/")) << list;
}

// The first target of a machine that this is not.
TEST(PackCommand, AnotherMachinesKernelsTakeItsCompiler) {
  ALNSMITH_NEEDS_KERNELS();
  const auto rows = targets::cpus();
  const auto row = std::find_if(rows.begin(), rows.end(), [](const targets::Cpu &cpu) {
    return !cpu.machine.empty() && cpu.machine != targets::host_machine();
  });
  ASSERT_NE(row, rows.end());
  const Folder folder;
  const std::string target(row->name), machine(row->machine), pack = folder.path("other.pack");
  const std::string cross = std::string(targets::find_machine(machine)->tools) + "g++";
  const Words words = {"pack", "build", folder.write("small.yaml", device_spec), "--target", target, "--out", pack};
  const Finished wrong = alnsmith(words + Words{"--compiler", "g++"});
  EXPECT_NE(wrong.status, 0);
  EXPECT_TRUE(one_line(wrong.err) && has(wrong.err, "not for " + machine + ": name a compiler that does")) << wrong.err;
  const Finished without = with({"PATH=" + folder.path("")}, words);
  EXPECT_NE(without.status, 0);
  EXPECT_TRUE(one_line(without.err) && has(without.err, "no compiler for " + machine + " (" + cross + "): install"))
      << without.err;
  if (std::system(("command -v " + cross + " >/dev/null").c_str()) != 0)
    GTEST_SKIP() << "no " << cross << "; tools/setup cross installs it";
  const Finished built = alnsmith(words);
  ASSERT_EQ(built.status, 0) << built.err;
  EXPECT_TRUE(has(alnsmith({"pack", "list", "--json", pack}).out, "\"" + machine + "\""));
  EXPECT_EQ(alnsmith({"pack", "verify", pack}).status, 0);
}

TEST(PackCommand, PartsHoldOneTargetEach) {
  const Folder folder;
  const Finished got =
      alnsmith(build(folder.path("k.pack"), {"--split", "--target", "x86-64-v2", "--target", "scalar"}));
  ASSERT_EQ(got.status, 0) << got.err;
  EXPECT_EQ(folder.entries(), (Words{"k-scalar.pack", "k-x86-64-v2.pack"}));
  const auto info = list_pack(folder.path("k-x86-64-v2.pack"));
  ASSERT_TRUE(info);
  ASSERT_EQ(info->units.size(), 1U);
  EXPECT_EQ(info->units[0].target, "x86-64-v2");
  const Finished align =
      alnsmith(Words{"align", "--spec", "dna-global-affine", "--pack", folder.path(""), "--isa", "scalar"} + kReads);
  EXPECT_EQ(align.status, 0) << align.err;
  EXPECT_TRUE(has(align.err, " target=scalar ")) << align.err;
}

TEST(PackCommand, ListVerifyAndDiffSayWhatIsThere) {
  const Folder folder;
  const std::string a = folder.path("a.pack"), b = folder.path("b.pack");
  ASSERT_EQ(alnsmith(build(a, {"--target", "x86-64-v2", "--target", "scalar"})).status, 0);
  ASSERT_EQ(alnsmith(build(b, {"--target", "scalar", "--quiet"})).status, 0);
  const Finished list = alnsmith({"pack", "list", a});
  EXPECT_EQ(list.status, 0);
  EXPECT_TRUE(has(list.out, "dna-global-affine  x86-64-v2  shared-object  3 ")) << list.out;
  const auto json = nlohmann::json::parse(alnsmith({"pack", "list", "--json", "--kernels", a}).out);
  ASSERT_EQ(json[0]["units"].size(), 2U);
  EXPECT_EQ(json[0]["units"][0]["kernels"].size(), 2U);
  EXPECT_TRUE(has(alnsmith({"pack", "list", "--kernels", a}).out, "_pairwise_i8b_"));
  const Finished verify = alnsmith({"pack", "verify", a, b});
  EXPECT_EQ(verify.status, 0) << verify.err;
  EXPECT_TRUE(verify.out.starts_with("ok " + a + ": 1 spec, 2 targets, 5 kernels, ")) << verify.out;
  const Finished diff = alnsmith({"pack", "diff", a, b});
  EXPECT_EQ(diff.status, 1);
  EXPECT_EQ(diff.out, "- dna-global-affine for x86-64-v2 on x86_64\n");

  std::string bytes = read_file(a);
  bytes[bytes.size() / 2] ^= 4;
  folder.write("a.pack", bytes);
  const Finished damaged = alnsmith({"pack", "verify", a});
  EXPECT_EQ(damaged.status, 1);
  EXPECT_TRUE(one_line(damaged.err) && has(damaged.err, "damaged")) << damaged.err;
  EXPECT_EQ(alnsmith({"pack", "list", a}).status, 0);
  folder.write("a.pack", bytes.substr(0, 1000));
  for (const char *command : {"list", "verify"}) {
    const Finished cut = alnsmith({"pack", command, a});
    EXPECT_EQ(cut.status, 1);
    EXPECT_TRUE(one_line(cut.err) && has(cut.err, "damaged: has 1000 bytes, should have")) << cut.err;
  }
}

TEST(PackCommand, AnInstalledPackIsFoundAndLoadedWithoutACompiler) {
  const Folder folder;
  const std::string pack = folder.path("mine.pack");
  ASSERT_EQ(alnsmith(build(pack)).status, 0);
  const Words environment = {"XDG_DATA_HOME=" + folder.path("data"), "ALNSMITH_CACHE=" + folder.path("cache"),
                             "PATH=/nonexistent"};
  const auto call = [&](const Words &words) {
    Words all = {"/usr/bin/env"};
    return run(all + environment + Words{program()} + words);
  };
  const Finished none = call({"pack", "list"});
  EXPECT_EQ(none.status, 0) << none.err;
  const Finished installed = call({"pack", "install", pack});
  ASSERT_EQ(installed.status, 0) << installed.err;
  const std::string to = folder.path("data/alnsmith/packs/mine.pack");
  EXPECT_EQ(installed.out, "installed " + to + "\n");
  EXPECT_TRUE(has(call({"pack", "list"}).out, to + ": 1 spec, 4 targets"));
  const Finished align = call(Words{"align", "--spec", "dna-global-affine", "--explain"} + kReads);
  ASSERT_EQ(align.status, 0) << align.err;
  EXPECT_TRUE(has(align.err, ": from " + to + " (dna-global-affine for ")) << align.err;
  EXPECT_TRUE(align.out == alnsmith(Words{"align", "--spec", "dna-global-affine"} + kReads).out);

  // Others may write there: said, and not loaded.
  fs::permissions(to, fs::perms::others_write, fs::perm_options::add);
  const Finished refused = call(Words{"align", "--spec", "dna-global-affine"} + kReads);
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(one_line(refused.err) && has(refused.err, "pack skipped: " + to + ": not loaded: others may write to it"))
      << refused.err;
  EXPECT_EQ(call({"pack", "verify", to}).status, 0);
}

TEST(PackCommand, WrongUseIsOneLine) {
  const Folder folder;
  const std::string file = folder.path("a.pack");
  for (const auto &[words, status, part] : std::vector<std::tuple<Words, int, std::string>>{
           {{"pack"}, 2, "subcommand"},
           {{"pack", "build", "-o", file}, 2, "SPEC"},
           {{"pack", "build", "dna-global-affine"}, 2, "--out"},
           {build(file, {"--target", "x86-64-v9"}), 2, "target 'x86-64-v9': write"},
           {build(file, {"--target", "../../x"}), 2, "target '../../x'"},
           {build(folder.path("a.bin")), 2, "ends in .pack"},
           {build(folder.path("none/a.pack")), 1, "no such folder"},
           {build(file, {"no-such-spec"}), 1, "no-such-spec"},
           {build(file, {"papara-v25", "--target", "opencl"}), 1, " for opencl: "},
           {build(file, {"--target", "cuda:sm_90"}), 1, "dna-global-affine for cuda:sm_90: "},
           {build(file, {"--compiler", "no-such-compiler"}), 1, "no C++ compiler found (no-such-compiler)"},
           {{"pack", "verify", file}, 1, "cannot open"},
           {{"pack", "verify"}, 2, "FILE"},
           {{"pack", "diff", file}, 2, "NEW"},
           {{"pack", "install", file}, 1, "cannot open"},
           {{"pack", "install", folder.path("")}, 2, "rename it to NAME.pack"}}) {
    const Finished got = alnsmith(words);
    EXPECT_EQ(got.status, status) << got.err;
    EXPECT_TRUE(one_line(got.err) && has(got.err, part)) << part << " / " << got.err;
    EXPECT_EQ(got.out, "");
  }
  EXPECT_TRUE(folder.entries().empty());
  const std::string spec = folder.write("s.yaml", strict_spec);
  const Finished other = alnsmith(Words{"align", "--spec", spec, "--pack", file} + kReads);
  EXPECT_EQ(other.status, 1);
  EXPECT_TRUE(one_line(other.err)) << other.err;
}

// Kernel texts that are not those of the spec: a pack must not claim what it does not hold.
TEST(PackCommand, TextsOfAnotherSpecAreRefused) {
  const Folder folder;
  fs::create_directories(folder.path("texts"));
  fs::copy_file(GENERATED "/dna-global-linear-scalar.cpp", folder.path("texts/dna-global-affine-scalar.cpp"));
  const Words words = {"pack",
                       "build",
                       "dna-global-affine",
                       "--target",
                       "scalar",
                       "--texts",
                       folder.path("texts"),
                       "-o",
                       folder.path("a.pack")};
  const Finished got = alnsmith(words);
  EXPECT_EQ(got.status, 1);
  EXPECT_TRUE(one_line(got.err) && has(got.err, "of another version of the spec")) << got.err;
  folder.write("texts/dna-global-affine-scalar.cpp", "int x = ;\n");
  const Finished wrong = alnsmith(words);
  EXPECT_EQ(wrong.status, 1);
  EXPECT_TRUE(one_line(wrong.err) && has(wrong.err, "kernels.cpp:1") && !has(wrong.err, "/tmp/")) << wrong.err;
  EXPECT_FALSE(fs::exists(folder.path("a.pack")));
}

class PackOnDevices : public ::testing::Test {
 protected:
  void SetUp() override { ALNSMITH_NEEDS_KERNELS(); }
  Folder folder_;
  const std::string spec_ = folder_.write("small.yaml", device_spec);
  const Words reads_ = Words{"align", "--spec", spec_} + kReads;
};

TEST_F(PackOnDevices, OpenClTakesItsTextFromAPack) {
  for (const PlatformReport &platform : list_devices())
    if (platform.kind == DeviceKind::opencl && platform.devices.empty()) GTEST_SKIP() << platform.problem;
  const std::string pack = folder_.path("cl.pack");
  ASSERT_EQ(alnsmith({"pack", "build", spec_, "--target", "opencl", "-o", pack}).status, 0);
  const Finished got = alnsmith(reads_ + Words{"--pack", pack, "--device", "opencl:0", "--explain"});
  ASSERT_EQ(got.status, 0) << got.err;
  EXPECT_TRUE(has(got.err, " kernels from " + pack + " (small for opencl)")) << got.err;
  EXPECT_TRUE(has(got.err, " device=opencl:0 ")) << got.err;
  EXPECT_TRUE(got.out == alnsmith(reads_).out);
}

// The fake drivers take a real cubin, PTX or code object by its entries and run the text that belongs to it.
TEST_F(PackOnDevices, CudaAndHipTakeTheirBinariesFromAPack) {
  const std::string drivers = FAKE_DRIVERS;
  if (!fs::exists(drivers + "/libcuda.so.1")) GTEST_SKIP() << "this build has no fake drivers";
  const std::string texts = folder_.path("texts");
  // The first hundred by default: what runs here in a device's place takes its time for each.
  Words reads = reads_;
  if (!sample::full()) {
    const std::string query = folder_.path("q.fastq"), target = folder_.path("t.fasta");
    run({"bash", "-c", "gzip -dc \"$0\" | head -n 400 >\"$1\"", kReads[1], query});
    run({"bash", "-c", "gzip -dc \"$0\" | awk '/^>/ && ++n > 100 { exit } 1' >\"$1\"", kReads[3], target});
    reads = Words{"align", "--spec", spec_, "--query", query, "--target", target};
  }
  const std::string expected = alnsmith(reads).out;
  ASSERT_GE(std::ranges::count(expected, '\n'), 101);
  for (const auto &[target, device, ending] :
       {std::tuple<std::string, std::string, std::string>{"cuda:sm_90", "cuda:0", ".cu"},
        {"cuda:compute_80", "cuda:0", ".cu"},
        {"hip:gfx90a", "hip:0", ".hip"}}) {
    fs::remove_all(texts);
    ASSERT_EQ(alnsmith({"generate", spec_, "--target", target, "-o", texts}).status, 0);
    const std::string pack = folder_.path("gpu.pack");
    const Finished built = alnsmith({"pack", "build", spec_, "--target", target, "--texts", texts, "-o", pack});
    if (built.status != 0) {
      EXPECT_TRUE(has(built.err, " no ")) << built.err;
      std::cout << target << ": " << built.err;
      continue;
    }
    EXPECT_EQ(alnsmith({"pack", "verify", pack}).status, 0);
    fs::create_directories(FAKE_CACHE);
    const Finished got = run(Words{"env", "LD_LIBRARY_PATH=" + drivers, "SIMT_FAKE_TEXTS=" + texts,
                                   std::string("SIMT_FAKE_CACHE=") + FAKE_CACHE, program()} +
                             reads + Words{"--pack", pack, "--device", device, "--explain"});
    ASSERT_EQ(got.status, 0) << target << got.err;
    EXPECT_TRUE(has(got.err, " kernels from " + pack + " (small for " + target + ")")) << got.err;
    EXPECT_TRUE(has(got.err, " device=" + device + " ")) << got.err;
    EXPECT_TRUE(got.out == expected) << target;
  }
}

}  // namespace
}  // namespace alnsmith::testing
