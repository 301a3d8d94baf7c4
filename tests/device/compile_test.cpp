// Every compiler makes a binary of the same text and says what its kernels need; spills are found and refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/process.h"
#include "compile/device_compiler.h"
#include "compile/fitting.h"
#include "compile/tools.h"
#include "small_kernels.h"

namespace alnsmith::test {
namespace {

using namespace rt;

// Skips the test where the compiler itself is missing: everything else is a failure.
#define COMPILER_OR_SKIP(target, options)                                      \
  if (auto there = compile::find_device_compiler(target, options, {}); !there) \
  GTEST_SKIP() << "CUDA or HIP compiler skipped: " << there.error().message

compile::CompileOptions cuda_by(const std::string &compiler) {
  compile::CompileOptions options;
  options.cuda_compiler = compiler;
  return options;
}

class CudaCompilers : public testing::TestWithParam<const char *> {};

TEST_P(CudaCompilers, MakeCubinsAndSayWhatKernelsNeed) {
  const auto options = cuda_by(GetParam());
  COMPILER_OR_SKIP("cuda:sm_90", options);
  for (const std::string arch : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_120"}) {
    const auto binary = compile::compile_device(small_cuda(), "cuda:" + arch, options, {});
    ASSERT_TRUE(binary) << binary.error().message;
    EXPECT_EQ(binary->kind, compile::BinaryKind::cubin);
    EXPECT_TRUE(binary->bytes.starts_with("\177ELF"));
    ASSERT_EQ(binary->kernels.size(), 2u) << binary->log;
    const models::Resources &small = binary->kernels.at("small"), &shared = binary->kernels.at("shared");
    EXPECT_GT(small.registers, 3);
    EXPECT_LT(small.registers, 32);
    EXPECT_EQ(small.warp, 32);
    EXPECT_EQ(small.shared_bytes, 0);
    EXPECT_EQ(shared.shared_bytes, 1024);
    EXPECT_EQ(shared.max_dynamic_shared, models::max_shared_memory(arch) - 1024);
    EXPECT_TRUE(compile::check_resources(*binary, "cuda:" + arch));
  }
}

TEST_P(CudaCompilers, MakePtxThatKnowsItsRegisters) {
  const auto options = cuda_by(GetParam());
  COMPILER_OR_SKIP("cuda:compute_80", options);
  const auto binary = compile::compile_device(small_cuda(), "cuda:compute_80", options, {});
  ASSERT_TRUE(binary) << binary.error().message;
  EXPECT_EQ(binary->kind, compile::BinaryKind::ptx);
  EXPECT_NE(binary->bytes.find(".target sm_80"), std::string::npos);
  EXPECT_NE(binary->bytes.find(".entry small("), std::string::npos);
  EXPECT_EQ(binary->bytes.find('\0'), std::string::npos);
  // Clang makes PTX without ptxas, which alone knows its registers.
  if (GetParam() == std::string("clang") && binary->kernels.empty() && find_program("ptxas").empty())
    GTEST_SKIP() << "ptxas is missing, so the registers of PTX are not known: run tools/setup cuda";
  ASSERT_EQ(binary->kernels.count("small"), 1u);
  EXPECT_GT(binary->kernels.at("small").registers, 3);
}

TEST_P(CudaCompilers, FindSpillsAndLocalMemory) {
  const auto options = cuda_by(GetParam());
  COMPILER_OR_SKIP("cuda:sm_90", options);
  const auto spilled = compile::compile_device(tile_cuda(160), "cuda:sm_90", options, {});
  ASSERT_TRUE(spilled) << spilled.error().message;
  const models::Resources &tile = spilled->kernels.at("tile");
  EXPECT_EQ(tile.registers, 64);
  EXPECT_GT(tile.spill_store_bytes, 0);
  EXPECT_GT(tile.spill_load_bytes, 0);
  const auto refused = compile::check_resources(*spilled, "cuda:sm_90");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "cuda:sm_90: kernel tile: 64 registers, " +
                                         std::to_string(std::max(tile.spill_store_bytes, tile.spill_load_bytes)) +
                                         " bytes spilled, " + std::to_string(tile.local_bytes) +
                                         " bytes of local memory a thread: it does not fit; take a smaller k");
  const auto local = compile::compile_device(local_cuda(), "cuda:sm_90", options, {});
  ASSERT_TRUE(local) << local.error().message;
  EXPECT_EQ(local->kernels.at("local").local_bytes, 256);
  EXPECT_FALSE(compile::check_resources(*local, "cuda:sm_90"));
}

TEST_P(CudaCompilers, TheSameTextGivesTheSameBytes) {
  const auto options = cuda_by(GetParam());
  COMPILER_OR_SKIP("cuda:sm_90", options);
  const auto one = compile::compile_device(small_cuda(), "cuda:sm_90", options, {});
  const auto two = compile::compile_device(small_cuda(), "cuda:sm_90", options, {});
  ASSERT_TRUE(one && two);
  EXPECT_TRUE(one->bytes == two->bytes);
}

INSTANTIATE_TEST_SUITE_P(All, CudaCompilers, testing::Values("nvrtc", "nvcc", "clang"),
                         [](const auto &info) { return std::string(info.param); });

TEST(HipCompiler, MakesCodeObjectsOfEveryArchitecture) {
  COMPILER_OR_SKIP("hip:gfx906", {});
  for (const std::string arch :
       {"gfx906", "gfx908", "gfx90a", "gfx90a:sramecc+:xnack-", "gfx942", "gfx1030", "gfx1100", "gfx1201"}) {
    const auto binary = compile::compile_device(small_hip(), "hip:" + arch, {}, {});
    ASSERT_TRUE(binary) << binary.error().message;
    EXPECT_EQ(binary->kind, compile::BinaryKind::code_object);
    ASSERT_EQ(binary->kernels.size(), 2u);
    const models::Resources &small = binary->kernels.at("small");
    EXPECT_GE(small.registers, 2) << arch;
    EXPECT_GE(small.scalar_registers, 4) << arch;
    EXPECT_EQ(small.warp, arch.starts_with("gfx9") ? 64 : 32) << arch;
    EXPECT_EQ(small.max_threads, 128) << arch;
    EXPECT_EQ(binary->kernels.at("shared").shared_bytes, 1024);
    EXPECT_EQ(binary->kernels.at("shared").max_dynamic_shared, 63 * 1024);
    EXPECT_NE(binary->bytes.find("amdgcn-amd-amdhsa--" + arch), std::string::npos) << arch;
  }
}

TEST(HipCompiler, TheSameTextGivesTheSameBytes) {
  COMPILER_OR_SKIP("hip:gfx942", {});
  const auto one = compile::compile_device(small_hip(), "hip:gfx942", {}, {});
  const auto two = compile::compile_device(small_hip(), "hip:gfx942", {}, {});
  ASSERT_TRUE(one && two);
  EXPECT_TRUE(one->bytes == two->bytes);
}

TEST(HipCompiler, CompilesForEitherWarpWhereTheArchitectureHasBoth) {
  COMPILER_OR_SKIP("hip:gfx1100", {});
  for (int warp : {32, 64}) {
    compile::CompileOptions options;
    options.warp = warp;
    const auto binary = compile::compile_device(small_hip(), "hip:gfx1100", options, {});
    ASSERT_TRUE(binary) << binary.error().message;
    EXPECT_EQ(binary->kernels.at("small").warp, warp);
  }
}

TEST(HipCompiler, FindsSpillsAndLocalMemory) {
  COMPILER_OR_SKIP("hip:gfx1030", {});
  const auto spilled = compile::compile_device(tile_hip(160), "hip:gfx1030", {}, {});
  ASSERT_TRUE(spilled) << spilled.error().message;
  EXPECT_GT(spilled->kernels.at("tile").spill_store_bytes, 0);
  EXPECT_FALSE(compile::check_resources(*spilled, "hip:gfx1030"));
  const auto local = compile::compile_device(local_hip(), "hip:gfx1030", {}, {});
  ASSERT_TRUE(local) << local.error().message;
  EXPECT_GE(local->kernels.at("local").local_bytes, 256);
  EXPECT_FALSE(compile::check_resources(*local, "hip:gfx1030"));
}

TEST(HipCompiler, CodeObjectsCutShortAreRefused) {
  COMPILER_OR_SKIP("hip:gfx90a", {});
  const auto binary = compile::compile_device(small_hip(), "hip:gfx90a", {}, {});
  ASSERT_TRUE(binary) << binary.error().message;
  ASSERT_TRUE(models::amd_resources(binary->bytes, "gfx90a"));
  // The section table, by which the note is found, lies in the last half.
  for (std::size_t size = 0; size < binary->bytes.size() / 2; size += 7)
    EXPECT_FALSE(models::amd_resources(std::string_view(binary->bytes).substr(0, size), "gfx90a")) << size;
  // Damage must neither crash nor read beyond the end; what it gives does not matter.
  for (std::size_t at = 0; at < binary->bytes.size(); at += 3) {
    std::string damaged = binary->bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x80);
    (void)models::amd_resources(damaged, "gfx90a");
  }
}

