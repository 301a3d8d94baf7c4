// See program.h.
#include "program.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace fake {

Program::Program(std::string image, simt::Dialect dialect, const Config &config)
    : image_(std::move(image)), dialect_(dialect), config_(config) {}

bool Program::is_text() const {
  if (image_.starts_with("\177ELF") || image_.find(".target sm_") != std::string::npos) return false;
  return image_.find("extern \"C\"") != std::string::npos;
}

bool Program::prepare(std::string &problem) {
  if (!is_text()) {
    if (!config_.texts.empty()) return true;
    problem = "the image is no kernel text, and SIMT_FAKE_TEXTS names no folder to look in";
    return false;
  }
  try {
    simt::kernel_names(image_, dialect_);
    return true;
  } catch (const std::runtime_error &error) {
    problem = error.what();
    return false;
  }
}

std::string Program::find_text(const std::string &name) const {
  const std::string ending = dialect_ == simt::Dialect::cuda ? ".cu" : ".hip";
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  for (const auto &file : std::filesystem::recursive_directory_iterator(config_.texts, ignored)) {
    if (file.path().extension() == ending) files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto &path : files) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    try {
      const std::vector<std::string> names = simt::kernel_names(text.str(), dialect_);
      if (std::find(names.begin(), names.end(), name) != names.end()) return text.str();
    } catch (const std::runtime_error &) {
      continue;  // another file may have it
    }
  }
  return {};
}

Function *Program::function(const std::string &name) {
  const std::lock_guard lock(mutex_);
  if (const auto known = functions_.find(name); known != functions_.end()) return &known->second;
  const std::string text = is_text() ? image_ : find_text(name);
  if (text.empty()) return nullptr;
  const std::vector<std::string> names = simt::kernel_names(text, dialect_);
  if (std::find(names.begin(), names.end(), name) == names.end()) return nullptr;
  simt::Build build;
  build.cache = config_.cache;
  build.address = simt::address_sanitized();
  build.kernels = {name};
  const simt::Module &module = modules_.emplace(name, simt::compile(text, dialect_, build)).first->second;
  return &functions_.emplace(name, Function{&module, module.kernels().front()}).first->second;
}

}  // namespace fake
