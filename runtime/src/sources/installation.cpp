// What an installation has, and specs by name or file: installed_sources() and find_spec() of alnsmith.hpp.
//
// The library knows no YAML: a spec's hash is what the program `alnsmith` says of it (`spec show --id`), or what a
// pack's index says of a name.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "alnsmith/packs.hpp"
#include "base/library.hpp"
#include "base/process.hpp"

namespace alnsmith {
namespace {

namespace fs = std::filesystem;

// The path if it is a program; an installation has folders of the same name.
std::string program_at(const fs::path &path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0 ? path.string() : "";
}

fs::path real_folder(const fs::path &file) {
  std::error_code failed;
  const fs::path real = fs::canonical(file, failed);
  return failed ? fs::path() : real.parent_path();
}

// Of the programs that belong to this library. An installation has bin/ beside lib/ or beside the folder above it, a
// build folder has all in one.
fs::path programs_folder() {
  const char *prefix = std::getenv("ALNSMITH_PREFIX");
  if (prefix != nullptr && *prefix != 0) return fs::path(prefix) / "bin";
  const fs::path library = real_folder(rt::running_library());
  std::vector<fs::path> places;
  if (!library.empty()) places = {library, library / "../bin", library / "../../bin"};
  places.push_back(real_folder("/proc/self/exe"));
  for (const fs::path &place : places)
    for (const char *name : {"alnsmith", "alnsmith-generate"})
      if (!place.empty() && !program_at(place / name).empty()) return place.lexically_normal();
  if (const std::string found = rt::find_program("alnsmith"); !found.empty()) return real_folder(found);
  // A library without its programs may still have packs beside it.
  return library.empty() ? fs::path() : (library / "../bin").lexically_normal();
}

std::string first_line(std::string text) {
  if (text.starts_with("alnsmith: ")) text.erase(0, 10);
  return text.substr(0, text.find('\n'));
}

// "hash TAB name TAB path" as `alnsmith spec show --id` prints it.
Result<SpecRef> parse_id(const std::string &program, const std::string &line) {
  const std::size_t first = line.find('\t'), second = line.find('\t', first + 1), end = line.find('\n');
  if (first != 64 || second == std::string::npos || end == std::string::npos)
    return Error{program + ": does not answer to `spec show --id`: it is of another version than the library"};
  return SpecRef{line.substr(second + 1, end - second - 1), line.substr(first + 1, second - first - 1),
                 line.substr(0, first)};
}

Result<SpecRef> ask_program(const std::string &program, const std::string &name) {
  const std::string path = rt::find_program(program);
  if (path.empty()) return Error{"Sources::program: " + program + " is no program"};
  const auto said = rt::run_process({path, "spec", "show", "--id", "--", name}, {});
  if (!said) return said.error();
  if (said->exit_code != 0) return Error{first_line(said->err), said->exit_code == 2 ? 2 : 1};
  return parse_id(path, said->out);
}

std::string listed(const std::vector<std::string> &places) {
  std::string text;
  for (const std::string &place : places) text += (text.empty() ? "" : ", ") + place;
  return text.empty() ? "(Sources::kernel_dirs is empty)" : "in " + text;
}

}  // namespace

Sources installed_sources(const std::string &folder) {
  Sources sources;
  const fs::path programs = folder.empty() ? programs_folder() : fs::path(folder);
  if (const std::string own = user_pack_folder(); !own.empty()) sources.kernel_dirs.push_back(own);
  if (!programs.empty()) {
    sources.program = program_at(programs / "alnsmith");
    sources.generator = program_at(programs / "alnsmith-generate");
    for (const char *place : {"kernels", "packs", "../lib/alnsmith/kernels", "../lib/alnsmith/packs"})
      sources.kernel_dirs.push_back((programs / place).lexically_normal().string());
  }
  std::error_code ignored;
  std::erase_if(sources.kernel_dirs, [&](const std::string &place) { return !fs::is_directory(place, ignored); });
  return sources;
}

Result<SpecRef> find_spec(const std::string &name_or_file, const Sources &sources) {
  std::error_code ignored;
  const bool file = fs::exists(name_or_file, ignored);
  std::string why;
  if (!sources.program.empty() && (file || !sources.only_kernel_dirs)) {
    auto found = ask_program(sources.program, name_or_file);
    if (found || file) return found;
    why = found.error().message;
  }
  if (file)
    return Error{name_or_file +
                 ": its hash is not known without the program alnsmith: set Sources::program, or SpecRef::hash"};
  auto packed = find_spec_in_packs(sources.kernel_dirs, name_or_file);
  if (!packed) return packed.error();
  if (*packed) return (*packed)->packed.spec;
  if (!why.empty()) return Error{why};
  return Error{name_or_file + ": no such spec file, and no spec of that name in a pack " + listed(sources.kernel_dirs) +
               (sources.program.empty() && !sources.only_kernel_dirs
                    ? "; shipped specs are known to the program: set Sources::program"
                    : "; name its file, or set Sources::kernel_dirs")};
}

}  // namespace alnsmith