TEST(OpenclCompiler, TheTextIsTheBinary) {
  const auto binary = compile::compile_device(small_opencl(), "opencl", {}, {});
  ASSERT_TRUE(binary) << binary.error().message;
  EXPECT_EQ(binary->kind, compile::BinaryKind::opencl_c);
  EXPECT_EQ(binary->bytes, small_opencl());
}

TEST(OpenclCompiler, ClangChecksTheText) {
  if (compile::find_clang().empty()) GTEST_SKIP() << "OpenCL check skipped: no clang-22 to clang-19";
  compile::CompileOptions options;
  options.check = true;
  const auto binary = compile::compile_device(small_opencl(), "opencl", options, {});
  ASSERT_TRUE(binary) << binary.error().message;
  EXPECT_EQ(binary->bytes, small_opencl());
  EXPECT_NE(binary->compiler.find("clang"), std::string::npos);
}

TEST(OpenclCompiler, SpirvPassesTheValidator) {
  COMPILER_OR_SKIP("opencl:spirv64", {});
  const auto binary = compile::compile_device(small_opencl(), "opencl:spirv64", {}, {});
  ASSERT_TRUE(binary) << binary.error().message;
  EXPECT_EQ(binary->kind, compile::BinaryKind::spirv);
  if (find_program("spirv-val").empty()) GTEST_SKIP() << "spirv-val skipped: run tools/setup opencl";
  const compile::WorkFolder folder;
  ASSERT_TRUE(write_file(folder.file("small.spv"), binary->bytes));
  const auto checked = run_process({"spirv-val", "--target-env", "opencl1.2", folder.file("small.spv")}, {});
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->exit_code, 0) << checked->out << checked->err;
}

