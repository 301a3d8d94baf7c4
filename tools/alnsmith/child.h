// Runs another program and collects what it prints.
#pragma once

#include <string>
#include <vector>

#include "alnsmith/result.hpp"

namespace alnsmith::tool {

struct ChildResult {
  int status = 0;  // exit status; 128 + signal where a signal ended it
  std::string out, err;
};

// `words[0]` is the program's path. An error only if it cannot be started.
Result<ChildResult> run_child(const std::vector<std::string> &words);

// Replaces this process; returns only on failure.
Error become(const std::vector<std::string> &words);

}  // namespace alnsmith::tool
