// See tools.h.
#include "compile/tools.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/process.h"
#include "compile/compiler.h"
#include "targets/targets.h"

namespace alnsmith::rt::compile {
namespace {

namespace fs = std::filesystem;

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

const char *const kClangNames = "clang-22 to clang-19";

Result<DeviceTarget> parse_device_target(const std::string &target) {
  if (const auto name = targets::parse(target); name && name->kind != targets::Kind::cpu) {
    DeviceTarget parsed;
    parsed.kind = name->kind == targets::Kind::cuda  ? DeviceKind::cuda
                  : name->kind == targets::Kind::hip ? DeviceKind::hip
                                                     : DeviceKind::opencl;
    parsed.arch = name->arch;
    for (const std::string &feature : name->features) parsed.arch += ":" + feature;
    if (parsed.kind == DeviceKind::opencl || !parsed.arch.empty()) return parsed;
  }
  return Error{"'" + target +
               "' is no device target: write cuda:sm_90, cuda:compute_90, hip:gfx90a, opencl or opencl:spirv64"};
}

std::vector<std::string> cuda_folders() {
  std::vector<std::string> folders;
  const auto add = [&](const std::string &folder) {
    if (!folder.empty() && std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
  };
  // As the toolkit's own tools have it: a name given replaces the usual place.
  const std::string home_of_cuda = variable("CUDA_HOME"), path_of_cuda = variable("CUDA_PATH");
  add(home_of_cuda);
  add(path_of_cuda);
  if (home_of_cuda.empty() && path_of_cuda.empty()) add("/usr/local/cuda");
  if (const std::string own = variable("ALNSMITH_CUDA_DIR"); !own.empty())
    add(own);
  else if (const std::string home = variable("HOME"); !home.empty())
    add(home + "/.local/share/alnsmith/cuda");
  return folders;
}

std::string find_cuda_program(const std::string &name) {
  if (auto found = find_program(name); !found.empty()) return found;
  for (const std::string &folder : cuda_folders())
    if (auto found = find_program(folder + "/bin/" + name); !found.empty()) return found;
  return {};
}

std::string find_clang() {
  if (const std::string given = variable("ALNSMITH_CLANG"); !given.empty()) return find_program(given);
  for (int version = 22; version >= 19; --version)
    if (auto found = find_program("clang-" + std::to_string(version)); !found.empty()) return found;
  return {};
}

// Clang's version is in its first line, that of CUDA's programs in the line with "release".
Result<ProgramVersion> program_version_of(const std::string &path, const CompileOptions &options,
                                          const Cancelled &cancelled) {
  const auto text = compiler_version(path, options.cache, cancelled);
  if (!text) return text.error();
  const std::size_t release = text->find("release ");
  const std::size_t version = text->find("version ");
  const std::size_t begin = release != std::string::npos ? release + 8 : version != std::string::npos ? version + 8 : 0;
  const std::size_t end = text->find_first_of(" ,(\n", begin);
  const std::string program = fs::path(path).filename().string();
  return ProgramVersion{program + " " + text->substr(begin, end - begin) + " (" + path + ")",
                        path + "\n" + file_identity(path) + "\n" + *text};
}

WorkFolder::WorkFolder() {
  const std::string base = variable("TMPDIR");
  std::string made = (base.starts_with('/') ? base : "/tmp") + "/alnsmith-XXXXXX";
  if (::mkdtemp(made.data())) path_ = made;
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Status WorkFolder::made() const {
  if (!path_.empty()) return Ok{};
  return Error{"no temporary folder can be made: set TMPDIR"};
}

Status WorkFolder::write(const std::string &name, std::string_view text) const {
  if (auto ok = made(); !ok) return ok;
  return write_file(file(name), text);
}

std::string WorkFolder::without_path(std::string text) const {
  if (path_.empty()) return text;
  const std::string prefix = path_ + "/";
  for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) text.erase(at, prefix.size());
  return text;
}

Result<Compiled> run_compiler(const std::vector<std::string> &argv, const WorkFolder &folder, const std::string &output,
                              const Cancelled &cancelled) {
  // A compiler that is cancelled leaves its own temporary files: they go with the folder.
  std::vector<std::string> words = {"/usr/bin/env", "TMPDIR=" + folder.path()};
  words.insert(words.end(), argv.begin(), argv.end());
  const auto run = run_process(words, cancelled);
  if (!run) return run.error();
  const std::string log = folder.without_path(run->out + run->err);
  if (run->exit_code != 0) return Error{complaint(log)};
  auto bytes = read_file(folder.file(output));
  if (!bytes) return bytes.error();
  return Compiled{*std::move(bytes), log};
}

}  // namespace alnsmith::rt::compile
