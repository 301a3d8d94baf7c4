// Listing, comparing and installing packs.  See alnsmith/packs.hpp.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "alnsmith/packs.hpp"
#include "base/files.h"
#include "base/guard.h"
#include "packs/info.h"

namespace alnsmith {
namespace rt::packs {
namespace {

namespace fs = std::filesystem;

PackUnit unit_info(const Index &index, const Unit &unit) {
  const PackedBuild &build = index.builds[unit.build];
  PackUnit out;
  out.spec = index.specs[unit.spec].name;
  out.spec_hash = index.specs[unit.spec].hash;
  out.target = unit.target.name();
  out.target_kind = targets::kind_name(unit.target.kind);
  out.machine = unit.target.machine;
  out.kind = unit_kind_name(unit.kind);
  out.kernels = unit.kernels;
  out.bytes = unit.binary.size;
  out.text_sha256 = unit.text_hash;
  out.sha256 = unit.binary.sha256;
  out.manifest_sha256 = unit.manifest.sha256;
  out.key = unit.key;
  out.compiler = build.compiler;
  out.flags = build.flags;
  return out;
}

std::string name_of(const PackUnit &unit) {
  return unit.spec + " for " + unit.target + (unit.machine.empty() ? "" : " on " + unit.machine);
}

// Which of a unit's parts differ; empty: none.
std::string difference(const PackUnit &a, const PackUnit &b) {
  std::string list;
  const auto add = [&](bool differs, const std::string &what) {
    if (differs) list += (list.empty() ? "" : ", ") + what;
  };
  add(a.spec_hash != b.spec_hash, "spec");
  add(a.text_sha256 != b.text_sha256, "kernel text");
  add(a.compiler != b.compiler, "compiler (" + a.compiler + " -> " + b.compiler + ")");
  add(a.flags != b.flags, "flags");
  add(a.manifest_sha256 != b.manifest_sha256, "manifest");
  add(a.kind != b.kind, "kind (" + a.kind + " -> " + b.kind + ")");
  add(a.sha256 != b.sha256, "binary (" + std::to_string(a.bytes) + " -> " + std::to_string(b.bytes) + " bytes)");
  return list;
}

// Copies what `from` holds into the new file `to`.
Status copy_file(const std::string &from, const std::string &to) {
  const auto failure = [](const std::string &path, const char *what) {
    return Error{path + ": " + what + ": " + std::strerror(errno)};
  };
  const int in = ::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (in < 0) return failure(from, "cannot open");
  // A device without an end would fill the disk.
  struct stat info{};
  if (::fstat(in, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(in);
    return Error{from + ": is no file"};
  }
  const int out = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  Status done = Ok{};
  if (out < 0) done = failure(to, "cannot create");
  for (std::string buffer(std::size_t{1} << 20, '\0'); done;) {
    const ssize_t n = ::read(in, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) done = failure(from, "cannot read");
    if (n <= 0) break;
    if (!write_all(out, std::string_view(buffer).substr(0, static_cast<std::size_t>(n))))
      done = failure(to, "cannot write");
  }
  ::close(in);
  if (out >= 0 && ::close(out) != 0 && done) done = failure(to, "cannot write");
  return done;
}

// Removes a copy that did not become the pack.
struct Copy {
  std::string path;
  ~Copy() { ::unlink(path.c_str()); }
};

Result<std::string> install(const std::string &path, const std::string &given) {
  const std::string name = fs::path(path).filename().string();
  if (name.empty() || name[0] == '.' || !name.ends_with(".pack"))
    return Error{path + ": cannot be installed under this name; rename it to NAME.pack", 2};
  if (given.empty()) return Error{"no folder for packs: HOME is not set; name one with --to", 2};
  std::error_code error;
  const fs::path folder = fs::absolute(given, error).lexically_normal();
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, error)) return Error{folder.string() + ": the folder cannot be made"};
  const std::string to = (folder / name).string();
  // What is verified is the copy, which no one else changes.
  const Copy copy{temporary_beside(to)};
  if (auto ok = copy_file(path, copy.path); !ok) return ok.error();
  const auto check = verify_pack(copy.path);
  const auto named = [&](std::string text) {  // as the user knows it
    if (text.starts_with(copy.path)) text.replace(0, copy.path.size(), path);
    return Error{text + "; not installed"};
  };
  if (!check) return named(check.error().message);
  if (!check->problems.empty()) return named(check->problems.front());
  if (std::rename(copy.path.c_str(), to.c_str()) != 0) return Error{to + ": cannot write: " + std::strerror(errno)};
  if (auto ok = check_trusted(to); !ok)
    return Error{to + ": installed, but will not be loaded from there: " + ok.error().message};
  return to;
}

}  // namespace

PackInfo info_of(const PackFile &pack) {
  PackInfo info;
  info.path = pack.path();
  info.writer = pack.index().writer;
  info.sha256 = sha256_hex(pack.index_bytes());
  info.bytes = pack.size();
  for (const Unit &unit : pack.index().units) info.units.push_back(unit_info(pack.index(), unit));
  return info;
}

}  // namespace rt::packs

