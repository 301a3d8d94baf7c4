// Prints canonical YAML, section by section: see canonical.h.
#include "spec/canonical.h"

#include <algorithm>

#include "base/files.h"
#include "spec/error.h"
#include "spec/gap.h"

namespace alnsmith::spec {
namespace {

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string join(const std::vector<std::string> &items) {
  std::string out;
  for (const std::string &item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

std::string print(const Value &value) { return value.runtime ? "runtime" : std::to_string(value.value); }

std::string print_integers(const std::vector<int> &values) {
  std::vector<std::string> items;
  for (const int value : values) items.push_back(std::to_string(value));
  return "[" + join(items) + "]";
}

std::string print_texts(const std::vector<std::string> &values) {
  std::vector<std::string> items;
  for (const std::string &value : values) items.push_back(in_quotes(value));
  return "[" + join(items) + "]";
}

std::string print_alignment(const Spec &spec) {
  if (spec.alignment == Alignment::global) return "global";
  if (spec.alignment == Alignment::local) return "local";
  if (spec.ends == FreeEnds{true, true, true, true}) return "semiglobal";
  return "{free_ends: [" + join(free_end_names(spec.ends)) + "]}";
}

std::string print_gap(const GapCost &gap) {
  std::string out = "{model: " + std::string(to_text(gap.model));
  for (const GapField &field : gap_fields())
    if (has_field(gap.model, field)) out += ", " + std::string(field.key) + ": " + print(gap.*field.value);
  if (gap.at_flag) out += ", at_flag: " + std::to_string(*gap.at_flag);
  return out + "}";
}

std::string print_sets(const Alphabet &alphabet) {
  std::vector<std::string> sets;
  for (const auto &[letter, states] : alphabet.sets) {
    if (alphabet.letters.find(letter) != std::string::npos) continue;
    std::string members;
    for (size_t i = 0; i < alphabet.letters.size(); ++i)
      if (states >> i & 1) members += alphabet.letters[i];
    sets.push_back(in_quotes({&letter, 1}) + ": " + in_quotes(members));
  }
  return "{states: " + in_quotes(alphabet.letters) + (sets.empty() ? "" : ", sets: {" + join(sets) + "}") + "}";
}

std::string print_alphabet(const Alphabet &alphabet) {
  if (alphabet.name == "state_sets")
    return "{state_sets: " + (alphabet.state_set_base == "custom" ? print_sets(alphabet) : alphabet.state_set_base) +
           "}";
  if (alphabet.name != "custom") return alphabet.name;
  std::string letters = alphabet.letters;
  if (alphabet.wildcard == 0) return "{letters: " + in_quotes(letters) + "}";
  letters.pop_back();  // the wildcard is the last letter
  return "{letters: " + in_quotes(letters) + ", wildcard: " + in_quotes({&alphabet.wildcard, 1}) + "}";
}

std::string print_matrix(const Spec &spec) {
  const size_t n = spec.alphabet.letters.size();
  std::string out = "\n  matrix:\n    letters: " + in_quotes(spec.alphabet.letters) + "\n    rows:";
  for (size_t i = 0; i < n; ++i) {
    const auto row = spec.score.matrix.begin() + static_cast<std::ptrdiff_t>(i * n);
    out += "\n      - " + print_integers({row, row + static_cast<std::ptrdiff_t>(n)});
  }
  return out;
}

std::string print_score(const Spec &spec) {
  const Score &score = spec.score;
  const std::string flag = score.at_flag ? "at_flag: " + std::to_string(*score.at_flag) : "";
  if (score.kind == ScoreKind::matrix && !score.matrix_runtime) {
    return print_matrix(spec) + (flag.empty() ? "" : "\n  " + flag);
  }
  const std::string values = score.kind == ScoreKind::matrix ? "matrix: runtime"
                             : score.kind == ScoreKind::target_profile
                                 ? "target: profile"
                                 : "match: " + print(score.match) + ", mismatch: " + print(score.mismatch);
  return " {" + values + (flag.empty() ? "" : ", " + flag) + "}";
}

std::string print_output(const Output &output) {
  std::string out;
  for (const auto &[name, field] : output_list)
    if (output.*field) out += (out.empty() ? "" : ", ") + std::string(name);
  return "[" + out + "]";
}

std::string print_optional(const char *key, const std::optional<int> &value) {
  return value ? std::string(key) + ": " + std::to_string(*value) : "";
}

// {a, b} of what is not empty.
std::string print_map(const std::vector<std::string> &entries) {
  std::vector<std::string> present;
  for (const std::string &entry : entries) {
    if (!entry.empty()) present.push_back(entry);
  }
  return "{" + join(present) + "}";
}

std::string print_tile(const Spec &spec) {
  std::vector<std::string> entries = {print_optional("p", spec.tile.p), print_optional("k", spec.tile.k)};
  for (const auto &[target, tile] : spec.target_tile) {
    entries.push_back(in_quotes(target) + ": " + print_map({print_optional("p", tile.p), print_optional("k", tile.k)}));
  }
  return print_map(entries);
}

std::string print_border(const Spec &spec) {
  std::vector<std::string> entries;
  for (const auto &[side, rule] : spec.border) entries.push_back(side + ": " + rule);
  return print_map(entries);
}

// An integer plain, an expression in quotes.
std::string print_bound(const char *key, const std::string &bound) {
  if (bound.empty()) return "";
  const bool integer = bound.find_first_not_of("0123456789", bound[0] == '-' ? 1 : 0) == std::string::npos;
  return std::string(key) + ": " + (integer ? bound : in_quotes(bound));
}

std::string print_tune(const Spec &spec) {
  std::vector<std::string> entries;
  for (const auto &[key, values] : spec.tune) entries.push_back(key + ": " + print_integers(values));
  for (const auto &[key, values] : spec.tune_words) entries.push_back(key + ": " + print_texts(values));
  std::vector<std::string> constraints;
  for (const Constraint &constraint : spec.tune_constraints) {
    const std::string expression = in_quotes(constraint.expression);
    constraints.push_back(constraint.reason.empty()
                              ? expression
                              : "{expression: " + expression + ", reason: " + in_quotes(constraint.reason) + "}");
  }
  if (!constraints.empty()) entries.push_back("constraints: [" + join(constraints) + "]");
  if (!spec.tune_budget.empty()) entries.push_back("budget: " + spec.tune_budget);
  return print_map(entries);
}

void add(std::string &out, const char *key, const std::string &value) {
  if (value == "{}") return;
  out += std::string(key) + (value.starts_with('\n') || value.starts_with(' ') ? ":" : ": ") + value + "\n";
}

// What a kernel's meaning or text depends on.
std::string body(const Spec &spec) {
  std::string out;
  add(out, "alignment", print_alignment(spec));
  if (spec.insertion == spec.deletion) {
    add(out, "gap", print_gap(spec.insertion));
  } else {
    out += "gap:\n  insertion: " + print_gap(spec.insertion) + "\n  deletion: " + print_gap(spec.deletion) + "\n";
  }
  add(out, "alphabet", print_alphabet(spec.alphabet));
  add(out, "score", print_score(spec));
  add(out, "objective", name(spec.objective));
  add(out, "max_length",
      print_map({print_optional("query", spec.max_query), print_optional("target", spec.max_target)}));
  add(out, "output", print_output(spec.output));
  add(out, "mapping", spec.mapping);
  add(out, "arithmetic", spec.arithmetic);
  add(out, "half_precision", spec.half_precision == Switch::on ? "on" : "off");
  add(out, "tile", print_tile(spec));
  add(out, "column_flags", std::to_string(spec.column_flags));
  add(out, "border", print_border(spec));
  add(out, "band",
      print_map({print_bound("from", spec.band_from), print_bound("to", spec.band_to),
                 print_optional("width", spec.band_width)}));
  return out;
}

}  // namespace

std::string_view to_text(GapModel model) { return std::ranges::find(gap_models(), model, &GapModelRow::model)->name; }

std::vector<std::string> free_end_names(const FreeEnds &ends) {
  std::vector<std::string> names;
  for (const auto &[name, field] : free_end_list)
    if (ends.*field) names.emplace_back(name);
  return names;
}

std::string canonical(const Spec &spec) {
  std::string out = "version: 1\nname: " + in_quotes(spec.name) + "\n" + body(spec);
  add(out, "targets", print_texts(spec.targets));
  add(out, "tune", print_tune(spec));
  return out;
}

std::string hash(const Spec &spec) { return rt::sha256_hex("version: 1\n" + body(spec)); }

}  // namespace alnsmith::spec
