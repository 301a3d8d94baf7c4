// Runs another program and collects what it prints.
#include "child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

extern char **environ;

namespace alnsmith::tool {
namespace {

std::vector<char *> argument_vector(const std::vector<std::string> &words) {
  std::vector<char *> out;
  out.reserve(words.size() + 1);
  for (const std::string &word : words) out.push_back(const_cast<char *>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

// Reads both pipes to their ends, whichever speaks first, and closes them.
void drain(int out_fd, int err_fd, ChildResult &result) {
  pollfd waits[] = {{out_fd, POLLIN, 0}, {err_fd, POLLIN, 0}};
  std::string *texts[] = {&result.out, &result.err};
  int open_ends = 2;
  char buffer[1 << 16];
  while (open_ends > 0) {
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) break;
    for (int i = 0; i < 2; ++i) {
      if (waits[i].fd < 0 || waits[i].revents == 0) continue;
      const ssize_t n = ::read(waits[i].fd, buffer, sizeof buffer);
      if (n < 0 && errno == EINTR) continue;
      if (n > 0) {
        texts[i]->append(buffer, static_cast<std::size_t>(n));
        continue;
      }
      ::close(waits[i].fd);
      waits[i].fd = -1;
      --open_ends;
    }
  }
}

}  // namespace

Result<ChildResult> run_child(const std::vector<std::string> &words) {
  int out_pipe[2], err_pipe[2];
  if (::pipe2(out_pipe, O_CLOEXEC) != 0)
    return Error{fmt::format("{}: cannot be started: {}", words[0], std::strerror(errno))};
  if (::pipe2(err_pipe, O_CLOEXEC) != 0) {
    const int code = errno;
    ::close(out_pipe[0]);
    ::close(out_pipe[1]);
    return Error{fmt::format("{}: cannot be started: {}", words[0], std::strerror(code))};
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out_pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err_pipe[1], STDERR_FILENO);
  pid_t child = 0;
  const int code = posix_spawn(&child, words[0].c_str(), &actions, nullptr, argument_vector(words).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(out_pipe[1]);
  ::close(err_pipe[1]);
  if (code != 0) {
    ::close(out_pipe[0]);
    ::close(err_pipe[0]);
    return Error{fmt::format("{}: cannot be started: {}", words[0], std::strerror(code))};
  }
  ChildResult result;
  drain(out_pipe[0], err_pipe[0], result);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

Error become(const std::vector<std::string> &words) {
  ::execv(words[0].c_str(), argument_vector(words).data());
  return {fmt::format("{}: cannot be started: {}", words[0], std::strerror(errno))};
}

}  // namespace alnsmith::tool
