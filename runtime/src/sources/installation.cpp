// What an installation has, and specs by name or file: installed_sources() and find_spec() of alnsmith.hpp.
//
// The library knows no YAML: a spec's hash is what the program `alnsmith` says of it (`spec show --id`), or what a
// pack's index says of a name.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "alnsmith/packs.hpp"
#include "base/library.h"
#include "base/process.h"

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

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

template <class Number>
bool parse(std::string_view text, Number &value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc{} && end == text.data() + text.size();
}

// The second line of `spec show --id`, by tabs: hash, max_query, max_target, name=value,..., matrix, objective.
bool parse_generic(std::string_view line, GenericSpec &out) {
  const std::vector<std::string_view> fields = split(line, '\t');
  if (fields.size() < 6 || fields[0].size() != 64) return false;
  out.hash = fields[0];
  bool good = parse(fields[1], out.max_query) && parse(fields[2], out.max_target);
  for (const std::string_view pair : split(fields[3], ',')) {
    const std::size_t equals = pair.find('=');
    if (!good || equals == std::string_view::npos) return false;
    good = parse(pair.substr(equals + 1), out.scoring.values[std::string(pair.substr(0, equals))]);
  }
  for (const std::string_view number : split(fields[4], ','))
    good = good && parse(number, out.scoring.matrix.emplace_back());
  out.minimize = fields[5] == "minimize";
  return good && (out.minimize || fields[5] == "maximize");
}

// What `alnsmith spec show --id` prints: "hash TAB name TAB path", and a line for the generic form if there is one.
Result<SpecRef> parse_id(const std::string &program, const std::string &text) {
  const std::vector<std::string_view> lines = split(text, '\n');
  const std::vector<std::string_view> fields = lines.empty() ? lines : split(lines[0], '\t');
  SpecRef spec;
  bool good = fields.size() >= 2 && fields[0].size() == 64;
  if (good) spec = {std::string(fields.size() > 2 ? fields[2] : ""), std::string(fields[1]), std::string(fields[0])};
  if (good && lines.size() > 1) good = parse_generic(lines[1], spec.generic.emplace());
  if (good) return spec;
  return Error{program + ": does not answer to `spec show --id`: it is of another version than the library"};
}

Result<SpecRef> ask_program(const std::string &program, const std::string &name) {
  const std::string path = rt::find_program(program);
  if (path.empty()) return Error{"Sources::program: " + program + " is no program"};
  const auto said = rt::run_process({path, "spec", "show", "--id", "--", name}, {});
  if (!said) return said.error();
  if (said->exit_code != 0) return Error{first_line(said->err), said->exit_code == 2 ? 2 : 1};
  return parse_id(path, said->out);
}

// The mend where there is no program, for callers of either interface and for who runs what they have built.
constexpr const char *name_program =
    "set ALNSMITH_PREFIX to an installation that has it, or Sources::program (alnsmith_sources.program in C)";

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
    return Error{name_or_file + ": its hash is not known without the program alnsmith: " + name_program +
                 ", or open it by SpecRef::hash (spec_hash of alnsmith_open)"};
  std::vector<std::string> skipped;
  auto packed = find_spec_in_packs(sources.kernel_dirs, name_or_file, &skipped);
  if (!packed) return packed.error();
  if (*packed) return (*packed)->packed.spec;
  if (why.empty())
    why = name_or_file + ": no such spec file, and no spec of that name in a pack " + listed(sources.kernel_dirs) +
          (sources.program.empty() && !sources.only_kernel_dirs
               ? std::string("; shipped specs are known to the program alnsmith: ") + name_program
               : "; name its file, or set Sources::kernel_dirs");
  for (const std::string &line : skipped)  // the program has looked into some of them, too
    if (why.find(line) == std::string::npos) why += "; " + line;
  return Error{why};
}

}  // namespace alnsmith
