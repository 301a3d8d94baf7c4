// See elf.h.
#include "packs/elf.h"

#include <elf.h>

#include <cstring>
#include <optional>
#include <vector>

#include "targets/targets.h"

namespace alnsmith::rt::packs {
namespace {

// Far more than kernels have: tables that lie over each other would make a small file endless.
constexpr std::uint64_t kMostSymbols = 1 << 18, kMostName = 1024;
constexpr unsigned kMostSegments = 4096;

// A struct at `offset`, if it lies inside; ELF's own are plain data.
template <class T>
std::optional<T> at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

bool inside(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

std::optional<std::string> text_at(std::string_view table, std::uint64_t offset) {
  if (offset >= table.size()) return std::nullopt;
  const std::string_view rest = table.substr(offset, kMostName + 1);
  const std::size_t end = rest.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(rest.substr(0, end));
}

// Where an address of a shared object lies in the file.
std::optional<std::uint64_t> file_offset(const std::vector<Elf64_Phdr> &segments, std::uint64_t address) {
  for (const Elf64_Phdr &segment : segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return std::nullopt;
}

Status read_symbols(std::string_view bytes, const Elf64_Shdr &table, const Elf64_Shdr &names,
                    const std::vector<Elf64_Phdr> &segments, std::uint64_t &seen, Elf &elf) {
  const Error bad{"its symbol table is damaged"};
  if (table.sh_entsize != sizeof(Elf64_Sym) || !inside(bytes, table.sh_offset, table.sh_size) ||
      names.sh_type != SHT_STRTAB || !inside(bytes, names.sh_offset, names.sh_size))
    return bad;
  const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
  seen += count;
  if (seen > kMostSymbols) return Error{"it has too many symbols"};
  const std::string_view texts = bytes.substr(names.sh_offset, names.sh_size);
  for (std::uint64_t i = 1; i < count; ++i) {
    const auto symbol = at<Elf64_Sym>(bytes, table.sh_offset + i * sizeof(Elf64_Sym));
    if (!symbol) return bad;
    if (symbol->st_shndx == SHN_UNDEF || symbol->st_name == 0) continue;
    auto name = text_at(texts, symbol->st_name);
    if (!name) return bad;
    ElfSymbol found;
    if (const auto offset = file_offset(segments, symbol->st_value))
      if (inside(bytes, *offset, symbol->st_size)) found = {*offset, symbol->st_size};
    elf.symbols.emplace(*std::move(name), found);
  }
  return Ok{};
}

}  // namespace

Result<Elf> read_elf(std::string_view bytes) {
  const auto head = at<Elf64_Ehdr>(bytes, 0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return Error{"it is no ELF file"};
  if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB)
    return Error{"it is no 64-bit little-endian ELF file"};
  Elf elf;
  elf.machine = head->e_machine;
  elf.shared = head->e_type == ET_DYN;
  if (head->e_phnum > kMostSegments) return Error{"it has too many segments"};
  std::vector<Elf64_Phdr> segments;
  for (unsigned i = 0; i < head->e_phnum; ++i) {
    const auto segment = head->e_phentsize == sizeof(Elf64_Phdr)
                             ? at<Elf64_Phdr>(bytes, head->e_phoff + std::uint64_t{i} * sizeof(Elf64_Phdr))
                             : std::nullopt;
    if (!segment || (segment->p_type != PT_NULL && !inside(bytes, segment->p_offset, segment->p_filesz)))
      return Error{"a segment lies outside the file"};
    segments.push_back(*segment);
  }
  const auto section = [&](std::uint64_t i) -> std::optional<Elf64_Shdr> {
    if (head->e_shentsize != sizeof(Elf64_Shdr) || i >= head->e_shnum) return std::nullopt;
    return at<Elf64_Shdr>(bytes, head->e_shoff + i * sizeof(Elf64_Shdr));
  };
  std::uint64_t seen = 0;
  for (unsigned i = 0; i < head->e_shnum; ++i) {
    const auto table = section(i);
    if (!table) return Error{"a section lies outside the file"};
    if (table->sh_type != SHT_DYNSYM && table->sh_type != SHT_SYMTAB) continue;
    const auto names = section(table->sh_link);
    if (!names) return Error{"its symbol table is damaged"};
    if (auto ok = read_symbols(bytes, *table, *names, segments, seen, elf); !ok) return ok.error();
  }
  return elf;
}

std::string elf_machine_name(int machine) {
  for (const targets::Machine &row : targets::machines())
    if (row.elf == machine) return std::string(row.name);
  return "machine-" + std::to_string(machine);
}

}  // namespace alnsmith::rt::packs