TEST(LargestFitting, IsTheLargestThatDoesNotSpill) {
  COMPILER_OR_SKIP("hip:gfx1030", {});
  std::vector<int> tried;
  const auto fitting = compile::largest_fitting({8, 160, 200, 16}, "hip:gfx1030", [&](int k) {
    tried.push_back(k);
    return compile::compile_device(tile_hip(k), "hip:gfx1030", {}, {});
  });
  ASSERT_TRUE(fitting) << fitting.error().message;
  EXPECT_EQ(fitting->k, 16);
  EXPECT_EQ(tried, (std::vector<int>{200, 160, 16}));
  ASSERT_EQ(fitting->refused.size(), 2u);
  EXPECT_TRUE(fitting->refused[1].starts_with("k = 160: hip:gfx1030: kernel tile: 128 registers, "));
  EXPECT_TRUE(compile::check_resources(fitting->binary, "hip:gfx1030"));

  const auto none = compile::largest_fitting(
      {200, 160}, "hip:gfx1030", [&](int k) { return compile::compile_device(tile_hip(k), "hip:gfx1030", {}, {}); });
  ASSERT_FALSE(none);
  EXPECT_TRUE(none.error().message.starts_with("hip:gfx1030: no k fits; k = 160: ")) << none.error().message;
}

// A compiler in which kernels of more than 20 columns spill; the text is the columns of kernels `a` and `b`.
class Fitting : public testing::Test {
 protected:
  Result<compile::FittingTexts> fit(bool named) {
    const auto make = [&, this](const compile::Spilled &spilled) -> Result<compile::PlannedTexts> {
      ++plans_;
      int a = 32, b = 16;
      if (!named)
        while (spilled.contains("a" + std::to_string(a))) a -= 4;
      return compile::PlannedTexts{std::to_string(a) + " " + std::to_string(b), "manifest of " + std::to_string(a)};
    };
    return compile::compile_fitting(
        "cuda:sm_90", make, [](const compile::PlannedTexts &texts) -> Result<compile::DeviceBinary> {
          const int a = std::stoi(texts.text);
          compile::DeviceBinary binary;
          binary.bytes = texts.text;
          binary.kernels["a" + std::to_string(a)].spill_load_bytes = a > 20 ? 4 * (a - 20) : 0;
          binary.kernels["b16"].registers = 100;
          return binary;
        });
  }
  int plans_ = 0;
};

