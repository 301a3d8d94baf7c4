// Recursive descent over the predicate's text; each rule appends postfix steps.  See predicate.hpp.
#include "kernels/predicate.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "alnsmith/scoring_values.hpp"

namespace alnsmith::rt {
namespace {

constexpr auto kNames = [] {
  std::array<std::string_view, kNameCount> names;
  for (int i = 0; i < ALN_SCORING_COUNT; ++i) names[i] = kScoringValues[i].name;
  names[kQuery] = "query";
  names[kTarget] = "target";
  return names;
}();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr int kMaxDepth = 64;    // of the grammar's recursion
constexpr int kMaxStack = 1024;  // operands in flight while evaluating
constexpr std::size_t kMaxText = 4096;

std::int64_t add(std::int64_t a, std::int64_t b) {
  std::int64_t r;
  return __builtin_add_overflow(a, b, &r) ? (a < 0 ? kMin : kMax) : r;
}
std::int64_t sub(std::int64_t a, std::int64_t b) {
  std::int64_t r;
  return __builtin_sub_overflow(a, b, &r) ? (a < 0 ? kMin : kMax) : r;
}
std::int64_t mul(std::int64_t a, std::int64_t b) {
  std::int64_t r;
  return __builtin_mul_overflow(a, b, &r) ? ((a < 0) != (b < 0) ? kMin : kMax) : r;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

}  // namespace

class PredicateParser {
 public:
  using Op = Predicate::Op;
  explicit PredicateParser(std::string_view text) : text_(text) {}

  Result<Predicate> run() {
    if (text_.size() > kMaxText) return Error{"predicate longer than 4096 bytes"};
    binary(0);
    skip();
    if (error_.empty() && at_ != text_.size()) fail("expected an operator");
    if (!error_.empty()) return Error{"predicate '" + std::string(text_.substr(0, 80)) + "': " + error_};
    return std::move(predicate_);
  }

 private:
  struct Operator {
    std::string_view text;
    Op op;
    int level;  // binds tighter the larger it is
  };
  // Longer spellings first, so that `<=` is not read as `<`.
  static constexpr std::array<Operator, 11> kOperators = {{{"||", Op::disj, 0},
                                                           {"&&", Op::conj, 1},
                                                           {"==", Op::eq, 2},
                                                           {"!=", Op::ne, 2},
                                                           {"<=", Op::le, 3},
                                                           {">=", Op::ge, 3},
                                                           {"<", Op::lt, 3},
                                                           {">", Op::gt, 3},
                                                           {"+", Op::add, 4},
                                                           {"-", Op::sub, 4},
                                                           {"*", Op::mul, 5}}};
  static constexpr int kLevels = 6;

  void fail(const std::string &what) {
    if (error_.empty()) error_ = "column " + std::to_string(at_ + 1) + ": " + what;
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void emit(Op op, std::int64_t value, int pushed) {
    predicate_.steps_.push_back({op, value});
    stack_ += pushed;
    if (stack_ > kMaxStack) fail("too many operands");
  }

  void binary(int level) {
    if (level == kLevels) return unary();
    binary(level + 1);
    while (error_.empty()) {
      skip();
      const auto *found = std::find_if(kOperators.begin(), kOperators.end(),
                                       [&](const Operator &o) { return text_.substr(at_, o.text.size()) == o.text; });
      if (found == kOperators.end() || found->level != level) return;
      at_ += found->text.size();
      binary(level + 1);
      emit(found->op, 0, -1);
    }
  }

  void unary() {
    if (++depth_ > kMaxDepth) {
      fail("nested too deep");
    } else if (take("-")) {
      unary();
      emit(Op::neg, 0, 0);
    } else if (skip(), text_.substr(at_, 2) != "!=" && take("!")) {
      unary();
      emit(Op::no, 0, 0);
    } else {
      primary();
    }
    --depth_;
  }

  void primary() {
    if (!error_.empty()) return;
    skip();
    if (at_ == text_.size()) return fail("expected a number, a name or '('");
    if (take("(")) {
      binary(0);
      if (error_.empty() && !take(")")) fail("expected ')'");
    } else if (is_digit(text_[at_])) {
      number();
    } else if (is_word(text_[at_])) {
      word();
    } else {
      fail("expected a number, a name or '('");
    }
  }

  void number() {
    std::int64_t value = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
          __builtin_add_overflow(value, std::int64_t{text_[at_] - '0'}, &value))
        return fail("number beyond 64 bits");
    }
    if (at_ < text_.size() && is_word(text_[at_])) return fail("expected an operator");
    emit(Op::number, value, 1);
  }

  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_word(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const auto name = text_.substr(begin, at_ - begin);
    if (name == "min" || name == "max") return pick(name == "min" ? Op::min : Op::max);
    const auto *found = std::find(kNames.begin(), kNames.end(), name);
    if (found == kNames.end()) {
      at_ = begin;
      return fail("unknown name '" + std::string(name) + "'");
    }
    emit(Op::name, found - kNames.begin(), 1);
  }

  void pick(Op op) {
    if (!take("(")) return fail("expected '('");
    binary(0);
    if (error_.empty() && !take(",")) fail("expected ','");
    binary(0);
    if (error_.empty() && !take(")")) fail("expected ')'");
    emit(op, 0, -1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0, stack_ = 0;
  std::string error_;
  Predicate predicate_;
};

Result<Predicate> Predicate::parse(std::string_view text) { return PredicateParser(text).run(); }

std::int64_t Predicate::value(const Values &values) const {
  std::int64_t stack[kMaxStack + 2];
  std::int64_t *top = stack;  // element 0 lies below the first; the parser has counted: never beyond kMaxStack
  for (const Step &step : steps_) {
    const auto fold = [&](auto f) {
      --top;
      top[0] = static_cast<std::int64_t>(f(top[0], top[1]));
    };
    switch (step.op) {
      case Op::number:
        *++top = step.value;
        break;
      case Op::name:
        *++top = values[static_cast<std::size_t>(step.value)];
        break;
      case Op::neg:
        *top = sub(0, *top);
        break;
      case Op::no:
        *top = *top == 0;
        break;
      case Op::add:
        fold(add);
        break;
      case Op::sub:
        fold(sub);
        break;
      case Op::mul:
        fold(mul);
        break;
      case Op::lt:
        fold([](auto a, auto b) { return a < b; });
        break;
      case Op::le:
        fold([](auto a, auto b) { return a <= b; });
        break;
      case Op::gt:
        fold([](auto a, auto b) { return a > b; });
        break;
      case Op::ge:
        fold([](auto a, auto b) { return a >= b; });
        break;
      case Op::eq:
        fold([](auto a, auto b) { return a == b; });
        break;
      case Op::ne:
        fold([](auto a, auto b) { return a != b; });
        break;
      case Op::conj:
        fold([](auto a, auto b) { return a != 0 && b != 0; });
        break;
      case Op::disj:
        fold([](auto a, auto b) { return a != 0 || b != 0; });
        break;
      case Op::min:
        fold([](auto a, auto b) { return std::min(a, b); });
        break;
      case Op::max:
        fold([](auto a, auto b) { return std::max(a, b); });
        break;
    }
  }
  return *top;
}

bool Predicate::uses(Name name) const {
  return std::any_of(steps_.begin(), steps_.end(), [&](const Step &s) { return s.op == Op::name && s.value == name; });
}

}  // namespace alnsmith::rt
