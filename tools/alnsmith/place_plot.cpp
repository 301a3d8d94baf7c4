// See place_plot.h.
#include "place_plot.h"

namespace alnsmith::tool {

Status check_place_plot() { return Ok{}; }

Result<std::string> place_page(const placement::Tree &, std::span<const double>, std::uint64_t, const std::string &) {
  return std::string();
}

}  // namespace alnsmith::tool
