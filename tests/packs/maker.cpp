// See maker.h.
#include "maker.h"

#include <elf.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "base/files.h"
#include "packs/entries.h"

namespace pack_maker {
namespace {

namespace fs = std::filesystem;

const std::string kHash = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";  // of fake_kernels.cpp
const std::string kEntry = "fake_device";

std::string with_hash(std::string text, const std::string &hash) {
  for (std::size_t at = 0; (at = text.find(kHash, at)) != std::string::npos; at += hash.size())
    text.replace(at, hash.size(), hash);
  return text;
}

std::size_t add_unit(Material &m, std::size_t spec, const rt::packs::PackTarget &target, rt::packs::UnitKind kind,
                     const std::string &manifest, const std::string &binary) {
  rt::packs::Unit unit;
  unit.spec = spec;
  unit.target = target;
  unit.kind = kind;
  unit.text_hash = rt::sha256_hex("text of " + target.name());
  unit.kernels = nlohmann::json::parse(manifest)["kernels"].size();
  unit.key = rt::packs::unit_key(unit, m.index.builds[0]);
  m.index.units.push_back(unit);
  m.manifests.push_back(manifest);
  m.binaries.push_back(binary);
  return m.index.units.size() - 1;
}

template <class T>
void append(std::string &to, const T &value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof value);
}

// The least ELF file with one symbol.
std::string small_elf(int machine, int type) {
  const std::string names = '\0' + kEntry + '\0';
  Elf64_Ehdr head{};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  head.e_ident[EI_DATA] = ELFDATA2LSB;
  head.e_type = static_cast<Elf64_Half>(type);
  head.e_machine = static_cast<Elf64_Half>(machine);
  head.e_shentsize = sizeof(Elf64_Shdr);
  head.e_shnum = 3;
  head.e_shoff = sizeof head;
  Elf64_Shdr none{}, table{}, strings{};
  table.sh_type = SHT_SYMTAB;
  table.sh_offset = sizeof head + 3 * sizeof none;
  table.sh_size = 2 * sizeof(Elf64_Sym);
  table.sh_entsize = sizeof(Elf64_Sym);
  table.sh_link = 2;
  strings.sh_type = SHT_STRTAB;
  strings.sh_offset = table.sh_offset + table.sh_size;
  strings.sh_size = names.size();
  Elf64_Sym first{}, symbol{};
  symbol.st_name = 1;
  symbol.st_shndx = 1;
  std::string bytes;
  append(bytes, head);
  append(bytes, none);
  append(bytes, table);
  append(bytes, strings);
  append(bytes, first);
  append(bytes, symbol);
  return bytes + names;
}

std::string small_spirv() {
  std::string name = kEntry + '\0';
  name.resize((name.size() + 3) / 4 * 4, '\0');
  const auto count = static_cast<std::uint32_t>(3 + name.size() / 4);
  std::string bytes;
  for (const std::uint32_t word : {0x07230203U, 0x00010000U, 0U, 10U, 0U, count << 16 | 15U, 6U, 1U})
    append(bytes, word);
  return bytes + name;
}

}  // namespace

std::string Material::bytes() {
  std::vector<std::string> blobs = specs;
  for (std::size_t i = 0; i < manifests.size(); ++i) blobs.insert(blobs.end(), {manifests[i], binaries[i]});
  return rt::packs::pack_bytes(index, blobs);
}

std::string hash(int spec) { return rt::sha256_hex("spec " + std::to_string(spec)); }
SpecRef spec(int number) { return {"", "fake", hash(number)}; }

Material cpu_material(int units) {
  static const std::string object = read(FAKE_DIR "/fake_global.so");
  const auto manifest = rt::packs::manifest_inside(object);
  if (!manifest) throw std::runtime_error(manifest.error().message);
  Material m;
  m.index.writer = "alnsmith test";
  m.index.builds = {{"test compiler 1.0", {"-O2", "-march=x86-64"}}};
  rt::packs::PackTarget target;
  target.machine = targets::host_machine();
  target.arch = "scalar";
  for (int i = 0; i < units; ++i) {
    m.index.specs.push_back({"fake", hash(i), {}});
    m.specs.push_back("# spec " + std::to_string(i) + "\nname: fake\n");
    add_unit(m, static_cast<std::size_t>(i), target, rt::packs::UnitKind::shared_object, with_hash(*manifest, hash(i)),
             with_hash(object, hash(i)));
  }
  return m;
}

void add_device_units(Material &m) {
  // They belong behind the other units of spec 0, so there must be no other spec.
  if (m.index.specs.size() != 1) throw std::runtime_error("one spec");
  const auto add = [&](const std::string &name, rt::packs::UnitKind kind, const std::string &binary) {
    const auto target = rt::packs::parse_pack_target(name);
    nlohmann::json manifest = nlohmann::json::parse(m.manifests[0]);
    manifest["target"] = target->base();
    manifest["kernels"] = {{{"entry", kEntry},
                            {"form", "pairwise"},
                            {"mapping", "lanes"},
                            {"arithmetic", "int32"},
                            {"level", 0},
                            {"suits", "1"},
                            {"width", 32},
                            {"warp", 32},
                            {"p", 1},
                            {"k", 1},
                            {"packing", 1},
                            {"threads", 64},
                            {"group", "warp"},
                            {"shared_bytes", 0},
                            {"border_ints", 64},
                            {"layout", "sequences-u8-v1"},
                            {"register_side", "query"},
                            {"usable", "1"},
                            {"exact", "1"},
                            {"lengths", "1"},
                            {"checked", false},
                            {"end", false}}};
    add_unit(m, 0, *target, kind, manifest.dump(), binary);
  };
  add("cuda:compute_80", rt::packs::UnitKind::ptx,
      ".version 7.0\n.target sm_80\n.visible .entry " + kEntry + "(\n)\n{ ret; }\n");
  add("cuda:sm_90", rt::packs::UnitKind::cubin, small_elf(190, ET_EXEC));
  add("hip:gfx90a", rt::packs::UnitKind::code_object, small_elf(224, ET_DYN));
  add("hip:gfx90a:xnack-", rt::packs::UnitKind::code_object, small_elf(224, ET_DYN) + "xnack-");
  add("opencl", rt::packs::UnitKind::opencl_c, "__kernel void " + kEntry + "(__global int *score) {}\n");
  add("opencl:spirv64", rt::packs::UnitKind::spirv, small_spirv());
}

std::string read(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(path + " cannot be read");
  return text.str();
}

void write(const std::string &path, const std::string &bytes) {
  // Some file systems wait for the disk where a file is written over.
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) fs::remove(path, ignored);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << bytes;
  if (!file.flush()) throw std::runtime_error(path + " cannot be written");
}

Result<Aligner> open(const std::string &place, const SpecRef &spec) {
  Sources sources;
  sources.kernel_dirs = {place};
  sources.cache_dir = FAKE_DIR "/pack-cache";
  Options options;
  options.isa = Isa{};
  return Aligner::open(spec, sources, options);
}

}  // namespace pack_maker
