// A thousand mutated specs: none crashes, and what fails does so in one line with a place.
#include <random>

#include "helpers.h"
#include "spec/canonical.h"
#include "spec/codes.h"
#include "spec/matrix.h"
#include "spec/pattern.h"
#include "spec/ranges.h"

namespace alnsmith::spec {
namespace {

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutate(std::string text, const std::vector<std::string> &others) {
    for (size_t n = 1 + below(3); n > 0; --n) {
      switch (below(6)) {
        case 0:
          flip_byte(text);
          break;
        case 1:
          delete_line(text);
          break;
        case 2:
          duplicate_line(text);
          break;
        case 3:
          swap_tokens(text);
          break;
        case 4:
          replace_token(text, others[below(others.size())]);
          break;
        default:
          insert_syntax(text);
          break;
      }
    }
    return text;
  }

 private:
  size_t below(size_t n) { return n == 0 ? 0 : std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

  void flip_byte(std::string &text) {
    if (!text.empty()) text[below(text.size())] ^= static_cast<char>(1U << below(8));
  }

  // Begin and length of a random line, its newline included.
  std::pair<size_t, size_t> line(const std::string &text) {
    const size_t at = below(text.size());
    const size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const size_t begin = before == std::string::npos ? 0 : before + 1;
    const size_t end = text.find('\n', begin);
    return {begin, (end == std::string::npos ? text.size() : end + 1) - begin};
  }
  void delete_line(std::string &text) {
    const auto [begin, length] = line(text);
    text.erase(begin, length);
  }
  void duplicate_line(std::string &text) {
    const auto [begin, length] = line(text);
    text.insert(begin, text.substr(begin, length));
  }

  std::pair<size_t, size_t> token(const std::string &text) {
    static const std::string separators = " \n,:{}[]";
    const size_t begin = text.find_first_not_of(separators, below(text.size()));
    if (begin == std::string::npos) return {0, 0};
    return {begin, std::min(text.find_first_of(separators, begin), text.size()) - begin};
  }
  void swap_tokens(std::string &text) {
    auto a = token(text), b = token(text);
    if (a.first > b.first) std::swap(a, b);
    if (a.first + a.second > b.first) return;
    const std::string first = text.substr(a.first, a.second), second = text.substr(b.first, b.second);
    text.replace(b.first, b.second, first);
    text.replace(a.first, a.second, second);
  }
  void replace_token(std::string &text, const std::string &other) {
    const auto [from, size] = token(other);
    const auto [begin, length] = token(text);
    text.replace(begin, length, other.substr(from, size));
  }
  void insert_syntax(std::string &text) {
    static const std::vector<std::string> pieces = {
        "[",   "{",       "]",  "}",           ":",   "- ",   "? ", "&a ",      "*a",    "!t ",
        "|\n", ">\n",     "'",  "\"",          "#",   "%",    "\t", "\\",       "---\n", "...\n",
        "~",   "runtime", "-1", "99999999999", "1e9", "<<: ", ", ", "\xc3\xa4", "\xff"};
    text.insert(below(text.size() + 1), pieces[below(pieces.size())]);
  }

  std::mt19937 random_;
};

TEST(SpecMutations, AThousandMutantsNeverCrash) {
  std::vector<std::string> texts;
  for (const auto &file : shipped_specs()) texts.push_back(read_file(file));
  texts.push_back(canonical(parse_ok(texts.front())));
  const std::string one_line = "[^\\n]*:[0-9]+:[0-9]+: [^\\n]*; [^\\n]*";
  int valid = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    Mutator mutator(seed);
    const std::string text = mutator.mutate(texts[seed % texts.size()], texts);
    const auto spec = parse(text);
    if (!spec) {
      EXPECT_TRUE(matches(spec.error().message, one_line)) << seed << ": " << spec.error().message;
      continue;
    }
    ++valid;
    Spec again = parse_ok(canonical(*spec));
    again.score.matrix_name = spec->score.matrix_name;
    EXPECT_TRUE(again == *spec) << seed << "\n" << text;
    EXPECT_FALSE(derived_ranges(*spec).empty());
    EXPECT_FALSE(letter_codes(*spec, Side::query).empty());
  }
  EXPECT_GT(valid, 100);  // or the mutants are too wild to test much
  EXPECT_LT(valid, 900);
}

TEST(SpecMutations, MutatedMatricesNeverCrash) {
  const std::string text = read_file(std::string(SPEC_FOLDER) + "/matrices/NUC.4.4");
  const std::string one_line = "m:[0-9]+:[0-9]+: [^\\n]*; [^\\n]*";
  for (unsigned seed = 0; seed < 300; ++seed) {
    Mutator mutator(seed);
    const auto matrix = parse_matrix(mutator.mutate(text, {text}), "m");
    if (matrix) {
      EXPECT_EQ(matrix->values.size(), matrix->letters.size() * matrix->letters.size());
    } else {
      EXPECT_TRUE(matches(matrix.error().message, one_line)) << matrix.error().message;
    }
  }
}

}  // namespace
}  // namespace alnsmith::spec
