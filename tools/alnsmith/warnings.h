// Warnings of a run on stderr: a device that is not used, or that failed on the way. Each is printed once.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "progress.h"

namespace alnsmith::tool {

class Warnings {
 public:
  explicit Warnings(Progress &progress) : progress_(progress) {}
  void print(const std::vector<std::string> &lines);

 private:
  Progress &progress_;
  std::set<std::string> printed_;
};

}  // namespace alnsmith::tool
