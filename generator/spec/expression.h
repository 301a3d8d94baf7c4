// Integer expressions in specs: a band's bounds over `query` and `target`, a search space's constraints over its
// parameters.
//
// In: text and the language it is in. Out: a program that is evaluated in 64 bits with saturation, and the same text
// with blanks normalised, so that two spellings give one canonical form; or an error that gives the column (from 1),
// without file and line.
//
// A bound has + - * and parentheses. A condition also has / % (towards zero; by zero: no value), < <= > >= == !=
// (which do not chain), && || ! and words: a parameter of words is compared with a word, 'in quotes' where it holds
// other bytes than letters, digits and _.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "alnsmith/result.hpp"

namespace alnsmith::spec {

struct Language {
  std::vector<std::string_view> numbers;  // names of integers
  std::vector<std::string_view> words;    // names of words
  bool conditions = false;                // the operators of conditions
};
const Language &bound_language();      // query, target
const Language &condition_language();  // the parameters of `tune:`

class Expression {
 public:
  using Value = std::variant<std::int64_t, std::string>;
  using Lookup = std::function<Value(std::string_view name)>;

  static Result<Expression> parse(std::string_view text, const Language &language);

  const std::string &normal() const { return normal_; }
  const std::vector<std::string> &names() const { return names_; }  // that it mentions, each once
  // `lookup` is asked for names() only. Nothing where something is divided by zero.
  std::optional<std::int64_t> value(const Lookup &lookup) const;

 private:
  friend class ExpressionParser;
  // `name` and `is_word` push a value; `is_word`: whether the parameter `index` holds `word`.
  enum class Op { number, name, is_word, neg, no, add, sub, mul, div, mod, lt, le, gt, ge, eq, ne, conj, disj };
  struct Step {
    Op op;
    std::int64_t number = 0;
    std::size_t index = 0;  // in names_
    std::string word = {};
  };
  std::vector<Step> steps_;
  std::vector<std::string> names_;
  std::string normal_;
};

// A bound, normalised; its error is a whole `rule; mend`.
Result<std::string> normal_expression(std::string_view text);

}  // namespace alnsmith::spec
