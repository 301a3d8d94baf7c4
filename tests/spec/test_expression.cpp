// Conditions of search spaces: values, precedence, division, words, and errors with their column.
#include "helpers.h"
#include "spec/expression.h"

namespace alnsmith::spec {
namespace {

const std::map<std::string, Expression::Value, std::less<>> parameters = {
    {"k", std::int64_t{12}}, {"p", std::int64_t{16}}, {"block", std::int64_t{0}}, {"threads", std::int64_t{2}},
    {"mapping", "lanes"},    {"arithmetic", "int16"}, {"compiler", "clang++"}};

std::optional<std::int64_t> value(const std::string &text) {
  const auto parsed = Expression::parse(text, condition_grammar());
  EXPECT_TRUE(parsed) << text << ": " << parsed.error().message;
  if (!parsed) return std::nullopt;
  const auto again = Expression::parse(parsed->normal(), condition_grammar());
  EXPECT_TRUE(again) << parsed->normal();
  EXPECT_EQ(again ? again->normal() : "", parsed->normal());
  return parsed->value([](std::string_view name) { return parameters.find(name)->second; });
}

TEST(SpecExpression, ValuesAndPrecedence) {
  for (const auto &[text, wanted] : std::vector<std::pair<std::string, std::int64_t>>{
           {"1 + 2 * 3", 7},
           {"(1 + 2) * 3", 9},
           {"10 - 4 - 3", 3},
           {"-k + 2", -10},
           {"--3", 3},
           {"k * p <= 192", 1},
           {"k*p<192", 0},
           {"k > 4 && p > 4 || k == 0", 1},
           {"k > 40 && p > 4 || k == 12", 1},
           {"k > 40 && (p > 4 || k == 12)", 0},
           {"!(k == 12)", 0},
           {"!k == 0", 1},
           {"7 / 2", 3},
           {"-7 / 2", -3},
           {"7 % 4", 3},
           {"-7 % 4", -3},
           {"20 / 2 / 5 * 3", 6},
       })
    EXPECT_EQ(value(text), wanted) << text;
}

TEST(SpecExpression, DivisionByZeroHasNoValueAndNothingOverflows) {
  EXPECT_EQ(value("1 / block"), std::nullopt);
  EXPECT_EQ(value("1 % (k - 12)"), std::nullopt);
  EXPECT_EQ(value("1 / block == 0 || k == 12"), std::nullopt);  // the whole condition, whatever the other side
  std::string huge = "9999999999";
  for (int i = 0; i < 4; ++i) huge += " * 9999999999";
  EXPECT_EQ(value(huge), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(value("-" + huge), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value("(0 - " + huge + " - 2) / -1"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(value("(0 - " + huge + " - 2) % -1"), 0);
}

TEST(SpecExpression, WordsAreComparedOnly) {
  EXPECT_EQ(value("arithmetic == int16"), 1);
  EXPECT_EQ(value("int16 == arithmetic"), 1);
  EXPECT_EQ(value("arithmetic != int16"), 0);
  EXPECT_EQ(value("compiler == 'clang++'"), 1);
  EXPECT_EQ(value("!(compiler == 'g++' && k > 8) && mapping == lanes"), 1);
  EXPECT_EQ(value("(arithmetic) == int8 || k == 12"), 1);
}

TEST(SpecExpression, ErrorsGiveTheColumn) {
  for (const auto &[text, wanted] : std::vector<std::pair<std::string, std::string>>{
           {"", "column 1: expected a number"},
           {"k *", "column 4: expected a number"},
           {"k 3", "column 3: expected an operator"},
           {"(k", "column 3: expected ')'"},
           {"k < 3 < 5", "column 7: comparisons do not chain"},
           {"1 < 2 == 1", "column 7: comparisons do not chain"},
           {"kk <= 8",
            "column 1: unknown name `kk`; there are k, p, rows, block, grid, stages, threads, mapping, arithmetic and "
            "compiler"},
           {"k + arithmetic", "column 5: `arithmetic` is a word"},
           {"arithmetic < int16", "column 1: `arithmetic` is a word"},
           {"arithmetic == 16", "column 15: `arithmetic` is compared with a word only"},
           {"arithmetic == mapping", "column 15: `arithmetic` is compared with a word only"},
           {"int8 == int8", "column 1: unknown name `int8`"},
           {"k == int8", "column 6: unknown name `int8`"},
           {"compiler == 'g++", "column 13: expected a word in quotes"},
           {"compiler == ''", "column 13: expected a word in quotes"},
           {"99999999999", "column 1: a number has at most 10 digits"},
           {"3k", "column 2: expected an operator"},
           {"k = 3", "column 3: expected an operator"},
           {"k & 3", "column 3: expected an operator"},
       }) {
    const auto parsed = Expression::parse(text, condition_grammar());
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().message.substr(0, wanted.size()), wanted) << text;
  }
  for (const std::string &deep : {std::string(70, '('), std::string(70, '-') + "1", std::string(70, '!') + "1"}) {
    const auto parsed = Expression::parse(deep, condition_grammar());
    ASSERT_FALSE(parsed);
    EXPECT_NE(parsed.error().message.find("nested too deep"), std::string::npos);
  }
  EXPECT_FALSE(Expression::parse(std::string(1001, '1'), condition_grammar()));
}

// Whatever the bytes: an error or a value, no crash.
TEST(SpecExpression, RandomTextIsRefusedOrEvaluated) {
  const std::string pieces[] = {"k", "p", "arithmetic", "int8",       "'g++'", "(",     ")",  "+",  "-",
                                "*", "/", "%",          "<",          "<=",    "==",    "!=", "&&", "||",
                                "!", "0", "7",          "9999999999", " ",     "block", "'",  "=",  "&"};
  std::uint32_t state = 1;
  int evaluated = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (int n = 0; n < 1 + i % 12; ++n) {
      state = state * 1664525 + 1013904223;
      text += pieces[(state >> 8) % std::size(pieces)];
    }
    const auto parsed = Expression::parse(text, condition_grammar());
    if (!parsed) continue;
    ++evaluated;
    (void)parsed->value([](std::string_view name) { return parameters.find(name)->second; });
  }
  EXPECT_GT(evaluated, 300);
}

}  // namespace
}  // namespace alnsmith::spec
