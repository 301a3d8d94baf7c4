// Compiled device texts in the user's cache: device-<key>, one line of JSON, then the binary.  See device_compiler.h.
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.h"
#include "base/json_depth.h"
#include "compile/device_compiler.h"

namespace alnsmith::rt::compile {
namespace {

using nlohmann::json;

// One row a field: the file and the struct cannot drift apart.
constexpr struct {
  const char *key;
  int models::Resources::*field;
} kFields[] = {{"registers", &models::Resources::registers},
               {"scalar_registers", &models::Resources::scalar_registers},
               {"scalar_spills", &models::Resources::scalar_spills},
               {"spill_store_bytes", &models::Resources::spill_store_bytes},
               {"spill_load_bytes", &models::Resources::spill_load_bytes},
               {"local_bytes", &models::Resources::local_bytes},
               {"shared_bytes", &models::Resources::shared_bytes},
               {"max_dynamic_shared", &models::Resources::max_dynamic_shared},
               {"warp", &models::Resources::warp},
               {"max_threads", &models::Resources::max_threads}};

std::string key_of(const std::string &text, const DeviceCompiler &compiler) {
  std::string key = "device 2\n" + sha256_hex(text) + "\n" + compiler.target() + "\n" + compiler.identity();
  for (const std::string &flag : compiler.flags()) key += "\n" + flag;
  return "device-" + sha256_hex(key);
}

std::string packed(const DeviceBinary &binary) {
  json kernels = json::object();
  for (const auto &[entry, resources] : binary.kernels)
    for (const auto &row : kFields) kernels[entry][row.key] = resources.*row.field;
  const json head = {{"kind", suffix(binary.kind)}, {"log", binary.log}, {"kernels", kernels}};
  return head.dump(-1, ' ', false, json::error_handler_t::replace) + "\n" + binary.bytes;
}

// Fills what `packed` kept; nothing where the file is of another make.
bool unpack(const std::string &file, DeviceBinary &binary) {
  const std::size_t line = file.find('\n');
  const std::string first = file.substr(0, line);
  const json head = deeper_than(8, first) ? json() : json::parse(first, nullptr, false);
  if (line == std::string::npos || !head.is_object() || !head.contains("kind") || !head.contains("log") ||
      !head["kind"].is_string() || !head["log"].is_string() || !head.contains("kernels"))
    return false;
  bool known = false;
  for (auto kind :
       {BinaryKind::cubin, BinaryKind::ptx, BinaryKind::code_object, BinaryKind::opencl_c, BinaryKind::spirv})
    if (head["kind"].get<std::string>() == suffix(kind)) {
      binary.kind = kind;
      known = true;
    }
  for (const auto &[entry, values] : head["kernels"].items())
    for (const auto &row : kFields) {
      if (!values.is_object() || !values.contains(row.key) || !values[row.key].is_number_integer()) return false;
      binary.kernels[entry].*row.field = values[row.key].get<int>();
    }
  binary.log = head["log"].get<std::string>();
  binary.bytes = file.substr(line + 1);
  return known;
}

}  // namespace

Result<DeviceBinary> compile_device_cached(const std::string &text, const std::string &target,
                                           const CompileOptions &given, const Cache &cache,
                                           const Cancelled &cancelled) {
  CompileOptions options = given;
  options.cache = &cache;
  const auto compiler = find_device_compiler(target, options, cancelled);
  if (!compiler) return compiler.error();
  const std::string name = key_of(text, **compiler);
  if (auto binary = load_cached_binary(cache, name)) {
    binary->compiler = (*compiler)->name();
    binary->identity = (*compiler)->identity();
    binary->flags = (*compiler)->flags();
    return *std::move(binary);
  }
  auto made = (*compiler)->compile(text, cancelled);
  // What cannot be kept is compiled again next time.
  if (made && cache.store(name, packed(*made))) made->cached_as = name;
  return made;
}

std::optional<DeviceBinary> load_cached_binary(const Cache &cache, const std::string &name) {
  const auto file = cache.load(name);
  DeviceBinary binary;
  if (!file || !unpack(*file, binary)) return std::nullopt;
  binary.cached_as = name;
  return binary;
}

}  // namespace alnsmith::rt::compile
