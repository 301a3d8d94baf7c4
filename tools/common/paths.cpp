// Where things lie relative to the program: the generator, the shipped specs, compiled kernels.
#include "common/paths.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/packs.hpp"
#include "base/files.h"
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

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Names that somebody may mean who writes `name`: those that contain it, else the one that it is a slip of.
std::string alike(const std::string &name, const std::vector<std::string> &packs) {
  constexpr std::size_t shortest = 3, shown = 4;  // letters that tell something; names that fit a line
  std::vector<std::string> known = shipped_specs(), holding;
  for (const std::string &pack : packs_at(packs))
    if (const auto info = list_pack(pack))
      for (const PackUnit &unit : info->units) known.push_back(unit.spec);
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const std::string &candidate : known)
    if (name.size() >= shortest && lower(candidate).find(lower(name)) != std::string::npos)
      holding.push_back(candidate);
  if (!holding.empty()) {
    const std::size_t more = holding.size() - std::min(holding.size(), shown);
    holding.resize(holding.size() - more);
    return fmt::format("; there {} {}{}", holding.size() == 1 ? "is" : "are", fmt::join(holding, ", "),
                       more == 0 ? "" : fmt::format(" and {} more", more));
  }
  const std::string nearest = spec::nearest(name, known, static_cast<int>(name.size() / 3));
  return nearest.empty() ? "" : fmt::format("; the nearest is {}", printable(nearest, 400));
}

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

std::vector<std::string> packs_at(const std::vector<std::string> &places) {
  std::vector<std::string> packs;
  std::error_code ignored;
  for (const std::string &place : places) {
    if (!fs::is_directory(place, ignored)) {
      packs.push_back(place);
      continue;
    }
    const std::size_t before = packs.size();
    for (const auto &entry : fs::directory_iterator(place, ignored))
      if (entry.path().extension() == ".pack" && entry.path().filename().string()[0] != '.')
        packs.push_back(entry.path().string());
    std::sort(packs.begin() + static_cast<std::ptrdiff_t>(before), packs.end());
  }
  return packs;
}

Result<std::string> find_spec(const std::string &name, const std::vector<std::string> &packs) {
  std::error_code ignored;
  if (fs::exists(name, ignored)) return name;
  if (name.find('/') == std::string::npos) {
    for (const std::string &folder : spec_folders()) {
      const fs::path path = fs::path(folder) / (name + ".yaml");
      if (fs::exists(path, ignored)) return path.string();
    }
  }
  return Error{
      fmt::format("{}: no such spec file, and no shipped spec of that name{} (`alnsmith spec list` lists them all)",
                  printable(name, 400), alike(name, packs))};
}

}  // namespace alnsmith::tool
