// Ctrl-C and SIGTERM. Handlers use only async-signal-safe calls: flags, unlink, alarm, _exit.
#include "common/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstring>

namespace alnsmith::tool {
namespace {

volatile std::sig_atomic_t signals_seen = 0;
char unfinished_file[PATH_MAX + 1];  // NUL first: none

void leave_now() {
  if (unfinished_file[0] != '\0') ::unlink(unfinished_file);
  ::_exit(130);
}

extern "C" void on_stop_signal(int) {
  if (signals_seen != 0) leave_now();
  signals_seen = 1;
  ::alarm(1);
}

extern "C" void on_alarm(int) { leave_now(); }

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGALRM);
  return set;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_mask = stop_signals();
  sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts() {
  handle(SIGINT, on_stop_signal);
  handle(SIGTERM, on_stop_signal);
  handle(SIGALRM, on_alarm);
  handle(SIGPIPE, SIG_IGN);
  handle(SIGXFSZ, SIG_IGN);  // a file-size limit: the write then fails like a full disk
}

bool interrupted() { return signals_seen != 0; }

Error interrupted_error() { return {"", 130}; }

void set_unfinished_file(const std::string &path) {
  const InterruptsHeld held;
  if (path.size() > PATH_MAX) return;
  std::memcpy(unfinished_file, path.c_str(), path.size() + 1);
}

InterruptsHeld::InterruptsHeld() {
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

InterruptsHeld::~InterruptsHeld() {
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace alnsmith::tool
