// See sliced.h.
#include "align/sliced.h"

#include <algorithm>

#include "align/call.h"

namespace alnsmith::rt::align {
namespace {

// Vectors of cells.
double vectors_of(const kernels::KernelInfo &kernel, const Sides &sides) {
  return static_cast<double>(kernel.register_rows(sides.registers)) * static_cast<double>(sides.stream);
}

}  // namespace

bool sliced_pays(const kernels::KernelInfo &sliced, const kernels::KernelInfo &other, std::span<const Item> items,
                 const Batch &batch, std::size_t available) {
  if (Call::need(sliced, batch.sides.registers, batch.sides.stream) > available) return false;
  const auto lanes = static_cast<std::size_t>(other.lanes);
  const auto part = items.subspan(batch.begin, batch.count);
  double otherwise = 0;
  for (std::size_t at = 0; at < part.size(); at += lanes)
    otherwise +=
        vectors_of(other, sides_of(part.subspan(at, std::min(lanes, part.size() - at)), other.query_in_registers));
  return vectors_of(sliced, batch.sides) * sliced.work <= 100 * otherwise;
}

}  // namespace alnsmith::rt::align
