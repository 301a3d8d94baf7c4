// Runs CUDA and HIP kernel texts on the CPU, to test them without a GPU.
//
// compile() turns a whole kernel text into a shared object and loads it; launch() runs a grid.  Each thread of a block
// is a fiber.  Warp collectives and barriers are rendezvous: whatever CUDA leaves undefined there (a lane that is
// missing, came from elsewhere or has exited, a source outside the mask) throws std::runtime_error, as does a write
// behind the block's shared memory.  The order in which lanes run is drawn from a seed.  README.md has the rules.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace simt {

enum class Dialect { cuda, hip };

struct Build {
  bool count = false;    // count memory traffic (slower)
  bool address = false;  // with AddressSanitizer; the process must have its runtime, see address_sanitized()
  std::string optimisation = "-O1";
  std::vector<std::string> kernels = {};  // compile these only: a text may have many; empty: all
  std::vector<std::string> flags = {};    // further ones for the compiler: {"-D__CUDA_ARCH__=900"}
  std::string cache = {};                 // a folder for compiled objects; empty: none is kept
};

struct Settings {
  std::uint64_t seed = 0;  // 0: lanes run in their natural order
  int warp = 32;           // or 64 (HIP)
  int host_threads = 1;    // blocks run side by side on so many
};

// Accesses to one kind of memory, warp by warp: the lanes that execute one load or store together are one access.
struct Traffic {
  std::uint64_t accesses = 0;
  std::uint64_t bytes = 0;         // that the lanes asked for
  std::uint64_t transactions = 0;  // shared memory: passes over the banks; others: sectors of 32 bytes
  std::uint64_t conflicts = 0;     // shared memory: passes beyond one per phase
  Traffic &operator+=(const Traffic &other);
};

// Of one launch. Traffic is counted in builds with `count` only.
struct Counters {
  std::uint64_t collectives = 0;  // rendezvous of a warp
  std::uint64_t barriers = 0;     // rendezvous of a block
  Traffic shared_load, shared_store;
  Traffic shared_load16;  // the part of shared_load that reads 16 bytes per lane: profile reads
  Traffic global_load, global_store;
  Traffic constant_load;  // from the kernel's own tables
  Counters &operator+=(const Counters &other);
};

class Module {
 public:
  struct Kernel {
    std::string name;
    std::vector<unsigned> parameters;  // their sizes in bytes
    int threads = 0;                   // launch bound; 0: none
  };
  const std::vector<Kernel> &kernels() const;
  bool has(const std::string &entry) const;

  // `arguments`: a pointer to each parameter's value, as for cuLaunchKernel.  Global memory is the host's.  May be
  // called from several threads.
  Counters launch(const std::string &entry, int grid, int block, std::size_t shared_bytes,
                  std::span<void *const> arguments, const Settings &settings = {}) const;

 private:
  friend Module compile(const std::string &, Dialect, const Build &);
  struct Object;
  std::shared_ptr<const Object> object_;
};

// Throws std::runtime_error with the line of the text that breaks a rule, or with the compiler's words.
Module compile(const std::string &text, Dialect dialect, const Build &build = {});

// The kernels of a text, in its order. Throws as compile() does.
std::vector<std::string> kernel_names(const std::string &text, Dialect dialect);

// The text as it is compiled, device header included by name; for tests and for looking at.
std::string rewrite(const std::string &text, Dialect dialect, const Build &build = {});

// Throws if the text breaks a rule or is no C++, as compile() does, but makes no object.
void check(const std::string &text, Dialect dialect);

// This process has AddressSanitizer's runtime.
bool address_sanitized();

// Pointers to values, in the order of the kernel's parameters.
template <class... Values>
std::array<void *, sizeof...(Values)> pointers(Values &...values) {
  return {const_cast<void *>(static_cast<const volatile void *>(&values))...};
}

}  // namespace simt
