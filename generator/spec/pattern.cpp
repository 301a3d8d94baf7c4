// See pattern.h. Compiled without -Wmaybe-uninitialized: GCC 12 reports <regex> itself under sanitizers.
#include "spec/pattern.h"

#include <regex>

namespace alnsmith::spec {

bool matches(const std::string &text, const std::string &pattern) {
  return text.size() <= 1000 && std::regex_match(text, std::regex(pattern));
}

}  // namespace alnsmith::spec
