// See words.h.
#include "words.h"

#include <algorithm>
#include <string_view>

namespace alnsmith::python {
namespace {

struct Word {
  std::string_view option, argument;
};
constexpr Word kWords[] = {
    {"--matrix FILE", "scoring={\"matrix\": ARRAY}"},
    {"--device-memory", "device_memory="},
    {"--memory", "memory="},
    {"--pack,", "packs=,"},
};
constexpr std::string_view kSet = "--set ";

// "score.match" and "2" to {"match": 2}. A cost of both sides, "gap.open", is the call's for each of them.
std::string entries(std::string key, const std::string &value) {
  const bool cost = key.starts_with("gap.");
  key.erase(0, key.find('.') + 1);
  const bool both = cost && key.find('.') == std::string::npos;
  std::ranges::replace(key, '.', '_');
  if (!both) return "{\"" + key + "\": " + value + "}";
  return "{\"insertion_" + key + "\": " + value + ", \"deletion_" + key + "\": " + value + "}";
}

}  // namespace

std::string in_python(std::string message) {
  for (const auto &[option, argument] : kWords)
    for (std::size_t at = 0; (at = message.find(option, at)) != std::string::npos; at += argument.size())
      message.replace(at, option.size(), argument);
  const std::size_t at = message.find(kSet), equals = message.find('=', at);
  if (at == std::string::npos || equals == std::string::npos) return message;
  const std::size_t key = at + kSet.size(), end = std::min(message.find(' ', equals), message.size());
  const std::string said = entries(message.substr(key, equals - key), message.substr(equals + 1, end - equals - 1));
  return message.replace(at, end - at, "scoring=" + said);
}

}  // namespace alnsmith::python
