// Getters of a manifest's JSON that keep the first error instead of unwinding: each returns a harmless value once
// something is wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "kernels/predicate.h"

namespace alnsmith::rt::kernels {

using Json = nlohmann::json;

class Reader {
 public:
  std::string error;

  void fail(std::string_view path, std::string_view rule) {
    if (error.empty()) error = "manifest: " + std::string(path) + " " + std::string(rule);
  }
  const Json &member(const Json &at, std::string_view key) {
    static const Json none;
    if (!at.is_object()) return none;
    const auto found = at.find(key);
    return found == at.end() ? none : *found;
  }
  std::string text(const Json &at, std::string_view key) {
    const Json &value = member(at, key);
    if (!value.is_string()) return fail(key, "must be a text"), std::string();
    return value.get<std::string>();
  }
  std::int64_t number(const Json &at, std::string_view key, std::int64_t least, std::int64_t most) {
    const Json &value = member(at, key);
    const bool ok = value.is_number_integer() &&
                    (!value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
    const std::int64_t n = ok ? value.get<std::int64_t>() : least - 1;
    if (!ok || n < least || n > most) {
      fail(key, "must be an integer from " + std::to_string(least) + " to " + std::to_string(most));
      return least;
    }
    return n;
  }
  bool flag(const Json &at, std::string_view key) {
    const Json &value = member(at, key);
    if (!value.is_boolean()) return fail(key, "must be true or false"), false;
    return value.get<bool>();
  }
  // The index of the text among `words`.
  std::size_t word(const Json &at, std::string_view key, std::initializer_list<std::string_view> words) {
    const std::string value = text(at, key);
    const auto found = std::find(words.begin(), words.end(), value);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    fail(key, "has the unknown value '" + value.substr(0, 40) + "'");
    return 0;
  }
  Predicate predicate(const Json &at, std::string_view key, std::string *source = nullptr) {
    const std::string value = text(at, key);
    if (source) *source = value;
    return predicate(key, value);
  }
  Predicate predicate(std::string_view key, const std::string &value) {
    auto parsed = Predicate::parse(value);
    if (parsed) return *std::move(parsed);
    fail(key, "is no predicate: " + parsed.error().message);
    return {};
  }
};

}  // namespace alnsmith::rt::kernels
