// The metadata note of AMD code objects: a 64-bit little-endian ELF file, a note of name "AMDGPU" and type 32, its
// content msgpack (LLVM's AMDGPU usage guide, "Code Object V3 to V6 Metadata").  See resources.h.
//
// Every offset is checked: a file from a cache or a folder may be cut short.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/resources.h"

namespace alnsmith::models {
namespace {

constexpr std::uint32_t kSectionNote = 7, kAmdgpuMetadata = 32;

// T at `offset`, or nothing where the file ends before.
template <class T>
std::optional<T> read(std::string_view file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::uint64_t aligned(std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; }

// The descriptor of the metadata note among the notes of one section.
std::optional<std::string_view> metadata_in(std::string_view notes) {
  while (!notes.empty()) {
    const auto name_size = read<std::uint32_t>(notes, 0), size = read<std::uint32_t>(notes, 4),
               type = read<std::uint32_t>(notes, 8);
    if (!name_size || !size || !type) return std::nullopt;
    const std::uint64_t begin = 12 + aligned(*name_size), end = begin + *size;
    if (end > notes.size()) return std::nullopt;
    if (*type == kAmdgpuMetadata && notes.substr(12, 6) == "AMDGPU") return notes.substr(begin, *size);
    notes.remove_prefix(std::min<std::uint64_t>(begin + aligned(*size), notes.size()));
  }
  return std::nullopt;
}

std::optional<std::string_view> metadata(std::string_view file) {
  if (!file.starts_with("\177ELF\2\1")) return std::nullopt;
  const auto sections = read<std::uint64_t>(file, 0x28);
  const auto size = read<std::uint16_t>(file, 0x3a), count = read<std::uint16_t>(file, 0x3c);
  if (!sections || !size || !count || *sections > file.size()) return std::nullopt;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const std::uint64_t header = *sections + i * *size;
    const auto type = read<std::uint32_t>(file, header + 4);
    const auto offset = read<std::uint64_t>(file, header + 0x18), bytes = read<std::uint64_t>(file, header + 0x20);
    if (!type || !offset || !bytes) return std::nullopt;
    if (*type != kSectionNote || *offset > file.size() || *bytes > file.size() - *offset) continue;
    if (auto found = metadata_in(file.substr(*offset, *bytes))) return found;
  }
  return std::nullopt;
}

Resources resources_of(const nlohmann::json &kernel, std::string_view arch) {
  const auto number = [&](const char *key) {
    const auto at = kernel.find(key);
    return at != kernel.end() && at->is_number_integer() ? at->get<int>() : 0;
  };
  Resources r;
  r.registers = number(".vgpr_count");  // accumulation registers are in it already
  r.scalar_registers = number(".sgpr_count");
  r.scalar_spills = number(".sgpr_spill_count");  // where they go to memory, there is a private segment
  r.spill_store_bytes = r.spill_load_bytes = 4 * number(".vgpr_spill_count");
  r.local_bytes = number(".private_segment_fixed_size");
  r.shared_bytes = number(".group_segment_fixed_size");
  r.max_dynamic_shared = std::max(0, max_shared_memory(arch) - r.shared_bytes);
  r.warp = number(".wavefront_size");
  r.max_threads = number(".max_flat_workgroup_size");
  return r;
}

}  // namespace

Result<std::map<std::string, Resources>> amd_resources(std::string_view code_object, std::string_view arch) {
  const auto note = metadata(code_object);
  if (!note) return Error{"this is no AMD code object: no metadata note; compile it again"};
  const auto tree = nlohmann::json::from_msgpack(note->begin(), note->end(), true, false);
  const auto kernels = tree.is_object() ? tree.find("amdhsa.kernels") : tree.end();
  if (!tree.is_object() || kernels == tree.end() || !kernels->is_array())
    return Error{"the code object's metadata has no amdhsa.kernels; compile it again"};
  std::map<std::string, Resources> found;
  for (const auto &kernel : *kernels)
    if (kernel.is_object() && kernel.contains(".name") && kernel[".name"].is_string())
      found[kernel[".name"].get<std::string>()] = resources_of(kernel, arch);
  return found;
}

}  // namespace alnsmith::models
