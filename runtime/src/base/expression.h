// Integer expressions as manifests, specs and search spaces write them: predicates over a call's scoring and lengths, a
// band's bounds, constraints on tiles.
//
// In: text and its grammar. Out: a program that is evaluated in 64 bits with saturation, so that no text and no value
// overflows or faults, and the same text with blanks normalised, so that two spellings give one canonical form; or an
// error that gives the column (from 1), without file and line.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "alnsmith/result.hpp"

namespace alnsmith::rt {

// What a text may hold beside numbers, + - * and parentheses.
struct Grammar {
  std::vector<std::string_view> numbers;  // names of integers
  // Names of words: each is compared with a word by == or !=, 'in quotes' where it holds other bytes than letters,
  // digits and _.
  std::vector<std::string_view> words = {};
  bool conditions = false;  // < <= > >= == != && || !
  bool division = false;    // / % towards zero; by zero: no value
  bool extremes = false;    // min(a, b) max(a, b)
  bool chained = false;     // comparisons may be compared, == after < as in C; else they do not chain
  std::size_t most_bytes = 1000, most_digits = 10;
};

class Expression {
 public:
  using Value = std::variant<std::int64_t, std::string>;
  using Lookup = std::function<Value(std::string_view name)>;

  // `grammar` must outlive the result.
  static Result<Expression> parse(std::string_view text, const Grammar &grammar);

  const std::string &normal() const { return normal_; }
  const std::vector<std::string> &names() const { return names_; }  // that it mentions, each once
  // `numbers` and `words` in the grammar's order. Nothing where something is divided by zero.
  std::optional<std::int64_t> value(std::span<const std::int64_t> numbers, std::span<const std::string> words) const;
  // `lookup` is asked for names() only.
  std::optional<std::int64_t> value(const Lookup &lookup) const;

 private:
  friend class ExpressionParser;
  // The first three push a value; `is_word`: whether the word `index` of the grammar is literals_[number].
  enum class Op : std::uint8_t {
    number,
    name,
    is_word,
    neg,
    no,
    add,
    sub,
    mul,
    div,
    mod,
    min,
    max,
    lt,
    le,
    gt,
    ge,
    eq,
    ne,
    conj,
    disj
  };
  struct Step {
    Op op;
    std::uint32_t index = 0;
    std::int64_t number = 0;
  };
  const Grammar *grammar_ = nullptr;
  std::vector<Step> steps_;
  std::vector<std::string> literals_, names_;
  std::string normal_;
};

}  // namespace alnsmith::rt
