#include "frontend/registry.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "frontend/embedded.h"

namespace alnsmith::frontend {

Result<std::vector<File>> template_files(const std::string &directory, const std::string &main) {
  std::vector<File> files;
  const std::string prefix = directory.empty() ? "templates" : directory;
  for (const auto &[name, text] : embedded_templates())
    if (directory.empty() || name.ends_with("_abi.h"))
      files.emplace_back(prefix + "/" + std::string(name), std::string(text));
  if (!directory.empty()) {
    std::error_code error;
    std::vector<std::filesystem::path> paths;
    for (const auto &entry : std::filesystem::directory_iterator(directory, error))
      if (const auto extension = entry.path().extension();
          extension == ".h" || extension == ".cc" || extension == ".def")
        paths.push_back(entry.path());
    if (error) return Error{directory + ": " + error.message() + "; name a folder of templates"};
    std::sort(paths.begin(), paths.end());
    for (const auto &path : paths) {
      std::ifstream in(path, std::ios::binary);
      std::ostringstream text;
      text << in.rdbuf();
      if (!in) return Error{path.string() + ": cannot be read; name a folder of readable templates"};
      files.emplace_back(prefix + "/" + path.filename().string(), text.str());
    }
  }
  const std::string main_name = prefix + "/" + main;
  const auto main_file = std::ranges::find(files, main_name, &File::first);
  if (main_file == files.end()) return Error{main_name + ": not found; a folder of templates has a file " + main};
  std::iter_swap(files.begin(), main_file);
  return files;
}

Result<std::vector<std::string>> registered_mappings(const std::string &directory) {
  const auto files = template_files(directory);
  if (!files) return files.error();
  static const std::regex kernel(R"re(ALN_KERNEL\("([^"]*)"\))re");
  const std::string &text = files->front().second;
  std::vector<std::string> names;
  for (std::sregex_iterator m(text.begin(), text.end(), kernel), none; m != none; ++m) names.push_back((*m)[1]);
  std::ranges::sort(names);
  if (names.empty())
    return Error{files->front().first + ": registers no kernel; mark an entry with ALN_KERNEL(\"mapping\")"};
  return names;
}

}  // namespace alnsmith::frontend
