// See warnings.h.
#include "warnings.h"

#include <fmt/format.h>

#include "common/text.h"

namespace alnsmith::tool {

void Warnings::print(const std::vector<std::string> &lines) {
  for (const std::string &line : lines) {
    if (!printed_.insert(line).second) continue;
    progress_.wipe();
    fmt::print(stderr, "alnsmith: note: {}\n", printable(line, 1000));
  }
}

}  // namespace alnsmith::tool
