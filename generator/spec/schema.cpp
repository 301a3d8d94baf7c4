// The table of the closed schema: see schema.h. `spec` is the top-level map.
#include "spec/schema.h"

#include "spec/gap.h"
#include "targets/arithmetics.h"
#include "targets/mappings.h"
#include "targets/targets.h"

namespace alnsmith::spec {
namespace {

using Words = std::vector<std::string>;

Rule word(std::string_view map, const std::string &key, const Words &words, const std::string &example,
          const std::string &doc) {
  return {.map = map, .key = key, .forms = form_word, .words = words, .example = example, .doc = doc};
}

Rule integer(std::string_view map, const std::string &key, int min, int max, const std::string &example,
             const std::string &doc) {
  return {.map = map, .key = key, .forms = form_integer, .min = min, .max = max, .example = example, .doc = doc};
}

// An integer or `runtime`.
Rule value(std::string_view map, const std::string &key, int min, int max, const std::string &example,
           const std::string &doc) {
  Rule rule = integer(map, key, min, max, example, doc);
  rule.forms |= form_word;
  rule.words = {"runtime"};
  return rule;
}

Rule map(std::string_view map, const std::string &key, const std::vector<std::string_view> &children,
         const std::string &example, const std::string &doc) {
  return {.map = map, .key = key, .forms = form_map, .children = children, .example = example, .doc = doc};
}

Rule text(std::string_view map, const std::string &key, const std::string &pattern, const std::string &example,
          const std::string &doc) {
  return {.map = map, .key = key, .forms = form_text, .pattern = pattern, .example = example, .doc = doc};
}

Rule required(Rule rule) {
  rule.required = true;
  return rule;
}

Rule power_of_two(Rule rule) {
  rule.powers_of_two = true;
  return rule;
}

Rule by_default(Rule rule, const std::string &value) {
  rule.fallback = value;
  return rule;
}

// Parses, and no kernel can be generated for it yet: these words, or the key as a whole.
Rule idle(Rule rule, const Words &words = {"*"}) {
  rule.idle = words;
  return rule;
}

// Also accepts the forms of `other`.
Rule or_else(Rule rule, const Rule &other) {
  rule.forms |= other.forms;
  if (!other.words.empty()) rule.words = other.words;
  if (!other.pattern.empty()) rule.pattern = other.pattern;
  if (!other.children.empty()) rule.children = other.children;
  if (other.forms & form_integer) rule.min = other.min, rule.max = other.max;
  if (!other.idle.empty()) rule.idle = other.idle;
  return rule;
}

Rule list(Rule rule, unsigned form, int min_items, int max_items) {
  rule.forms = form;
  rule.min_items = min_items;
  rule.max_items = max_items;
  return rule;
}

// The names of a table's rows.
template <class Rows>
Words names(const Rows &rows) {
  Words words;
  for (const auto &row : rows) words.emplace_back(row.name);
  return words;
}

Words with_auto(Words words) {
  words.insert(words.begin(), "auto");
  return words;
}

// The costs of one side's gaps.
void add_gap(std::vector<Rule> &rules, std::string_view side) {
  Words models;
  for (const GapModelRow &row : gap_models()) models.emplace_back(row.name);
  rules.push_back(required(word(side, "model", models, "model: affine",
                                "cost(L) = extend*L | open + extend*L | the smaller of two such lines")));
  for (const GapField &field : gap_fields()) {
    rules.push_back(
        value(side, std::string(field.key), 0, max_score, std::string(field.example), std::string(field.doc)));
    rules.back().required = field.line == 0 && !field.open;  // every model has it
  }
}

void add_flag(std::vector<Rule> &rules, std::string_view score) {
  rules.push_back(integer(score, "at_flag", -max_score, max_score, "at_flag: -3",
                          "added on the diagonal where the column's flag is set"));
}

std::vector<Rule> make_rules() {
  const std::string letters = "^[A-Za-z0-9*.=_-]{1,32}$";
  const std::string one_letter = "^[A-Za-z0-9*.=_-]$";
  const std::string expression = "^[-+*() 0-9a-z]{1,100}$";
  Words ends;
  for (const FreeEndName &end : free_end_list) ends.emplace_back(end.name);
  Words outputs;
  for (const OutputWord &output : output_list) outputs.emplace_back(output.name);
  const Words arithmetics = names(targets::kArithmetics), mappings = names(targets::kMappings);
  std::vector<Rule> r;

  r.push_back(required(integer("spec", "version", 1, 1, "version: 1", "version of the schema")));
  r.push_back(required(text("spec", "name", "^[A-Za-z][A-Za-z0-9._-]{0,63}$", "name: my-spec",
                            "a letter, then letters, digits, `.`, `_`, `-`; at most 64")));
  r.push_back(required(or_else(word("spec", "alignment", {"global", "local", "semiglobal"}, "alignment: global",
                                    "which ends are free; semiglobal: all four"),
                               map("spec", "alignment", {"alignment"}, "", ""))));
  r.push_back(required(map("spec", "gap", {"gap", "gap_sides"}, "gap: {model: affine, open: 2, extend: 1}",
                           "gap costs, for both sides or per side")));
  r.push_back(required(or_else(
      word("spec", "alphabet", {"dna", "dna5", "iupac", "rna", "protein"}, "alphabet: dna", "which letters there are"),
      map("spec", "alphabet", {"custom_alphabet", "state_sets"}, "", ""))));
  r.push_back(required(map("spec", "score", {"match_score", "matrix_score", "profile_score"},
                           "score: {match: 2, mismatch: -1}", "scores on the diagonal")));
  r.push_back(by_default(word("spec", "objective", {"maximize", "minimize"}, "objective: maximize",
                              "whether the best alignment has the largest score or the smallest"),
                         "maximize"));
  r.push_back(by_default(map("spec", "max_length", {"max_length"}, "max_length: {query: 512, target: 512}",
                             "longest sequences; unbounded where omitted"),
                         "unbounded"));
  r.push_back(by_default(list(word("spec", "output", outputs, "output: [score]",
                                   "what to report. Under `global` a `cigar` brings "
                                   "`begin` and `end`, a `begin` its `end`"),
                              form_words, 1, static_cast<int>(outputs.size())),
                         "[score]"));
  r.push_back(by_default(
      word("spec", "mapping", with_auto(mappings), "mapping: auto", "how an alignment lies on lanes"), "auto"));
  r.push_back(by_default(
      word("spec", "arithmetic", with_auto(arithmetics), "arithmetic: auto", "how scores are held; exact in each case"),
      "auto"));
  r.push_back(by_default(word("spec", "half_precision", {"off", "on"}, "half_precision: off",
                              "on: `arithmetic: auto` takes half2 on GPUs; CPU targets ignore it"),
                         "off"));
  r.push_back(by_default(map("spec", "tile", {"tile"}, "tile: {p: 32, k: 16}",
                             "lanes per alignment (GPU targets) and letters of the register side per lane"),
                         "chosen for each target"));
  std::string usual_targets;
  for (const std::string &target : targets::shipped()) usual_targets += (usual_targets.empty() ? "" : ", ") + target;
  r.push_back(by_default(list(text("spec", "targets", targets::pattern(), "targets: [x86-64-v4, scalar]",
                                   "names such as x86-64-v4, cuda:sm_90, hip:gfx90a, opencl, scalar"),
                              form_texts, 1, 32),
                         "[" + usual_targets + "]"));
  r.push_back(by_default(
      integer("spec", "column_flags", 0, 1, "column_flags: 1", "bits per target column; with state sets"), "0"));
  r.push_back(
      map("spec", "border", {"border"}, "border: {query_begin: forbidden}", "borders with a rule of their own"));
  r.push_back(map("spec", "band", {"band"}, "band: {width: 100}",
                  "cells that exist: from <= column - row <= to; what is found in them need not be an optimum of all"));
  r.push_back(map("spec", "tune", {"tune"}, "tune: {k: [4, 8, 16]}", "search space of `alnsmith tune`"));

  r.push_back(required(list(word("alignment", "free_ends", ends, "free_ends: [target_begin, target_end]",
                                 "the ends whose unaligned letters cost nothing"),
                            form_words, 0, 4)));

  add_gap(r, "gap");
  r.push_back(required(map("gap_sides", "insertion", {"insertion"}, "insertion: {model: affine, open: 2, extend: 1}",
                           "query letters against nothing")));
  r.push_back(required(map("gap_sides", "deletion", {"deletion"}, "deletion: {model: affine, open: 2, extend: 1}",
                           "target letters against nothing")));
  add_gap(r, "insertion");
  add_gap(r, "deletion");
  r.push_back(integer("deletion", "at_flag", 0, max_score, "at_flag: 0",
                      "what a letter of a gap costs at a flagged column, whether it opens the gap or extends it"));

  r.push_back(required(text("custom_alphabet", "letters", letters, "letters: ACGT",
                            "distinct letters, digits, `*`, `.`, `=`, `_`, `-`, without the wildcard; "
                            "lower case is folded to upper case")));
  r.push_back(text("custom_alphabet", "wildcard", one_letter, "wildcard: N",
                   "one more letter, taken for every letter outside the alphabet"));
  r.push_back(required(or_else(word("state_sets", "state_sets", {"dna", "protein"}, "state_sets: dna",
                                    "letters and columns are sets of states; a match is a non-empty intersection"),
                               map("state_sets", "state_sets", {"custom_states"}, "", ""))));
  r.push_back(
      required(text("custom_states", "states", letters, "states: ACGT",
                    "2 to 32 distinct letters, which stand for themselves; lower case is folded to upper case")));
  r.push_back(map("custom_states", "sets", {"letter_sets"}, "sets: {R: AG}", "letters that stand for several states"));
  Rule letter_set = text("letter_sets", "*", letters, "R: AG", "the states that the letter may be");
  letter_set.key_pattern = "^[A-Za-z0-9*.=_?-]$";
  r.push_back(letter_set);

  r.push_back(required(value("match_score", "match", -max_score, max_score, "match: 2", "score of equal letters")));
  r.push_back(
      required(value("match_score", "mismatch", -max_score, max_score, "mismatch: -1", "score of unequal letters")));
  add_flag(r, "match_score");
  r.push_back(required(or_else(text("matrix_score", "matrix", "^[^\\x00-\\x1f\\x7f]{1,200}$", "matrix: BLOSUM62",
                                    "a built-in name, a path relative to the spec, `runtime`, or values"),
                               map("matrix_score", "matrix", {"matrix"}, "", ""))));
  add_flag(r, "matrix_score");
  r.push_back(required(idle(
      word("profile_score", "target", {"profile"}, "target: profile", "each target column brings its own scores"))));
  add_flag(r, "profile_score");
  r.push_back(required(text("matrix", "letters", letters, "letters: \"ACGT\"", "letters of the rows and columns")));
  Rule rows = integer("matrix", "rows", -max_score, max_score, "rows: [[1, 0], [0, 1]]",
                      "one row per query letter, one column per target letter");
  r.push_back(required(list(rows, form_rows, 1, 32)));

  r.push_back(integer("max_length", "query", 1, max_sequence, "query: 512", "letters"));
  r.push_back(integer("max_length", "target", 1, max_sequence, "target: 512", "letters"));

  for (std::string_view tile : {"tile", "target_tile"}) {
    r.push_back(power_of_two(integer(tile, "p", 1, 64, "p: 32", "lanes that share an alignment on GPU targets")));
    r.push_back(integer(tile, "k", 1, 64, "k: 16", "letters of the register side per lane"));
  }
  Rule target_tile = map("tile", "*", {"target_tile"}, "\"cuda:sm_90\": {p: 32, k: 16}", "a tile of one target");
  target_tile.key_pattern = targets::pattern();
  r.push_back(target_tile);

  r.push_back(
      word("border", "query_begin", {"forbidden"}, "query_begin: forbidden", "no insertion before the first column"));
  r.push_back(
      word("border", "target_begin", {"forbidden"}, "target_begin: forbidden", "no deletion before the first row"));
  r.push_back(integer("band", "width", 0, max_sequence, "width: 100",
                      "from min(0, target - query) - width to max(0, target - query) + width, so that a path always "
                      "exists; on CPUs with vectors, in mapping strips and int32"));
  for (const char *bound : {"from", "to"}) {
    r.push_back(
        or_else(integer("band", bound, -max_sequence, max_sequence, std::string(bound) + ": 0",
                        "column - row; an integer or an expression of query and target, their lengths; on CPUs, "
                        "in mapping lanes, and devices"),
                text("band", bound, expression, "", "")));
  }

  r.push_back(list(integer("tune", "k", 1, 64, "k: [4, 8, 16]", "values of k to try"), form_integers, 1, 32));
  r.push_back(
      list(power_of_two(integer("tune", "p", 1, 64, "p: [16, 32]", "values of p to try")), form_integers, 1, 7));
  r.push_back(list(integer("tune", "rows", 1, 8, "rows: [1, 2, 4]",
                           "stream letters per turn, to try, where one lane has an alignment for itself"),
                   form_integers, 1, 8));
  r.push_back(list(integer("tune", "stages", 1, 4096, "stages: [1, 2]",
                           "in how many stages the longest register side may go; needs `max_length`"),
                   form_integers, 1, 16));
  r.push_back(list(word("tune", "mapping", mappings, "mapping: [wavefront, block]", "mappings to try"), form_words, 1,
                   static_cast<int>(mappings.size())));
  r.push_back(list(word("tune", "arithmetic", arithmetics, "arithmetic: [int8, int16]",
                        "arithmetics to start with, to try; a target takes those that it has"),
                   form_words, 1, static_cast<int>(arithmetics.size())));
  r.push_back(list(power_of_two(integer("tune", "block", 1, 32, "block: [2, 4, 8]", "warps of a block to try")),
                   form_integers, 1, 6));
  r.push_back(list(integer("tune", "grid", 1, 64, "grid: [1, 2, 4]", "most blocks per processor of the device, to try"),
                   form_integers, 1, 16));
  // A spec names compilers, it never says where they lie: what is executed is the user's choice (docs/security.md).
  r.push_back(
      list(text("tune", "compiler", "^(auto|nvrtc|nvcc|(clang[+][+]|clang|g[+][+]|gcc|c[+][+])(-[1-9][0-9]?)?)$",
                "compiler: [auto, g++-12]",
                "auto, or compilers that are looked up on PATH: clang++, clang, g++, gcc, c++, also with a "
                "version as in clang++-22; nvrtc, nvcc, clang for CUDA; another one, or a path, is given on the "
                "command line with --compiler"),
           form_texts, 1, 8));
  r.push_back(list(integer("tune", "threads", 1, 4096, "threads: [1, 2]", "CPU threads to try"), form_integers, 1, 16));
  Rule constraints =
      text("tune", "constraints", "^[-+*/%<>=!&|()' 0-9a-zA-Z_.]{1,200}$", "constraints: [\"k * p <= 512\"]",
           "conditions that a candidate must meet: texts, or {expression: ..., reason: ...}");
  constraints.children = {"constraint"};
  r.push_back(list(constraints, form_entries, 1, 32));
  r.push_back(required(text("constraint", "expression", constraints.pattern, "expression: \"k * p <= 512\"",
                            "integers and parameters with + - * / %, comparisons, && || ! and parentheses")));
  r.push_back(text("constraint", "reason", "^[^\\x00-\\x1f\\x7f]{1,200}$", "reason: more does not fit in registers",
                   "what a candidate that does not meet it is reported with"));
  r.push_back(text("tune", "budget", "^[1-9][0-9]{0,8}(s|min|h|runs)$", "budget: 60s", "time or number of runs"));
  return r;
}

}  // namespace

const std::vector<Rule> &schema_rules() {
  static const std::vector<Rule> rules = make_rules();
  return rules;
}

std::vector<const Rule *> rules_of(std::string_view map) {
  std::vector<const Rule *> out;
  for (const Rule &rule : schema_rules()) {
    if (rule.map == map) out.push_back(&rule);
  }
  return out;
}

}  // namespace alnsmith::spec
