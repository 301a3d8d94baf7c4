#include "foreign.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace compiled {

using alnsmith::targets::Machine;

std::string emulator(const Machine &machine) { return "qemu-" + std::string(machine.name); }

Foreign::Foreign(const Machine &machine, const std::string &folder) {
  const std::string runner = folder + "/runner";
  std::ostringstream text;
  text << std::ifstream(ALNSMITH_KERNEL_RUNNER).rdbuf();
  if (!compile(compiler(machine.name), "-std=c++20 -O1 -ldl", text.str(), runner))
    throw std::runtime_error("compilation failed, see " + runner + ".log");
  std::filesystem::permissions(runner, std::filesystem::perms::owner_all);
  int there[2], back[2];
  if (::pipe(there) != 0 || ::pipe(back) != 0) throw std::runtime_error("no pipe");
  std::signal(SIGPIPE, SIG_IGN);  // a process that ended is told by what is written to it
  process_ = ::fork();
  if (process_ == 0) {
    ::dup2(there[0], 0);
    ::dup2(back[1], 1);
    for (const int end : {there[0], there[1], back[0], back[1]}) ::close(end);
    // Where Debian's cross compilers have the libraries of their machine.
    const std::string root = "/usr/" + std::string(machine.tools.substr(0, machine.tools.size() - 1));
    const std::string program = emulator(machine), object = folder + "/all.so";
    ::execlp(program.c_str(), program.c_str(), "-L", root.c_str(), runner.c_str(), object.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(there[0]);
  ::close(back[1]);
  to_ = there[1];
  from_ = back[0];
  if (process_ < 0) throw std::runtime_error("no process");
}

Foreign::~Foreign() {
  ::close(to_);
  ::close(from_);
  if (process_ > 0) ::waitpid(process_, nullptr, 0);
}

bool Foreign::send(const void *bytes, std::size_t count) {
  for (const char *at = static_cast<const char *>(bytes); count > 0;) {
    const auto done = ::write(to_, at, count);
    if (done <= 0) return false;
    at += done;
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

bool Foreign::receive(void *bytes, std::size_t count) {
  for (char *at = static_cast<char *>(bytes); count > 0;) {
    const auto done = ::read(from_, at, count);
    if (done <= 0) return false;
    at += done;
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

bool Foreign::has(const std::string &entry) {
  const std::uint64_t head[] = {entry.size(), 0, 0};
  std::int32_t found = 0;
  return send(head, sizeof head) && send(entry.data(), entry.size()) && receive(&found, sizeof found) && found == 1;
}

int Foreign::call(const std::string &entry, Region block, std::span<const Region> memory) {
  const std::uint64_t head[] = {entry.size(), memory.size(), block.bytes};
  bool good = send(head, sizeof head) && send(entry.data(), entry.size()) && send(block.begin, block.bytes);
  for (const Region &region : memory) {
    const std::uint64_t place[] = {reinterpret_cast<std::uintptr_t>(region.begin), region.bytes};
    good = good && send(place, sizeof place) && send(region.begin, region.bytes);
  }
  std::int32_t status = -1;
  good = good && receive(&status, sizeof status);
  for (const Region &region : memory) good = good && receive(const_cast<void *>(region.begin), region.bytes);
  return good ? status : -1;
}

}  // namespace compiled
