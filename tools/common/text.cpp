// Small text helpers of the command line: sizes, printable quoting.
#include "common/text.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>

#include "base/json_depth.h"

namespace alnsmith::tool {
namespace {

bool prints(char c) { return c >= 0x20 && c < 0x7f; }

}  // namespace

Result<std::size_t> parse_size(std::string_view text) {
  const auto bad = [&] {
    return Error{
        fmt::format("size '{}' is not a number with an optional K, M or G, such as 512M or 2G", printable(text)), 2};
  };
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{}) return bad();
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  int shift = 0;
  if (unit == "K" || unit == "k")
    shift = 10;
  else if (unit == "M" || unit == "m")
    shift = 20;
  else if (unit == "G" || unit == "g")
    shift = 30;
  else if (!unit.empty())
    return bad();
  if (number > (std::numeric_limits<std::size_t>::max() >> shift)) return bad();
  return static_cast<std::size_t>(number) << shift;
}

std::string printable(std::string_view text, std::size_t limit) {
  std::string out;
  for (const char c : text.substr(0, limit)) {
    if (prints(c))
      out += c;
    else
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  if (text.size() > limit) out += "...";
  return out;
}

bool too_deep(std::string_view json) { return deeper_than(32, json); }

std::string printable_letter(char letter) {
  if (prints(letter)) return fmt::format("'{}'", letter);
  return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(letter));
}

}  // namespace alnsmith::tool
