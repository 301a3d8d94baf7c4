// Names of error codes, and the limits of architectures (CUDA C++ Programming Guide, AMD's ISA documents).
#include <cstdlib>

#include "driver.h"

namespace fake {
namespace {

struct Row {
  int code;
  const char *name, *text;
};
constexpr Row ROWS[] = {
    {OK, "SUCCESS", "no error"},
    {INVALID_VALUE, "INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "NOT_INITIALIZED", "initialization error"},
    {NO_DEVICE, "NO_DEVICE", "no device is detected"},
    {INVALID_DEVICE, "INVALID_DEVICE", "invalid device ordinal"},
    {INVALID_IMAGE, "INVALID_IMAGE", "device kernel image is invalid"},
    {INVALID_CONTEXT, "INVALID_CONTEXT", "invalid device context"},
    {INVALID_HANDLE, "INVALID_HANDLE", "invalid resource handle"},
    {NOT_FOUND, "NOT_FOUND", "named symbol not found"},
    {LAUNCH_OUT_OF_RESOURCES, "LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {LAUNCH_FAILED, "LAUNCH_FAILED", "unspecified launch failure"},
};

constexpr std::size_t KILO = 1024;

}  // namespace

const char *code_name(int code) {
  for (const Row &row : ROWS) {
    if (row.code == code) return row.name;
  }
  return nullptr;
}

const char *code_text(int code) {
  for (const Row &row : ROWS) {
    if (row.code == code) return row.text;
  }
  return nullptr;
}

Traits traits_of(const std::string &architecture, simt::Dialect dialect, int warp) {
  Traits traits;
  if (dialect == simt::Dialect::hip) {
    const bool wide = architecture.starts_with("gfx9");
    traits.warp = warp ? warp : wide ? 64 : 32;
    traits.shared_block = traits.shared_optin = traits.shared_total =
        (architecture.starts_with("gfx950") ? 160 : 64) * KILO;
    return traits;
  }
  const int number = std::atoi(architecture.c_str() + architecture.find('_') + 1);
  traits.major = number / 10;
  traits.minor = number % 10;
  traits.shared_block = 48 * KILO;
  const bool small = number == 86 || number == 89 || number >= 120;
  traits.shared_total = (number < 80 ? 64 : small ? 100 : number < 90 ? 164 : 228) * KILO;
  traits.shared_optin = traits.shared_total - (number < 80 ? 0 : KILO);
  traits.threads_processor = number < 80 ? 1024 : small ? 1536 : 2048;
  return traits;
}

}  // namespace fake
