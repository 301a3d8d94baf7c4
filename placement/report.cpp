// Table and .jplace. See placement_report.hpp.
#include <charconv>
#include <nlohmann/json.hpp>

#include "alnsmith/placement_report.hpp"
#include "newick.h"

namespace alnsmith::placement {
namespace {

using Json = nlohmann::json;

// JSON's text of a string; bytes that are no UTF-8 are replaced.
std::string json_text(const std::string &text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string json_number(double value) {
  char digits[40];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

}  // namespace

std::string table_header() { return "#read\tbranch\tscore\tties\tsecond_branch\tsecond_score\n"; }

std::string table_row(const PlacedRead &placed) {
  std::string out = placed.read.name + '\t' + std::to_string(placed.branches.front()) + '\t' +
                    std::to_string(placed.score) + '\t' + std::to_string(placed.branches.size()) + '\t';
  if (placed.second)
    out += std::to_string(placed.second->branch) + '\t' + std::to_string(placed.second->score);
  else
    out += ".\t.";
  return out + '\n';
}

std::string jplace_head(const Tree &tree, const std::string &invocation) {
  return "{\n  \"version\": 3,\n  \"metadata\": {\"invocation\": " + json_text(invocation) +
         "},\n  \"tree\": " + json_text(tree.with_branch_numbers()) +
         ",\n  \"fields\": [\"edge_num\", \"likelihood\", \"like_weight_ratio\", \"distal_length\", "
         "\"pendant_length\", \"parsimony\"],\n  \"placements\": [";
}

std::string jplace_read(const PlacedRead &placed, const Tree &tree, bool minimize, bool first) {
  const std::int64_t good = minimize ? -std::int64_t{placed.score} : placed.score;
  const std::string ratio = json_number(1.0 / static_cast<double>(placed.branches.size()));
  std::string out = first ? "\n    {\"p\": [" : ",\n    {\"p\": [";
  for (std::size_t i = 0; i < placed.branches.size(); ++i) {
    const std::uint32_t branch = placed.branches[i];
    out += (i > 0 ? ", [" : "[") + std::to_string(branch) + ", " + std::to_string(good) + ", " + ratio + ", " +
           json_number(tree.nodes()[branch].length.value_or(0) / 2) + ", 0, " + std::to_string(-good) + "]";
  }
  return out + "], \"n\": [" + json_text(placed.read.name) + "]}";
}

std::string jplace_tail() { return "\n  ]\n}\n"; }

std::string branch_header() { return "#branch\tlength\ttips\n"; }

std::string branch_row(const Tree &tree, std::size_t branch) {
  const std::optional<double> length = tree.nodes()[branch].length;
  std::string out = std::to_string(branch) + '\t' + (length ? json_number(*length) : ".") + '\t';
  const std::vector<std::string> tips = tree.smaller_side(branch);
  for (std::size_t i = 0; i < tips.size(); ++i) out += (i > 0 ? "," : "") + newick_label(tips[i]);
  return out + '\n';
}

bool fits(const PlacedRead &placed, std::size_t branches, std::size_t columns) {
  if (placed.branches.empty()) return false;
  for (const std::uint32_t branch : placed.branches)
    if (branch >= branches) return false;
  if (placed.second && placed.second->branch >= branches) return false;
  std::uint64_t letters = 0, steps = 0;
  char before = 0;
  for (const CigarRun run : placed.runs) {
    const char what = operation_of(run);
    if (what == '?' || what == before || letters_of(run) == 0) return false;
    before = what;
    if (what != 'D') letters += letters_of(run);
    if (what != 'I') steps += letters_of(run);
  }
  return letters == placed.read.letters.size() && steps == columns;
}

}  // namespace alnsmith::placement
