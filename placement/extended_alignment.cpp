// References and reads in one alignment. See placement_report.hpp.
#include <algorithm>
#include <numeric>

#include "alnsmith/placement_report.hpp"

namespace alnsmith::placement {

ExtendedAlignment::ExtendedAlignment(std::size_t columns, const std::vector<std::uint32_t> &kept, bool insertions)
    : columns_(columns), kept_(kept), insertions_(insertions), inserted_(columns + 1) {}

template <class Letter, class Insert>
void ExtendedAlignment::walk(const PlacedRead &placed, const Letter &letter, const Insert &insert) const {
  std::size_t column = 0, at = 0;
  for (const CigarRun run : placed.runs) {
    const std::size_t n = letters_of(run);
    switch (operation_of(run)) {
      case 'M':
        for (std::size_t i = 0; i < n; ++i) letter(kept_[column + i], placed.read.letters[at + i]);
        column += n;
        at += n;
        break;
      case 'I':
        insert(place(column), std::string_view(placed.read.letters).substr(at, n));
        at += n;
        break;
      default:
        column += n;
    }
  }
}

void ExtendedAlignment::add(const PlacedRead &placed) {
  if (!insertions_) return;
  walk(
      placed, [](std::size_t, char) {},
      [&](std::size_t column, std::string_view letters) {
        inserted_[column] = std::max(inserted_[column], static_cast<std::uint32_t>(letters.size()));
      });
}

std::size_t ExtendedAlignment::width() const { return std::accumulate(inserted_.begin(), inserted_.end(), columns_); }

std::string ExtendedAlignment::reference_row(std::string_view row) const {
  if (!insertions_) return std::string(row);
  std::string out;
  out.reserve(width());
  for (std::size_t c = 0; c < columns_; ++c) {
    out.append(inserted_[c], '-');
    out += row[c];
  }
  return out.append(inserted_[columns_], '-');
}

std::string ExtendedAlignment::read_row(const PlacedRead &placed) const {
  std::string inside(columns_, '-');
  std::vector<std::pair<std::size_t, std::string_view>> insertions;
  walk(
      placed, [&](std::size_t column, char letter) { inside[column] = letter; },
      [&](std::size_t column, std::string_view letters) { insertions.emplace_back(column, letters); });
  if (!insertions_) return inside;
  std::string out;
  out.reserve(width());
  auto next = insertions.begin();
  for (std::size_t c = 0; c <= columns_; ++c) {
    std::string_view letters;
    if (next != insertions.end() && next->first == c) letters = next++->second;
    out += letters;
    out.append(inserted_[c] - letters.size(), '-');
    if (c < columns_) out += inside[c];
  }
  return out;
}

std::string fasta_row(std::string_view name, std::string_view row) {
  std::string out = ">";
  ((out += name) += '\n') += row;
  return out += '\n';
}

std::string phylip_head(std::uint64_t rows, std::size_t width) {
  return std::to_string(rows) + " " + std::to_string(width) + "\n";
}

std::string phylip_row(std::string_view name, std::string_view row) {
  std::string out(name);
  (out += ' ') += row;
  return out += '\n';
}

}  // namespace alnsmith::placement
