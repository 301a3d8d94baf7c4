// Runs kernels of a shared object for a process of another machine (foreign.cpp), under qemu-user.
// Usage: runner OBJECT
// In:  requests on standard input, little-endian: length of a name, number of regions and bytes of an argument block,
//      64 bits each; the name; with regions the block, then each region's address there, its size and its bytes;
//      without any, a question.
// Out: on standard output what the entry returned and every region's bytes; to a question 1 if there is the entry, else
//      0.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

bool receive(void *bytes, std::size_t count) {
  for (char *at = static_cast<char *>(bytes); count > 0;) {
    const auto done = ::read(0, at, count);
    if (done <= 0) return false;
    at += done;
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

void send(const void *bytes, std::size_t count) {
  for (const char *at = static_cast<const char *>(bytes); count > 0;) {
    const auto done = ::write(1, at, count);
    if (done <= 0) std::exit(1);
    at += done;
    count -= static_cast<std::size_t>(done);
  }
}

struct Copy {
  std::uint64_t there, bytes;
  char *here;
};

// The block's words that are addresses of a region's bytes; its other words are small numbers.
void redirect(std::vector<std::uint64_t> &block, const std::vector<Copy> &copies) {
  for (std::uint64_t &word : block) {
    for (const Copy &copy : copies) {
      if (word - copy.there >= copy.bytes) continue;
      word = reinterpret_cast<std::uint64_t>(copy.here + (word - copy.there));
      break;
    }
  }
}

}  // namespace

int main(int argc, char **argv) {
  void *object = argc == 2 ? ::dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!object) return 1;
  std::uint64_t head[3];
  while (receive(head, sizeof head)) {
    std::string name(head[0], ' ');
    if (!receive(name.data(), name.size())) return 1;
    const auto entry = reinterpret_cast<int (*)(const void *)>(::dlsym(object, name.c_str()));
    std::int32_t status = entry != nullptr;
    if (head[1] == 0) {
      send(&status, sizeof status);
      continue;
    }
    std::vector<std::uint64_t> block((head[2] + 7) / 8);
    if (!entry || !receive(block.data(), head[2])) return 1;
    std::vector<Copy> copies(head[1]);
    for (Copy &copy : copies) {
      if (!receive(&copy, 16)) return 1;
      copy.here = static_cast<char *>(std::aligned_alloc(64, (copy.bytes + 127) / 64 * 64));
      if (!copy.here || !receive(copy.here, copy.bytes)) return 1;
    }
    redirect(block, copies);
    status = entry(block.data());
    send(&status, sizeof status);
    for (const Copy &copy : copies) {
      send(copy.here, copy.bytes);
      std::free(copy.here);
    }
  }
}
