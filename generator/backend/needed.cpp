// See needed.h.
#include "backend/needed.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>
#include <vector>

namespace alnsmith::backend {

namespace {

using Names = std::set<std::string, std::less<>>;

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

Names names_in(std::string_view text) {
  Names names;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with("//")) {  // a comment needs nothing
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && in_name(text[end])) ++end;
    if (end > at) names.emplace(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return names;
}

struct Piece {
  std::string text;
  Names defines;  // empty: always kept
};

// The text without what stands in the brackets.
std::string without(std::string_view text, char open, char close) {
  std::string out;
  int depth = 0;
  for (char c : text) {
    depth += c == open;
    if (depth == 0) out += c;
    depth -= c == close;
  }
  return out;
}

std::string last_name(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0 && !in_name(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && in_name(text[begin - 1])) --begin;
  return std::string(text.substr(begin, end - begin));
}

// Adds what one definition without its comment defines; false if that has no name.
bool add_defined(std::string_view text, Names &names) {
  if (text.starts_with("#define ")) {
    const std::size_t end = std::find_if_not(text.begin() + 8, text.end(), in_name) - text.begin();
    names.emplace(text.substr(8, end - 8));
    return true;
  }
  if (text.starts_with("#")) return true;  // #if, #undef: no definitions
  if (text.starts_with("enum")) {
    names.merge(names_in(text));
    // A text has these words for other reasons.
    std::erase_if(names, [](const std::string &name) {
      return name == "enum" || std::isdigit(static_cast<unsigned char>(name[0]));
    });
    return true;
  }
  std::string head(text);
  for (std::size_t at; (at = head.find("__attribute__((")) != std::string::npos;) {
    std::size_t end = at + 13;
    for (int depth = 0; end < head.size();) {
      depth += (head[end] == '(') - (head[end] == ')');
      if (head[end++] == ')' && depth == 0) break;
    }
    head.erase(at, end - at);
  }
  if (head.starts_with("typedef")) {
    head = without(head, '{', '}');
    for (std::size_t at = 0; at < head.size();) {
      const std::size_t end = std::min(head.find_first_of(",;", at), head.size());
      if (const std::string name = last_name(std::string_view(head).substr(at, end - at)); !name.empty())
        names.insert(name);
      at = end + 1;
    }
    return true;
  }
  head = head.substr(0, head.find_first_of(head.starts_with("struct") ? "{" : "([{;="));
  if (head.find("operator") != std::string::npos) return false;
  const std::string name = last_name(head);
  if (!name.empty()) names.insert(name);
  return !name.empty();
}

std::vector<Piece> pieces_of(std::string_view prelude) {
  std::vector<Piece> pieces;
  Piece piece;
  std::string definition;
  int braces = 0, conditions = 0;
  bool kept = false;
  for (std::size_t at = 0; at < prelude.size();) {
    const std::size_t end = std::min(prelude.find('\n', at), prelude.size());
    const std::string_view line = prelude.substr(at, end - at);
    at = end + 1;
    piece.text += std::string(line) + "\n";
    const bool comment = line.starts_with("//"), begins = definition.empty();
    if ((comment || line.empty()) && begins) {
      // A blank line behind a comment ends it: a piece of its own, as the head of a prelude.
      if (line.empty() && conditions == 0) {
        pieces.push_back(std::exchange(piece, {}));
      }
      continue;
    }
    const std::string_view code = line.substr(0, line.find("//"));
    definition += std::string(code) + "\n";
    if (begins && line.starts_with("#")) {
      conditions += line.starts_with("#if");
      conditions -= line.starts_with("#endif");
    }
    if (!line.starts_with("#"))
      braces += static_cast<int>(std::ranges::count(code, '{') - std::ranges::count(code, '}'));
    const std::size_t last = code.find_last_not_of(' ');
    const char closing = last == std::string_view::npos ? ' ' : code[last];
    const bool directive = definition.starts_with("#");
    if (directive ? closing == '\\' : braces > 0 || (closing != ';' && closing != '}')) continue;
    kept |= !add_defined(definition, piece.defines);
    definition.clear();
    if (conditions > 0) continue;
    if (kept) piece.defines.clear();
    kept = false;
    pieces.push_back(std::exchange(piece, {}));
  }
  if (!piece.text.empty()) pieces.push_back(std::move(piece));
  return pieces;
}

}  // namespace

std::string needed(std::string_view prelude, std::string_view users) {
  const std::vector<Piece> pieces = pieces_of(prelude);
  std::vector<bool> keep(pieces.size());
  Names used = names_in(users);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const Names &names = pieces[i].defines;
      const bool wanted = names.empty() || std::ranges::any_of(names, [&](const auto &n) { return used.contains(n); });
      if (keep[i] || !wanted) continue;
      more = keep[i] = true;
      used.merge(names_in(pieces[i].text));
    }
  }
  std::string out;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (keep[i] && (pieces[i].text != "\n" || (!out.empty() && !out.ends_with("\n\n")))) out += pieces[i].text;
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace alnsmith::backend
