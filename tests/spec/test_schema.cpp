// The JSON schema for editors: the file equals the table, and it judges as the parser does.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "helpers.h"
#include "invalid_specs.h"
#include "spec/schema.h"
#include "spec/yaml_tree.h"

namespace alnsmith::spec {
namespace {

TEST(SpecSchema, FileEqualsTheTable) {
  EXPECT_EQ(read_file(std::string(SPEC_FOLDER) + "/alnsmith-spec.schema.json"), json_schema())
      << "write the output of `alnsmith spec schema` to specs/alnsmith-spec.schema.json";
}

TEST(SpecSchema, ThePageEqualsTheTable) {
  EXPECT_NE(read_file(std::string(SPEC_FOLDER) + "/../docs/spec.md").find(markdown_schema()), std::string::npos)
      << "build the program and run tools/tables";
}

TEST(SpecSchema, EveryKeyHasItsDocAndExample) {
  for (const Rule &rule : schema_rules()) {
    EXPECT_FALSE(rule.doc.empty()) << rule.map << "." << rule.key;
    EXPECT_FALSE(rule.example.empty()) << rule.map << "." << rule.key;
  }
}

// As an editor's YAML 1.2 reader sees it.
nlohmann::json to_json(const Node &node) {
  nlohmann::json json;
  switch (node.type) {
    case Type::null:
      return nullptr;
    case Type::boolean:
      return node.text[0] == 't' || node.text[0] == 'T';
    case Type::integer:
      return node.text.size() < 18 ? nlohmann::json(std::stoll(node.text)) : nlohmann::json(1e30);
    case Type::real:
      return 0.5;
    case Type::text:
      return node.text;
    case Type::list:
      json = nlohmann::json::array();
      for (const Node &child : node.children) json.push_back(to_json(child));
      return json;
    case Type::map:
      json = nlohmann::json::object();
      for (const Node &child : node.children) json[child.key] = to_json(child);
      return json;
  }
  return json;
}

TEST(SpecSchema, JudgesAsTheParserDoes) {
  if (std::system("python3 -c 'import jsonschema' >/dev/null 2>&1") != 0) GTEST_SKIP() << "no python3-jsonschema";
  nlohmann::json cases = nlohmann::json::array();
  const auto add = [&](const std::string &label, const std::string &text, bool valid) {
    const auto tree = load_tree(text, label);
    ASSERT_TRUE(tree) << label << ": " << tree.error().message;
    cases.push_back({{"label", label}, {"valid", valid}, {"spec", to_json(*tree)}});
  };
  for (const auto &file : shipped_specs()) add(file.filename().string(), read_file(file), true);
  int refused = 0;
  for (const Invalid &row : invalid_specs()) {
    const auto tree = load_tree(row.text, row.rule);
    if (tree) add(row.rule, row.text, !row.in_schema);
    refused += row.in_schema;
  }
  EXPECT_GE(refused, 30);
  const scratch::Folder folder;
  const auto schema = folder.write("schema.json", json_schema());
  const auto list = folder.write("cases.json", cases.dump());
  const std::string report = folder.path() + "/report";
  const std::string command =
      std::string("python3 '") + SCHEMA_CHECKER + "' '" + schema + "' '" + list + "' > '" + report + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(report);
}

}  // namespace
}  // namespace alnsmith::spec
