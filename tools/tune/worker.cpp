// The side that asks. See worker.h.
#include "tune/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/text.h"

extern char **environ;

namespace alnsmith::tool::tune {
namespace {

nlohmann::json parsed(const std::string &text) { return nlohmann::json::parse(text, nullptr, false); }

bool read_answers(const nlohmann::json &reply, Answers &answers) {
  try {
    answers = answers_from(reply);
    return true;
  } catch (const nlohmann::json::exception &) {
    return false;
  }
}

}  // namespace

double Run::total() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

Worker::Worker(std::string program, WorkerSetup setup, double timeout)
    : program_(std::move(program)), setup_(std::move(setup)), timeout_(timeout) {}

Worker::~Worker() {
  if (in_ >= 0) ::close(in_);
  if (out_ >= 0) ::close(out_);
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);  // it holds nothing that must be put in order
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Worker::fail(bool timeout, const std::string &message) {
  error_ = {timeout, printable(message, 300)};
  return false;
}

bool Worker::open() {
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0) return fail(false, fmt::format("no pipe: {}", std::strerror(errno)));
  if (::pipe2(out, O_CLOEXEC) != 0) {
    ::close(in[0]);
    ::close(in[1]);
    return fail(false, fmt::format("no pipe: {}", std::strerror(errno)));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string name = "alnsmith", tune = "tune", worker = "worker";
  char *words[] = {name.data(), tune.data(), worker.data(), nullptr};
  const int code = posix_spawn(&pid_, program_.c_str(), &actions, nullptr, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  in_ = in[1];
  out_ = out[0];
  if (code != 0) {
    pid_ = -1;
    return fail(false, fmt::format("{}: cannot be started: {}", program_, std::strerror(code)));
  }
  std::string reply;
  return ask(nlohmann::json{{"do", "open"},
                            {"folder", setup_.folder},
                            {"kernels", setup_.kernels},
                            {"device", setup_.device},
                            {"threads", setup_.threads}}
                 .dump(),
             reply);
}

// How the process ended.
std::string Worker::last_words() {
  int status = 0;
  pid_t ended = 0;
  while ((ended = ::waitpid(pid_, &status, 0)) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (ended < 0) return "the run's process is gone";
  if (WIFSIGNALED(status))
    return fmt::format("the kernel's process ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  return fmt::format("the kernel's process ended with exit code {}", WEXITSTATUS(status));
}

bool Worker::ask(const std::string &request, std::string &reply) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout_));
  const std::string line = request + "\n";
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t n = ::write(in_, line.data() + at, line.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(false, last_words());
    at += static_cast<std::size_t>(n);
  }
  for (;;) {
    const std::size_t newline = buffer_.find('\n');
    if (newline != std::string::npos) {
      reply = buffer_.substr(0, newline);
      buffer_.erase(0, newline + 1);
      break;
    }
    if (interrupted()) return fail(false, "interrupted");
    if (Clock::now() > end) return fail(true, fmt::format("no answer within {} s", timeout_));
    pollfd wait{out_, POLLIN, 0};
    if (::poll(&wait, 1, 50) <= 0) continue;
    char bytes[1 << 16];
    const ssize_t n = ::read(out_, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(false, last_words());
    buffer_.append(bytes, static_cast<std::size_t>(n));
  }
  const nlohmann::json answer = parsed(reply);
  if (!answer.is_object()) return fail(false, "the kernel's process does not speak as it should");
  if (answer.contains("error")) return fail(false, answer.value("error", std::string("unknown")));
  return true;
}

bool Worker::sample(Answers &answers) {
  std::string reply;
  if (!ask(R"({"do":"sample"})", reply)) return false;
  return read_answers(parsed(reply), answers) || fail(false, "the sample's answers cannot be read");
}

bool Worker::answers(std::size_t klass, Answers &all) {
  std::string reply;
  if (!ask(nlohmann::json{{"do", "answers"}, {"class", klass}}.dump(), reply)) return false;
  return read_answers(parsed(reply), all) || fail(false, "the answers cannot be read");
}

bool Worker::run(Run &run) {
  std::string reply;
  if (!ask(R"({"do":"run"})", reply)) return false;
  try {
    const nlohmann::json answer = parsed(reply);
    run.seconds = answer.at("seconds").get<std::vector<double>>();
    run.marks = answer.at("marks").get<std::vector<std::uint64_t>>();
    run.kernels = answer.at("kernels").get<std::vector<std::string>>();
    return true;
  } catch (const nlohmann::json::exception &) {
    return fail(false, "the times cannot be read");
  }
}

}  // namespace alnsmith::tool::tune