TEST_F(Fitting, PlansAgainUntilNothingSpills) {
  const auto made = fit(false);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->binary.bytes, "20 16");
  EXPECT_EQ(made->texts.manifest, "manifest of 20");
  EXPECT_EQ(plans_, 4);
}

TEST_F(Fitting, ATileThatStaysIsRefusedWithItsLine) {
  const auto made = fit(true);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message,
            "cuda:sm_90: kernel a32: 0 registers, 48 bytes spilled, 0 bytes of local memory a thread: it does not fit; "
            "take a smaller k");
  EXPECT_EQ(plans_, 2);
}

TEST_F(Fitting, PassesTheFirstErrorOn) {
  const auto none = compile::compile_fitting(
      "cuda:sm_90", [](const compile::Spilled &) -> Result<compile::PlannedTexts> { return Error{"no plan", 2}; },
      [](const compile::PlannedTexts &) -> Result<compile::DeviceBinary> { return compile::DeviceBinary(); });
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "no plan");
}

class DeviceCache : public testing::Test {
 protected:
  DeviceCache() : cache_(folder_.path()) {}
  std::size_t files() const {
    std::size_t number = 0;
    for (const auto &file : std::filesystem::directory_iterator(folder_.path()))
      number += file.path().filename().string().starts_with("device-") ? 1 : 0;
    return number;
  }
  compile::WorkFolder folder_;
  Cache cache_;
};

TEST_F(DeviceCache, ASecondTurnGivesTheSameWithoutCompiling) {
  COMPILER_OR_SKIP("hip:gfx90a", {});
  const auto first = compile::compile_device_cached(small_hip(), "hip:gfx90a", {}, cache_, {});
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(files(), 1u);
  // Cancelled compilers fail: only what needs none comes back.
  int asked = 0;
  const auto again = compile::compile_device_cached(small_hip(), "hip:gfx90a", {}, cache_, [&] { return ++asked > 1; });
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->bytes == first->bytes);
  EXPECT_EQ(again->log, first->log);
  EXPECT_EQ(again->kind, first->kind);
  EXPECT_EQ(again->compiler, first->compiler);
  ASSERT_EQ(again->kernels.size(), first->kernels.size());
  for (const auto &[entry, resources] : first->kernels) {
    EXPECT_EQ(again->kernels.at(entry).registers, resources.registers);
    EXPECT_EQ(again->kernels.at(entry).max_dynamic_shared, resources.max_dynamic_shared);
    EXPECT_EQ(again->kernels.at(entry).warp, resources.warp);
  }
}

TEST_F(DeviceCache, TextTargetAndFlagsAreKeys) {
  COMPILER_OR_SKIP("hip:gfx1100", {});
  ASSERT_TRUE(compile::compile_device_cached(small_hip(), "hip:gfx1100", {}, cache_, {}));
  ASSERT_TRUE(compile::compile_device_cached(small_hip() + "\n", "hip:gfx1100", {}, cache_, {}));
  ASSERT_TRUE(compile::compile_device_cached(small_hip(), "hip:gfx1030", {}, cache_, {}));
  compile::CompileOptions wide;
  wide.warp = 64;
  ASSERT_TRUE(compile::compile_device_cached(small_hip(), "hip:gfx1100", wide, cache_, {}));
  EXPECT_EQ(files(), 4u);
}

TEST_F(DeviceCache, DamagedFilesAreMadeAgain) {
  COMPILER_OR_SKIP("hip:gfx90a", {});
  const auto first = compile::compile_device_cached(small_hip(), "hip:gfx90a", {}, cache_, {});
  ASSERT_TRUE(first) << first.error().message;
  for (const auto &file : std::filesystem::directory_iterator(folder_.path()))
    std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) / 2);
  const auto again = compile::compile_device_cached(small_hip(), "hip:gfx90a", {}, cache_, {});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->bytes == first->bytes);
}

}  // namespace
}  // namespace alnsmith::test
