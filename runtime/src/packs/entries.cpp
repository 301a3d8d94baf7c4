// See entries.h.
#include "packs/entries.h"

#include <elf.h>

#include <cstring>
#include <set>

#include "packs/elf.h"

namespace alnsmith::rt::packs {
namespace {

constexpr int kCuda = 190, kAmdGpu = 224;  // EM_CUDA, EM_AMDGPU; older elf.h lack the second

bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

// `word` in `text`, after `before`, and not as a part of a longer name.
bool has_word(std::string_view text, const std::string &before, const std::string &word) {
  const std::string wanted = before + word;
  for (std::size_t at = 0; (at = text.find(wanted, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + wanted.size();
    const bool starts = !before.empty() || at == 0 || !in_name(text[at - 1]);
    if (starts && (end == text.size() || !in_name(text[end]))) return true;
  }
  return false;
}

// Names of OpEntryPoint; nothing where the words are not in order.
std::set<std::string> spirv_entries(std::string_view bytes) {
  constexpr std::uint32_t kMagic = 0x07230203, kEntryPoint = 15;
  std::set<std::string> names;
  const auto word = [&](std::size_t i) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + 4 * i, 4);
    return value;
  };
  const std::size_t words = bytes.size() / 4;
  if (words < 5 || word(0) != kMagic) return names;
  for (std::size_t at = 5; at < words;) {
    const std::size_t count = word(at) >> 16;
    if (count == 0 || count > words - at) return {};
    if ((word(at) & 0xffffU) == kEntryPoint && count > 3) {
      const std::string_view rest = bytes.substr(4 * (at + 3), 4 * (count - 3));
      names.emplace(rest.substr(0, rest.find('\0')));
    }
    at += count;
  }
  return names;
}

Status check_elf(int machine, bool shared, std::string_view binary, const kernels::Manifest &manifest) {
  const auto elf = read_elf(binary);
  if (!elf) return elf.error();
  if (elf->machine != machine || (shared && !elf->shared))
    return Error{"it is made for " + elf_machine_name(elf->machine) + ", not for what its target says"};
  for (const kernels::KernelInfo &kernel : manifest.kernels)
    if (!elf->symbols.count(kernel.entry)) return Error{"the entry " + kernel.entry + " is missing"};
  return Ok{};
}

Status check_shared_object(const PackTarget &target, std::string_view binary, const kernels::Manifest &manifest) {
  const auto elf = read_elf(binary);
  if (!elf) return elf.error();
  if (elf_machine_name(elf->machine) != target.machine)
    return Error{"it is made for " + elf_machine_name(elf->machine) + ", not for " + target.machine};
  const auto inside = manifest_inside(binary);
  if (!inside) return inside.error();
  if (*inside != manifest.text) return Error{"the manifest inside is not the one beside it"};
  return check_elf(elf->machine, true, binary, manifest);
}

}  // namespace

Result<std::string> manifest_inside(std::string_view shared_object) {
  const auto elf = read_elf(shared_object);
  if (!elf) return elf.error();
  const auto found = elf->symbols.find("aln_manifest_v1");
  if (found == elf->symbols.end() || found->second.size == 0)
    return Error{"it carries no aln_manifest_v1, so it holds no alnsmith kernels"};
  std::string text(shared_object.substr(found->second.offset, found->second.size));
  if (const std::size_t end = text.find('\0'); end == text.size() - 1)
    text.pop_back();
  else
    return Error{"its aln_manifest_v1 is no text"};
  return text;
}

Status check_entries(const PackTarget &target, UnitKind kind, std::string_view binary,
                     const kernels::Manifest &manifest) {
  if (kind == UnitKind::shared_object) return check_shared_object(target, binary, manifest);
  if (kind == UnitKind::cubin) return check_elf(kCuda, false, binary, manifest);
  if (kind == UnitKind::code_object) return check_elf(kAmdGpu, true, binary, manifest);
  const auto spirv = kind == UnitKind::spirv ? spirv_entries(binary) : std::set<std::string>();
  for (const kernels::KernelInfo &kernel : manifest.kernels) {
    const bool found = kind == UnitKind::spirv ? spirv.count(kernel.entry) > 0
                                               : has_word(binary, kind == UnitKind::ptx ? ".entry " : "", kernel.entry);
    if (!found) return Error{"the entry " + kernel.entry + " is missing"};
  }
  return Ok{};
}

}  // namespace alnsmith::rt::packs
