// Recursive descent to a postfix program, rewriting the text as it reads: see expression.h.
#include "spec/expression.h"

#include <algorithm>
#include <array>
#include <limits>

#include "spec/error.h"

namespace alnsmith::spec {
namespace {

constexpr int max_depth = 50;
constexpr std::size_t max_text = 1000;

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

}  // namespace

const Language &bound_language() {
  static const Language language{{"query", "target"}, {}, false};
  return language;
}

const Language &condition_language() {
  static const Language language{
      {"k", "p", "rows", "block", "grid", "stages", "threads"}, {"mapping", "arithmetic", "compiler"}, true};
  return language;
}

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Language &language) : text_(text), language_(language) {}

  Result<Expression> run() {
    if (text_.size() > max_text) return Error{"is longer than 1,000 bytes"};
    const Operand all = binary(0);
    number_only(all);
    if (error_.empty() && peek() != 0) fail("expected an operator");
    if (!error_.empty()) return Error{"column " + std::to_string(error_at_ + 1) + ": " + error_};
    return std::move(made_);
  }

 private:
  using Op = Expression::Op;
  struct Operator {
    std::string_view text;
    Op op;
    int level;  // binds tighter the larger it is
    bool condition;
  };
  // Longer spellings first, so that `<=` is not read as `<`.
  static constexpr std::array<Operator, 13> operators = {{{"||", Op::disj, 0, true},
                                                          {"&&", Op::conj, 1, true},
                                                          {"==", Op::eq, 2, true},
                                                          {"!=", Op::ne, 2, true},
                                                          {"<=", Op::le, 2, true},
                                                          {">=", Op::ge, 2, true},
                                                          {"<", Op::lt, 2, true},
                                                          {">", Op::gt, 2, true},
                                                          {"+", Op::add, 3, false},
                                                          {"-", Op::sub, 3, false},
                                                          {"*", Op::mul, 4, false},
                                                          {"/", Op::div, 4, true},
                                                          {"%", Op::mod, 4, true}}};
  static constexpr int comparisons = 2, levels = 5;

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
  void emit(Op op, std::int64_t number = 0) { made_.steps_.push_back({op, number}); }
  void number_only(const Operand &operand) {
    if (operand.kind == Operand::is_parameter)
      fail_at(operand.at, "`" + operand.word + "` is a word, which only == and != take");
    if (operand.kind == Operand::is_literal) fail_at(operand.at, "unknown name " + shown(operand.word) + known());
  }
  std::string known() const {
    std::vector<std::string> all(language_.numbers.begin(), language_.numbers.end());
    all.insert(all.end(), language_.words.begin(), language_.words.end());
    return "; there are " + one_of(all, "and");
  }

  const Operator *next_operator(int level) {
    if (peek() == 0) return nullptr;
    for (const Operator &o : operators)
      if (text_.substr(at_, o.text.size()) == o.text)
        return o.level == level && (!o.condition || language_.conditions) ? &o : nullptr;
    return nullptr;
  }

  Operand binary(int level) {
    if (level == levels) {
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
      if (level == comparisons && ++seen > 1)
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
      return fail_at(word.at, "`" + parameter.word + "` is compared with a word only");
    made_.steps_.push_back({Op::is_word, 0, index_of(parameter.word), word.word});
    if (op == Op::ne) emit(Op::no);
  }

  std::size_t index_of(const std::string &name) {
    auto &names = made_.names_;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    names.push_back(name);
    return names.size() - 1;
  }

  Operand unary() {
    const char c = peek();
    const bool negation = c == '!' && language_.conditions && text_.substr(at_, 2) != "!=";
    if (c != '-' && !negation) return primary();
    if (++depth_ > max_depth) {
      fail("nested too deep");
      return {};
    }
    ++at_;
    made_.normal_ += c;
    number_only(unary());
    emit(c == '-' ? Op::neg : Op::no);
    --depth_;
    return {};
  }

  Operand primary() {
    const char c = peek();
    const std::size_t begin = at_;
    if (c == '(') return parentheses();
    if (is_digit(c)) return number();
    if (c == '\'' && language_.conditions) {
      const std::size_t end = text_.find('\'', at_ + 1);
      if (end == std::string_view::npos || end == at_ + 1) {
        fail("expected a word in quotes, such as 'clang++'");
        return {};
      }
      at_ = end + 1;
      made_.normal_ += text_.substr(begin, at_ - begin);
      return {Operand::is_literal, std::string(text_.substr(begin + 1, end - begin - 1)), begin};
    }
    if (is_word(c)) return name();
    fail(language_.conditions ? "expected a number, a name, a word or '('" : "expected a number, a name or '('");
    return {};
  }

  Operand parentheses() {
    if (++depth_ > max_depth) {
      fail("nested too deep");
      return {};
    }
    ++at_;
    made_.normal_ += '(';
    Operand inside = binary(0);
    if (peek() != ')') fail("expected ')'");
    if (!error_.empty()) return {};
    ++at_;
    made_.normal_ += ')';
    --depth_;
    return inside;
  }

  Operand number() {
    const std::size_t begin = at_;
    std::int64_t value = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) value = add(mul(value, 10), text_[at_] - '0');
    if (at_ - begin > 10) fail_at(begin, "a number has at most 10 digits");
    if (at_ < text_.size() && is_word(text_[at_])) fail("expected an operator");
    made_.normal_ += text_.substr(begin, at_ - begin);
    emit(Op::number, value);
    return {};
  }

  Operand name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_word(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    made_.normal_ += name;
    if (std::ranges::count(language_.numbers, name) > 0) {
      made_.steps_.push_back({Op::name, 0, index_of(name)});
      return {};
    }
    if (std::ranges::count(language_.words, name) > 0) return {Operand::is_parameter, name, begin};
    if (!language_.conditions) fail_at(begin, "unknown name " + shown(name) + known());
    return {Operand::is_literal, name, begin};
  }

  std::string_view text_;
  const Language &language_;
  std::size_t at_ = 0, error_at_ = 0;
  int depth_ = 0;
  std::string error_;
  Expression made_;
};

