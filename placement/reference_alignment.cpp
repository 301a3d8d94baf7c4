// Letters as sets, and what an alignment must keep. See reference_alignment.hpp.
#include "alnsmith/reference_alignment.hpp"

#include <cctype>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "quoted.h"

namespace alnsmith::placement {
namespace {

std::string joined(const std::vector<std::string> &names) {
  std::string out;
  for (const std::string &name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace

StateAlphabet StateAlphabet::of(std::string name, std::size_t states, const std::map<char, std::uint32_t> &sets) {
  StateAlphabet out{std::move(name), static_cast<unsigned>(states), {}};
  for (const auto &[letter, set] : sets) {
    out.sets[static_cast<unsigned char>(letter)] = set;
    out.sets[static_cast<unsigned char>(std::tolower(static_cast<unsigned char>(letter)))] = set;
  }
  for (const char gap : {'-', '.'}) out.sets[static_cast<unsigned char>(gap)] = out.all();
  return out;
}

Status check_alignment(const ReferenceAlignment &alignment, const StateAlphabet &alphabet, const std::string &file) {
  if (alignment.rows.empty()) return Error{file + ": has no row: give the alignment of the tree's tips"};
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < alignment.rows.size(); ++i) {
    const std::string &name = alignment.names[i], &row = alignment.rows[i];
    const std::string place = file + ": row " + in_quotes(name);
    if (!seen.insert(name).second) return Error{place + " is there twice: name each row once"};
    if (row.empty()) return Error{place + " is empty: give its letters and gaps"};
    if (row.size() != alignment.columns())
      return Error{place + " has " + std::to_string(row.size()) + " letters and gaps, and the first row " +
                   std::to_string(alignment.columns()) + ": align all rows to one length"};
    for (std::size_t c = 0; c < row.size(); ++c)
      if (alphabet.sets[static_cast<unsigned char>(row[c])] == 0)
        return Error{place + ", column " + std::to_string(c + 1) + ": " + in_quotes(row.substr(c, 1)) +
                     " is no letter of " + alphabet.name + ": mend it, or choose a spec of another alphabet"};
  }
  return Ok{};
}

Result<std::vector<std::size_t>> match_names(const Tree &tree, const std::string &tree_file,
                                             const ReferenceAlignment &alignment, const std::string &alignment_file) {
  std::unordered_map<std::string_view, std::size_t> row_of;
  for (std::size_t i = 0; i < alignment.names.size(); ++i) row_of.emplace(alignment.names[i], i);
  std::vector<std::size_t> rows;
  std::vector<std::string> without_row, without_tip;
  std::vector<bool> used(alignment.names.size());
  for (const int tip : tree.tips()) {
    const std::string &name = tree.nodes()[static_cast<std::size_t>(tip)].label;
    const auto found = row_of.find(name);
    if (found == row_of.end()) {
      without_row.push_back(in_quotes(name));
      continue;
    }
    rows.push_back(found->second);
    used[found->second] = true;
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) without_tip.push_back(in_quotes(alignment.names[i]));
  if (without_row.empty() && without_tip.empty()) return rows;
  std::string words;
  if (!without_row.empty())
    words = "tips of " + tree_file + " without a row in " + alignment_file + ": " + joined(without_row);
  if (!without_tip.empty())
    words += (words.empty() ? "" : "; ") + ("rows of " + alignment_file) + " without a tip in " + tree_file + ": " +
             joined(without_tip);
  return Error{words + ". Names must be the same, letter by letter"};
}

}  // namespace alnsmith::placement