Result<PackInfo> list_pack(const std::string &path) {
  return rt::guarded([&]() -> Result<PackInfo> {
    const auto pack = rt::packs::PackFile::open(path);
    if (!pack) return pack.error();
    return rt::packs::info_of(**pack);
  });
}

Result<std::string> pack_manifest(const std::string &path, std::size_t unit) {
  return rt::guarded([&]() -> Result<std::string> {
    const auto pack = rt::packs::PackFile::open(path);
    if (!pack) return pack.error();
    const rt::packs::Index &index = (*pack)->index();
    if (unit >= index.units.size()) return Error{path + ": has no unit " + std::to_string(unit), 2};
    auto text = (*pack)->read(index.units[unit].manifest);
    if (!text) return Error{path + ": " + rt::packs::unit_name(index, index.units[unit]) + ": " + text.error().message};
    return text;
  });
}

Result<std::vector<std::string>> diff_packs(const std::string &old_path, const std::string &new_path) {
  return rt::guarded([&]() -> Result<std::vector<std::string>> {
    const auto before = list_pack(old_path), after = list_pack(new_path);
    if (!before) return before.error();
    if (!after) return after.error();
    std::vector<std::string> lines;
    if (before->writer != after->writer) lines.push_back("! written by " + before->writer + " -> " + after->writer);
    // By name and target; where two specs of a pack share a name, the second one's hash tells them apart.
    const auto keyed = [](const PackInfo &info) {
      std::map<std::string, const PackUnit *> units;
      for (const PackUnit &unit : info.units)
        if (!units.emplace(rt::packs::name_of(unit), &unit).second)
          units.emplace(rt::packs::name_of(unit) + " " + unit.spec_hash, &unit);
      return units;
    };
    auto rest = keyed(*before);
    std::vector<std::string> changed, added;
    for (const auto &[name, unit] : keyed(*after)) {
      const auto found = rest.find(name);
      if (found == rest.end()) {
        added.push_back("+ " + rt::packs::name_of(*unit));
        continue;
      }
      if (const std::string what = rt::packs::difference(*found->second, *unit); !what.empty())
        changed.push_back("! " + rt::packs::name_of(*unit) + ": " + what);
      rest.erase(found);
    }
    for (const auto &[name, unit] : rest) lines.push_back("- " + rt::packs::name_of(*unit));
    lines.insert(lines.end(), added.begin(), added.end());
    lines.insert(lines.end(), changed.begin(), changed.end());
    if (lines.empty() && before->sha256 != after->sha256) lines.push_back("! the specs' texts differ");
    return lines;
  });
}

std::string user_pack_folder() {
  const auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (const auto xdg = variable("XDG_DATA_HOME"); !xdg.empty() && xdg[0] == '/') return xdg + "/alnsmith/packs";
  const auto home = variable("HOME");
  return home.empty() || home[0] != '/' ? "" : home + "/.local/share/alnsmith/packs";
}

Result<std::string> install_pack(const std::string &path, const std::string &folder) {
  return rt::guarded([&] { return rt::packs::install(path, folder); });
}

}  // namespace alnsmith
