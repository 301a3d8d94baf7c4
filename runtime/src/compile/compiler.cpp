// See compiler.h.
#include "compile/compiler.h"

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "base/files.h"
#include "base/isa.h"
#include "base/process.h"
#include "compile/tools.h"

namespace alnsmith::rt::compile {
namespace {

namespace fs = std::filesystem;

// Programs that are there, the best first; `asked` is for messages.
std::vector<std::string> search(const std::string &wanted, std::string &asked) {
  const char *variable = std::getenv("ALNSMITH_CXX");
  const std::string given = !wanted.empty() ? wanted : variable ? variable : "";
  asked = given.empty() ? ALNSMITH_KERNEL_COMPILERS : given;  // cmake/kernel_flags.cmake
  std::istringstream list(asked);
  std::vector<std::string> names = {given}, found;
  if (given.empty()) names.assign(std::istream_iterator<std::string>(list), {});
  for (const std::string &name : names)
    if (auto path = find_program(name); !path.empty()) found.push_back(std::move(path));
  return found;
}

// Texts use __builtin_elementwise_add_sat and its like, which came with clang 15.
bool too_old(const std::string &version) {
  const std::string word = "clang version ";
  const std::size_t at = version.find(word);
  if (at == std::string::npos) return false;
  int major = 0;
  std::from_chars(version.data() + at + word.size(), version.data() + version.size(), major);
  return major < 15;
}

std::string first_line(const std::string &text) { return text.substr(0, text.find('\n')); }

// A compiler of another machine's code; its own word for what it makes begins with the machine.
Result<std::vector<std::string>> cross_compiler(const std::string &wanted, const targets::Machine &machine,
                                                const Cancelled &cancelled) {
  const std::string name(machine.name), program = wanted.empty() ? std::string(machine.tools) + "g++" : wanted;
  const std::string path = find_program(program);
  if (path.empty())
    return Error{"no compiler for " + name + " (" + program + "): install one (Debian: g++-" + name +
                 "-linux-gnu), or name one with --compiler"};
  const auto said = run_process({path, "-dumpmachine"}, cancelled);
  if (!said) return said.error();
  if (!said->out.starts_with(name))
    return Error{path + " makes code for " + first_line(said->out) + ", not for " + name +
                 ": name a compiler that does with --compiler"};
  return std::vector<std::string>{path};
}

}  // namespace

std::string complaint(const std::string &text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (line.find("error") != std::string::npos) return line;
    begin = end + 1;
  }
  return text.empty() ? "no message" : first_line(text);
}

std::string file_identity(const std::string &path) {
  std::error_code error;
  const std::string real = fs::canonical(path, error).string();
  struct stat info;
  if (error || ::stat(real.c_str(), &info) != 0) return {};
  return real + " " + std::to_string(info.st_size) + " " + std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec);
}

std::vector<std::string> Compiler::flags(Isa target) const {
  std::istringstream common(ALNSMITH_KERNEL_FLAGS);  // cmake/kernels.cmake: the shipped kernels are compiled alike
  std::vector<std::string> flags{std::istream_iterator<std::string>(common), {}};
  if (const targets::Cpu *row = row_of(target))
    for (auto &flag : targets::compile_flags(*row, machine)) flags.push_back(std::move(flag));
  return flags;
}

Status Compiler::compile(Isa target, const std::string &source, const std::string &output,
                         const Cancelled &cancelled) const {
  const auto run = [&](std::vector<std::string> argv) -> Status {
    const auto result = run_process(argv, cancelled);
    if (!result) return result.error();
    if (result->exit_code != 0)
      return Error{argv[0] + " failed (" + std::to_string(result->exit_code) + "): " + complaint(result->err)};
    return Ok{};
  };
  std::vector<std::string> argv = flags(target);
  argv.insert(argv.begin(), path);
  if (linker.empty()) {
    argv.insert(argv.end(), {source, "-o", output});
    return run(std::move(argv));
  }
  // A driver that links as well starts itself anew for the compiler, and asks GCC's folders for what a kernel has not:
  // together a third of a small kernel's time.
  std::erase_if(argv, [](const std::string &flag) {
    return flag == "-shared" || flag == "-nostdlib" || flag.starts_with("-Wl,");
  });
  const std::string object = output + ".o";
  argv.insert(argv.end(), {"-c", source, "-o", object});
  auto ok = run(std::move(argv));
  if (ok) ok = run({linker, "-shared", "-s", "-z", "noseparate-code", object, "-o", output});
  ::unlink(object.c_str());
  return ok;
}

Result<std::string> compile_text(const Compiler &compiler, Isa target, const std::string &text,
                                 const Cancelled &cancelled) {
  const WorkFolder folder;
  if (auto ok = folder.write("kernels.cpp", text); !ok) return ok.error();
  const std::string object = folder.file("kernels.so");
  if (auto ok = compiler.compile(target, folder.file("kernels.cpp"), object, cancelled); !ok)
    return Error{folder.without_path(ok.error().message), ok.error().exit_code};
  return read_file(object);
}

Result<std::string> compiler_version(const std::string &path, const Cache *cache, const Cancelled &cancelled) {
  const std::string name = "cxx-" + sha256_hex(path + "\n" + file_identity(path));
  if (cache)
    if (auto known = cache->load(name)) return *std::move(known);
  auto result = run_process({path, "--version"}, cancelled);
  if (!result) return result.error();
  if (result->exit_code != 0) return Error{path + " --version failed: " + complaint(result->err)};
  // A version that cannot be kept is asked for again.
  if (cache)
    if (auto kept = cache->store(name, result->out); !kept) return std::move(result->out);
  return std::move(result->out);
}

Result<Compiler> find_compiler(const std::string &wanted, const Cache &cache, const Cancelled &cancelled, Isa target) {
  Compiler compiler;
  compiler.machine = target.machine.empty() ? targets::host_machine() : target.machine;
  std::string asked;
  std::vector<std::string> programs;
  if (const auto *machine = targets::find_machine(compiler.machine);
      machine && machine->name != targets::host_machine()) {
    auto found = cross_compiler(wanted, *machine, cancelled);
    if (!found) return found.error();
    programs = *std::move(found);
  } else {
    programs = search(wanted, asked);
  }
  for (const std::string &path : programs) {
    const auto said = compiler_version(path, &cache, cancelled);
    if (!said && (said.error().exit_code == 130 || programs.size() == 1)) return said.error();
    if (!said || (programs.size() > 1 && too_old(first_line(*said)))) continue;
    compiler.path = path;
    compiler.version = first_line(*said);
    break;
  }
  if (compiler.path.empty()) return Error{"no C++ compiler found (" + asked + "); install clang or set ALNSMITH_CXX"};
  const std::string &version = compiler.version;
  compiler.identity = compiler.path + "\n" + file_identity(compiler.path) + "\n" + version;
  if (compiler.machine == targets::host_machine() && version.find("clang") != std::string::npos)
    if (compiler.linker = find_program("ld"); compiler.linker.empty()) {
      std::error_code error;
      compiler.linker = find_program((fs::canonical(compiler.path, error).parent_path() / "ld.lld").string());
    }
  return compiler;
}

}  // namespace alnsmith::rt::compile
