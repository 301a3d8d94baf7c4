// See call.h.
#include "call.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

#include "words.h"

namespace alnsmith::python {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBetweenLooks = std::chrono::milliseconds(50);

std::atomic<bool> several_threads{false};  // a call had them, so oneTBB has started some
std::atomic<bool> forked{false};           // since then

std::atomic<bool> ending{false};  // the interpreter is
std::atomic<int> running{0};      // calls without the GIL
std::thread::id last;             // the thread that ends it, whose calls go on

// An interpreter that has ended gives no other thread the GIL: before CPython 3.14 it takes the thread's life by
// pthread_exit(), which would unwind through frames that cannot be, and so abort the process. Such a thread sleeps
// until the process is gone.
[[noreturn]] void sleep_for_good() {
  for (;;) ::pause();
}

bool is_over(std::thread::id caller) { return ending && caller != last; }

// Without the GIL for a while.
class Released {
 public:
  Released() {
    ++running;
    state_ = PyEval_SaveThread();
  }
  Released(const Released &) = delete;
  Released &operator=(const Released &) = delete;
  ~Released() {
    --running;
    if (is_over(std::this_thread::get_id())) sleep_for_good();
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {  // pthread_exit()
      sleep_for_good();
    }
  }

 private:
  PyThreadState *state_;
};

// Whether the handler of a signal raised something. Without the GIL, which is taken for it.
bool handler_raises() {
  try {
    const PyGILState_STATE held = PyGILState_Ensure();
    const bool raised = PyErr_CheckSignals() != 0;
    PyGILState_Release(held);
    return raised;
  } catch (...) {  // pthread_exit()
    sleep_for_good();
  }
}

// Work that throws is an error: nothing is thrown through a thread.
Status guarded(const Work &work, const Options &options) {
  try {
    return work(options);
  } catch (const std::bad_alloc &) {
    return Error{"out of memory"};
  } catch (const std::exception &e) {
    return Error{std::string("unexpected: ") + e.what()};
  }
}

Status run_here(const Work &work, Options &options) {
  const auto caller = std::this_thread::get_id();
  auto look = Clock::now() + kBetweenLooks;
  std::atomic<bool> stop{false};
  options.cancelled = [&] {
    if (is_over(caller)) return true;
    if (!stop && std::this_thread::get_id() == caller && Clock::now() > look) {
      if (handler_raises()) stop = true;
      look = Clock::now() + kBetweenLooks;
    }
    return stop.load();
  };
  const Released released;
  return guarded(work, options);
}

// What a thread of its own does, and who waits for it.
class Beside {
 public:
  Beside(const Work &work, Options &options) {
    options.cancelled = [this, caller = std::this_thread::get_id()] { return stop_ || is_over(caller); };
    options.progress = [this](std::uint64_t pairs) { pairs_ = pairs; };
    thread_ = std::thread([this, &work, &options] {
      Status status = guarded(work, options);
      const std::lock_guard lock(mutex_);
      status_ = std::move(status);
      done_.notify_one();
    });
  }
  ~Beside() {
    if (!thread_.joinable()) return;
    stop_ = true;
    const Released released;
    thread_.join();
  }

  // Whether the work has ended within some time. With the GIL, which is released meanwhile.
  bool ended() {
    const Released released;
    std::unique_lock lock(mutex_);
    return done_.wait_for(lock, kBetweenLooks, [this] { return status_.has_value(); });
  }
  Status result() {
    const Released released;
    thread_.join();
    return *std::move(status_);
  }
  void stop() { stop_ = true; }
  std::uint64_t pairs() const { return pairs_; }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> pairs_{0};
  std::mutex mutex_;
  std::condition_variable done_;
  std::optional<Status> status_;
  std::thread thread_;
};

// False where an exception is set.
bool tell(nb::handle progress, std::uint64_t pairs) {
  if (progress.is_none()) return true;
  PyObject *said = PyObject_CallFunction(progress.ptr(), "K", static_cast<unsigned long long>(pairs));
  Py_XDECREF(said);
  return said != nullptr;
}

Status run_beside(const Work &work, Options &options, nb::handle progress) {
  Beside beside(work, options);
  bool going_on = true;
  while (!beside.ended()) {
    if (!going_on) continue;  // it ends soon
    going_on = PyErr_CheckSignals() == 0 && tell(progress, beside.pairs());
    if (!going_on) beside.stop();
  }
  Status status = beside.result();
  if (going_on && status && !tell(progress, beside.pairs())) return Error{"", 130};
  return status;
}

bool says(const Error &error, std::string_view words) { return error.message.find(words) != std::string::npos; }

}  // namespace

void raise(const Error &error) {
  PyObject *kind = PyExc_ValueError;
  if (error.exit_code == 130) kind = PyExc_KeyboardInterrupt;
  for (const char *words : {"out of memory", "the memory limit of", "share of the memory budget", "more memory than",
                            "bytes of memory: ask for fewer"})
    if (says(error, words)) kind = PyExc_MemoryError;
  for (const char *words : {"No such file or directory", "no such spec file"})
    if (says(error, words)) kind = PyExc_FileNotFoundError;
  PyErr_SetString(kind, in_python(error.message).c_str());
  throw nb::python_error();
}

void run(const Work &work, Options options, nb::handle progress, bool is_short) {
  options.threads = usable_threads(options.threads);
  if (options.threads != 1) several_threads = true;
  const Status status = is_short && progress.is_none() ? run_here(work, options) : run_beside(work, options, progress);
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  if (!status) raise(status.error());
}

int usable_threads(int wanted) { return forked ? 1 : wanted; }

void watch_forks() {
  pthread_atfork(nullptr, nullptr, [] {
    if (several_threads) forked = true;
    running = 0;
  });
}

void end_calls() {
  last = std::this_thread::get_id();
  ending = true;
  PyThreadState *const state = PyEval_SaveThread();
  constexpr auto kNap = std::chrono::milliseconds(5);
  for (int naps = 200; running > 0 && naps > 0; --naps) std::this_thread::sleep_for(kNap);
  PyEval_RestoreThread(state);
}

}  // namespace alnsmith::python
