// Relaxed PHYLIP. See reference_alignment.hpp.
#include <charconv>
#include <cstdint>
#include <utility>

#include "alnsmith/reference_alignment.hpp"
#include "quoted.h"

namespace alnsmith::placement {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

struct Header {
  std::uint64_t rows = 0, columns = 0;
  std::size_t end = 0;  // in the text
};

// The two numbers at the front.
bool read_header(std::string_view text, Header &out) {
  std::size_t at = 0;
  for (std::uint64_t *number : {&out.rows, &out.columns}) {
    at = text.find_first_not_of(kBlanks, at);
    if (at == std::string_view::npos) return false;
    const auto [end, code] = std::from_chars(text.data() + at, text.data() + text.size(), *number);
    at = static_cast<std::size_t>(end - text.data());
    if (code != std::errc{} || (at < text.size() && kBlanks.find(text[at]) == std::string_view::npos)) return false;
  }
  out.end = at;
  return true;
}

struct Line {
  std::string_view text;  // without blanks around it
  std::size_t number;     // in the file, from 1
};

std::vector<Line> lines_of(std::string_view text, std::size_t from) {
  std::vector<Line> out;
  std::size_t number = 1;
  for (std::size_t i = 0; i < from; ++i) number += text[i] == '\n';
  while (from < text.size()) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string_view line = text.substr(from, end - from);
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first != std::string_view::npos)
      out.push_back({line.substr(first, line.find_last_not_of(kBlanks) - first + 1), number});
    from = end + 1;
    ++number;
  }
  return out;
}

void append_letters(std::string &row, std::string_view line) {
  for (const char c : line)
    if (kBlanks.find(c) == std::string_view::npos) row += c;
}

// A line that begins with a name.
void add_row(ReferenceAlignment &out, std::string_view line) {
  const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
  out.names.emplace_back(line.substr(0, end));
  append_letters(out.rows.emplace_back(), line.substr(end));
}

// The layout in which all lines of a row follow each other; false where the text does not have it.
bool read_sequential(const std::vector<Line> &lines, const Header &header, ReferenceAlignment &out) {
  for (const Line &line : lines) {
    if (out.rows.empty() || out.rows.back().size() >= header.columns)
      add_row(out, line.text);
    else
      append_letters(out.rows.back(), line.text);
    if (out.rows.back().size() > header.columns || out.rows.size() > header.rows) return false;
  }
  return out.rows.size() == header.rows && out.rows.back().size() == header.columns;
}

// Blocks of a line for each row; names are in the first.
bool read_interleaved(const std::vector<Line> &lines, const Header &header, ReferenceAlignment &out) {
  if (lines.size() % header.rows != 0) return false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i < header.rows)
      add_row(out, lines[i].text);
    else
      append_letters(out.rows[i % header.rows], lines[i].text);
  }
  for (const std::string &row : out.rows)
    if (row.size() != header.columns) return false;
  return true;
}

std::string at_line(const std::string &file, const Line &line) {
  return file + ":" + std::to_string(line.number) + ": ";
}

// Why neither came out.
Error complaint(const std::vector<Line> &lines, const Header &header, const std::string &file) {
  const std::string said =
      "the header says " + std::to_string(header.rows) + " rows of " + std::to_string(header.columns) + " columns";
  if (lines.size() < header.rows)
    return Error{file + ": " + said + ", and there are " + std::to_string(lines.size()) +
                 " lines: mend the header or add the rows"};
  ReferenceAlignment rows;
  for (const Line &line : lines) {
    add_row(rows, line.text);
    if (lines.size() == header.rows && rows.rows.back().size() != header.columns)
      return Error{at_line(file, line) + "row " + in_quotes(rows.names.back()) + " has " +
                   std::to_string(rows.rows.back().size()) + " letters, and " + said + ": make them equal"};
  }
  return Error{file + ": " + said +
               ", and the lines are neither so many rows nor blocks of so many lines that come to it: "
               "mend the header, or give one row a line"};
}

}  // namespace

bool is_phylip(std::string_view text) {
  Header header;
  return read_header(text, header);
}

Result<ReferenceAlignment> read_phylip(std::string_view text, const std::string &file) {
  Header header;
  if (!read_header(text, header))
    return Error{file + ": PHYLIP begins with the numbers of rows and columns: write them, or give FASTA"};
  if (header.rows == 0 || header.columns == 0)
    return Error{file + ": the header says that there is nothing: give rows and columns"};
  const std::vector<Line> lines = lines_of(text, header.end);
  ReferenceAlignment out;
  if (lines.size() >= header.rows) {
    if (read_sequential(lines, header, out)) return out;
    out = {};
    if (read_interleaved(lines, header, out)) return out;
  }
  return complaint(lines, header, file);
}

}  // namespace alnsmith::placement
