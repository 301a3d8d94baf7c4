// See shard_option.h.
#include "shard_option.h"

#include <fmt/format.h>

#include <charconv>

#include "common/text.h"

namespace alnsmith::tool {

Result<search::Shard> shard_of(const std::string &text) {
  search::Shard shard;
  if (text.empty()) return shard;
  const std::size_t slash = text.find('/');
  const auto number = [](const std::string &digits, std::uint64_t &out) {
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    return failed == std::errc() && end == digits.data() + digits.size();
  };
  if (slash == std::string::npos || !number(text.substr(0, slash), shard.index) ||
      !number(text.substr(slash + 1), shard.count) || shard.index < 1 || shard.index > shard.count)
    return Error{fmt::format("--shard {}: is no i/n with 1 <= i <= n, such as 3/8", printable(text)), 2};
  return shard;
}

}  // namespace alnsmith::tool
