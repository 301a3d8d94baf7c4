// The dynamic shared memory of one block: exactly as large as asked for, filled with a pattern before each block, and
// followed by a red zone.  A write into the red zone is found when the block ends; AddressSanitizer, where the process
// has it, finds reads too, and at once.
#pragma once

#include <cstddef>
#include <memory>

namespace simt {

class SharedMemory {
 public:
  explicit SharedMemory(std::size_t size);
  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  char *data() const { return data_; }
  std::size_t size() const { return size_; }
  enum class Region { inside, red_zone, outside };
  Region region(const void *address, std::size_t bytes) const;

  void poison();
  // Offset behind the end of the first byte of the red zone that was written to; -1 if none was.
  long overrun() const;

 private:
  static constexpr std::size_t ALIGNMENT = 1024, RED_ZONE = 1024;
  std::size_t size_;
  char *data_;
};

}  // namespace simt
