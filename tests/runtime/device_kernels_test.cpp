// Manifests of device kernels, and which files of a folder serve a device.
#include "sources/device_kernels.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "compile/device_compiler.hpp"
#include "device_folder.h"
#include "sources/cache_index.hpp"

namespace {

using namespace alnsmith;
namespace fs = std::filesystem;

const std::string kHash = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

nlohmann::json read(const std::string &path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

class DeviceKernels : public testing::Test {
 protected:
  std::string manifest_with(const std::string &key, const nlohmann::json &value) {
    nlohmann::json manifest = read(folder_.stem("cuda:sm_90") + ".json");
    manifest["kernels"][0][key] = value;
    const auto parsed = rt::parse_manifest(manifest.dump());
    return parsed ? "" : parsed.error().message;
  }
  Result<std::unique_ptr<rt::DeviceKernels>> find(const std::string &target) {
    Sources sources;
    sources.kernel_dirs = {folder_.path()};
    sources.cache_dir = folder_.file("cache");
    return rt::find_device_kernels({"", "fake", kHash}, sources, target, {});
  }
  // Leaves only these kernels of CUDA, under another target's name.
  void rename_cuda(const std::string &target, const std::string &ending) {
    nlohmann::json manifest = read(folder_.stem("cuda:sm_90") + ".json");
    manifest["target"] = target;
    std::ofstream(folder_.stem(target) + ".json") << manifest.dump();
    fs::rename(folder_.stem("cuda:sm_90") + ".cubin", folder_.stem(target) + ending);
    fs::remove(folder_.stem("cuda:sm_90") + ".json");
  }
  device_folder::Folder folder_;
};

TEST_F(DeviceKernels, AManifestSaysTheShapeOfItsKernels) {
  nlohmann::json text = read(folder_.stem("cuda:sm_90") + ".json");
  text["kernels"][0].update({{"group", "block"}, {"shared_rows", 512}, {"shared_bytes_per_row", 16}, {"p", 8}});
  const auto m = rt::parse_manifest(text.dump());
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_TRUE(m->for_device && m->outputs.contains(Output::query_end));
  EXPECT_EQ(m->target_name, "cuda:sm_90");
  ASSERT_EQ(m->kernels.size(), 5U);
  const rt::KernelInfo &kernel = m->kernels[0];
  EXPECT_EQ(kernel.entry, "pairs_narrow");
  EXPECT_EQ(kernel.device.alignments(), 32 / 8 * 2);
  EXPECT_EQ(kernel.device.groups(), 1);
  EXPECT_EQ(m->kernels[1].device.groups(), 2);
  EXPECT_EQ(kernel.device.shared(512), 512U * 16);
  EXPECT_EQ(kernel.device.shared(513), 0U);
  EXPECT_EQ(m->kernels[3].form, rt::Form::shared);
  EXPECT_EQ(m->kernels[3].queries(), 2);
  EXPECT_EQ(m->kernels[4].form, rt::Form::single);
  EXPECT_EQ(m->kernels[4].queries(), 1);
}

TEST_F(DeviceKernels, AbsurdShapesAreRefused) {
  EXPECT_EQ(manifest_with("level", 3), "");
  for (const auto &[key, value] : std::vector<std::pair<std::string, nlohmann::json>>{{"level", -1},
                                                                                      {"warp", 0},
                                                                                      {"p", 3},
                                                                                      {"packing", 3},
                                                                                      {"threads", 48},
                                                                                      {"threads", 2048},
                                                                                      {"group", "grid"},
                                                                                      {"shared_bytes", 1 << 21},
                                                                                      {"shared_rows", 5},
                                                                                      {"border_ints", -4},
                                                                                      {"layout", "lanes-u8-v1"},
                                                                                      {"register_side", "target"},
                                                                                      {"suits", "query <"}})
    EXPECT_TRUE(manifest_with(key, value).starts_with("manifest: ")) << key << " " << value;
}

TEST_F(DeviceKernels, FoldersHoldKernelsByTarget) {
  for (const char *target : {"cuda:sm_90", "hip:gfx90a:sramecc+:xnack-", "opencl"}) {
    const auto store = find(target);
    ASSERT_TRUE(store) << store.error().message;
    const int first = 0;
    ASSERT_TRUE((*store)->obtain({&first, 1}, {}));
    EXPECT_NE((*store)->kernel(0)->find("pairs_narrow"), std::string::npos);
  }
  const auto other = find("hip:gfx942");
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("no kernels for the spec 'fake' on hip:gfx942"), std::string::npos);
}

TEST_F(DeviceKernels, ACubinServesItsGenerationAndPtxAllLaterOnes) {
  rename_cuda("cuda:sm_80", ".cubin");
  EXPECT_TRUE(find("cuda:sm_80"));
  EXPECT_TRUE(find("cuda:sm_86"));
  EXPECT_FALSE(find("cuda:sm_75"));
  const auto later = find("cuda:sm_90");
  ASSERT_FALSE(later);
  EXPECT_NE(later.error().message.find("no binary beside it that cuda:sm_90 runs"), std::string::npos)
      << later.error().message;
  fs::rename(folder_.stem("cuda:sm_80") + ".cubin", folder_.stem("cuda:sm_80") + ".ptx");
  EXPECT_TRUE(find("cuda:sm_90"));
  EXPECT_TRUE(find("cuda:sm_120"));
  EXPECT_FALSE(find("cuda:sm_75"));
}

// What a run on another machine has left in the cache; OpenCL C needs no compiler, so it can be made here.
TEST_F(DeviceKernels, BinariesOfEarlierRunsAreFoundByHashAndTarget) {
  const std::string folder = folder_.file("cache"), plan_id(64, 'a');
  const auto from_cache = [&](const std::string &target, bool only = false) {
    Sources sources;
    sources.cache_dir = folder;
    sources.only_kernel_dirs = only;
    return rt::find_device_kernels({"", "fake", kHash}, sources, target, {});
  };
  EXPECT_FALSE(from_cache("opencl"));
  const rt::Cache cache(folder);
  const auto made = rt::compile_device_cached("a text", "opencl", {}, cache, {});
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_TRUE(cache.store("plan-" + plan_id, read(folder_.stem("opencl") + ".json").dump()));
  const rt::CacheIndex index(kHash, "opencl");
  for (const char *entry : {"pairs_narrow", "pairs_wide_short", "pairs_wide", "shared_narrow"})
    index.note(cache, plan_id, entry, made->cached_as);
  const auto part = from_cache("opencl");
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_EQ((*part)->manifest().kernels.size(), 4U);
  ASSERT_EQ((*part)->notes().size(), 1U);
  EXPECT_NE((*part)->notes()[0].find("4 of 5 kernels for opencl"), std::string::npos);
  index.note(cache, plan_id, "single_narrow", made->cached_as);
  const auto whole = from_cache("opencl");
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_TRUE((*whole)->notes().empty());
  EXPECT_EQ(*(*whole)->kernel(4), "a text");
  EXPECT_FALSE(from_cache("cuda:sm_90"));
  EXPECT_FALSE(from_cache("opencl", true));
}

TEST_F(DeviceKernels, DamagedFilesAreSkippedAndSaid) {
  std::ofstream(folder_.stem("cuda:sm_90") + ".json") << "{";
  const auto damaged = find("cuda:sm_90");
  ASSERT_FALSE(damaged);
  EXPECT_NE(damaged.error().message.find(".json: skipped: manifest: not a JSON object"), std::string::npos)
      << damaged.error().message;
  std::ofstream(folder_.stem("opencl") + ".json") << read(folder_.stem("hip:gfx90a") + ".json").dump();
  const auto foreign = find("opencl");
  ASSERT_FALSE(foreign);
  EXPECT_NE(foreign.error().message.find("holds another spec or target"), std::string::npos);
  fs::permissions(folder_.stem("hip:gfx90a") + ".co", fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(find("hip:gfx90a"));
}

}  // namespace
