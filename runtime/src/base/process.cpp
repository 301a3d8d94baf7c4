// posix_spawn and two pipes.  See process.h.
#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

extern char **environ;

namespace alnsmith::rt {
namespace {

constexpr std::size_t kMaxOutput = std::size_t{64} << 20;

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    read = ends[0];
    write = ends[1];
    ::fcntl(read, F_SETFL, O_NONBLOCK);
  }
  Pipe(const Pipe &) = delete;
  ~Pipe() {
    drop(read);
    drop(write);
  }
  static void drop(int &end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

// Takes what is there; closes the end at its end.
void drain(int &end, std::string &into) {
  for (char buffer[1 << 16]; end >= 0;) {
    const ssize_t n = ::read(end, buffer, sizeof buffer);
    if (n > 0) {
      if (into.size() < kMaxOutput) into.append(buffer, static_cast<std::size_t>(n));
    } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
      Pipe::drop(end);
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

// With `own_group` the program leads a process group of its own: an interrupt of the terminal does not reach it, and
// end_group ends whatever it has started.
int spawn(const std::vector<std::string> &argv, bool own_group, int out, int err, pid_t &child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out, 1);
  ::posix_spawn_file_actions_adddup2(&actions, err, 2);
  sigset_t none, usual;  // the host program's blocked and ignored signals are its own affair
  ::sigemptyset(&none);
  ::sigemptyset(&usual);
  for (int signal : {SIGPIPE, SIGTERM, SIGCHLD}) ::sigaddset(&usual, signal);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  const int group = own_group ? POSIX_SPAWN_SETPGROUP : 0;
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
  std::vector<char *> words;
  for (const std::string &word : argv) words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  const int error = ::posix_spawnp(&child, words[0], &actions, &attributes, words.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

pid_t wait_for(pid_t child, int *state, int flags) {
  pid_t ended;
  while ((ended = ::waitpid(child, state, flags)) < 0 && errno == EINTR) {
  }
  return ended;
}

// Returns when there is output, or one of the ends is closed, or after 50 ms.
void wait_for_output(const Pipe &out, const Pipe &err) {
  pollfd ends[2] = {{out.read, POLLIN, 0}, {err.read, POLLIN, 0}};
  ::poll(ends, 2, 50);
}

// Ends the group that `child` leads and returns when none of it holds an output any longer, so that none writes another
// file. A compiler's driver leaves its parts running if it alone is ended. What does not heed is killed after a second.
void end_group(pid_t child, Pipe &out, Pipe &err) {
  ::kill(-child, SIGTERM);
  std::string unused;
  for (int turns = 0; turns < 40 && (out.read >= 0 || err.read >= 0); ++turns) {
    wait_for_output(out, err);
    drain(out.read, unused);
    drain(err.read, unused);
    if (turns == 20) ::kill(-child, SIGKILL);
  }
  // One that had closed its outputs, too. The child is not waited for yet, so the group is still ours.
  ::kill(-child, SIGKILL);
  int state = 0;
  wait_for(child, &state, 0);
}

}  // namespace

Result<ProcessResult> run_process(const std::vector<std::string> &argv, const Cancelled &cancelled) {
  const Error interrupted{"interrupted", 130};
  if (cancelled && cancelled()) return interrupted;
  Pipe out, err;
  if (out.read < 0 || err.read < 0) return Error{argv[0] + ": cannot start: " + std::strerror(errno)};
  pid_t child = -1;
  if (const int error = spawn(argv, static_cast<bool>(cancelled), out.write, err.write, child); error != 0)
    return Error{argv[0] + ": cannot start: " + std::strerror(error)};
  Pipe::drop(out.write);
  Pipe::drop(err.write);

  ProcessResult result;
  int state = 0;
  // Until both outputs end, or the program has (a grandchild may keep the pipes open).
  while (out.read >= 0 || err.read >= 0) {
    wait_for_output(out, err);
    const bool ended = wait_for(child, &state, WNOHANG) == child;
    drain(out.read, result.out);
    drain(err.read, result.err);
    if (ended) {
      child = -1;
      break;
    }
    if (cancelled && cancelled()) {
      end_group(child, out, err);
      return interrupted;
    }
  }
  if (child >= 0 && wait_for(child, &state, 0) != child)
    return Error{argv[0] + ": cannot wait for it: " + std::strerror(errno)};
  if (WIFSIGNALED(state) && WTERMSIG(state) == SIGINT) return interrupted;
  result.exit_code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
  return result;
}

std::string find_program(const std::string &name) {
  const auto runs = [](const std::string &path) {
    struct stat info;
    return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.empty()) return {};
  if (name.find('/') != std::string::npos) return runs(name) ? name : std::string();
  const char *path = std::getenv("PATH");
  std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string candidate = std::string(rest.substr(0, colon)) + "/" + name;
    if (candidate[0] == '/' && runs(candidate)) return candidate;
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  }
  return {};
}

}  // namespace alnsmith::rt
