// See notes.h.
#include "notes.h"

#include <fmt/format.h>

#include "common/text.h"

namespace alnsmith::tool {

void Notes::print(const std::vector<std::string> &notes) {
  for (const std::string &note : notes) {
    if (!printed_.insert(note).second) continue;
    progress_.wipe();
    fmt::print(stderr, "alnsmith: note: {}\n", printable(note, 1000));
  }
}

}  // namespace alnsmith::tool
