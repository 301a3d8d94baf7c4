// See tuned.h.
#include "compile/tuned.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/json_depth.h"

namespace alnsmith {

std::string user_tuned_folder() {
  const auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (const auto own = variable("ALNSMITH_TUNED"); !own.empty()) return own;
  if (const auto xdg = variable("XDG_DATA_HOME"); !xdg.empty() && xdg[0] == '/') return xdg + "/alnsmith/tuned";
  const auto home = variable("HOME");
  return home.empty() || home[0] != '/' ? "" : home + "/.local/share/alnsmith/tuned";
}

namespace rt::compile {
namespace {

using nlohmann::json;

constexpr std::size_t kDeepest = 32;  // brackets, as `tune apply` takes

// What is wrong with a row is the generator's to say.
bool has_row(const json &table, const std::string &spec_hash, const std::string &cpu) {
  if (!table.is_object() || !table.contains("rows") || !table["rows"].is_array()) return false;
  return std::ranges::any_of(table["rows"], [&](const json &row) {
    const auto is = [&](const char *key, const std::string &wanted, bool open) {
      return row.contains(key) ? row[key] == json(wanted) : open;
    };
    return row.is_object() && is("spec", spec_hash, false) && is("cpu", cpu, true);
  });
}

}  // namespace

std::string tuned_table(const std::string &folder, const std::string &target) {
  std::string name = target + ".json";
  std::ranges::replace(name, ':', '-');
  return folder + "/" + name;
}

Sources with_user_tables(Sources sources, const SpecRef &spec, const std::string &target,
                         std::vector<std::string> &skipped) {
  // Without a generator a table has no effect; a choice leaves nothing to it.
  if (!sources.tuned_dir.empty() || !sources.choice.empty() || sources.generator.empty()) return sources;
  const std::string folder = user_tuned_folder();
  const std::string path = tuned_table(folder, target);
  std::error_code error;
  if (folder.empty() || !std::filesystem::exists(path, error)) return sources;
  const auto text = read_trusted(path, std::size_t{1} << 20);  // as the generator takes
  if (!text) {
    skipped.push_back(text.error().message);
    return sources;
  }
  const json table = deeper_than(kDeepest, *text) ? json() : json::parse(*text, nullptr, false);
  if (!table.is_object()) skipped.push_back(path + ": skipped: no tuned table; write it with `alnsmith tune apply`");
  if (has_row(table, spec.hash, cpu_class())) sources.tuned_dir = folder;
  return sources;
}

}  // namespace rt::compile
}  // namespace alnsmith
