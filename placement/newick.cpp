// Reads Newick without recursion, so that no depth of a tree overflows the stack. See newick.h.
#include "newick.h"

#include <charconv>
#include <cmath>
#include <utility>

#include "quoted.h"

namespace alnsmith::placement {
namespace {

constexpr std::string_view kBlank = " \t\r\n\v\f";
constexpr std::string_view kSigns = "(),:;['";

class Parser {
 public:
  Parser(std::string_view text, const std::string &file) : text_(text), file_(file) {}

  Result<std::vector<RawNode>> run() {
    if (Status ok = skip(); !ok) return ok.error();
    if (at_ == text_.size()) return Error{file_ + ": is empty: give a tree in Newick format"};
    if (text_[at_] != '(')
      return fail("a tree in Newick format begins with '(', not with " + in_quotes(text_.substr(at_, 20)));
    push();
    while (!done_)
      if (Status ok = step(); !ok) return ok.error();
    if (Status ok = skip(); !ok) return ok.error();
    while (at_ < text_.size() && text_[at_] == ';') {  // trees without a node
      ++at_;
      if (Status ok = skip(); !ok) return ok.error();
    }
    if (at_ < text_.size()) return fail("more text stands behind the tree's ';': give one tree");
    return std::move(nodes_);
  }

 private:
  Error fail(const std::string &words) const { return error_at(text_, at_, file_, words); }

  // Blanks and comments.
  Status skip() {
    while (at_ < text_.size()) {
      if (kBlank.find(text_[at_]) != std::string_view::npos) {
        ++at_;
      } else if (text_[at_] == '[') {
        const std::size_t end = text_.find(']', at_);
        if (end == std::string_view::npos) return fail("the comment that begins here has no ']': close it");
        at_ = end + 1;
      } else {
        break;
      }
    }
    return Ok{};
  }

  void push() {
    const int node = static_cast<int>(nodes_.size());
    nodes_.push_back({{}, {}, {}, at_});
    begins_ = true;
    if (!open_.empty()) nodes_[static_cast<std::size_t>(open_.back())].children.push_back(node);
    last_ = node;
  }

  Status step() {
    if (Status ok = skip(); !ok) return ok;
    if (at_ == text_.size())
      return fail(open_.empty() ? "the tree does not end with ';'" : "the tree ends before all its '(' are closed");
    if (begins_) {
      begins_ = text_[at_] == '(';
      if (!begins_) return behind_children();
      ++at_;
      open_.push_back(last_);
      push();
      return Ok{};
    }
    return behind_node();
  }

  // What may stand behind a node: ',', ')' or ';'.
  Status behind_node() {
    const char sign = text_[at_];
    if (open_.empty() ? sign != ';' : sign != ',' && sign != ')') {
      if (sign == ';') return fail("the tree ends before all its '(' are closed");
      return fail((open_.empty() ? "';' is wanted here, not " : "',' or ')' is wanted here, not ") +
                  in_quotes(text_.substr(at_, 1)));
    }
    ++at_;
    if (sign == ';') done_ = true;
    if (sign == ',') push();
    if (sign != ')') return Ok{};
    last_ = open_.back();
    open_.pop_back();
    return behind_children();
  }

  // Label and length of the node that ends here.
  Status behind_children() {
    RawNode &node = nodes_[static_cast<std::size_t>(last_)];
    if (Status ok = skip(); !ok) return ok;
    if (Status ok = label(node.label); !ok) return ok;
    if (Status ok = skip(); !ok) return ok;
    if (at_ == text_.size() || text_[at_] != ':') return Ok{};
    ++at_;
    if (Status ok = skip(); !ok) return ok;
    double length = 0;
    const char *begin = text_.data() + at_, *end = text_.data() + text_.size();
    if (begin != end && *begin == '+') ++begin;
    const auto [stop, code] = std::from_chars(begin, end, length);
    if (code != std::errc{} || !std::isfinite(length))
      return fail("a branch length is a number, not " + in_quotes(word()) + ": write one, or leave out the ':'");
    at_ = static_cast<std::size_t>(stop - text_.data());
    node.length = length;
    return Ok{};
  }

  std::string_view word() const {
    std::size_t end = at_;
    while (end < text_.size() && kBlank.find(text_[end]) == std::string_view::npos &&
           kSigns.find(text_[end]) == std::string_view::npos)
      ++end;
    return text_.substr(at_, end - at_);
  }

  Status label(std::string &out) {
    if (at_ == text_.size() || text_[at_] != '\'') {
      out = word();
      at_ += out.size();
      return Ok{};
    }
    const std::size_t begin = at_++;
    for (;; ++at_) {  // '' within quotes is one quote
      if (at_ == text_.size()) {
        at_ = begin;
        return fail("the name that begins here has no closing quote: add a '");
      }
      if (text_[at_] == '\'' && text_.substr(at_, 2) != "''") break;
      if (text_[at_] == '\'') ++at_;
      out += text_[at_];
    }
    ++at_;
    return Ok{};
  }

  std::string_view text_;
  const std::string &file_;
  std::size_t at_ = 0;
  std::vector<RawNode> nodes_;
  std::vector<int> open_;  // nodes whose children are read
  int last_ = -1;
  bool begins_ = false;  // whether the last node's children may begin here
  bool done_ = false;
};

}  // namespace

Error error_at(std::string_view text, std::size_t at, const std::string &file, const std::string &words) {
  std::size_t line = 1, begin = 0;
  for (std::size_t i = 0; i < at && i < text.size(); ++i)
    if (text[i] == '\n') {
      ++line;
      begin = i + 1;
    }
  return Error{file + ":" + std::to_string(line) + ":" + std::to_string(at - begin + 1) + ": " + words};
}

Result<std::vector<RawNode>> parse_newick(std::string_view text, const std::string &file) {
  return Parser(text, file).run();
}

std::string newick_label(const std::string &label) {
  if (label.find_first_of(" \t\r\n()[]{}':;,") == std::string::npos) return label;
  std::string out = "'";
  for (const char c : label) out.append(c == '\'' ? 2 : 1, c);
  return out + '\'';
}

}  // namespace alnsmith::placement
