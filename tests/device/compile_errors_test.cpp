// What is said where a text cannot be compiled: one line that names target, compiler, file and line, and the mend.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>

#include "compile/device_compiler.h"
#include "compile/tools.h"
#include "environment.h"
#include "small_kernels.h"

namespace alnsmith::test {
namespace {

using namespace rt;

std::string error_of(const std::string &text, const std::string &target, const compile::CompileOptions &options = {}) {
  const auto binary = compile::compile_device(text, target, options, {});
  return binary ? "no error" : binary.error().message;
}

bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

constexpr const char *kCudaChoices[] = {"nvrtc", "nvcc", "clang"};

TEST(CompileErrors, WhatIsNoDeviceTarget) {
  for (const std::string target :
       {"", "cuda", "cuda:", "cuda:90", "cuda:sm_", "cuda:sm_90 -o x", "hip:", "hip:90a",
        "hip:gfx90a:", "hip:gfx90a:xnack", "hip:gfx90a;x", "opencl:", "opencl:spirv", "x86-64-v4", "cuda:../sm_90"})
    EXPECT_EQ(error_of("", target),
              "'" + target +
                  "' is no device target: write cuda:sm_90, cuda:compute_90, hip:gfx90a, opencl or opencl:spirv64");
}

TEST(CompileErrors, NoCompilerSaysWhatToInstall) {
  const Variable path("PATH", "/nowhere"), home("CUDA_HOME", "/nowhere"), own("ALNSMITH_CUDA_DIR", "/nowhere");
  const Variable library("ALNSMITH_NVRTC", "/nowhere/libnvrtc.so");
  EXPECT_EQ(error_of(small_cuda(), "cuda:sm_90"),
            "cuda:sm_90: no CUDA compiler (ALNSMITH_NVRTC: cannot open /nowhere/libnvrtc.so; no nvcc; no clang-22 to "
            "clang-19): run tools/setup cuda, or install a CUDA toolkit");
  EXPECT_EQ(error_of(small_hip(), "hip:gfx90a"),
            "hip:gfx90a: no HIP compiler (clang-22 to clang-19): run tools/setup hip, or set ALNSMITH_CLANG");
  EXPECT_EQ(error_of(small_opencl(), "opencl:spirv64"),
            "opencl:spirv64: no SPIR-V compiler (clang-22 to clang-19): run tools/setup hip, or set ALNSMITH_CLANG");
  compile::CompileOptions check;
  check.check = true;
  const auto text = compile::compile_device(small_opencl(), "opencl", check, {});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->log, "not checked: no clang-22 to clang-19");
}

TEST(CompileErrors, AnUnknownChoiceOfCudaCompiler) {
  const Variable choice("ALNSMITH_CUDA_COMPILER", "icc");
  const auto binary = compile::compile_device(small_cuda(), "cuda:sm_90", {}, {});
  ASSERT_FALSE(binary);
  EXPECT_EQ(binary.error().message, "ALNSMITH_CUDA_COMPILER is 'icc': choose nvrtc, nvcc or clang");
  EXPECT_EQ(binary.error().exit_code, 2);
}

TEST(CompileErrors, AMistakeInTheTextIsNamedWithFileAndLine) {
  const std::string mistake = "\nextern \"C\" __global__ void broken(int *x) {\n  x[0] = missing_name;\n}\n";
  compile::CompileOptions options;
  for (const char *choice : kCudaChoices) {
    options.cuda_compiler = choice;
    options.name = "dna.cu";
    const auto compiler = compile::find_device_compiler("cuda:sm_90", options, {});
    if (!compiler) {
      std::cerr << "skipped: " << compiler.error().message << "\n";
      continue;
    }
    const std::string text = small_cuda() + mistake;
    const auto line = std::to_string(std::count(text.begin(), text.end(), '\n') - 1);
    const std::string message = error_of(text, "cuda:sm_90", options);
    EXPECT_TRUE(message.starts_with("cuda:sm_90: " + (*compiler)->name() + ": dna.cu")) << message;
    EXPECT_TRUE(contains(message, "dna.cu(" + line + ")") || contains(message, "dna.cu:" + line + ":")) << message;
    EXPECT_TRUE(contains(message, "missing_name")) << message;
    EXPECT_FALSE(contains(message, "\n")) << message;
  }
  if (const auto compiler = compile::find_device_compiler("hip:gfx90a", {}, {})) {
    const std::string text = small_hip() + mistake;
    const auto line = std::to_string(std::count(text.begin(), text.end(), '\n') - 1);
    const std::string message = error_of(text, "hip:gfx90a");
    EXPECT_TRUE(message.starts_with("hip:gfx90a: " + (*compiler)->name() + ": kernel.hip:" + line + ":")) << message;
  }
  options.check = true;
  options.name = "";
  if (!compile::find_clang().empty()) {
    EXPECT_TRUE(contains(error_of("__kernel void k(__global int *x) {\n  x[0] = missing_name;\n}\n", "opencl", options),
                         ": kernel.cl:2:10: error:"));
  }
}

TEST(CompileErrors, UnknownArchitectures) {
  compile::CompileOptions options;
  for (const char *choice : kCudaChoices) {
    options.cuda_compiler = choice;
    const auto compiler = compile::find_device_compiler("cuda:sm_90", options, {});
    if (!compiler) continue;
    const std::string message = error_of(small_cuda(), "cuda:sm_999", options);
    EXPECT_TRUE(message.starts_with("cuda:sm_999: ")) << message;
    EXPECT_TRUE(contains(message, (*compiler)->name())) << message;
    EXPECT_TRUE(contains(message, "sm_999")) << message;
  }
  if (compile::find_device_compiler("hip:gfx90a", {}, {})) {
    const std::string message = error_of(small_hip(), "hip:gfx999");
    EXPECT_TRUE(contains(message, "gfx999")) << message;
  }
}

TEST(CompileErrors, AWarpThatTheArchitectureLacks) {
  compile::CompileOptions options;
  options.warp = 32;
  EXPECT_EQ(error_of(small_hip(), "hip:gfx90a", options),
            "hip:gfx90a: this architecture runs 64 threads in lock step; generate for warp 64");
  options.warp = 16;
  EXPECT_EQ(error_of(small_hip(), "hip:gfx1100", options), "hip:gfx1100: a warp has 32 or 64 threads, not 16");
}

TEST(CompileErrors, WithoutATemporaryFolderNothingIsWritten) {
  const Variable temporary("TMPDIR", "/no/such/folder");
  const compile::WorkFolder folder;
  const auto written = folder.write("alnsmith-test.cpp", "text");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "no temporary folder can be made: set TMPDIR");
  EXPECT_FALSE(std::filesystem::exists("/alnsmith-test.cpp"));
  EXPECT_EQ(folder.without_path("/usr/bin/c++: error"), "/usr/bin/c++: error");
}

TEST(CompileErrors, CancelledIs130WithEveryCompilerAndLeavesNoFiles) {
  const compile::WorkFolder folder;
  const Variable temporary("TMPDIR", folder.path());
  struct Case {
    std::string target, compiler, text;
  };
  for (const Case &c : {Case{"cuda:sm_90", "nvrtc", tile_cuda(200)}, Case{"cuda:sm_90", "nvcc", tile_cuda(200)},
                        Case{"cuda:sm_90", "clang", tile_cuda(200)}, Case{"hip:gfx90a", "", tile_hip(200)},
                        Case{"opencl:spirv64", "", tile_opencl(200)}}) {
    compile::CompileOptions options;
    options.cuda_compiler = c.compiler;
    const auto compiler = compile::find_device_compiler(c.target, options, {});
    if (!compiler) continue;
    for (int polls : {0, 1, 2}) {  // before it starts, and while it runs
      std::atomic<int> asked{0};
      const auto binary = (*compiler)->compile(c.text, [&] { return asked++ >= polls; });
      ASSERT_FALSE(binary) << c.target << " " << c.compiler << " after " << polls << " questions";
      EXPECT_EQ(binary.error().exit_code, 130) << binary.error().message;
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace alnsmith::test
