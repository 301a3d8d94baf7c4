// Load, validate, build, check: see parse.h.
#include "spec/parse.h"

#include <exception>
#include <filesystem>

#include "spec/build.h"
#include "spec/rules.h"
#include "spec/validate.h"
#include "spec/yaml_tree.h"

namespace alnsmith::spec {
namespace {

Result<Spec> parse_checked(const std::string &text, const std::string &filename, const std::string &base_dir) {
  const Result<Node> root = load_tree(text, filename);
  if (!root) return root.error();
  if (Status valid = validate(*root, filename); !valid) return valid.error();
  Result<Spec> spec = build(*root, filename, base_dir);
  if (!spec) return spec;
  if (Status consistent = check_rules(*spec, *root, filename); !consistent) return consistent.error();
  return spec;
}

}  // namespace

Result<Spec> parse_text(const std::string &text, const std::string &filename, const std::string &base_dir) {
  try {
    return parse_checked(text, filename, base_dir);
  } catch (const std::exception &e) {  // out of memory, or a regular expression's limits
    return error_at(filename, {}, std::string("cannot be parsed (") + e.what() + "); shorten the file");
  }
}

Result<Spec> parse_file(const std::string &path) {
  try {
    const Result<std::string> text = read_text_file(path);
    if (!text) return text.error();
    return parse_checked(*text, path, std::filesystem::path(path).parent_path().string());
  } catch (const std::exception &e) {
    return error_in(path, std::string("cannot be parsed (") + e.what() + "); shorten the file");
  }
}

}  // namespace alnsmith::spec
