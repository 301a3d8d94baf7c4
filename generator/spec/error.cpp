// Wording of complaints: see error.h.
#include "spec/error.h"

#include <algorithm>

namespace alnsmith::spec {
namespace {

constexpr size_t shown_bytes = 40;

std::string printable(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (unsigned char c : text) {
    if (c >= 0x20 && c < 0x7f) {
      out += static_cast<char>(c);
    } else {
      out += {'\\', 'x', digits[c >> 4], digits[c & 15]};
    }
  }
  return out;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Levenshtein distance where an edit costs 2 and a change of case costs 1.
int distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(2 * j);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(2 * i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int swap = a[i - 1] == b[j - 1] ? 0 : lower(a[i - 1]) == lower(b[j - 1]) ? 1 : 2;
      const int best = std::min({diagonal + swap, row[j] + 2, row[j - 1] + 2});
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[b.size()];
}

size_t common_head(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

Error error_at(std::string_view file, Place place, std::string_view message) {
  return {printable(file) + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " +
          printable(message)};
}

Error error_in(std::string_view file, std::string_view message) {
  return {printable(file) + ": " + printable(message)};
}

std::string shown(std::string_view text) {
  if (text.size() <= shown_bytes) return "`" + printable(text) + "`";
  return "`" + printable(text.substr(0, shown_bytes)) + "...`";
}

std::string nearest(std::string_view word, const std::vector<std::string> &known, int most) {
  const std::string_view head = word.substr(0, 100);  // bounds the work on absurdly long words
  std::string best;
  int best_distance = 0;
  for (const std::string &candidate : known) {
    const int d = distance(head, candidate);
    if (d > 2 * most) continue;
    const bool longer = d == best_distance && common_head(head, candidate) > common_head(head, best);
    if (best.empty() || d < best_distance || longer) best = candidate, best_distance = d;
  }
  return best;
}

std::string one_of(const std::vector<std::string> &words, std::string_view last) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " " + std::string(last) + " " : ", ";
    out += words[i];
  }
  return out;
}

}  // namespace alnsmith::spec
