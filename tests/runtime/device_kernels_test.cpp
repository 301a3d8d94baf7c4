// Manifests of device kernels, and which files of a folder serve a device.
#include "sources/device_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "compile/device_compiler.h"
#include "device_folder.h"
#include "environment.h"
#include "sources/cache_index.h"

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
    const auto parsed = rt::kernels::parse_manifest(manifest.dump());
    return parsed ? "" : parsed.error().message;
  }
  Result<std::unique_ptr<rt::sources::DeviceKernels>> find(const std::string &target) {
    Sources sources;
    sources.kernel_dirs = {folder_.path()};
    sources.cache_dir = folder_.file("cache");
    return rt::sources::find_device_kernels({"", "fake", kHash}, sources, target, {});
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
  const auto m = rt::kernels::parse_manifest(text.dump());
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_TRUE(m->for_device && m->outputs.contains(Output::query_end));
  EXPECT_EQ(m->target_name, "cuda:sm_90");
  ASSERT_EQ(m->kernels.size(), 5U);
  const rt::kernels::KernelInfo &kernel = m->kernels[0];
  EXPECT_EQ(kernel.entry, "pairs_narrow");
  EXPECT_EQ(kernel.device.alignments(), 32 / 8 * 2);
  EXPECT_EQ(kernel.device.groups(), 1);
  EXPECT_EQ(m->kernels[1].device.groups(), 2);
  EXPECT_EQ(kernel.device.shared(512), 512U * 16);
  EXPECT_EQ(kernel.device.shared(513), 0U);
  EXPECT_EQ(m->kernels[3].form, Form::shared_profile);
  EXPECT_EQ(m->kernels[3].queries(), 2);
  EXPECT_EQ(m->kernels[4].form, Form::single_query);
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
    return rt::sources::find_device_kernels({"", "fake", kHash}, sources, target, {});
  };
  EXPECT_FALSE(from_cache("opencl"));
  const rt::Cache cache(folder);
  const auto made = rt::compile::compile_device_cached("a text", "opencl", {}, cache, {});
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_TRUE(cache.store("plan-" + plan_id, read(folder_.stem("opencl") + ".json").dump()));
  const rt::sources::CacheIndex index(kHash, "opencl");
  for (const char *entry : {"pairs_narrow", "pairs_wide_short", "pairs_wide", "shared_narrow"})
    index.note(cache, plan_id, entry, made->cached_as);
  const auto part = from_cache("opencl");
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_EQ((*part)->manifest().kernels.size(), 4U);
  ASSERT_EQ((*part)->warnings().size(), 1U);
  EXPECT_NE((*part)->warnings()[0].find("4 of 5 kernels for opencl"), std::string::npos);
  index.note(cache, plan_id, "single_narrow", made->cached_as);
  const auto whole = from_cache("opencl");
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_TRUE((*whole)->warnings().empty());
  EXPECT_EQ(*(*whole)->kernel(4), "a text");
  EXPECT_FALSE(from_cache("cuda:sm_90"));
  EXPECT_FALSE(from_cache("opencl", true));
}

// As on a compute node: a generator, and no compiler for the device.
class NoDeviceCompiler : public DeviceKernels {
 protected:
  NoDeviceCompiler() {
    sources_.generator = "true";
    sources_.cache_dir = folder_.file("cache");
    std::ofstream(spec_.path) << "not read here";
  }
  bool has_line(const std::vector<std::string> &lines, const std::string &words) const {
    return std::ranges::any_of(lines, [&](const auto &line) { return line.find(words) != std::string::npos; });
  }
  // What a run on another machine left of the spec: these kernels, each in a file of its own.
  void leave_in_cache(const std::string &hash, const std::vector<std::string> &entries) {
    const rt::Cache cache(sources_.cache_dir);
    const std::string plan_id = hash;
    nlohmann::json plan = read(folder_.stem("cuda:sm_90") + ".json");
    plan["spec"]["hash"] = hash;
    ASSERT_TRUE(cache.store("plan-" + plan_id, plan.dump()));
    for (const std::string &entry : entries) {
      const auto made = rt::compile::compile_device_cached(entry, "opencl", {}, cache, {});  // which needs no compiler
      ASSERT_TRUE(made) << made.error().message;
      rt::sources::CacheIndex(hash, "cuda:sm_90").note(cache, plan_id, entry, made->cached_as);
      files_.push_back(made->cached_as);
    }
  }
  auto find() { return rt::sources::find_device_kernels(spec_, sources_, "cuda:sm_90", {}); }

  const std::string own_ = std::string(64, 'b');
  const std::vector<std::string> all_ = {"pairs_narrow", "pairs_wide_short", "pairs_wide", "shared_narrow",
                                         "single_narrow"};
  Sources sources_;
  SpecRef spec_{folder_.file("mine.yaml"), "mine", own_, GenericSpec{kHash, {}}};
  std::vector<std::string> files_;

 private:
  test::Variable which_{"ALNSMITH_CUDA_COMPILER", "nvrtc"}, nvrtc_{"ALNSMITH_NVRTC", "/nowhere/libnvrtc.so"};
};

TEST_F(NoDeviceCompiler, GenericKernelsServeOutOfLooseFilesWhateverTheirSpecsName) {
  const auto none = find();
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no generation: cuda:sm_90: no CUDA compiler"), std::string::npos)
      << none.error().message;
  sources_.kernel_dirs = {folder_.path()};
  const auto found = find();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ((*found)->manifest().spec_name, "mine");
  EXPECT_TRUE(has_line((*found)->warnings(), "generic kernels of 'fake' serve it"));
  sources_.choice = "k=8";  // this kernel or none
  EXPECT_FALSE(find());
}

TEST_F(NoDeviceCompiler, WholeOwnKernelsComeBeforeGenericOnesAndThoseBeforeAPart) {
  leave_in_cache(own_, {all_[0], all_[1]});
  const auto part = find();
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_TRUE(has_line((*part)->warnings(), "the cache holds 2 of 5 kernels for cuda:sm_90"));
  leave_in_cache(kHash, all_);
  const auto generic = find();
  ASSERT_TRUE(generic) << generic.error().message;
  EXPECT_TRUE(has_line((*generic)->warnings(), "generic kernels of 'fake' serve it"));
  EXPECT_TRUE(has_line((*generic)->provenance(), ": from the cache, "));
  sources_.kernel_dirs = {folder_.path()};
  const auto loose = find();
  ASSERT_TRUE(loose) << loose.error().message;
  EXPECT_TRUE(has_line((*loose)->provenance(), "5 kernels from " + folder_.stem("cuda:sm_90") + ".cubin"));
  leave_in_cache(own_, all_);
  const auto own = find();
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_TRUE((*own)->warnings().empty());
  EXPECT_EQ(*(*own)->kernel(3), "shared_narrow");
}

TEST_F(NoDeviceCompiler, AFileThatCannotBeReadIsSaidAndTheOthersServe) {
  leave_in_cache(own_, all_);
  ASSERT_TRUE(rt::Cache(sources_.cache_dir).store(files_[1], "of another version"));
  const auto part = find();
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_TRUE(has_line((*part)->warnings(), "the cache holds 4 of 5 kernels"));
  EXPECT_TRUE(has_line((*part)->provenance(), files_[1] + ": skipped: "));
  ASSERT_EQ((*part)->manifest().kernels.size(), 4U);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(*(*part)->kernel(i), (*part)->manifest().kernels[static_cast<std::size_t>(i)].entry);
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
