// A look into 64-bit little-endian ELF files (shared objects, cubins, AMD code objects) without loading them.
//
// In:  bytes, of any origin. Out: machine, type and symbols with where they lie in the file; every offset is checked.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "alnsmith/result.hpp"

namespace alnsmith::rt::packs {

struct ElfSymbol {
  std::uint64_t offset = 0, size = 0;  // in the file; size 0 where a symbol has none
};

struct Elf {
  int machine = 0;
  bool shared = false;                       // ET_DYN
  std::map<std::string, ElfSymbol> symbols;  // defined ones, of the dynamic table and, if there is one, the full table
};

// Fails on what is cut off, points outside, is no such file, or has more symbols or segments than any kernels have.
Result<Elf> read_elf(std::string_view bytes);

// "x86_64" of EM_X86_64; "machine-123" for those without a name here.
std::string elf_machine_name(int machine);

}  // namespace alnsmith::rt::packs
