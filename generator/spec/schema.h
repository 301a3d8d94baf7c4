// The closed schema of a spec, as one table.
//
// Each row is a key of one of the schema's maps: which forms its value may have, which words, numbers or
// texts, and one line of doc. validate.h checks a YAML tree against the table; json_schema() prints the same
// table for editors. What no schema can express (contradictions between keys) is in rules.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace alnsmith::spec {

// The forms a value may have; a row allows one or several.
enum Form : unsigned {
  form_word = 1,       // one of `words`
  form_integer = 2,    // min..max, also `powers_of_two`
  form_text = 4,       // matches `pattern`
  form_words = 8,      // a list of distinct `words`
  form_integers = 16,  // a list of distinct integers
  form_texts = 32,     // a list of distinct texts
  form_rows = 64,      // a list of lists of integers
  form_map = 128,      // a map: one of the alternatives in `children`
  form_entries = 256,  // a list of distinct texts and of maps
};

struct Rule {
  std::string_view map;  // the map that has this key
  std::string key;       // `*`: any key that matches `key_pattern`
  bool required = false;
  unsigned forms = 0;
  std::vector<std::string> words = {};
  int min = 0, max = 0;
  bool powers_of_two = false;
  std::string pattern = {}, key_pattern = {};
  int min_items = 1, max_items = 32;
  std::vector<std::string_view> children = {};
  std::string example;  // what to write, for messages
  std::string doc;
  std::string fallback = {};           // what counts where the key is missing, as text; empty where the doc says it
  std::vector<std::string> idle = {};  // words that parse and for which there is no kernel yet; `*`: the key as a whole
};

const std::vector<Rule> &schema_rules();

// The rows of one map, in the table's order.
std::vector<const Rule *> rules_of(std::string_view map);

// The largest score or cost, in absolute value.
constexpr int max_score = 10000;
constexpr int max_sequence = 1 << 30;

// The table as a JSON schema (draft-07), indented, ending in a newline.
std::string json_schema();

// The table as the sections of docs/spec.md: a heading and a Markdown table per map.
std::string markdown_schema();

// What a rule has without a kernel, as words for people: "no kernel yet for begin and cigar"; empty if nothing.
std::string idle_words(const Rule &rule);

}  // namespace alnsmith::spec
