// A tile that does not stay in registers is refused, and the refusal names one that does.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <regex>

#include "compile/device_compiler.hpp"
#include "scratch.h"
#include "sources/device_kernels.hpp"
#include "spec/canonical.h"
#include "spec/parse.h"

namespace {

using namespace alnsmith;

TEST(Spill, ATileTooWideIsRefusedNamingTheLargestThatFits) {
  const auto compiler = rt::find_device_compiler("cuda:sm_90", {}, {});
  if (!compiler) GTEST_SKIP() << compiler.error().message;
  const scratch::Folder folder;
  const std::string path = folder.path("wide.yaml");
  std::ofstream(path) << "version: 1\nname: wide\nalignment: global\ngap: {model: affine, open: 2, extend: 1}\n"
                         "alphabet: dna\nscore: {match: 2, mismatch: -1}\nmapping: wavefront\narithmetic: int32\n"
                         "tile: {p: 16, k: 64}\n";
  const auto spec = spec::parse_file(path);
  ASSERT_TRUE(spec) << spec.error().message;
  Sources sources;
  sources.cache_dir = folder.path("cache");
  sources.generator = ALNSMITH_GENERATE;
  const auto store = rt::find_device_kernels({path, "wide", spec::hash(*spec)}, sources, "cuda:sm_90", {});
  ASSERT_TRUE(store) << store.error().message;
  const int first = 0;
  const auto obtained = (*store)->obtain({&first, 1}, {});
  ASSERT_FALSE(obtained) << "64 columns of H, F and letters fit into 255 registers?";
  std::smatch named;
  const std::string message = obtained.error().message;
  ASSERT_TRUE(std::regex_search(message, named, std::regex("the largest that fits is k = (\\d+)"))) << message;
  const int k = std::stoi(named[1]);
  EXPECT_LT(k, 64);
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
  const auto fitting = rt::find_device_kernels({path, "wide", spec::hash(*mended)}, sources, "cuda:sm_90", {});
  ASSERT_TRUE(fitting) << fitting.error().message;
  const auto fits = (*fitting)->obtain({&first, 1}, {});
  EXPECT_TRUE(fits) << fits.error().message;
}

}  // namespace
