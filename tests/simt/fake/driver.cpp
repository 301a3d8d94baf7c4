// See driver.h.
#include "driver.h"

#include <cstdlib>

namespace fake {
namespace {
thread_local int current_device = -1;
}

Driver::Driver(std::string platform, simt::Dialect dialect, std::string architecture, int version)
    : platform_(std::move(platform)), dialect_(dialect), architecture_(std::move(architecture)), version_(version) {}

int Driver::init() {
  const std::lock_guard lock(mutex_);
  Config config = read_config(platform_, architecture_, version_);
  initialized_ = true;
  if (configs_.empty() || configs_.back()->text != config.text) {
    configs_.push_back(std::make_unique<Config>(std::move(config)));
    devices_.emplace_back();
    for (int i = 0; i < configs_.back()->devices; ++i) {
      devices_.back().push_back(std::make_unique<Device>(i, *configs_.back(), dialect_));
    }
  }
  return configs_.back()->devices > 0 ? OK : NO_DEVICE;
}

int Driver::version() { return read_config(platform_, architecture_, version_).version; }

int Driver::count(int *devices) {
  const std::lock_guard lock(mutex_);
  if (!initialized_) return NOT_INITIALIZED;
  *devices = configs_.back()->devices;
  return *devices > 0 ? OK : NO_DEVICE;
}

Device *Driver::device(int number) {
  const std::lock_guard lock(mutex_);
  if (!initialized_ || number < 0 || number >= static_cast<int>(devices_.back().size())) return nullptr;
  return devices_.back()[static_cast<std::size_t>(number)].get();
}

int Driver::set_current(int number) {
  if (number >= 0 && !device(number)) return INVALID_DEVICE;
  current_device = number;
  return OK;
}

Device *Driver::current(int &code) {
  Device *const found = device(current_device);
  code = found ? found->call() : INVALID_CONTEXT;
  return code == OK ? found : nullptr;
}

int Driver::load(void **program, const std::string &image, std::string &problem) {
  const Config *config = nullptr;
  {
    const std::lock_guard lock(mutex_);
    config = configs_.back().get();
  }
  auto made = std::make_unique<Program>(image, dialect_, *config);
  if (!made->prepare(problem)) return INVALID_IMAGE;
  const std::lock_guard lock(mutex_);
  *program = made.get();
  programs_[*program] = std::move(made);
  return OK;
}

int Driver::unload(void *program) {
  int code = OK;
  if (Device *device = current(code)) device->wait();
  const std::lock_guard lock(mutex_);
  return programs_.erase(program) ? code : INVALID_HANDLE;
}

int Driver::host_allocate(void **address, std::size_t bytes) {
  if (bytes == 0 || posix_memalign(address, 4096, bytes) != 0) return OUT_OF_MEMORY;
  const std::lock_guard lock(mutex_);
  host_.insert(*address);
  return OK;
}

int Driver::host_release(void *address) {
  if (Device *const found = device(current_device)) found->wait();  // as the real call does
  const std::lock_guard lock(mutex_);
  if (!host_.erase(address)) return INVALID_VALUE;
  std::free(address);
  return OK;
}

}  // namespace fake
