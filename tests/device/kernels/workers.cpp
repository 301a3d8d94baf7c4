// See workers.h. Objects of texts that no longer exist pile up as templates change: the oldest go.
#include "workers.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace alnsmith::test {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20;

void trim(const fs::path &folder) {
  struct Object {
    fs::path path;
    fs::file_time_type time;
    std::uintmax_t bytes;
  };
  std::vector<Object> objects;
  std::uintmax_t all = 0;
  std::error_code error;  // other test programs work in the folder too
  for (const auto &entry : fs::directory_iterator(folder, error)) {
    const Object object{entry.path(), entry.last_write_time(error), entry.file_size(error)};
    if (error || object.path.extension() != ".so") continue;
    objects.push_back(object);
    all += object.bytes;
  }
  std::ranges::sort(objects, {}, &Object::time);
  for (const Object &object : objects) {
    if (all <= kMostBytes) break;
    if (fs::remove(object.path, error)) all -= object.bytes;
  }
}

}  // namespace

simt::Build build() {
  static const bool trimmed = (trim(ALNSMITH_SIMT_CACHE), true);
  static_cast<void>(trimmed);
  simt::Build build;
  build.cache = ALNSMITH_SIMT_CACHE;
  build.address = simt::address_sanitized();
  return build;
}

}  // namespace alnsmith::test
