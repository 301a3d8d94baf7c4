// The C++ compiler that turns kernel texts into shared objects.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "base/cache.h"
#include "base/process.h"

namespace alnsmith::rt::compile {

struct Compiler {
  std::string path;      // as found
  std::string identity;  // real path, size, time of change, first line of --version
  std::string version;   // that line alone
  std::string machine;   // that it makes code for: "x86_64"
  std::string linker;    // path; links what clang compiles for this machine. Empty: the compiler sees to it

  std::vector<std::string> flags(Isa target) const;  // without input and output
  // Compiles `source` into the shared object `output`; the error is the compiler's first complaint.
  Status compile(Isa target, const std::string &source, const std::string &output, const Cancelled &cancelled) const;
};

// The shared object of a text, by way of a temporary folder, whose path no message shows.
Result<std::string> compile_text(const Compiler &compiler, Isa target, const std::string &text,
                                 const Cancelled &cancelled);

// `wanted`, else ALNSMITH_CXX, else the first of ALNSMITH_KERNEL_COMPILERS (cmake/kernel_flags.cmake) on PATH; a
// clang++ older than 15, which lacks what the texts use, only where it is asked for by name. Its version is asked once
// per compiler and remembered in the cache. For a target of another machine than this one: `wanted`, else that
// machine's cross compiler.
Result<Compiler> find_compiler(const std::string &wanted, const Cache &cache, const Cancelled &cancelled,
                               Isa target = {});

// What the program at `path` answers to --version; `cache` (may be null) remembers it.
Result<std::string> compiler_version(const std::string &path, const Cache *cache, const Cancelled &cancelled);

// The line of a compiler's messages to show: the first that says "error", else the first.
std::string complaint(const std::string &text);

// "real path, size, time of change" of a file; empty if it is not there.
std::string file_identity(const std::string &path);

}  // namespace alnsmith::rt::compile
