// Where things lie relative to the program: the generator, the shipped specs, compiled kernels.
#include "common/paths.h"

#include <fmt/format.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/packs.hpp"
#include "base/files.hpp"
#include "common/text.h"
#include "spec/error.h"
#include "spec/yaml_tree.h"
#include "tuning/tuning.h"

namespace alnsmith::tool {
namespace {

namespace fs = std::filesystem;

// The build tree keeps specs/ and tuned/ beside the program; an installation in share/.
std::vector<std::string> existing(const std::vector<std::string> &places) {
  std::vector<std::string> out;
  for (const std::string &place : places) {
    std::error_code ignored;
    const fs::path path = (fs::path(program_folder()) / place).lexically_normal();
    if (fs::is_directory(path, ignored)) out.push_back(path.string());
  }
  return out;
}

std::vector<std::string> spec_folders() { return existing({"specs", "../share/alnsmith/specs"}); }

}  // namespace

std::string program_folder() {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) return self.parent_path().string();
  // No /proc, as in a bare chroot: the path that the program was started by.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel hands it over as a number
  const char *started_by = reinterpret_cast<const char *>(::getauxval(AT_EXECFN));
  const fs::path path = fs::canonical(started_by == nullptr ? "." : started_by, failed);
  return failed ? std::string(".") : path.parent_path().string();
}

std::string generator_path() { return installed_sources(program_folder()).generator; }

std::vector<std::string> kernel_folders() { return installed_sources(program_folder()).kernel_dirs; }

std::string tuned_folder(const std::string &spec_hash, const std::string &target) {
  const auto has_row = [&](const std::string &path, const Result<std::string> &text) {
    plan::Tuning tuning;  // a damaged table is the generator's to refuse
    return text && tuning.add_table(*text, path, spec_hash, target, cpu_class()) && tuning.has_rows();
  };
  const std::string file = "/" + target + ".json", own = user_tuned_folder() + file;
  if (has_row(own, rt::read_trusted(own, std::size_t{1} << 20))) return {};  // the library finds it
  for (const std::string &folder : existing({"tuned", "../share/alnsmith/tuned"}))
    if (has_row(folder + file, spec::read_text_file(folder + file))) return folder;
  return {};
}

std::vector<std::string> shipped_specs() {
  std::vector<std::string> names;
  for (const std::string &folder : spec_folders()) {
    std::error_code ignored;
    for (const auto &entry : fs::directory_iterator(folder, ignored))
      if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Result<std::string> find_spec(const std::string &name) {
  std::error_code ignored;
  if (fs::exists(name, ignored)) return name;
  if (name.find('/') == std::string::npos) {
    for (const std::string &folder : spec_folders()) {
      const fs::path path = fs::path(folder) / (name + ".yaml");
      if (fs::exists(path, ignored)) return path.string();
    }
  }
  const std::vector<std::string> known = shipped_specs();
  const std::string hint = known.empty() ? "" : fmt::format("; the nearest is {}", spec::nearest(name, known));
  return Error{
      fmt::format("{}: no such spec file, and no shipped spec of that name{} (`alnsmith spec list` lists them all)",
                  printable(name, 400), hint)};
}

}  // namespace alnsmith::tool
