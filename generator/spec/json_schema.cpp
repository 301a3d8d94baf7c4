// Prints the schema's table as a JSON schema: one definition per map of the table.
#include <nlohmann/json.hpp>

#include "spec/schema.h"

namespace alnsmith::spec {
namespace {

using Json = nlohmann::ordered_json;

Json one_or_any(std::vector<Json> choices) {
  if (choices.size() == 1) return choices.front();
  return Json{{"anyOf", choices}};
}

Json integer_schema(const Rule &rule) {
  if (!rule.powers_of_two) return Json{{"type", "integer"}, {"minimum", rule.min}, {"maximum", rule.max}};
  std::vector<int> powers;
  for (int p = rule.min; p <= rule.max; p *= 2) powers.push_back(p);
  return Json{{"type", "integer"}, {"enum", powers}};
}

Json list_schema(const Rule &rule, const Json &items, bool unique) {
  return Json{{"type", "array"},
              {"items", items},
              {"minItems", rule.min_items},
              {"maxItems", rule.max_items},
              {"uniqueItems", unique}};
}

Json reference(std::string_view map) { return Json{{"$ref", "#/definitions/" + std::string(map)}}; }

Json value_schema(const Rule &rule) {
  const Json word{{"enum", rule.words}};
  const Json text{{"type", "string"}, {"pattern", rule.pattern}};
  std::vector<Json> choices;
  if (rule.forms & form_integer) choices.push_back(integer_schema(rule));
  if (rule.forms & form_word) choices.push_back(word);
  if (rule.forms & form_text) choices.push_back(text);
  if (rule.forms & form_words) choices.push_back(list_schema(rule, word, true));
  if (rule.forms & form_integers) choices.push_back(list_schema(rule, integer_schema(rule), true));
  if (rule.forms & form_texts) choices.push_back(list_schema(rule, text, true));
  if (rule.forms & form_entries) {
    std::vector<Json> entries = {text};
    for (const std::string_view child : rule.children) entries.push_back(reference(child));
    choices.push_back(list_schema(rule, one_or_any(entries), true));
  }
  if (rule.forms & form_rows) {
    choices.push_back(list_schema(rule, list_schema(rule, integer_schema(rule), false), false));
  }
  if (rule.forms & form_map) {
    for (const std::string_view child : rule.children) {
      choices.push_back(reference(child));
    }
  }
  Json schema = one_or_any(choices);
  if (schema.contains("$ref")) schema = Json{{"allOf", {schema}}};  // draft-07 ignores what stands beside a $ref
  const std::string idle = idle_words(rule);
  schema["description"] = idle.empty() ? rule.doc : rule.doc + " (" + idle + ")";
  return schema;
}

Json map_schema(std::string_view map) {
  Json properties = Json::object(), patterns = Json::object(), required = Json::array();
  for (const Rule *rule : rules_of(map)) {
    if (rule->key == "*") {
      patterns[rule->key_pattern] = value_schema(*rule);
    } else {
      properties[rule->key] = value_schema(*rule);
    }
    if (rule->required) required.push_back(rule->key);
  }
  Json schema{{"type", "object"}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = required;
  schema["properties"] = properties;
  if (!patterns.empty()) schema["patternProperties"] = patterns;
  return schema;
}

}  // namespace

std::string json_schema() {
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
              {"title", "alnsmith spec"},
              {"description", "Generated from generator/spec/schema.cpp, do not edit."}};
  schema.update(map_schema("spec"));
  Json definitions = Json::object();
  for (const Rule &rule : schema_rules()) {
    const std::string map(rule.map);
    if (map != "spec" && !definitions.contains(map)) definitions[map] = map_schema(map);
  }
  schema["definitions"] = definitions;
  return schema.dump(2) + "\n";
}

}  // namespace alnsmith::spec
