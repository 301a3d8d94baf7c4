// See shared_memory.h.
#include "shared_memory.h"

#include <cstdint>
#include <cstring>
#include <new>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace simt {
namespace {
constexpr unsigned char UNSET = 0xa5, GUARD = 0x5c;
}

SharedMemory::SharedMemory(std::size_t size)
    : size_(size),
      data_(static_cast<char *>(::operator new(size + RED_ZONE, static_cast<std::align_val_t>(ALIGNMENT)))) {
  std::memset(data_ + size_, GUARD, RED_ZONE);
  ASAN_POISON_MEMORY_REGION(data_ + size_, RED_ZONE);
}

SharedMemory::~SharedMemory() {
  ASAN_UNPOISON_MEMORY_REGION(data_ + size_, RED_ZONE);
  ::operator delete(data_, static_cast<std::align_val_t>(ALIGNMENT));
}

SharedMemory::Region SharedMemory::region(const void *address, std::size_t bytes) const {
  const auto begin = reinterpret_cast<std::uintptr_t>(data_), at = reinterpret_cast<std::uintptr_t>(address);
  if (at < begin || at >= begin + size_ + RED_ZONE) return Region::outside;
  return at + bytes <= begin + size_ ? Region::inside : Region::red_zone;
}

void SharedMemory::poison() { std::memset(data_, UNSET, size_); }

long SharedMemory::overrun() const {
  ASAN_UNPOISON_MEMORY_REGION(data_ + size_, RED_ZONE);
  long found = -1;
  for (std::size_t i = 0; i < RED_ZONE && found < 0; ++i) {
    if (static_cast<unsigned char>(data_[size_ + i]) != GUARD) found = static_cast<long>(i);
  }
  ASAN_POISON_MEMORY_REGION(data_ + size_, RED_ZONE);
  return found;
}

}  // namespace simt
