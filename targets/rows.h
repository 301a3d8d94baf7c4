// Finding a row of a table by its name.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace alnsmith::targets {

// Null where no row has the name. Rows have a member `name`.
template <class Row>
constexpr const Row *row_named(const Row *first, const Row *last, std::string_view name) {
  const Row *found = std::ranges::find(first, last, name, &Row::name);
  return found == last ? nullptr : found;
}
template <class Table>
constexpr auto *row_named(const Table &table, std::string_view name) {
  return row_named(std::data(table), std::data(table) + std::size(table), name);
}

}  // namespace alnsmith::targets
