// The format: every byte counts, and parts that do not fit are refused by name.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "alnsmith/packs.hpp"
#include "base/files.h"
#include "checks.h"
#include "full_run.h"
#include "packs/elf.h"
#include "packs/search.h"

namespace {

using namespace pack_maker;
namespace fs = std::filesystem;

TEST(PackTargets, NamesAreStructured) {
  for (const std::string name :
       {"scalar", "x86-64-v2", "x86-64-v3", "x86-64-v4", "cuda:sm_90", "cuda:sm_90a", "cuda:compute_80", "hip:gfx90a",
        "hip:gfx90a:sramecc+:xnack-", "opencl", "opencl:spirv64"}) {
    const auto target = rt::packs::parse_pack_target(name);
    ASSERT_TRUE(target) << name;
    EXPECT_EQ(target->name(), name);
  }
  EXPECT_EQ(rt::packs::parse_pack_target("hip:gfx90a:xnack-:sramecc+")->name(), "hip:gfx90a:sramecc+:xnack-");
  EXPECT_EQ(rt::packs::parse_pack_target("hip:gfx90a:xnack-")->base(), "hip:gfx90a");
  EXPECT_EQ(rt::packs::parse_pack_target("opencl:spirv64")->base(), "opencl");
  for (const std::string name : {"", "v4", "x86-64-v9", "cuda", "cuda:", "cuda:90", "cuda:sm_90:xnack-", "hip:90a",
                                 "hip:gfx90a:", "hip:gfx90a:xnack", "hip:gfx90a:xnack-:xnack-", "opencl:gpu",
                                 "cuda:sm_90/../..", "metal:m1", "opencl:", "h100-80gb"}) {
    const auto target = rt::packs::parse_pack_target(name);
    ASSERT_FALSE(target) << name;
    EXPECT_EQ(target.error().exit_code, 2) << name;
  }
}

TEST(Packs, WhatIsPutInComesOut) {
  const Folder folder;
  Material material = cpu_material(1);
  add_device_units(material);
  const std::string path = folder.path("a.pack");
  write(path, material.bytes());
  EXPECT_EQ(trouble(path), "");
  const auto info = list_pack(path);
  ASSERT_TRUE(info) << info.error().message;
  ASSERT_EQ(info->units.size(), 7U);
  EXPECT_EQ(info->writer, "alnsmith test");
  EXPECT_EQ(info->bytes, fs::file_size(path));
  std::string kinds;
  for (std::size_t i = 0; i < info->units.size(); ++i) {
    const PackUnit &unit = info->units[i];
    kinds += unit.target + " " + unit.kind + "; ";
    EXPECT_EQ(unit.sha256, rt::sha256_hex(material.binaries[i]));
    EXPECT_EQ(unit.compiler, "test compiler 1.0");
    const auto manifest = pack_manifest(path, i);
    ASSERT_TRUE(manifest);
    EXPECT_EQ(*manifest, material.manifests[i]);
  }
  EXPECT_EQ(kinds,
            "scalar shared-object; cuda:compute_80 ptx; cuda:sm_90 cubin; hip:gfx90a amd-code-object; "
            "hip:gfx90a:xnack- amd-code-object; opencl opencl-c; opencl:spirv64 spirv; ");
  EXPECT_FALSE(pack_manifest(path, 7));
  const auto aligner = open(path);
  ASSERT_TRUE(aligner) << aligner.error().message;
  expect_aligned(*aligner, tiny::random_pairs(1, 200, 60));
  EXPECT_TRUE(has(aligner->provenance().back(), "from " + path + " (fake for scalar)")) << aligner->provenance().back();
  EXPECT_TRUE(open(folder.path()));
}

TEST(Packs, EveryChangedByteIsFound) {
  const Folder folder;
  Material material = cpu_material(1);
  add_device_units(material);
  const std::string bytes = material.bytes(), path = folder.path("a.pack");
  // Header and index whole; of the large shared object every 61st byte and its ends, of the other parts every third; or
  // all.
  const bool full = sample::full();
  const rt::packs::Blob &large = material.index.units[0].binary;
  const auto left_out = [&](std::size_t at) {
    if (at > large.offset + 64 && at + 64 < large.offset + large.size) return at % 61 != 0;
    return at >= material.index.specs[0].text.offset && at % 3 != 0;
  };
  write(path, bytes);
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t at, int byte) {
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(byte)).flush();
    ASSERT_TRUE(file);
  };
  std::size_t tried = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (!full && left_out(at)) continue;
    put(at, bytes[at] ^ (1 << at % 8));
    ASSERT_NE(trouble(path), "") << "byte " << at;
    put(at, bytes[at]);
    ++tried;
  }
  file.close();
  std::cout << tried << " of " << bytes.size() << " bytes changed, each found\n";
  EXPECT_EQ(read(path), bytes);
  EXPECT_EQ(trouble(path), "");
}

