// Prints the schema's table as the sections of docs/spec.md: a heading and a Markdown table per map.
#include <algorithm>

#include "spec/error.h"
#include "spec/schema.h"

namespace alnsmith::spec {
namespace {

// Cells of a table: `|` parts columns even within backquotes.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string joined(const std::vector<std::string> &parts) {
  std::string out;
  for (const std::string &part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
}

std::string words_of(const Rule &rule) {
  std::string out;
  for (const std::string &word : rule.words) out += (out.empty() ? "" : ", ") + code(word);
  return out;
}

std::string range_of(const Rule &rule) {
  const std::string range = std::to_string(rule.min) + " to " + std::to_string(rule.max);
  return rule.min == rule.max ? std::to_string(rule.min) : rule.powers_of_two ? range + ", a power of two" : range;
}

// The sections that say what keys a map has.
std::string links(const Rule &rule) {
  std::string out;
  for (const std::string_view child : rule.children)
    out += (out.empty() ? "" : " or ") + ("[" + std::string(child) + "](#" + std::string(child) + ")");
  return out;
}

// How many elements a list may have.
std::string list_of(const Rule &rule) {
  const std::string count = rule.min_items == rule.max_items
                                ? std::to_string(rule.min_items)
                                : std::to_string(rule.min_items) + " to " + std::to_string(rule.max_items);
  return "list of " + count + ": ";
}

std::string values(const Rule &rule) {
  std::vector<std::string> parts;
  if (rule.forms & form_integer) parts.push_back(range_of(rule));
  if (rule.forms & form_word) parts.push_back(words_of(rule));
  if (rule.forms & form_text) parts.emplace_back("text");
  if (rule.forms & form_words) parts.push_back(list_of(rule) + words_of(rule));
  if (rule.forms & form_integers) parts.push_back(list_of(rule) + range_of(rule));
  if (rule.forms & form_texts) parts.push_back(list_of(rule) + "texts");
  if (rule.forms & form_entries) parts.push_back(list_of(rule) + "texts, or " + links(rule));
  if (rule.forms & form_rows) parts.push_back("rows of " + range_of(rule));
  if (rule.forms & form_map) parts.push_back(links(rule));
  return joined(parts);
}

std::string row(const Rule &rule) {
  const std::string key = rule.key != "*" ? code(rule.key) : rule.map == "letter_sets" ? "a letter" : "a target's name";
  const std::string otherwise = rule.required ? "required" : rule.fallback.empty() ? "optional" : rule.fallback;
  const std::string idle = idle_words(rule);
  const std::string doc = idle.empty() ? rule.doc : rule.doc + "; **" + idle + "**";
  return "| " + key + " | " + cell(values(rule)) + " | " + cell(otherwise) + " | " + cell(code(rule.example)) + " | " +
         cell(doc) + " |\n";
}

}  // namespace

std::string idle_words(const Rule &rule) {
  if (rule.idle.empty()) return {};
  return rule.idle.front() == "*" ? "no kernel yet" : "no kernel yet for " + one_of(rule.idle, "and");
}

std::string markdown_schema() {
  std::string out;
  std::vector<std::string_view> maps;
  for (const Rule &rule : schema_rules())
    if (std::ranges::find(maps, rule.map) == maps.end()) maps.push_back(rule.map);
  for (const std::string_view map : maps) {
    out += (out.empty() ? "### " : "\n### ") + std::string(map) +
           "\n| key | values | default | example | what it says |\n|---|---|---|---|---|\n";
    for (const Rule *rule : rules_of(map)) out += row(*rule);
  }
  return out;
}

}  // namespace alnsmith::spec
