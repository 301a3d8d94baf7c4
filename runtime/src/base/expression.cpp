// Recursive descent to a postfix program, rewriting the text as it reads.  See expression.h.
#include "base/expression.h"

#include <algorithm>
#include <array>
#include <limits>

namespace alnsmith::rt {
namespace {

constexpr int kMostDepth = 64;    // of the grammar's recursion
constexpr int kMostStack = 1024;  // operands in flight while evaluating

std::int64_t saturated(bool low) {
  return low ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}
std::int64_t add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  return __builtin_add_overflow(a, b, &r) ? saturated(a < 0) : r;
}
std::int64_t sub(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  return __builtin_sub_overflow(a, b, &r) ? saturated(a < 0) : r;
}
std::int64_t mul(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  return __builtin_mul_overflow(a, b, &r) ? saturated((a < 0) != (b < 0)) : r;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::string shown(std::string_view word) {
  std::string out = "`";
  for (const char c : word) out += c >= ' ' && c <= '~' ? c : '?';
  return out + "`";
}

template <class Names>
std::optional<std::uint32_t> index_in(const Names &names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - names.begin());
}

}  // namespace

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Grammar &grammar) : text_(text), grammar_(grammar) {}

  Result<Expression> run() {
    if (text_.size() > grammar_.most_bytes)
      return Error{"is longer than " + std::to_string(grammar_.most_bytes) + " bytes"};
    number_only(binary(0));
    if (error_.empty() && peek() != 0) fail("expected an operator");
    if (!error_.empty()) return Error{"column " + std::to_string(error_at_ + 1) + ": " + error_};
    made_.grammar_ = &grammar_;
    return std::move(made_);
  }

 private:
  using Op = Expression::Op;
  enum class Needs { nothing, conditions, division };
  struct Operator {
    std::string_view text;
    Op op;
    int level;  // binds tighter the larger it is
    Needs needs;
  };
  // Longer spellings first, so that `<=` is not read as `<`.
  static constexpr std::array<Operator, 13> kOperators = {{{"||", Op::disj, 0, Needs::conditions},
                                                           {"&&", Op::conj, 1, Needs::conditions},
                                                           {"==", Op::eq, 2, Needs::conditions},
                                                           {"!=", Op::ne, 2, Needs::conditions},
                                                           {"<=", Op::le, 3, Needs::conditions},
                                                           {">=", Op::ge, 3, Needs::conditions},
                                                           {"<", Op::lt, 3, Needs::conditions},
                                                           {">", Op::gt, 3, Needs::conditions},
                                                           {"+", Op::add, 4, Needs::nothing},
                                                           {"-", Op::sub, 4, Needs::nothing},
                                                           {"*", Op::mul, 5, Needs::nothing},
                                                           {"/", Op::div, 5, Needs::division},
                                                           {"%", Op::mod, 5, Needs::division}}};
  static constexpr int kEquality = 2, kOrder = 3, kLevels = 6;

  // What was read: a number, whose steps stand in the program already, or a word or a parameter of words, which only a
  // comparison can take.
  struct Operand {
    enum Kind { is_number, is_literal, is_parameter } kind = is_number;
    std::string word = {};
    std::size_t at = 0;
  };

  void fail(const std::string &what) { fail_at(at_, what); }
  void fail_at(std::size_t at, const std::string &what) {
    if (error_.empty()) error_ = what, error_at_ = at;
  }
  // The next byte that is not a blank, 0 at the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    made_.normal_ += c;
    return true;
  }
  void emit(Op op, std::uint32_t index = 0, std::int64_t number = 0) {
    made_.steps_.push_back({op, index, number});
    stack_ += op <= Op::is_word ? 1 : op <= Op::no ? 0 : -1;
    if (stack_ > kMostStack) fail("too many operands");
  }
  void number_only(const Operand &operand) {
    if (operand.kind == Operand::is_parameter)
      fail_at(operand.at, shown(operand.word) + " is a word, which only == and != take");
    if (operand.kind == Operand::is_literal) fail_at(operand.at, "unknown name " + shown(operand.word) + known());
  }
  std::string known() const {
    std::vector<std::string_view> all = grammar_.numbers;
    all.insert(all.end(), grammar_.words.begin(), grammar_.words.end());
    std::string out = "; there are ";
    for (std::size_t i = 0; i < all.size(); ++i)
      out += (i == 0 ? "" : i + 1 == all.size() ? " and " : ", ") + std::string(all[i]);
    return out;
  }
  void mention(const std::string &name) {
    if (std::ranges::count(made_.names_, name) == 0) made_.names_.push_back(name);
  }

  int level_of(const Operator &o) const { return o.level == kOrder && !grammar_.chained ? kEquality : o.level; }
  bool has(Needs needs) const {
    return needs == Needs::nothing || (needs == Needs::division ? grammar_.division : grammar_.conditions);
  }
  const Operator *next_operator(int level) {
    if (peek() == 0) return nullptr;
    for (const Operator &o : kOperators)
      if (text_.substr(at_, o.text.size()) == o.text) return level_of(o) == level && has(o.needs) ? &o : nullptr;
    return nullptr;
  }

  Operand binary(int level) {
    if (level == kLevels) {
      peek();
      const std::size_t begin = at_;
      Operand one = unary();
      one.at = begin;
      return one;
    }
    Operand left = binary(level + 1);
    int seen = 0;
    while (error_.empty()) {
      const Operator *found = next_operator(level);
      if (found == nullptr) break;
      const std::size_t place = at_;
      at_ += found->text.size();
      made_.normal_ += " " + std::string(found->text) + " ";
      if (level == kEquality && !grammar_.chained && ++seen > 1)
        fail_at(place, "comparisons do not chain; join two with && and parentheses");
      const Operand right = binary(level + 1);
      const bool equality = found->op == Op::eq || found->op == Op::ne;
      if (equality && (left.kind == Operand::is_parameter || right.kind == Operand::is_parameter)) {
        compare_words(left, right, found->op);
      } else {
        number_only(left);
        number_only(right);
        emit(found->op);
      }
      left = {Operand::is_number, {}, left.at};
    }
    return left;
  }

  void compare_words(const Operand &left, const Operand &right, Op op) {
    const Operand &parameter = left.kind == Operand::is_parameter ? left : right;
    const Operand &word = &parameter == &left ? right : left;
    if (word.kind != Operand::is_literal)
      return fail_at(word.at, shown(parameter.word) + " is compared with a word only");
    emit(Op::is_word, *index_in(grammar_.words, parameter.word), static_cast<std::int64_t>(made_.literals_.size()));
    made_.literals_.push_back(word.word);
    if (op == Op::ne) emit(Op::no);
  }

  bool deeper() {
    if (++depth_ <= kMostDepth) return true;
    fail("nested too deep");
    return false;
  }

  Operand unary() {
    const char c = peek();
    const bool negation = c == '!' && grammar_.conditions && text_.substr(at_, 2) != "!=";
    if (c != '-' && !negation) return primary();
    if (!deeper()) return {};
    take(c);
    number_only(unary());
    emit(c == '-' ? Op::neg : Op::no);
    --depth_;
    return {};
  }

  Operand primary() {
    const char c = peek();
    if (c == '(') return parentheses();
    if (is_digit(c)) return number();
    if (c == '\'' && !grammar_.words.empty()) return literal();
    if (is_word(c)) return name();
    fail(!grammar_.words.empty() ? "expected a number, a name, a word or '('" : "expected a number, a name or '('");
    return {};
  }

  Operand parentheses() {
    if (!deeper()) return {};
    take('(');
    Operand inside = binary(0);
    if (error_.empty() && !take(')')) fail("expected ')'");
    --depth_;
    return inside;
  }

  Operand number() {
    const std::size_t begin = at_;
    std::int64_t value = 0;
    bool overflows = false;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_)
      overflows = __builtin_mul_overflow(value, std::int64_t{10}, &value) ||
                  __builtin_add_overflow(value, std::int64_t{text_[at_] - '0'}, &value) || overflows;
    if (at_ - begin > grammar_.most_digits)
      fail_at(begin, "a number has at most " + std::to_string(grammar_.most_digits) + " digits");
    if (overflows) fail_at(begin, "a number has at most 64 bits");
    if (at_ < text_.size() && is_word(text_[at_])) fail("expected an operator");
    made_.normal_ += text_.substr(begin, at_ - begin);
    emit(Op::number, 0, value);
    return {};
  }

  Operand literal() {
    const std::size_t begin = at_, end = text_.find('\'', at_ + 1);
    if (end == std::string_view::npos || end == at_ + 1) {
      fail("expected a word in quotes, such as 'clang++'");
      return {};
    }
    at_ = end + 1;
    made_.normal_ += text_.substr(begin, at_ - begin);
    return {Operand::is_literal, std::string(text_.substr(begin + 1, end - begin - 1)), begin};
  }

  Operand name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_word(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    made_.normal_ += name;
    if (grammar_.extremes && (name == "min" || name == "max")) return extreme(name == "min" ? Op::min : Op::max);
    if (const auto index = index_in(grammar_.numbers, name)) {
      mention(name);
      emit(Op::name, *index);
      return {};
    }
    if (!index_in(grammar_.words, name)) return {Operand::is_literal, name, begin};
    mention(name);
    return {Operand::is_parameter, name, begin};
  }

  Operand extreme(Op op) {
    if (!deeper()) return {};
    if (!take('(')) fail("expected '('");
    number_only(binary(0));
    if (error_.empty() && !take(',')) fail("expected ','");
    made_.normal_ += ' ';
    if (error_.empty()) number_only(binary(0));
    if (error_.empty() && !take(')')) fail("expected ')'");
    emit(op);
    --depth_;
    return {};
  }

  std::string_view text_;
  const Grammar &grammar_;
  std::size_t at_ = 0, error_at_ = 0;
  int depth_ = 0, stack_ = 0;
  std::string error_;
  Expression made_;
};

