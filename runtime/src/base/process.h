// Running another program: no shell, output captured, cancellable.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "alnsmith/result.hpp"

namespace alnsmith::rt {

// Asked often, from any thread: true ends what is under way, exit code 130. May be empty.
using Cancelled = std::function<bool()>;

struct ProcessResult {
  int exit_code = 0;     // 128 + n where signal n ended it
  std::string out, err;  // at most 64 MiB each
};

// argv[0] is a path or a name on PATH; standard input is empty. An error if it cannot start, or, with exit code 130,
// if `cancelled` (may be empty; asked every 50 ms) said so or an interrupt ended it; the program is then ended too,
// with what it has started. One that can be cancelled is not reached by the terminal's interrupt: `cancelled` decides.
Result<ProcessResult> run_process(const std::vector<std::string> &argv, const Cancelled &cancelled);

// Path of an executable: `name` itself if it has a slash, else looked up on PATH; empty if there is none.
std::string find_program(const std::string &name);

}  // namespace alnsmith::rt
