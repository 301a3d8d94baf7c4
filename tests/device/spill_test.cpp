// A tile that does not stay in registers: one that the spec names is refused, and the refusal names one that does; one
// that the planner chose gives way to a narrower one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>

#include "compile/device_compiler.h"
#include "compile/tools.h"
#include "environment.h"
#include "scratch.h"
#include "sources/device_kernels.h"
#include "spec/canonical.h"
#include "spec/parse.h"

namespace {

using namespace alnsmith;

TEST(Spill, ATileTooWideIsRefusedNamingTheLargestThatFits) {
  const auto compiler = rt::compile::find_device_compiler("cuda:sm_90", {}, {});
  if (!compiler) GTEST_SKIP() << compiler.error().message;
  const scratch::Folder folder;
  const std::string path = folder.path("wide.yaml");
  std::ofstream(path) << "version: 1\nname: wide\nalignment: global\ngap: {model: affine, open: 2, extend: 1}\n"
                         "alphabet: dna\nscore: {match: 2, mismatch: -1}\nmapping: wavefront\narithmetic: int32\n"
                         "tile: {p: 16, k: 56}\n";
  const auto spec = spec::parse_file(path);
  ASSERT_TRUE(spec) << spec.error().message;
  Sources sources;
  sources.cache_dir = folder.path("cache");
  sources.generator = ALNSMITH_GENERATE;
  const auto store = rt::sources::find_device_kernels({path, "wide", spec::hash(*spec)}, sources, "cuda:sm_90", {});
  ASSERT_TRUE(store) << store.error().message;
  const int first = 0;
  const auto obtained = (*store)->obtain({&first, 1}, {});
  ASSERT_FALSE(obtained) << "56 columns of H, F and letters fit into 255 registers?";
  std::smatch named;
  const std::string message = obtained.error().message;
  ASSERT_TRUE(std::regex_search(message, named, std::regex("the largest that fits is k = (\\d+)"))) << message;
  const int k = std::stoi(named[1]);
  EXPECT_LT(k, 56);
  EXPECT_GE(k, 32);
  EXPECT_NE(message.find("bytes spilled"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  // A spec with that tile is served.
  std::ofstream(path) << "version: 1\nname: wide\nalignment: global\ngap: {model: affine, open: 2, extend: 1}\n"
                         "alphabet: dna\nscore: {match: 2, mismatch: -1}\nmapping: wavefront\narithmetic: int32\n"
                         "tile: {p: 16, k: " +
                             named[1].str() + "}\n";
  const auto mended = spec::parse_file(path);
  ASSERT_TRUE(mended);
  const auto fitting = rt::sources::find_device_kernels({path, "wide", spec::hash(*mended)}, sources, "cuda:sm_90", {});
  ASSERT_TRUE(fitting) << fitting.error().message;
  const auto fits = (*fitting)->obtain({&first, 1}, {});
  EXPECT_TRUE(fits) << fits.error().message;
}

// The spec of docs/tutorial.md: 32 columns of it take nearly all of a thread's 255 registers.
constexpr const char *kTutorial =
    "version: 1\nname: tutorial\nalignment: {free_ends: [target_begin, target_end]}\n"
    "gap: {model: affine, open: 4, extend: 2}\nalphabet: {letters: ACGTM, wildcard: N}\n"
    "score: {matrix: {letters: ACGTMN, rows: [[2, -3, -3, -3, -3, -1], [-3, -1, -3, -3, 2, -1], "
    "[-3, -3, 2, -3, -3, -1], [-3, 2, -3, 2, -3, -1], [-3, -3, -3, -3, -3, -1], [-1, -1, -1, -1, -1, -1]]}}\n"
    "output: [score, end]\n";

// On a device with 176 registers per thread: an nvcc that is told so stands first on PATH (launch bounds would say
// otherwise). What a planner's tile takes changes with templates and compilers, and none of those shipped may spill.
class FewRegisters : public testing::Test {
 protected:
  void SetUp() override {
    const std::string nvcc = rt::compile::find_cuda_program("nvcc");
    if (nvcc.empty()) GTEST_SKIP() << "no nvcc";
    const std::string program = folder_.path("nvcc");
    std::ofstream(program)
        << "#!/bin/sh\n"
           "if [ \"$1\" = --version ]; then exec '"
        << nvcc
        << "' \"$@\"; fi\n"
           "for file; do [ ! -f \"$file\" ] || sed -i 's/__launch_bounds__([^)]*)//' \"$file\"; done\n"
           "exec '"
        << nvcc << "' -maxrregcount=176 \"$@\"\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    path_.emplace("PATH", folder_.path("") + ":" + std::getenv("PATH"));
    compiler_.emplace("ALNSMITH_CUDA_COMPILER", "nvcc");
    const std::string path = folder_.path("tutorial.yaml");
    std::ofstream(path) << kTutorial;
    const auto spec = spec::parse_file(path);
    ASSERT_TRUE(spec) << spec.error().message;
    ref_ = {path, "tutorial", spec::hash(*spec)};
    sources_.cache_dir = folder_.path("cache");
    sources_.generator = ALNSMITH_GENERATE;
  }

  auto kernels() const { return rt::sources::find_device_kernels(ref_, sources_, "cuda:sm_90", {}); }

 private:
  const scratch::Folder folder_;
  std::optional<test::Variable> path_, compiler_;
  SpecRef ref_;
  Sources sources_;
};

// The widest kernel of the first level for pairs.
int widest(const rt::kernels::Manifest &manifest) {
  int best = 0;
  for (std::size_t i = 0; i < manifest.kernels.size(); ++i) {
    const rt::kernels::KernelInfo &kernel = manifest.kernels[i],
                                  &other = manifest.kernels[static_cast<std::size_t>(best)];
    if (kernel.form == Form::pairwise && kernel.level == 0 && kernel.k > other.k) best = static_cast<int>(i);
  }
  return best;
}

// Both are asked of one folder of kernels: nvcc takes seconds for each.
TEST_F(FewRegisters, ATileOfThePlannersGivesWayToANarrowerOneThatIsFoundWithoutTheCompiler) {
  const auto made = kernels();
  ASSERT_TRUE(made) << made.error().message;
  const int wide = widest((*made)->manifest());
  const auto index = static_cast<std::size_t>(wide);
  const std::string planned = (*made)->manifest().kernels[index].entry;
  const int small = wide == 0 ? 1 : 0;  // one that fits, made before the plan changes
  for (const int kernel : {small, wide}) {
    const auto obtained = (*made)->obtain({&kernel, 1}, {});
    ASSERT_TRUE(obtained) << obtained.error().message;
  }
  const std::string narrower = (*made)->manifest().kernels[index].entry;
  ASSERT_NE(narrower, planned);
  EXPECT_NE((*made)->kernel(wide)->find(narrower), std::string::npos);
  EXPECT_GE((*made)->manifest().kernels[index].k, 16);
  // Whoever comes next plans with it.
  const auto next = kernels();
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_EQ((*next)->manifest().kernels[index].entry, narrower);
  // Where there is no compiler, the two that were made are there.
  const test::Variable which("ALNSMITH_CUDA_COMPILER", "nvrtc"), nvrtc("ALNSMITH_NVRTC", "/nowhere/libnvrtc.so");
  const auto found = kernels();
  ASSERT_TRUE(found) << found.error().message;
  const auto &kernels = (*found)->manifest().kernels;
  ASSERT_EQ(kernels.size(), 2U);
  for (const int kernel : {small, wide}) {
    const auto &info = (*made)->manifest().kernels[static_cast<std::size_t>(kernel)];
    const auto at = std::ranges::find_if(kernels, [&](const auto &k) { return k.entry == info.entry; });
    ASSERT_NE(at, kernels.end()) << info.entry;
    EXPECT_EQ(*(*found)->kernel(static_cast<int>(at - kernels.begin())), *(*made)->kernel(kernel));
  }
}

}  // namespace
