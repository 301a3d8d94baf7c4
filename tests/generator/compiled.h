// Compiles kernel texts into one shared object, with the flags of shipped kernels, and finds entries in it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "alnsmith/kernel_abi.h"
#include "backend/target.h"
#include "scratch.h"

namespace compiled {

using Kernel = int (*)(const aln_args_v1 *);

class Object {
 public:
  // Throws std::runtime_error with the compiler's words. `texts`: translation units.
  Object(const std::vector<std::string> &texts, const alnsmith::backend::Target &target);
  ~Object();
  Kernel find(const std::string &entry) const;

 private:
  std::string said() const;  // by the compiler
  scratch::Folder folder_;
  void *handle_ = nullptr;
};

// ALNSMITH_CXX, else the first of clang++-22 ... g++ on PATH.
std::string compiler();

}  // namespace compiled
