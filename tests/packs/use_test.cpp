// Packs in use: which are loaded, skipped and compared; opening costs what is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "alnsmith/packs.hpp"
#include "base/files.h"
#include "checks.h"
#include "packs/search.h"
#include "sources/device_kernels.h"

namespace {

using namespace pack_maker;
namespace fs = std::filesystem;

TEST(Packs, UnitsForOtherMachinesAreSkippedAndNotDamage) {
  const Folder folder;
  const std::string path = folder.path("a.pack");
  Material material = cpu_material(1);
  material.index.units[0].target.machine = "aarch64";
  material.index.units[0].target.arch = "neon";
  material.index.units[0].key = rt::packs::unit_key(material.index.units[0], material.index.builds[0]);
  write(path, material.bytes());
  const auto check = verify_pack(path);
  ASSERT_TRUE(check) << check.error().message;
  EXPECT_TRUE(check->problems.empty());
  ASSERT_EQ(check->warnings.size(), 1U);
  EXPECT_TRUE(has(check->warnings[0], "for a machine that this version does not know"));
  material.index.units[0].target.arch = "scalar";
  write(path, material.bytes());
  const auto opened = open(path);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(has(opened.error().message, "skipped: made for aarch64, this machine is x86_64"))
      << opened.error().message;
}

TEST(Packs, WhatOthersMayWriteToIsListedButNotLoaded) {
  const Folder folder;
  const std::string path = folder.path("a.pack");
  write(path, cpu_material(1).bytes());
  fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
  const auto opened = open(path);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(has(opened.error().message, "others may write to it")) << opened.error().message;
  EXPECT_FALSE(open(folder.path()));
  EXPECT_TRUE(list_pack(path));
  EXPECT_EQ(trouble(path), "");
  fs::permissions(path, fs::perms::others_write, fs::perm_options::remove);
  EXPECT_TRUE(open(path));
  fs::permissions(folder.path(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(open(path));
}

// A name decides which spec is computed: who may write to a pack would choose other scores for it.
TEST(Packs, NamesOfSpecsAreReadFromTrustedPacksOnly) {
  const Folder folder;
  Material material = cpu_material(2);
  write(folder.path("kernels.pack"), material.bytes());
  material = cpu_material(1);
  material.index.specs[0].name = "mine";
  material.index.specs[0].hash = hash(1);
  const std::string path = folder.path("open.pack");
  write(path, material.bytes());
  Sources sources;
  sources.kernel_dirs = {folder.path()};
  sources.only_kernel_dirs = true;
  ASSERT_TRUE(find_spec("mine", sources));
  fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
  const auto refused = find_spec("mine", sources);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(has(refused.error().message, "pack skipped: " + path + ": not loaded: others may write to it"))
      << refused.error().message;
  EXPECT_FALSE(Aligner::open("mine", sources));
  EXPECT_TRUE(list_pack(path));
}

TEST(Packs, DamagedPacksAreSaidWhereASpecIsNotFound) {
  const Folder folder;
  std::string bytes = cpu_material(1).bytes();
  const std::string text = cpu_material(1).specs[0];
  bytes[bytes.find(text)] ^= 1;
  write(folder.path("a.pack"), bytes);
  write(folder.path("0.pack"), "nothing");
  Sources sources;
  sources.kernel_dirs = {folder.path()};
  const auto found = find_spec("fake", sources);
  ASSERT_FALSE(found);
  const std::string said = found.error().message;
  EXPECT_TRUE(has(said, "pack skipped: " + folder.path("0.pack") + ": is no pack of kernels")) << said;
  EXPECT_TRUE(has(said, folder.path("a.pack") + ": skipped: its text of the spec 'fake': damaged")) << said;
  write(folder.path("b.pack"), cpu_material(1).bytes());
  EXPECT_TRUE(find_spec("fake", sources));
}

// What was checked is what is opened, whatever the link becomes in the meantime; messages say the user's name.
TEST(Packs, LinksAreFollowedOnce) {
  const Folder folder;
  const std::string file = fs::canonical(folder.path()).string() + "/a.pack", link = folder.path("link.pack");
  write(file, cpu_material(1).bytes());
  fs::create_symlink(file, link);
  const auto trusted = rt::check_trusted(link);
  ASSERT_TRUE(trusted) << trusted.error().message;
  EXPECT_EQ(*trusted, file);
  const auto opened = open(link);
  ASSERT_TRUE(opened) << opened.error().message;
  std::string lines;
  for (const std::string &line : opened->provenance()) lines += line + "\n";
  EXPECT_TRUE(has(lines, link + " (fake for scalar)")) << lines;
}

TEST(Packs, ADamagedPackIsSkippedForTheNext) {
  const Folder folder;
  std::string bytes = cpu_material(2).bytes();
  write(folder.path("b.pack"), bytes);
  bytes[bytes.size() / 2] ^= 1;  // in a binary
  write(folder.path("a.pack"), bytes);
  write(folder.path("0.pack"), "nothing");
  for (int i = 0; i < 2; ++i) {
    const auto aligner = open(folder.path(), spec(i));
    ASSERT_TRUE(aligner) << aligner.error().message;
    expect_aligned(*aligner, tiny::random_pairs(3, 20, 30));
    std::string lines;
    for (const std::string &line : aligner->provenance()) lines += line + "\n";
    EXPECT_TRUE(has(lines, "pack skipped: " + folder.path("0.pack"))) << lines;
  }
}

TEST(Packs, OpeningALargePackReadsWhatIsNeeded) {
  constexpr int kUnits = 200;
  const Folder folder;
  const std::string path = folder.path("large.pack");
  Material material = cpu_material(kUnits);
  write(path, material.bytes());
  const auto size = fs::file_size(path);
  std::vector<double> milliseconds;
  for (int i = 0; i < kUnits; i += 20) {
    const auto begin = std::chrono::steady_clock::now();
    const auto aligner = open(path, spec(i));
    milliseconds.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    ASSERT_TRUE(aligner) << aligner.error().message;
    expect_aligned(*aligner, tiny::random_pairs(4, 5, 30));
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  rt::packs::PackSearch search;
  rt::packs::PackSearch::Lines warnings;
  const auto object = search.cpu(path, spec(77), Isa{}, warnings);
  ASSERT_TRUE(object);
  const auto pack = rt::packs::PackFile::open(path);
  ASSERT_TRUE(pack);
  const std::uint64_t opening = (*pack)->bytes_read();
  EXPECT_EQ(opening, rt::packs::kPackHeader + (*pack)->index_bytes().size());
  const rt::packs::Unit &unit = (*pack)->index().units[77];
  ASSERT_TRUE(rt::packs::read_unit_parts(**pack, unit));
  EXPECT_EQ((*pack)->bytes_read(), opening + unit.manifest.size + unit.binary.size);
  std::cout << kUnits << " units, " << size << " bytes: opening and loading one reads " << (*pack)->bytes_read()
            << " bytes and takes " << milliseconds[milliseconds.size() / 2] << " ms (slowest " << milliseconds.back()
            << " ms)\n";
  EXPECT_LT((*pack)->bytes_read(), size / 20);
}

TEST(Packs, LibrariesInMemoryDoNotStandForEachOther) {
  const Folder folder;
  write(folder.path("a.pack"), cpu_material(30).bytes());
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < 30; ++i) {
      const auto aligner = open(folder.path("a.pack"), spec(i));
      ASSERT_TRUE(aligner) << aligner.error().message;
      EXPECT_TRUE(has(aligner->manifest(), hash(i)));
    }
}

TEST(Packs, DevicesTakeTheUnitsThatServeThem) {
  const Folder folder;
  Material material = cpu_material(1);
  add_device_units(material);
  write(folder.path("a.pack"), material.bytes());
  Sources sources;
  sources.kernel_dirs = {folder.path()};
  sources.cache_dir = folder.path("cache");
  const auto binary = [&](const std::string &device) -> std::string {
    const auto store = rt::sources::find_device_kernels(spec(0), sources, device, {});
    if (!store) return store.error().message;
    const int first = 0;
    const bool there = bool((*store)->obtain({&first, 1}, {}));
    for (std::size_t i = 0; there && i < material.binaries.size(); ++i)
      if (material.binaries[i] == *(*store)->kernel(0)) return material.index.units[i].target.name();
    return "other bytes";
  };
  EXPECT_EQ(binary("cuda:sm_90"), "cuda:sm_90");
  EXPECT_EQ(binary("cuda:sm_80"), "cuda:compute_80");
  EXPECT_EQ(binary("cuda:sm_120"), "cuda:compute_80");
  EXPECT_TRUE(has(binary("cuda:sm_75"), "no kernels for the spec"));
  EXPECT_EQ(binary("hip:gfx90a:sramecc+:xnack-"), "hip:gfx90a:xnack-");
  EXPECT_EQ(binary("hip:gfx90a:sramecc+:xnack+"), "hip:gfx90a");
  EXPECT_TRUE(has(binary("hip:gfx942"), "no kernels for the spec"));
  EXPECT_EQ(binary("opencl"), "opencl");
  // Without the text, SPIR-V; a damaged unit is skipped for the next that serves.
  material.binaries[5] = "no kernel";
  write(folder.path("a.pack"), material.bytes());
  EXPECT_EQ(binary("opencl"), "opencl:spirv64");
  fs::permissions(folder.path("a.pack"), fs::perms::others_write, fs::perm_options::add);
  EXPECT_TRUE(has(binary("opencl"), "others may write to it")) << binary("opencl");
}

TEST(Packs, DifferencesAreNamed) {
  const Folder folder;
  Material material = cpu_material(2);
  write(folder.path("a.pack"), material.bytes());
  const auto lines = [&](const std::string &from, const std::string &to) {
    const auto diff = diff_packs(folder.path(from), folder.path(to));
    std::string text = diff ? "" : diff.error().message;
    for (const std::string &line : diff ? *diff : std::vector<std::string>()) text += line + "\n";
    return text;
  };
  EXPECT_EQ(lines("a.pack", "a.pack"), "");
  Material other = cpu_material(2);
  other.binaries[0] += "more";
  other.index.builds[0].compiler = "test compiler 2.0";
  write(folder.path("b.pack"), other.bytes());
  const std::string changed = lines("a.pack", "b.pack");
  EXPECT_TRUE(has(changed, "! fake for scalar on x86_64: compiler (test compiler 1.0 -> test compiler 2.0), binary ("))
      << changed;
  write(folder.path("c.pack"), cpu_material(1).bytes());
  EXPECT_TRUE(has(lines("a.pack", "c.pack"), "- fake for scalar")) << lines("a.pack", "c.pack");
  EXPECT_TRUE(has(lines("c.pack", "a.pack"), "+ fake for scalar"));
  Material text = cpu_material(2);
  text.specs[1] += "# another word\n";
  write(folder.path("d.pack"), text.bytes());
  EXPECT_EQ(lines("a.pack", "d.pack"), "! the specs' texts differ\n");
  EXPECT_TRUE(has(lines("a.pack", "none.pack"), "cannot open"));
}

TEST(Packs, InstallingVerifiesAndReplacesAtOnce) {
  const Folder folder;
  const std::string to = folder.path("data/packs");
  const std::string bytes = cpu_material(1).bytes();
  write(folder.path("a.pack"), bytes);
  const auto installed = install_pack(folder.path("a.pack"), to);
  ASSERT_TRUE(installed) << installed.error().message;
  EXPECT_EQ(*installed, to + "/a.pack");
  EXPECT_EQ(read(*installed), bytes);
  EXPECT_TRUE(open(to));
  std::string damaged = bytes;
  damaged[bytes.size() - 200] ^= 1;
  write(folder.path("a.pack"), damaged);
  const auto refused = install_pack(folder.path("a.pack"), to);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(has(refused.error().message, folder.path("a.pack") + ": ") &&
              has(refused.error().message, "not installed"))
      << refused.error().message;
  EXPECT_EQ(read(to + "/a.pack"), bytes);
  EXPECT_FALSE(install_pack(folder.path("none.pack"), to));
  fs::create_symlink("/dev/full", folder.path("endless.pack"));  // zeros without an end
  const auto endless = install_pack(folder.path("endless.pack"), to);
  ASSERT_FALSE(endless);
  EXPECT_EQ(endless.error().message, folder.path("endless.pack") + ": is no file");
  write(folder.path("a.txt"), bytes);
  EXPECT_FALSE(install_pack(folder.path("a.txt"), to));
  EXPECT_FALSE(install_pack(folder.path("a.pack"), ""));
  EXPECT_FALSE(install_pack(folder.path("a.pack"), folder.path("a.txt")));
  EXPECT_EQ(std::distance(fs::directory_iterator(to), fs::directory_iterator()), 1);  // nothing half made is left
}

TEST(Packs, TheUsersFolderFollowsTheEnvironment) {
  const auto with = [](const char *xdg, const char *home) {
    xdg ? ::setenv("XDG_DATA_HOME", xdg, 1) : ::unsetenv("XDG_DATA_HOME");
    home ? ::setenv("HOME", home, 1) : ::unsetenv("HOME");
    return user_pack_folder();
  };
  EXPECT_EQ(with("/data", "/home/me"), "/data/alnsmith/packs");
  EXPECT_EQ(with(nullptr, "/home/me"), "/home/me/.local/share/alnsmith/packs");
  EXPECT_EQ(with("relative", "/home/me"), "/home/me/.local/share/alnsmith/packs");
  EXPECT_EQ(with(nullptr, nullptr), "");
}

}  // namespace
