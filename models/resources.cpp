// Reading ptxas's figures, and the rule about spills.  See resources.h.
#include "models/resources.h"

#include <algorithm>
#include <charconv>
#include <regex>

#include "targets/targets.h"

namespace alnsmith::models {
namespace {

// The number in front of `unit`: 16 in "..., 16 bytes smem", for " bytes smem"; 0 if there is none.
int number_before(std::string_view line, std::string_view unit) {
  const std::size_t end = line.find(unit);
  if (end == std::string_view::npos) return 0;
  std::size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  int value = 0;
  std::from_chars(line.data() + begin, line.data() + end, value);
  return value;
}

std::string quoted(std::string_view line) {
  const std::size_t begin = line.find('\'');
  const std::size_t end = begin == std::string_view::npos ? begin : line.find('\'', begin + 1);
  return end == std::string_view::npos ? std::string() : std::string(line.substr(begin + 1, end - begin - 1));
}

}  // namespace

int cuda_capability(std::string_view arch) {
  const std::size_t digits = arch.find('_');
  int capability = 0;
  if (digits != std::string_view::npos)
    std::from_chars(arch.data() + digits + 1, arch.data() + arch.size(), capability);
  return capability;
}

int max_shared_memory(std::string_view arch) {
  const targets::Kind kind = arch.starts_with("gfx") ? targets::Kind::hip : targets::Kind::cuda;
  // Without a row: what every device has without asking.
  const targets::Device *row = targets::find_device(kind, arch);
  return (row ? row->shared : kind == targets::Kind::hip ? 64 : 48) * 1024;
}

std::map<std::string, Resources> ptxas_resources(std::string_view log, std::string_view arch) {
  std::map<std::string, Resources> kernels;
  Resources *kernel = nullptr;
  const auto finish = [&] {
    if (kernel) kernel->max_dynamic_shared = std::max(0, max_shared_memory(arch) - kernel->shared_bytes);
  };
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(std::min(end + 1, log.size()));
    if (line.find("Compiling entry function") != std::string_view::npos) {
      finish();
      kernel = &kernels[quoted(line)];
      kernel->warp = 32;
    } else if (kernel && line.find("bytes stack frame") != std::string_view::npos) {
      // Functions that were not inlined have lines of their own below their kernel's.
      kernel->local_bytes += number_before(line, " bytes stack frame");
      kernel->spill_store_bytes += number_before(line, " bytes spill stores");
      kernel->spill_load_bytes += number_before(line, " bytes spill loads");
    } else if (kernel && line.find(" registers") != std::string_view::npos) {
      kernel->registers = number_before(line, " registers");
      kernel->shared_bytes = number_before(line, " bytes smem");
    }
  }
  finish();
  return kernels;
}

std::map<std::string, Resources> amd_listing_resources(const std::string &assembly) {
  // A block of metadata per kernel, in alphabetical order of its keys.
  static const std::regex name("\\.name: +(aln_\\w+)"), registers("\\.vgpr_count: +(\\d+)"),
      spills("\\.vgpr_spill_count: +(\\d+)");
  std::map<std::string, Resources> kernels;
  for (std::sregex_iterator m(assembly.begin(), assembly.end(), name), end; m != end; ++m) {
    const std::string rest = assembly.substr(static_cast<std::size_t>(m->position()), 2000);
    std::smatch count, spill;
    if (!std::regex_search(rest, count, registers) || !std::regex_search(rest, spill, spills)) continue;
    Resources &kernel = kernels[(*m)[1]];
    kernel.registers = std::stoi(count[1]);
    kernel.spill_store_bytes = kernel.spill_load_bytes = 4 * std::stoi(spill[1]);
  }
  return kernels;
}

Status check_resources(const Resources &r, const std::string &entry, const std::string &target) {
  const int spilled = std::max(r.spill_store_bytes, r.spill_load_bytes);
  if (spilled == 0 && r.local_bytes == 0) return Ok{};
  return Error{target + ": kernel " + entry + ": " + std::to_string(r.registers) + " registers, " +
               std::to_string(spilled) + " bytes spilled, " + std::to_string(r.local_bytes) +
               " bytes of local memory a thread: it does not fit; take a smaller k"};
}

}  // namespace alnsmith::models
