// Every rule's error: one line, at the right line and column, with the rule and the mend.
#include "helpers.h"
#include "invalid_specs.h"

namespace alnsmith::spec {
namespace {

TEST(SpecErrors, EveryRuleNamesItsPlaceAndMend) {
  for (const Invalid &row : invalid_specs()) {
    const std::string message = error_of(row.text);
    EXPECT_TRUE(message.starts_with("s.yaml:" + std::string(row.error))) << row.rule << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << row.rule;
    EXPECT_NE(message.find("; "), std::string::npos) << row.rule << " has no mend: " << message;
  }
}

TEST(SpecErrors, TheSmallSpecItselfIsValid) { EXPECT_EQ(error_of(small_spec), "no error"); }

TEST(SpecErrors, MissingFile) {
  const auto spec = parse_file("/nonexistent/x.yaml");
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().message, "/nonexistent/x.yaml: no such file; check the path");
  EXPECT_EQ(spec.error().exit_code, 1);
}

TEST(SpecErrors, DevicesAndFoldersAreNotRead) {
  for (const char *path : {"/dev/zero", "/"}) {
    const auto spec = parse_file(path);
    ASSERT_FALSE(spec);
    EXPECT_EQ(spec.error().message, std::string(path) + ": not a regular file; give a text file");
  }
}

TEST(SpecErrors, AStrangeFileNameStaysOnOneLine) {
  const auto spec = parse_text("a", "bad\nname.yaml", ".");
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().message.find("bad\\x0aname.yaml:1:1: "), 0u) << spec.error().message;
}

TEST(SpecErrors, HostileTextsEndQuickly) {
  const size_t size = size_t{1} << 20;
  std::vector<std::string> texts = {std::string(size, '['), std::string(size, '{'), std::string(size, '\n'),
                                    std::string(size, 'a'), "a: " + std::string(size - 3, '!')};
  for (const std::string piece :
       {"- ", "? ", "a: ", "&a ", "*a ", "\"", "[a, ", "k0: v\n", "'", ": ", "|\n", "---\n"}) {
    std::string text;
    while (text.size() + piece.size() <= size) text += piece;
    texts.push_back(text);
  }
  for (const std::string &text : texts) {
    const std::string message = error_of(text);
    EXPECT_TRUE(message.starts_with("s.yaml:")) << text.substr(0, 20) << ": " << message.substr(0, 100);
    EXPECT_LT(message.size(), 400u);
  }
}

}  // namespace
}  // namespace alnsmith::spec
