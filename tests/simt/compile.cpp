// See compile.h.  The compiler is clang++-22 (or $SIMT_CXX); the device headers lie where the library was built.
//
// Flags that carry meaning: one rounding an operation (no contraction, no excess precision for halves), no vectors
// made of several accesses in counting builds, no duplicated or merged tails, since calls are known by their address.
#include "compile.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

extern char **environ;

namespace simt {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::uint64_t hash(const std::string &text) {  // FNV-1a
  std::uint64_t value = 0xcbf29ce484222325u;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return value;
}

std::vector<std::string> arguments(const Build &build) {
  const char *compiler = std::getenv("SIMT_CXX");
  std::vector<std::string> list = {compiler && *compiler ? compiler : "clang++-22", "-x", "c++", "-std=c++17",
                                   build.optimisation, "-fPIC", "-shared", "-w", "-nostdinc", "-fvisibility=hidden",
                                   "-fno-exceptions", "-fno-rtti", "-fwrapv", "-fno-strict-aliasing",
                                   "-ffp-contract=off", "-fexcess-precision=16", "-mllvm", "-enable-tail-merge=false",
                                   "-mllvm", "-disable-tail-duplicate", "-mllvm", "-disable-early-taildup",
                                   // Nothing gained, and minutes on long chains of maxima in loops.
                                   "-mllvm", "-opt-disable=indvars,loop-unroll,loop-unroll-full,loop-rotate", "-mllvm",
                                   "-disable-lsr", std::string("-I") + SIMT_SOURCE_DIR};
  if (__builtin_cpu_supports("f16c")) list.insert(list.end(), {"-mf16c", "-mfma", "-mavx2"});
  if (build.count) {
    list.insert(list.end(),
                {"-fsanitize-coverage=func,trace-loads,trace-stores", "-fno-vectorize", "-fno-slp-vectorize"});
  }
  if (build.address)
    list.insert(list.end(), {"-fsanitize=address", "-fsanitize-address-use-after-return=never", "-g1"});
  list.insert(list.end(), build.flags.begin(), build.flags.end());
  return list;
}

// Everything that decides what the object is.
std::string key(const std::string &source, const std::vector<std::string> &command) {
  std::string all = source;
  for (const std::string &word : command) all += '\0' + word;
  for (const char *header : {"abi.h", "device/kernel_side.h", "device/count.h", "device/half.h", "device/ptx_table.inc",
                             "device/ptx.h", "device/cuda.h", "device/hip.h"}) {
    all += '\0' + read_file(fs::path(SIMT_SOURCE_DIR) / header);
  }
  char text[40];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash(all)),
                static_cast<unsigned long long>(hash(all + "again")));
  return text;
}

// Exit status of the program; its words in `output`.
int run(const std::vector<std::string> &command, const fs::path &output) {
  std::vector<char *> words;
  for (const std::string &word : command) words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) throw std::runtime_error("cannot start " + command[0] + ": " + std::strerror(failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error(command[0] + ": " + std::strerror(errno));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ObjectFile::~ObjectFile() {
  if (temporary_) unlink(path_.c_str());
}

void check(const std::string &text, Dialect dialect) {
  Build build;
  build.flags = {"-fsyntax-only"};
  compile_object(text, dialect, build);
}

std::unique_ptr<ObjectFile> compile_object(const std::string &text, Dialect dialect, const Build &build) {
  const std::string source = rewrite(text, dialect, build);
  std::vector<std::string> command = arguments(build);
  const fs::path folder = build.cache.empty() ? fs::temp_directory_path() : fs::path(build.cache);
  fs::create_directories(folder);
  const fs::path kept = folder / ("simt-" + key(source, command) + ".so");
  if (!build.cache.empty() && fs::exists(kept)) return std::make_unique<ObjectFile>(kept, false);

  std::string name = (folder / "simt-XXXXXX").string();
  const int made = mkstemp(name.data());
  if (made < 0) throw std::runtime_error(name + ": " + std::strerror(errno));
  close(made);
  const fs::path input = name + ".cpp", log = name + ".log";
  std::ofstream(input, std::ios::binary) << source;
  command.insert(command.end(), {"-o", name, input.string()});
  const int status = run(command, log);
  const std::string words = read_file(log);
  fs::remove(log);
  fs::remove(input);
  if (status != 0) {
    fs::remove(name);
    throw std::runtime_error(command[0] + " failed on a kernel text (exit " + std::to_string(status) + "):\n" + words);
  }
  if (build.cache.empty()) return std::make_unique<ObjectFile>(name, true);
  fs::rename(name, kept);  // others may have written the same
  return std::make_unique<ObjectFile>(kept, false);
}

}  // namespace simt
