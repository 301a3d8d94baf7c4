// The shipped specs: enough of them, each a named job.
#include "helpers.h"
#include "spec/ranges.h"

namespace alnsmith::spec {
namespace {

TEST(ShippedSpecs, ParseAndAreNamedAsTheirFiles) {
  const auto files = shipped_specs();
  EXPECT_GE(files.size(), 14u);
  for (const auto &file : files) {
    const auto spec = parse_file(file.string());
    ASSERT_TRUE(spec) << spec.error().message;
    EXPECT_EQ(spec->name, file.stem().string());
    EXPECT_GE(derived_ranges(*spec).size(), 4u);
  }
}

TEST(ShippedSpecs, BeginWithTheirJob) {
  for (const auto &file : shipped_specs()) EXPECT_TRUE(read_file(file).starts_with("# ")) << file;
}

TEST(ShippedSpecs, AreListedInTheReadme) {
  const std::string readme = read_file(std::filesystem::path(SPEC_FOLDER) / "README.md");
  for (const auto &file : shipped_specs()) {
    EXPECT_NE(readme.find("| " + file.stem().string() + " | "), std::string::npos) << file;
  }
}

}  // namespace
}  // namespace alnsmith::spec