Result<Expression> Expression::parse(std::string_view text, const Language &language) {
  return ExpressionParser(text, language).run();
}

std::optional<std::int64_t> Expression::value(const Lookup &lookup) const {
  std::vector<Value> values;
  for (const std::string &name : names_) values.push_back(lookup(name));
  std::vector<std::int64_t> stack;
  for (const Step &step : steps_) {
    if (step.op == Op::number) stack.push_back(step.number);
    if (step.op == Op::name) {
      const auto *number = std::get_if<std::int64_t>(&values[step.index]);
      stack.push_back(number != nullptr ? *number : 0);
    }
    if (step.op == Op::is_word) {
      const auto *word = std::get_if<std::string>(&values[step.index]);
      stack.push_back(word != nullptr && *word == step.word);
    }
    if (step.op <= Op::is_word) continue;
    const std::int64_t b = stack.back();
    if (step.op == Op::neg || step.op == Op::no) {
      stack.back() = step.op == Op::neg ? sub(0, b) : b == 0;
      continue;
    }
    stack.pop_back();
    std::int64_t &a = stack.back();
    if ((step.op == Op::div || step.op == Op::mod) && b == 0) return std::nullopt;
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
        a = b == -1 ? sub(0, a) : a / b;
        break;
      case Op::mod:
        a = b == -1 ? 0 : a % b;
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
  return stack.back();
}

Result<std::string> normal_expression(std::string_view text) {
  auto parsed = Expression::parse(text, bound_language());
  if (parsed) return parsed->normal();
  return Error{shown(text) +
               " is not an expression of `query`, `target` and integers with + - * and parentheses; "
               "write e.g. `target - query`"};
}

}  // namespace alnsmith::spec
