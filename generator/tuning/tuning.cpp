// See tuning.h.
#include "tuning/tuning.h"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "targets/targets.h"

namespace alnsmith::plan {

namespace {

using nlohmann::json;

struct Number {
  std::string_view key;
  std::optional<int> Choice::*member;
  int most;
  bool power_of_two;
};
constexpr std::array numbers = {Number{"k", &Choice::k, 64, false}, Number{"rows", &Choice::unroll, 8, false},
                                Number{"p", &Choice::p, 64, true}, Number{"block", &Choice::block, 32, true},
                                Number{"grid", &Choice::grid, 64, false}};

struct Word {
  std::string_view key;
  std::string Choice::*member;
};
constexpr std::array words = {Word{"arithmetic", &Choice::first}, Word{"mapping", &Choice::mapping}};

// Empty if `value` was put; else what is wrong with it.
std::string put(Choice &choice, std::string_view key, std::string_view value) {
  for (const Word &word : words)
    if (word.key == key) {
      if (value.empty()) return "a word is missing";
      choice.*word.member = value;
      return {};
    }
  for (const Number &number : numbers) {
    if (number.key != key) continue;
    int n = 0;
    const auto [end, bad] = std::from_chars(value.data(), value.data() + value.size(), n);
    const bool whole = bad == std::errc() && end == value.data() + value.size();
    if (!whole || n < 1 || n > number.most || (number.power_of_two && (n & (n - 1)) != 0))
      return "must be " + std::string(number.power_of_two ? "a power of two" : "an integer") + " from 1 to " +
             std::to_string(number.most);
    choice.*number.member = n;
    return {};
  }
  return "no such key; there are k, rows, p, block, grid, arithmetic and mapping";
}

std::string text_of(const json &value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string form_list() {
  std::string list;
  for (const std::string_view name : kFormNames)
    list += std::string(list.empty() ? "" : name == kFormNames.back() ? " and " : ", ") + std::string(name);
  return list;
}

bool matches(const json &row, const char *key, std::string_view wanted) {
  const auto it = row.find(key);
  return it == row.end() || (it->is_string() && it->get<std::string>() == wanted);
}

template <class T>
void take(T &to, const T &from, bool given) {
  if (given) to = from;
}

}  // namespace

Result<Choice> parse_choice(std::string_view text) {
  Choice choice;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos)
      return Error{"choice '" + std::string(item) + "': write it as key=value, such as k=8", 2};
    if (const std::string why = put(choice, item.substr(0, equals), item.substr(equals + 1)); !why.empty())
      return Error{"choice '" + std::string(item) + "': " + why, 2};
  }
  return choice;
}

Status Tuning::add_table(std::string_view text, const std::string &name, std::string_view spec_hash,
                         std::string_view target, std::string_view cpu) {
  const json table = json::parse(text, nullptr, false);
  if (!table.is_object() || table.value("schema", json(0)) != json(1) || !table.contains("rows") ||
      !table["rows"].is_array())
    return Error{name + ": no tuned table of schema 1; write it with `alnsmith tune apply`"};
  if (table.value("target", json()) != json(target)) return Ok{};
  std::size_t number = 0;
  for (const json &row : table["rows"]) {
    ++number;
    const auto wrong = [&](const std::string &why) {
      return Error{name + ": row " + std::to_string(number) + ": " + why};
    };
    if (!row.is_object() || !row.contains("spec") || !row.contains("choice") || !row["choice"].is_object())
      return wrong("needs `spec` and `choice`");
    if (!matches(row, "spec", spec_hash) || !matches(row, "cpu", cpu)) continue;
    Choice choice;
    if (const auto kernel = row.find("kernel"); kernel != row.end()) {
      if (!kernel->is_object()) return wrong("`kernel` must be a map of form and arithmetic");
      for (const auto &[key, value] : kernel->items()) {
        if (key == "form") {
          choice.form = form_named(text_of(value));
          if (!choice.form) return wrong("form: there is none of name " + value.dump() + ", only " + form_list());
        } else if (key == "arithmetic") {
          choice.arithmetic = text_of(value);
        } else {
          return wrong("`kernel` has no key " + key);
        }
      }
    }
    for (const auto &[key, value] : row["choice"].items())
      if (const std::string why = put(choice, key, text_of(value)); !why.empty()) return wrong(key + ": " + why);
    rows_.push_back(std::move(choice));
  }
  return Ok{};
}

spec::Spec Tuning::applied_to(spec::Spec s, const std::string &target) const {
  if (by_hand_.k || by_hand_.p) {
    // What the spec says of the target by a variant's name stays, but for what was given by hand.
    spec::Tile tile;
    const auto own = targets::parse(target);
    for (const auto &[name, said] : s.target_tile)
      if (const auto other = targets::parse(name); own && other && targets::one_row(*own, *other)) tile = said;
    if (by_hand_.k) tile.k = by_hand_.k;
    if (by_hand_.p) tile.p = by_hand_.p;
    s.target_tile[target] = tile;
  }
  if (!by_hand_.first.empty()) s.arithmetic = by_hand_.first;
  if (!by_hand_.mapping.empty()) s.mapping = by_hand_.mapping;
  return s;
}

Choice Tuning::of(Form form, std::string_view arithmetic) const {
  Choice all;
  for (const Choice &row : rows_) {
    if (row.form.value_or(form) != form) continue;
    if (!row.arithmetic.empty() && row.arithmetic != arithmetic) continue;
    take(all.k, row.k, row.k.has_value());
    take(all.unroll, row.unroll, row.unroll.has_value());
    take(all.p, row.p, row.p.has_value());
    take(all.block, row.block, row.block.has_value());
    take(all.grid, row.grid, row.grid.has_value());
    take(all.first, row.first, !row.first.empty());
    take(all.mapping, row.mapping, !row.mapping.empty());
  }
  // The rest of what was given by hand stands in the spec (applied_to).
  take(all.unroll, by_hand_.unroll, by_hand_.unroll.has_value());
  take(all.block, by_hand_.block, by_hand_.block.has_value());
  take(all.grid, by_hand_.grid, by_hand_.grid.has_value());
  return all;
}

}  // namespace alnsmith::plan