TEST(Packs, OtherLengthsVersionsAndFilesAreNamed) {
  const Folder folder;
  const std::string bytes = cpu_material(1).bytes(), path = folder.path("a.pack");
  const auto with = [&](const std::string &text) {
    write(path, text);
    const std::string why = trouble(path);
    const auto opened = open(path);
    EXPECT_FALSE(opened);
    const std::string said = opened ? "" : opened.error().message;
    EXPECT_TRUE(has(said, "pack skipped: " + path)) << said;
    return why;
  };
  EXPECT_TRUE(has(with(""), "too short"));
  EXPECT_TRUE(has(with(std::string(500, 'x')), "is no pack"));
  EXPECT_TRUE(has(with(bytes.substr(0, bytes.size() - 64)), "should have"));
  EXPECT_TRUE(has(with(bytes + std::string(64, '\0')), "should have"));
  std::string other = bytes;
  other[8] = 2;
  EXPECT_TRUE(has(with(other), "format version 2, this program reads version 1"));
  EXPECT_TRUE(has(trouble(folder.path("none.pack")), "cannot open"));
  EXPECT_TRUE(has(trouble(folder.path()), "is no file"));
  ASSERT_EQ(::mkfifo(folder.path("pipe.pack").c_str(), 0600), 0);
  EXPECT_TRUE(has(trouble(folder.path("pipe.pack")), "is no file"));
  EXPECT_FALSE(open(folder.path("pipe.pack")));
}

// The index is sealed again after the change, as a hostile or careless writer would.
TEST(Packs, AnIndexThatIsNotInOrderIsRefused) {
  using Json = nlohmann::ordered_json;
  const Folder folder;
  Material material = cpu_material(1);
  add_device_units(material);
  const std::string bytes = material.bytes(), path = folder.path("a.pack");
  const Json index = Json::parse(rt::packs::index_text(material.index));
  const std::uint64_t begin = material.index.specs[0].text.offset;
  const auto why = [&](const auto &change) {
    Json changed = index;
    change(changed);
    const std::string text = changed.dump();
    const std::size_t size = rt::packs::pack_head(text, 0).size() + bytes.size() - begin;
    write(path, rt::packs::pack_head(text, size) + bytes.substr(begin));
    EXPECT_FALSE(open(path));
    return trouble(path);
  };
  EXPECT_TRUE(has(why([](Json &j) { j["schema"] = 2; }), "another version"));
  EXPECT_TRUE(has(why([](Json &j) { j = 5; }), "not a JSON object"));
  EXPECT_TRUE(has(why([](Json &j) { j["specs"][0]["name"] = "../../etc/passwd"; }), "must be a name"));
  EXPECT_TRUE(has(why([](Json &j) { j["specs"][0]["name"] = ".hidden"; }), "must be a name"));
  EXPECT_TRUE(has(why([](Json &j) { j["specs"][0]["name"] = "a\x1b[2J"; }), "must be a name"));
  EXPECT_TRUE(has(why([](Json &j) { j["units"][0]["spec"] = 7; }), "outside `specs`"));
  EXPECT_TRUE(has(why([](Json &j) { j["units"][0]["build"] = -1; }), "must be an integer"));
  EXPECT_TRUE(
      has(why([](Json &j) { j["units"][0]["binary"]["offset"] = 18446744073709551600ULL; }), "one behind another"));
  EXPECT_TRUE(
      has(why([](Json &j) { j["units"][0]["binary"]["size"] = 18446744073709551615ULL; }), "one behind another"));
  EXPECT_TRUE(has(why([](Json &j) { j["units"][0]["binary"]["size"] = 1e300; }), "must be an integer"));
  EXPECT_TRUE(has(why([](Json &j) { j["units"][0]["binary"]["sha256"] = "00"; }), "64 hex digits"));
  EXPECT_TRUE(has(why([](Json &j) { j["units"][0]["kind"] = "spirv"; }), "does not belong to the target"));
  EXPECT_TRUE(has(why([](Json &j) { j["units"][1]["target"] = {{"kind", "tpu"}}; }), "none that this runtime knows"));
  EXPECT_TRUE(has(why([](Json &j) { j["units"][1]["target"]["arch"] = "../sm_90"; }), "must be a name"));
  EXPECT_TRUE(has(why([](Json &j) { j["units"].push_back(j["units"][0]); }), "twice"));
  EXPECT_TRUE(has(why([](Json &j) { j["units"].erase(6); }), "its parts do not"));
  EXPECT_TRUE(has(why([](Json &j) { j["units"] = "all"; }), "must be a list"));
  EXPECT_TRUE(has(why([](Json &j) {
                    Json deep = 1;
                    for (int i = 0; i < 500; ++i) deep = Json::array({deep});
                    j["extra"] = deep;
                  }),
                  "not a JSON object"));
}

