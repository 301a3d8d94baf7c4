// The syntax trees that travel inside the generator: Clang reads them, and they are the ones of the templates; one that
// it cannot read is an error and costs a parse.
#include <gtest/gtest.h>

#include "frontend/embedded.h"
#include "frontend/parsed_file.h"
#include "pe/evaluator.h"

namespace alnsmith::frontend {
namespace {

class Trees : public testing::TestWithParam<const char *> {
 protected:
  std::vector<File> files() const {
    auto files = template_files("", GetParam());
    EXPECT_TRUE(files) << files.error().message;
    return *std::move(files);
  }
};

std::vector<std::string> names(const std::map<std::string, const clang::FunctionDecl *> &entries) {
  std::vector<std::string> list;
  for (const auto &[name, function] : entries) list.push_back(name);
  return list;
}

TEST_P(Trees, OfTheEmbeddedTemplatesAreLoaded) {
  const auto loaded = load_file(files(), embedded_tree(GetParam())), parsed = parse_file(files(), {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(names((*loaded)->kernels), names((*parsed)->kernels));
  EXPECT_EQ(names((*loaded)->facts), names((*parsed)->facts));
  EXPECT_GE((*loaded)->kernels.size() + (*loaded)->facts.size(), 6u);
}

TEST_P(Trees, RefuseInTheSameWords) {
  // No value of the spec is given: refused where the template asks for the first.
  const auto said = [&](const ParsedFile &file) {
    const auto &entries = file.kernels.empty() ? file.facts : file.kernels;
    const auto run = pe::Evaluator(file.unit->getASTContext()).run(*entries.begin()->second, {});
    return run ? std::string() : run.error().message;
  };
  const auto loaded = load_file(files(), embedded_tree(GetParam())), parsed = parse_file(files(), {});
  ASSERT_TRUE(loaded && parsed);
  EXPECT_EQ(said(**loaded), said(**parsed));
  EXPECT_EQ(said(**loaded).find("templates/"), 0u) << said(**loaded);
}

TEST_P(Trees, OfAnotherClangOrCutShortAreErrors) {
  const std::string_view tree = embedded_tree(GetParam());
  std::string other(tree);
  ++other[other.find('.')];  // in the version's line
  EXPECT_FALSE(load_file(files(), other));
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, tree.size() / 2})
    EXPECT_FALSE(load_file(files(), tree.substr(0, size))) << size;
}

INSTANTIATE_TEST_SUITE_P(Files, Trees, testing::Values("kernels.cc", "exactness.cc"),
                         [](const auto &info) { return std::string(info.param).substr(0, 7); });

}  // namespace
}  // namespace alnsmith::frontend
