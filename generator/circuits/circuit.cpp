// See circuit.h.
#include "circuits/circuit.h"

#include <algorithm>
#include <bit>

namespace alnsmith::circuits {

int planes_of(const std::vector<std::uint8_t> &code) {
  return code.empty() ? 0 : std::bit_width(unsigned{*std::ranges::max_element(code)});
}

int Circuit::difference_planes() const { return planes_of(codes.difference); }
int Circuit::gap_planes(int side) const { return planes_of(codes.gap[static_cast<std::size_t>(side)]); }
int Circuit::inputs() const { return 1 + 2 * difference_planes() + gap_planes(0) + gap_planes(1); }

std::vector<std::string> plane_names(const Codes &codes) {
  std::vector<std::string> names;
  const auto put = [&](char letter, const std::vector<std::uint8_t> &code) {
    for (int p = 0; p < planes_of(code); ++p) names.push_back(letter + std::to_string(p));
  };
  put('u', codes.difference);
  put('v', codes.difference);
  put('x', codes.gap[0]);
  put('y', codes.gap[1]);
  return names;
}

std::string text_of(const Scheme &s) {
  return "total " + std::to_string(s.total) + ", floor " + std::to_string(s.floor) + ", open " +
         std::to_string(s.opens[0]) + " and " + std::to_string(s.opens[1]);
}

}  // namespace alnsmith::circuits
