// NCBI square text: see matrix.h.
#include "spec/matrix.h"

#include <algorithm>
#include <charconv>

#include "spec/alphabet.h"
#include "spec/schema.h"
#include "spec/yaml_tree.h"

namespace alnsmith::spec {
namespace {

struct Token {
  std::string_view text;
  Place place;
};

// The blank-separated words of a line without its comment.
std::vector<Token> tokens_of(std::string_view line, int number) {
  std::vector<Token> tokens;
  for (size_t i = 0; i < line.size();) {
    if (line[i] == '#' && tokens.empty()) break;
    if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
      ++i;
      continue;
    }
    const size_t end = std::min(line.find_first_of(" \t\r", i), line.size());
    tokens.push_back({line.substr(i, end - i), {number, static_cast<int>(i) + 1}});
    i = end;
  }
  return tokens;
}

class MatrixParser {
 public:
  MatrixParser(std::string_view text, const std::string &file) : text_(text), file_(file) {}

  Result<TextMatrix> parse() {
    int number = 0;
    while (!text_.empty()) {
      const size_t end = std::min(text_.find('\n'), text_.size());
      const auto tokens = tokens_of(text_.substr(0, end), ++number);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      if (tokens.empty()) continue;
      Status status = matrix_.letters.empty() ? header(tokens) : row(tokens);
      if (!status) return status.error();
    }
    if (matrix_.letters.empty())
      return error_at(file_, {1, 1}, "no header row of letters; begin with one, e.g. `A C G T`");
    for (size_t i = 0; i < seen_.size(); ++i) {
      if (!seen_[i]) {
        return error_at(file_, {number, 1}, "no row for the letter " + shown({&matrix_.letters[i], 1}) + "; add it");
      }
    }
    return std::move(matrix_);
  }

 private:
  Status header(const std::vector<Token> &tokens) {
    matrix_.name = file_;
    matrix_.header = tokens[0].place;
    for (const Token &token : tokens) {
      const char letter = upper_case(token.text[0]);
      if (token.text.size() != 1 || letter <= ' ' || letter > '~') {
        return error_at(file_, token.place,
                        "the header row lists single letters, not " + shown(token.text) + "; write e.g. `A C G T`");
      }
      if (matrix_.letters.find(letter) != std::string::npos) {
        return error_at(file_, token.place, "the letter " + shown(token.text) + " is listed twice; list it once");
      }
      matrix_.letters += letter;
    }
    seen_.assign(matrix_.letters.size(), false);
    matrix_.values.assign(matrix_.letters.size() * matrix_.letters.size(), 0);
    return Ok{};
  }

  Status row(const std::vector<Token> &tokens) {
    const size_t n = matrix_.letters.size();
    const Token &label = tokens[0];
    const size_t i = label.text.size() == 1 ? matrix_.letters.find(upper_case(label.text[0])) : std::string::npos;
    if (i == std::string::npos) {
      return error_at(file_, label.place,
                      "a row begins with a letter of the header, not " + shown(label.text) + "; name the row's letter");
    }
    if (seen_[i])
      return error_at(file_, label.place, "a second row for the letter " + shown(label.text) + "; remove one");
    seen_[i] = true;
    if (tokens.size() != n + 1) {
      return error_at(file_, label.place,
                      "the row of " + shown(label.text) + " has " + std::to_string(tokens.size() - 1) +
                          " scores, the header " + std::to_string(n) + " letters; make them equal");
    }
    for (size_t j = 0; j < n; ++j) {
      if (!score(tokens[j + 1].text, matrix_.values[i * n + j])) {
        return error_at(file_, tokens[j + 1].place,
                        "a score is an integer from -10000 to 10000, not " + shown(tokens[j + 1].text) + "; round it");
      }
    }
    return Ok{};
  }

  static bool score(std::string_view text, int &value) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size() && value >= -max_score && value <= max_score;
  }

  std::string_view text_;
  const std::string &file_;
  TextMatrix matrix_;
  std::vector<bool> seen_;
};

// Which of the matrix's letters serves a letter of the alphabet.
size_t source(const TextMatrix &matrix, const Alphabet &alphabet, char letter) {
  const size_t own = matrix.letters.find(letter);
  if (own != std::string::npos) return own;
  for (const auto &[synonym, stands_for] : alphabet.synonyms) {
    const size_t other = matrix.letters.find(synonym);
    if (stands_for == letter && letter != alphabet.wildcard && other != std::string::npos) return other;
  }
  return alphabet.name == "protein" && letter == 'J' ? matrix.letters.find('X') : std::string::npos;
}

}  // namespace

Result<TextMatrix> parse_matrix(std::string_view text, const std::string &file) {
  return MatrixParser(text, file).parse();
}

Result<std::vector<int>> fit_matrix(const TextMatrix &matrix, const Alphabet &alphabet) {
  std::vector<size_t> from;
  for (const char letter : alphabet.letters) {
    const size_t i = source(matrix, alphabet, letter);
    if (i == std::string::npos) {
      return error_at(
          matrix.name, matrix.header,
          "the matrix lacks the letter " + shown({&letter, 1}) + " of the spec's alphabet; add its row and column");
    }
    from.push_back(i);
  }
  std::vector<int> values;
  for (const size_t i : from) {
    for (const size_t j : from) values.push_back(matrix.values[i * matrix.letters.size() + j]);
  }
  return values;
}

Result<std::vector<int>> load_matrix(const std::string &path_or_name, const Alphabet &alphabet) {
  std::string file_text;
  std::optional<std::string_view> text = built_in_matrix(path_or_name);
  if (!text) {
    Result<std::string> read = read_text_file(path_or_name);
    if (!read) {
      return Error{read.error().message + "; the built-in matrices are " + one_of(built_in_matrix_names(), "and")};
    }
    file_text = std::move(*read);
    text = file_text;
  }
  Result<TextMatrix> matrix = parse_matrix(*text, path_or_name);
  if (!matrix) return matrix.error();
  return fit_matrix(*matrix, alphabet);
}

}  // namespace alnsmith::spec
