// Runs the built program as a user would, and makes its input files.
#include "program.h"

#include <fcntl.h>
#include <htslib/bgzf.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

extern char **environ;

namespace alnsmith::testing {

namespace fs = std::filesystem;

const char *const strict_spec =
    "version: 1\nname: strict\nalignment: global\ngap: {model: affine, open: 2, extend: 1}\n"
    "alphabet: dna\nscore: {match: 2, mismatch: -1}\n";

Process::Process(const std::vector<std::string> &words, const std::string &stdin_path, const std::string &stdout_path) {
  const int in = ::open(stdin_path.empty() ? "/dev/null" : stdin_path.c_str(), O_RDONLY | O_CLOEXEC);
  const int out =
      stdout_path.empty() ? -1 : ::open(stdout_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  start(words, in, out);
  ::close(in);
  if (out >= 0) ::close(out);
}

Process::Process(const std::vector<std::string> &words, const std::string &text) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  start(words, ends[0], -1);
  ::close(ends[0]);
  hold_ = ends[1];
  if (::write(hold_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("no write");
}

Process::~Process() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  for (const int fd : {out_, err_, hold_})
    if (fd >= 0) ::close(fd);
}

void Process::start(const std::vector<std::string> &words, int stdin_fd, int stdout_fd) {
  int out[2], err[2];
  if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, stdin_fd, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, stdout_fd >= 0 ? stdout_fd : out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
  std::vector<char *> list;
  for (const std::string &word : words) list.push_back(const_cast<char *>(word.c_str()));
  list.push_back(nullptr);
  if (posix_spawnp(&pid_, list[0], &actions, nullptr, list.data(), environ) != 0)
    throw std::runtime_error("cannot start " + words[0]);
  posix_spawn_file_actions_destroy(&actions);
  ::close(out[1]);
  ::close(err[1]);
  out_ = out[0];
  err_ = err[0];
}

void Process::signal(int number) const { ::kill(pid_, number); }

Finished Process::finish() {
  Finished result;
  pollfd waits[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
  std::string *texts[] = {&result.out, &result.err};
  int open_ends = 2;
  while (open_ends > 0 && ::poll(waits, 2, -1) > 0) {
    for (int i = 0; i < 2; ++i) {
      if (waits[i].fd < 0 || waits[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t n = ::read(waits[i].fd, buffer, sizeof buffer);
      if (n > 0) {
        texts[i]->append(buffer, static_cast<std::size_t>(n));
        continue;
      }
      waits[i].fd = -1;
      --open_ends;
    }
  }
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

Finished run(const std::vector<std::string> &words, const std::string &stdin_path, const std::string &stdout_path) {
  return Process(words, stdin_path, stdout_path).finish();
}

Finished alnsmith(const std::vector<std::string> &arguments, const std::string &stdin_path,
                  const std::string &stdout_path) {
  std::vector<std::string> words = {program()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run(words, stdin_path, stdout_path);
}

std::string program() { return ALNSMITH_PROGRAM; }
std::string library() { return ALNSMITH_LIBRARY; }
std::string shipped_spec(const std::string &name) { return std::string(ALNSMITH_SPECS) + "/" + name + ".yaml"; }
std::string data_file(const std::string &name) { return std::string(ALNSMITH_TEST_DATA) + "/" + name; }

bool have_kernels() { return fs::exists(fs::path(program()).parent_path() / "alnsmith-generate"); }

std::string read_file(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

bool one_line(const std::string &text) { return text.size() > 1 && text.find('\n') == text.size() - 1; }

void write_gzip(const std::string &path, const std::string &text, bool blocked) {
  BGZF *file = bgzf_open(path.c_str(), blocked ? "w" : "wg");
  const bool written =
      file != nullptr && bgzf_write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (!written || bgzf_close(file) != 0) throw std::runtime_error("cannot write " + path);
}

}  // namespace alnsmith::testing
