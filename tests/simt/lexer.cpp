// See lexer.h.
#include "lexer.h"

#include <cctype>
#include <stdexcept>

namespace simt {

void text_error(int line, const std::string &what) {
  throw std::runtime_error("kernel text, line " + std::to_string(line) + ": " + what);
}

namespace {

bool word_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    while (skip_blanks(), at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#' && line_is_blank_) preprocessor_ = true;
      line_is_blank_ = false;
      Token token{Token::Kind::punctuation, {}, at_, line_, preprocessor_};
      if (c == '"' || c == '\'') {
        token.kind = Token::Kind::string;
        pass_string(c);
      } else if (std::isdigit(static_cast<unsigned char>(c))) {
        token.kind = Token::Kind::number;
        while (at_ < text_.size() && (word_letter(text_[at_]) || text_[at_] == '.')) ++at_;
      } else if (word_letter(c)) {
        token.kind = Token::Kind::word;
        while (at_ < text_.size() && word_letter(text_[at_])) ++at_;
      } else {
        ++at_;
      }
      token.text = text_.substr(token.begin, at_ - token.begin);
      tokens.push_back(token);
    }
    tokens.push_back({Token::Kind::end, {}, text_.size(), line_, false});
    return tokens;
  }

 private:
  bool starts(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (starts("//")) {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (starts("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) text_error(line_, "a comment has no end");
        for (; at_ < end + 2; ++at_) line_ += text_[at_] == '\n';
      } else if (starts("\\\n")) {
        at_ += 2;
        ++line_;
      } else if (text_[at_] == '\n') {
        ++at_;
        ++line_;
        line_is_blank_ = true;
        preprocessor_ = false;
      } else if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        ++at_;
      } else {
        return;
      }
    }
  }

  void pass_string(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == quote) {
        ++at_;
        return;
      }
    }
    text_error(line_, "a string has no end");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_is_blank_ = true, preprocessor_ = false;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Lexer(text).all(); }

}  // namespace simt