// What `verify` alone finds, and what makes a unit unusable though all hashes fit.
TEST(Packs, ASoundFileMayStillClaimWhatIsNotThere) {
  const Folder folder;
  const std::string path = folder.path("a.pack");
  const auto why = [&](const auto &change, bool loads) {
    Material material = cpu_material(1);
    add_device_units(material);
    change(material);
    write(path, material.bytes());
    const auto opened = open(path);
    EXPECT_EQ(bool(opened), loads);
    return trouble(path) + (opened ? "" : " / " + opened.error().message);
  };
  const auto renamed = [](std::string text, const std::string &from, const std::string &to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
    return text;
  };
  EXPECT_EQ(why([](Material &) {}, true), "");
  const std::string missing = why(
      [&](Material &m) {
        m.binaries[0] =
            renamed(m.binaries[0], std::string("\0fake_pairs_i8\0", 15), std::string("\0fake_pairs_i9\0", 15));
      },
      false);
  EXPECT_TRUE(has(missing, "fake for scalar: its binary: the entry fake_pairs_i8 is missing")) << missing;
  EXPECT_TRUE(has(missing, "skipped: its binary: the entry fake_pairs_i8 is missing")) << missing;
  EXPECT_TRUE(has(why([&](Material &m) { m.manifests[0] = renamed(m.manifests[0], "5000", "6000"); }, false),
                  "the manifest inside is not the one beside it"));
  EXPECT_TRUE(has(why([&](Material &m) { m.manifests[0] = "{}"; }, false), "fake for scalar: manifest: schema"));
  EXPECT_TRUE(
      has(why([&](Material &m) { m.binaries[0][18] = '\xb7'; }, false), "it is made for aarch64, not for x86_64"));
  EXPECT_TRUE(
      has(why([&](Material &m) { m.binaries[0].resize(m.binaries[0].size() / 2); }, false), "outside the file"));
  EXPECT_TRUE(has(why([&](Material &m) { m.binaries[0] = "no ELF"; }, false), "it is no ELF file"));
  EXPECT_TRUE(has(why([&](Material &m) { m.index.units[0].kernels = 5; }, false), "another spec or target"));
  EXPECT_TRUE(has(why([&](Material &m) { m.index.specs[0].hash = hash(9); }, false), "another spec or target"));
  EXPECT_TRUE(has(why([&](Material &m) { m.index.units[0].key = hash(1); }, true), "its key is not that of its parts"));
  EXPECT_TRUE(has(why(
                      [&](Material &m) {
                        std::swap(m.index.units[1], m.index.units[2]);
                        std::swap(m.manifests[1], m.manifests[2]);
                        std::swap(m.binaries[1], m.binaries[2]);
                      },
                      true),
                  "not in order"));
  for (std::size_t i = 1; i < 7; ++i) {
    const std::string gone =
        why([&](Material &m) { m.binaries[i] = renamed(m.binaries[i], "fake_device", "fake_gadget"); }, true);
    EXPECT_TRUE(has(gone, "the entry fake_device is missing")) << i << gone;
  }
  EXPECT_TRUE(has(why([](Material &m) { std::swap(m.binaries[2], m.binaries[3]); }, true), "it is made for machine-"));
}

// 60,000 tables over the same symbols, and 1,000 names that are ends of one long text: 60 million symbols and a
// gigabyte of names out of 4 MB, if they were read.
TEST(Packs, ElfFilesThatRepeatThemselvesAreRefusedAtOnce) {
  const std::size_t symbols = 1000, sections = 60'000, names = std::size_t{1} << 20;
  const auto file = [&](std::size_t tables, std::size_t name) {
    Elf64_Ehdr head{};
    std::memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_shentsize = sizeof(Elf64_Shdr);
    head.e_shnum = static_cast<Elf64_Half>(tables + 1);
    head.e_shoff = sizeof head;
    Elf64_Shdr strings{}, table{};
    table.sh_type = SHT_SYMTAB;
    table.sh_offset = sizeof head + (tables + 1) * sizeof table;
    table.sh_size = symbols * sizeof(Elf64_Sym);
    table.sh_entsize = sizeof(Elf64_Sym);
    strings.sh_type = SHT_STRTAB;
    strings.sh_offset = table.sh_offset + table.sh_size;
    strings.sh_size = name + 1;
    std::string bytes;
    const auto append = [&](const auto &part) { bytes.append(reinterpret_cast<const char *>(&part), sizeof part); };
    append(head);
    append(strings);
    for (std::size_t i = 0; i < tables; ++i) append(table);
    for (std::size_t i = 0; i < symbols; ++i) {
      Elf64_Sym symbol{};
      symbol.st_name = static_cast<Elf64_Word>(i);
      symbol.st_shndx = 1;
      append(symbol);
    }
    return bytes + std::string(name, 'a') + '\0';
  };
  const auto sound = rt::packs::read_elf(file(1, symbols));
  ASSERT_TRUE(sound) << sound.error().message;
  EXPECT_EQ(sound->symbols.size(), symbols - 1);
  const auto many = rt::packs::read_elf(file(sections, symbols));
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().message, "it has too many symbols");
  const auto lengthy = rt::packs::read_elf(file(1, names));
  ASSERT_FALSE(lengthy);
  EXPECT_EQ(lengthy.error().message, "its symbol table is damaged");
}

}  // namespace