Result<Expression> Expression::parse(std::string_view text, const Grammar &grammar) {
  return ExpressionParser(text, grammar).run();
}

std::optional<std::int64_t> Expression::value(const Lookup &lookup) const {
  std::vector<std::int64_t> numbers(grammar_->numbers.size());
  std::vector<std::string> words(grammar_->words.size());
  for (const std::string &name : names_) {
    Value value = lookup(name);
    if (const auto index = index_in(grammar_->numbers, name)) {
      if (const auto *number = std::get_if<std::int64_t>(&value)) numbers[*index] = *number;
    } else if (auto *word = std::get_if<std::string>(&value)) {
      words[*index_in(grammar_->words, name)] = std::move(*word);
    }
  }
  return this->value(numbers, words);
}

std::optional<std::int64_t> Expression::value(std::span<const std::int64_t> numbers,
                                              std::span<const std::string> words) const {
  std::int64_t stack[kMostStack + 2];
  stack[0] = 0;
  std::int64_t *top = stack;  // element 0 lies below the first; the parser has counted: never beyond kMostStack
  for (const Step &step : steps_) {
    if (step.op <= Op::is_word) {
      *++top = step.op == Op::number ? step.number
               : step.op == Op::name ? numbers[step.index]
                                     : words[step.index] == literals_[static_cast<std::size_t>(step.number)];
      continue;
    }
    if (step.op <= Op::no) {
      *top = step.op == Op::neg ? sub(0, *top) : *top == 0;
      continue;
    }
    const std::int64_t b = *top--;
    std::int64_t &a = *top;
    switch (step.op) {
      case Op::add:
        a = add(a, b);
        break;
      case Op::sub:
        a = sub(a, b);
        break;
      case Op::mul:
        a = mul(a, b);
        break;
      case Op::div:
        if (b == 0) return std::nullopt;
        a = b == -1 ? sub(0, a) : a / b;
        break;
      case Op::mod:
        if (b == 0) return std::nullopt;
        a = b == -1 ? 0 : a % b;
        break;
      case Op::min:
        a = std::min(a, b);
        break;
      case Op::max:
        a = std::max(a, b);
        break;
      case Op::lt:
        a = a < b;
        break;
      case Op::le:
        a = a <= b;
        break;
      case Op::gt:
        a = a > b;
        break;
      case Op::ge:
        a = a >= b;
        break;
      case Op::eq:
        a = a == b;
        break;
      case Op::ne:
        a = a != b;
        break;
      case Op::conj:
        a = a != 0 && b != 0;
        break;
      default:
        a = a != 0 || b != 0;
        break;
    }
  }
  return *top;
}

}  // namespace alnsmith::rt
