// The syntax tree that travels inside the generator: Clang reads it, and it is the one of the templates; one that it
// cannot read is an error and costs a parse.
#include <gtest/gtest.h>

#include "frontend/embedded.h"
#include "frontend/parsed_file.h"
#include "pe/evaluator.h"

namespace alnsmith::frontend {
namespace {

std::vector<File> files(const std::string &main = "kernels.cc") {
  auto files = template_files("", main);
  EXPECT_TRUE(files) << files.error().message;
  return *std::move(files);
}

using Entries = std::map<std::string, const clang::FunctionDecl *>;

// Mappings and the functions for them.
std::map<std::string, std::string> names(const Entries &entries) {
  std::map<std::string, std::string> list;
  for (const auto &[mapping, function] : entries) list[mapping] = function->getNameAsString();
  return list;
}

// Of a main file: its name, and its list of entries.
using Main = std::pair<const char *, Entries ParsedFile::*>;
class Trees : public testing::TestWithParam<Main> {};

TEST_P(Trees, OfTheEmbeddedTemplatesAreLoaded) {
  const auto [main, list] = GetParam();
  const auto loaded = load_file(files(), embedded_tree()), parsed = parse_file(files(main), {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(names((**loaded).*list), names((**parsed).*list));
  EXPECT_GE(((**loaded).*list).size(), 6u);
}

TEST_P(Trees, RefuseInTheSameWords) {
  const auto [main, list] = GetParam();
  const auto loaded = load_file(files(), embedded_tree()), parsed = parse_file(files(main), {});
  ASSERT_TRUE(loaded && parsed);
  // No value of the spec is given: refused where the template asks for the first.
  const auto said = [](const ParsedFile &file, const clang::FunctionDecl *entry) {
    const auto run = pe::Evaluator(file.unit->getASTContext()).run(*entry, {});
    return run ? std::string() : run.error().message;
  };
  for (const auto &[mapping, entry] : (**parsed).*list) {
    const std::string words = said(**parsed, entry);
    EXPECT_EQ(said(**loaded, ((**loaded).*list).at(mapping)), words);
    EXPECT_EQ(words.find("templates/"), 0u) << words;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Trees,
                         testing::Values(Main{"kernels.cc", &ParsedFile::kernels},
                                         Main{"exactness.cc", &ParsedFile::facts}),
                         [](const auto &info) { return std::string(info.param.first).substr(0, 7); });

TEST(Tree, OfAnotherClangOrCutShortIsAnError) {
  const std::string_view tree = embedded_tree();
  std::string other(tree);
  ++other[other.find('.')];  // in the version's line
  EXPECT_FALSE(load_file(files(), other));
  for (const std::size_t size : {std::size_t{0}, tree.find('\f'), tree.find('\f') + 1, tree.size() / 2})
    EXPECT_FALSE(load_file(files(), tree.substr(0, size))) << size;
}

TEST(Tree, ThatLacksAnEntryOfItsListIsAnError) {
  std::string other(embedded_tree());
  ++other[other.find_last_not_of(" \n", other.find('\f') - 1)];  // the last name's last letter
  const auto loaded = load_file(files(), other);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message.find("the syntax tree lacks "), 0u) << loaded.error().message;
}

}  // namespace
}  // namespace alnsmith::frontend
