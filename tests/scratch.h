// A folder for one test, removed at its end with all that it holds.
#pragma once

#include <stdlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace scratch {

class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / "alnsmith-test-XXXXXX").string()) {
    if (!::mkdtemp(path_.data())) throw std::runtime_error(path_ + " cannot be made");
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  const std::string &path() const { return path_; }
  std::string path(const std::string &name) const { return path_ + "/" + name; }

  // Writes a file and gives its path.
  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  std::vector<std::string> entries() const {  // sorted
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(path_))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

 private:
  std::string path_;
};

// Where a test keeps the kernels that it generates: ctest's folder, so that what another test or an earlier run made of
// the same generator, text and compiler is not made again; where there is none, one of the process.
inline std::string kernel_cache() {
  if (const char *set = std::getenv("ALNSMITH_CACHE")) return set;
  static const Folder own;
  return own.path();
}

}  // namespace scratch
