// Tree to Spec, one function per section of the file: see build.h.
#include "spec/build.h"

#include <algorithm>
#include <filesystem>

#include "spec/alphabet.h"
#include "spec/expression.h"
#include "spec/gap.h"
#include "spec/matrix.h"
#include "spec/validate.h"
#include "targets/arithmetics.h"
#include "targets/targets.h"

namespace alnsmith::spec {
namespace {

std::string text_or(const Node &map, std::string_view key, const std::string &otherwise) {
  const Node *node = map.find(key);
  return node == nullptr ? otherwise : node->text;
}

std::optional<int> integer_at(const Node &map, std::string_view key) {
  const Node *node = map.find(key);
  if (node == nullptr) return std::nullopt;
  return to_integer(*node);
}

Value value_at(const Node &map, std::string_view key) {
  const Node *node = map.find(key);
  if (node == nullptr) return {};
  if (node->text == "runtime") return {true, 0};
  return {false, to_integer(*node)};
}

bool lists(const Node &list, std::string_view word) {
  for (const Node &item : list.children) {
    if (item.text == word) return true;
  }
  return false;
}

// {free_ends: []} is global: one meaning, one form.
void read_alignment(const Node &node, Spec &spec) {
  if (node.type == Type::map) {
    const Node &ends = *node.find("free_ends");
    for (const auto &[name, field] : free_end_list) spec.ends.*field = lists(ends, name);
    spec.alignment = ends.children.empty() ? Alignment::global : Alignment::semiglobal;
  } else if (node.text == "semiglobal") {
    spec.alignment = Alignment::semiglobal;
    spec.ends = {true, true, true, true};
  } else {
    spec.alignment = node.text == "local" ? Alignment::local : Alignment::global;
  }
}

GapCost read_gap(const Node &node) {
  GapCost gap;
  gap.model = std::ranges::find(gap_models(), node.find("model")->text, &GapModelRow::name)->model;
  for (const GapField &field : gap_fields()) gap.*field.value = value_at(node, field.key);
  gap.at_flag = integer_at(node, "at_flag");
  return gap;
}

Status read_state_sets(const Node &node, const std::string &file, Spec &spec) {
  if (node.type != Type::map) {
    spec.alphabet = state_set_alphabet(node.text);
    return Ok{};
  }
  std::map<std::string, std::string> sets;
  const Node *listed = node.find("sets");
  for (const Node &set : listed == nullptr ? std::vector<Node>{} : listed->children) sets[set.key] = set.text;
  auto alphabet = custom_state_sets(node.find("states")->text, sets);
  if (!alphabet) return error_at(file, (listed == nullptr ? node : *listed).place, alphabet.error().message);
  spec.alphabet = std::move(*alphabet);
  return Ok{};
}

Status read_alphabet(const Node &node, const std::string &file, Spec &spec) {
  if (node.type != Type::map) {
    spec.alphabet = *named_alphabet(node.text);
    return Ok{};
  }
  if (const Node *base = node.find("state_sets")) return read_state_sets(*base, file, spec);
  const Node *wildcard = node.find("wildcard");
  auto custom = custom_alphabet(node.find("letters")->text, wildcard == nullptr ? '\0' : wildcard->text[0]);
  if (!custom)
    return error_at(file, (wildcard == nullptr ? *node.find("letters") : *wildcard).place, custom.error().message);
  spec.alphabet = std::move(*custom);
  return Ok{};
}

// {letters: ..., rows: [[...]]}
Result<TextMatrix> inline_matrix(const Node &node, const std::string &file) {
  const Node &letters = *node.find("letters"), &rows = *node.find("rows");
  TextMatrix matrix;
  matrix.name = file;
  matrix.header = letters.place;
  for (const char c : letters.text) {
    if (matrix.letters.find(upper_case(c)) != std::string::npos) {
      return error_at(file, letters.place, "the letter " + shown({&c, 1}) + " is listed twice; list it once");
    }
    matrix.letters += upper_case(c);
  }
  const size_t n = matrix.letters.size();
  const std::string size = std::to_string(n) + " x " + std::to_string(n);
  if (rows.children.size() != n) {
    return error_at(file, rows.place,
                    "`score.matrix.rows` has " + std::to_string(rows.children.size()) + " rows; make it " + size +
                        " as the letters ask");
  }
  for (const Node &row : rows.children) {
    if (row.children.size() != n) {
      return error_at(file, row.place,
                      "this row has " + std::to_string(row.children.size()) + " scores; make the matrix " + size +
                          " as the letters ask");
    }
    for (const Node &cell : row.children) matrix.values.push_back(to_integer(cell));
  }
  return matrix;
}

// A built-in name or a path.
Result<TextMatrix> named_matrix(const Node &node, const std::string &file, const std::string &base_dir) {
  if (const auto text = built_in_matrix(node.text)) return parse_matrix(*text, node.text);
  const std::string path = (std::filesystem::path(base_dir) / node.text).string();
  const auto text = read_text_file(path);
  if (text) return parse_matrix(*text, path);
  return error_at(file, node.place,
                  shown(node.text) + " is no built-in matrix (the nearest is `" +
                      nearest(node.text, built_in_matrix_names()) + "`), and " + text.error().message);
}

Status read_matrix(const Node &node, const std::string &file, const std::string &base_dir, Spec &spec) {
  spec.score.kind = ScoreKind::matrix;
  if (node.text == "runtime") {
    spec.score.matrix_runtime = true;
    return Ok{};
  }
  const bool is_inline = node.type == Type::map;
  const auto matrix = is_inline ? inline_matrix(node, file) : named_matrix(node, file, base_dir);
  if (!matrix) return matrix.error();
  auto values = fit_matrix(*matrix, spec.alphabet);
  if (!values) return values.error();
  spec.score.matrix = std::move(*values);
  spec.score.matrix_name = node.text;
  return Ok{};
}

Status read_score(const Node &node, const std::string &file, const std::string &base_dir, Spec &spec) {
  spec.score.at_flag = integer_at(node, "at_flag");
  if (const Node *matrix = node.find("matrix")) return read_matrix(*matrix, file, base_dir, spec);
  if (node.find("target") != nullptr) {
    spec.score.kind = ScoreKind::target_profile;
    return Ok{};
  }
  spec.score.match = value_at(node, "match");
  spec.score.mismatch = value_at(node, "mismatch");
  return Ok{};
}

Status read_band(const Node &node, const std::string &file, Spec &spec) {
  spec.band_width = integer_at(node, "width");
  for (const Node &bound : node.children) {
    if (bound.key == "width") continue;
    std::string &out = bound.key == "from" ? spec.band_from : spec.band_to;
    if (bound.type == Type::integer) {
      out = std::to_string(to_integer(bound));
      continue;
    }
    auto expression = normal_expression(bound.text);
    if (!expression) return error_at(file, bound.place, expression.error().message);
    out = std::move(*expression);
  }
  return Ok{};
}

Tile read_tile(const Node &node) { return {integer_at(node, "p"), integer_at(node, "k")}; }

void read_tiles(const Node &node, Spec &spec) {
  spec.tile = read_tile(node);
  for (const Node &child : node.children) {
    if (child.type == Type::map) spec.target_tile[child.key] = read_tile(child);
  }
}

Status read_constraint(const Node &node, const std::string &file, Spec &spec) {
  const Node &text = node.type == Type::map ? *node.find("expression") : node;
  const auto parsed = Expression::parse(text.text, condition_grammar());
  if (!parsed)
    return error_at(file, text.place, shown(text.text) + ", " + parsed.error().message + "; write e.g. `k * p <= 512`");
  spec.tune_constraints.push_back({parsed->normal(), node.type == Type::map ? text_or(node, "reason", "") : ""});
  return Ok{};
}

Status read_tune(const Node &node, const std::string &file, Spec &spec) {
  const auto &numbers = condition_grammar().numbers;
  for (const Node &child : node.children) {
    if (child.key == "budget") {
      spec.tune_budget = child.text;
      continue;
    }
    for (const Node &item : child.children) {
      if (child.key == "constraints") {
        if (Status status = read_constraint(item, file, spec); !status) return status;
      } else if (std::ranges::count(numbers, child.key) > 0) {
        spec.tune[child.key].push_back(to_integer(item));
      } else {
        spec.tune_words[child.key].push_back(item.text);
      }
    }
  }
  return Ok{};
}

// Half precision is implied by `arithmetic: half2`.
void read_precision(const Node &root, Spec &spec) {
  const std::string otherwise = spec.arithmetic == targets::arithmetics::half2 ? "on" : "off";
  spec.half_precision = text_or(root, "half_precision", otherwise) == "on" ? Switch::on : Switch::off;
}

void read_lists(const Node &root, Spec &spec) {
  if (const Node *node = root.find("output")) {
    for (const auto &[name, field] : output_list) spec.output.*field = lists(*node, name);
    // The ends of a global alignment need no words.
    if (spec.alignment == Alignment::global) {
      spec.output.begin = spec.output.begin || spec.output.cigar;
      spec.output.end = spec.output.end || spec.output.begin;
    }
  }
  spec.targets = targets::shipped();
  if (const Node *node = root.find("targets")) {
    spec.targets.clear();
    for (const Node &item : node->children) spec.targets.push_back(item.text);
  }
  if (const Node *node = root.find("max_length")) {
    spec.max_query = integer_at(*node, "query");
    spec.max_target = integer_at(*node, "target");
  }
  if (const Node *node = root.find("border")) {
    for (const Node &child : node->children) spec.border[child.key] = child.text;
  }
}

}  // namespace

Result<Spec> build(const Node &root, const std::string &file, const std::string &base_dir) {
  Spec spec;
  spec.name = root.find("name")->text;
  read_alignment(*root.find("alignment"), spec);
  const Node &gap = *root.find("gap");
  const bool per_side = gap.find("insertion") != nullptr;
  spec.insertion = read_gap(per_side ? *gap.find("insertion") : gap);
  spec.deletion = read_gap(per_side ? *gap.find("deletion") : gap);
  if (Status status = read_alphabet(*root.find("alphabet"), file, spec); !status) return status.error();
  if (Status status = read_score(*root.find("score"), file, base_dir, spec); !status) return status.error();
  spec.objective = text_or(root, "objective", "maximize") == "minimize" ? Objective::minimize : Objective::maximize;
  spec.mapping = text_or(root, "mapping", "auto");
  spec.arithmetic = text_or(root, "arithmetic", "auto");
  read_precision(root, spec);
  read_lists(root, spec);
  if (const Node *node = root.find("tile")) read_tiles(*node, spec);
  if (const Node *node = root.find("tune")) {
    if (Status status = read_tune(*node, file, spec); !status) return status.error();
  }
  spec.column_flags = integer_at(root, "column_flags").value_or(0);
  if (const Node *node = root.find("band")) {
    if (Status status = read_band(*node, file, spec); !status) return status.error();
  }
  return spec;
}

}  // namespace alnsmith::spec
