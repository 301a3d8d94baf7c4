// See stamp.h.
#include "backend/stamp.h"

#include <cstdio>
#include <vector>

#include "plan/scoring_values.h"
#include "plan/version.h"

namespace alnsmith::backend {

namespace {

using spec::Spec;

// The value of the scoring at `i` (ALN_MATCH ...), or its name where the call brings it.
std::string text(const plan::ScoringValues &n, int i) {
  return n[i].runtime ? kScoringValues[i].name : std::to_string(n[i].value);
}

bool is_zero(const spec::Value &v) { return !v.runtime && v.value == 0; }

std::string minus(const std::string &from, const plan::ScoringValues &n, int i) {
  return is_zero(n[i]) ? from : from + " - " + text(n, i);
}

// The gaps of one side: their states are called `state`, `state`2; they come from the cell at `back`. `opens`: where
// the scoring has the open of each line, its extend behind it.
struct Side {
  const spec::GapCost &cost;
  const int *opens;
  const char *state, *back, *what;
};

// A line for each price that a gap of this side can have; `terms`: what the cell takes the maximum of.
std::string gap_lines(const plan::ScoringValues &n, const Side &side, bool states, std::string &terms) {
  const std::string before = std::string("H(") + side.back + ")";
  if (!states) {
    terms += ", " + minus(before, n, side.opens[0] + 1);
    return {};
  }
  std::string lines;
  for (int line = 0; line < spec::gap_lines(side.cost.model); ++line) {
    const std::string name = side.state + (line ? std::to_string(line + 1) : std::string());
    const int open = side.opens[line];
    terms += ", " + name + "(i,j)";
    lines += name +
             "(i,j) = " + minus("max(" + name + "(" + side.back + "), " + minus(before, n, open) + ")", n, open + 1) +
             "   " + side.what + "\n";
  }
  return lines;
}

// What a gap from the border costs, negated.
std::string border(const plan::ScoringValues &n, const Side &side, const char *letter, bool free) {
  if (free) return "0";
  std::string prices;
  const int lines = spec::gap_lines(side.cost.model);
  for (int line = 0; line < lines; ++line) {
    const int open = side.opens[line];
    prices += (line ? ", " : "") + (is_zero(n[open]) ? "" : text(n, open) + " + ") + text(n, open + 1) + " " + letter;
  }
  return (lines > 1 ? "-min(" : "-(") + prices + ")";
}

std::string substitution(const Spec &s) {
  const plan::ScoringValues n = plan::scoring_values(s);
  const std::string letters = "query letter i and target letter j";
  if (s.score.kind == spec::ScoreKind::match)
    return "s(i,j) = " + text(n, ALN_MATCH) + " where " + letters +
           (s.alphabet.sets.empty() ? " are equal" : " have a state in common") + ", else " + text(n, ALN_MISMATCH) +
           (s.alphabet.wildcard ? std::string("; ") + s.alphabet.wildcard + " equals no letter" : "");
  return std::string("s(i,j) = ") + (s.score.matrix_runtime ? "the call's matrix" : "spec_matrix") + " at " + letters;
}

std::string result(const Spec &s) {
  if (s.alignment == spec::Alignment::local) return "the largest H";
  std::string cells = "H(m,n)";
  if (s.ends.query_suffix) cells += ", H(i,n)";
  if (s.ends.target_suffix) cells += ", H(m,j)";
  return s.ends.query_suffix || s.ends.target_suffix ? "the largest of " + cells : cells;
}

// What flags, borders and bands change.
std::string exceptions(const Spec &s) {
  std::string out;
  if (s.score.at_flag) out += "s(i,j) has " + std::to_string(plan::flag_score(s)) + " more at flagged columns.\n";
  if (s.deletion.at_flag)
    out +=
        "A target letter against nothing takes off " + std::to_string(*s.deletion.at_flag) + " at flagged columns.\n";
  for (const auto &[side, rule] : s.border)
    out += std::string(side == "query_begin" ? "H(i,0) where i" : "H(0,j) where j") + " > 0 does not exist.\n";
  if (!s.band_from.empty()) out += "Cells where j - i is below " + s.band_from + " do not exist.\n";
  if (!s.band_to.empty()) out += "Cells where j - i is above " + s.band_to + " do not exist.\n";
  return out;
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

// " (one target, another)": the targets of a kernel that not all of the text's have.
std::string whose(const TextKernel &kernel, std::span<const plan::Plan *const> plans) {
  if (kernel.plans.size() == plans.size()) return {};
  std::string names;
  for (const plan::Plan *p : kernel.plans) names += (names.empty() ? " (" : ", ") + std::string(p->target->name);
  return names + ")";
}

}  // namespace

std::string recurrence(const Spec &s) {
  const bool local = s.alignment == spec::Alignment::local;
  const plan::ScoringValues n = plan::scoring_values(s);
  const bool states = plan::gap_states(s) > 0;
  const Side deletion{s.deletion, kDeletionOpens, "E", "i,j-1", "target letters against nothing"};
  const Side insertion{s.insertion, kInsertionOpens, "F", "i-1,j", "query letters against nothing"};
  std::string terms = std::string(local ? "0, " : "") + "H(i-1,j-1) + s(i,j)";
  std::string gaps = gap_lines(n, deletion, states, terms);
  gaps += gap_lines(n, insertion, states, terms);
  std::string out = "H(i,j) = max(" + terms + ")\n" + gaps + substitution(s) + "\n";
  out += "H(i,0) = " + border(n, insertion, "i", local || s.ends.query_prefix) +
         ", H(0,j) = " + border(n, deletion, "j", local || s.ends.target_prefix) + ", H(0,0) = 0; score: " + result(s) +
         " of m query and n target letters\n";
  out += exceptions(s);
  if (s.band_width)
    out += "Cells where j - i is below min(0, n - m) - " + std::to_string(*s.band_width) +
           " or above max(0, n - m) + " + std::to_string(*s.band_width) + " do not exist.\n";
  if (s.objective == spec::Objective::minimize) out += "The spec minimizes: its scores are negated here.\n";
  return out;
}

std::string stamp(const Spec &spec, std::span<const plan::Plan *const> plans, std::span<const TextKernel> kernels) {
  const plan::Plan &plan = *plans.front();
  std::string lines = "generated by alnsmith " + std::string(plan::version) + ", do not edit\nspec " + plan.spec_name +
                      ", hash " + plan.spec_hash + "\n";
  for (const plan::Plan *p : plans) {
    lines += "target " + p->target->name;
    if (p->target->vector_bytes) lines += ", compile with " + p->target->flags();
    lines += "\n";
  }
  lines += "\n" + recurrence(spec) + "\n";
  lines += plan.target->device ? "vector operations in the hot loop:\n"
                               : "operations per cell, vector loads and stores per row of k cells:\n";
  for (const TextKernel &in_text : kernels) {
    const plan::KernelPlan &kernel = in_text.first();
    const models::OperationMix &row = in_text.report.row;
    if (plan.target->device) {
      lines += "  " + kernel.entry + ": " + std::to_string(in_text.report.trace.back().hot_operations) + "\n";
      continue;
    }
    lines += "  " + name_of(kernel.form) + ", " + kernel.arithmetic + ", k = " + std::to_string(kernel.k) +
             whose(in_text, plans) + ": " + number(row.any / kernel.columns()) + " =";
    for (bool first = true; const auto &[name, count] : row.by_name) {
      lines += (first ? " " : " + ") + number(count / kernel.columns()) + " " + std::string(name);
      first = false;
    }
    lines += "; " + number(row.memory) + " loads and stores\n";
  }
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    out += (end == at ? "//" : "// ") + lines.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out + "\n";
}

}  // namespace alnsmith::backend
