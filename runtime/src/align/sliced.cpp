// See sliced.h.
#include "align/sliced.h"

#include <algorithm>

#include "align/call.h"

namespace alnsmith::rt::align {
namespace {

struct Longest {
  std::size_t registers = 0, stream = 0;
};

Longest longest_sides(const kernels::KernelInfo &kernel, std::span<const Item> items) {
  Longest longest;
  for (const Item &item : items) {
    const bool query = kernel.query_in_registers;
    longest.registers = std::max<std::size_t>(longest.registers, query ? item.query : item.target);
    longest.stream = std::max<std::size_t>(longest.stream, query ? item.target : item.query);
  }
  return longest;
}

// Vectors of cells.
double vectors_of(const kernels::KernelInfo &kernel, const Longest &longest) {
  return static_cast<double>(kernel.register_rows(longest.registers)) * static_cast<double>(longest.stream);
}

}  // namespace

bool sliced_pays(const kernels::KernelInfo &sliced, const kernels::KernelInfo &other, std::span<const Item> batch,
                 std::size_t available) {
  const Longest longest = longest_sides(sliced, batch);
  if (Call::need(sliced, longest.registers, longest.stream) > available) return false;
  const auto lanes = static_cast<std::size_t>(other.lanes);
  double otherwise = 0;
  for (std::size_t at = 0; at < batch.size(); at += lanes)
    otherwise += vectors_of(other, longest_sides(other, batch.subspan(at, std::min(lanes, batch.size() - at))));
  return vectors_of(sliced, longest) * sliced.work <= 100 * otherwise;
}

}  // namespace alnsmith::rt::align
