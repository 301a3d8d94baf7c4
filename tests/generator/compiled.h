// Compiles kernel texts into one shared object, with the flags of shipped kernels, and finds entries in it. Kernels of
// another machine are made by its cross compiler and run under qemu-user, a process for each object.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scratch.h"
#include "target/target.h"

namespace compiled {

// Memory that a call reads or may write, besides the argument block; none of it constant.
struct Region {
  const void *begin;
  std::size_t bytes;
};

// What an entry does with its argument block; `memory`: all that the block points to, for a machine with memory of its
// own. -1: the other machine's process ended.
class Kernel {
 public:
  using Call = std::function<int(Region block, std::span<const Region> memory)>;
  Kernel() = default;
  explicit Kernel(Call call) : call_(std::move(call)) {}
  explicit operator bool() const { return static_cast<bool>(call_); }
  template <class Block>
  int operator()(const Block *block, std::span<const Region> memory) const {
    return call_({block, sizeof *block}, memory);
  }

 private:
  Call call_;
};

class Foreign;

class Object {
 public:
  // Throws std::runtime_error with the compiler's words. `texts`: translation units, or none.
  Object(const std::vector<std::string> &texts, const alnsmith::backend::Target &target);
  ~Object();
  Kernel find(const std::string &entry) const;  // empty if there is none

 private:
  std::string said() const;  // by the compiler
  scratch::Folder folder_;
  void *handle_ = nullptr;
  std::unique_ptr<Foreign> foreign_;
};

// ALNSMITH_CXX, else the first of ALNSMITH_KERNEL_COMPILERS on PATH; of another machine its cross compiler.
std::string compiler(std::string_view machine = alnsmith::targets::host_machine());

// Compiles a text that includes nothing of ours, or takes what was made of it before (scratch::kernel_cache). False
// where the compiler fails; its words are in `output`.log.
bool compile(const std::string &compiler_name, const std::string &flags, const std::string &text,
             const std::string &output);

// Of another machine than this one.
bool is_foreign(const alnsmith::backend::Target &target);

// Why kernels for a target cannot be run here; empty if they can.
std::string obstacle(const alnsmith::backend::Target &target);

// What tests that go through all CPU targets take as parameters: their names, and a test's name made of one.
std::vector<std::string> cpu_targets();
std::string test_name(std::string words);
// Where a test's own target stands among those of all such tests, which take turns.
std::size_t place(const std::vector<std::string> &targets, const std::string &own);

}  // namespace compiled
