// See workers.h.
#include "workers.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string_view>

#include "../scratch.h"

namespace soak {
namespace {

constexpr int kMostWorkers = 64;

// What parent and workers share.
struct Board {
  std::atomic<std::uint64_t> next;
  std::atomic<bool> stop;
  std::atomic<std::uint64_t> number[kMostWorkers];  // in work
  std::atomic<int> call[kMostWorkers];              // of that draw
  std::atomic<std::int64_t> since[kMostWorkers];    // seconds of the clock; 0: none in work
};

std::int64_t now() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}

void write_line(int pipe, const std::string &line) {
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t n = ::write(pipe, line.data() + done, line.size() - done);
    if (n <= 0) ::_exit(1);
    done += static_cast<std::size_t>(n);
  }
}

constexpr int kDriverCrashed = 99;  // exit status

std::string kernels_folder;  // of this worker's driver

void on_fault(int signal) {
  constexpr int most = 24;
  void *frames[most];
  std::string_view libraries[most];
  const int depth = ::backtrace(frames, most);
  for (int i = 0; i < depth; ++i)
    if (Dl_info info{}; ::dladdr(frames[i], &info) && info.dli_fname) libraries[i] = info.dli_fname;
  if (is_drivers_fault({libraries, static_cast<std::size_t>(depth)}, kernels_folder)) ::_exit(kDriverCrashed);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

// A worker's life. Its folder is the parent's to remove.
[[noreturn]] void serve(Board &board, int slot, int pipe, const Crew &crew, const Order &order,
                        const std::string &folder) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);  // an interrupt of the terminal is the parent's
  void *warm[1];
  ::backtrace(warm, 1);                          // loads what a handler must not
  if (::chdir(folder.c_str()) != 0) ::_exit(1);  // drivers dump files where they run
  kernels_folder = folder + "/pocl";
  ::setenv("POCL_CACHE_DIR", kernels_folder.c_str(), 1);
  Checker checker({crew.generator, folder});
  while (!board.stop) {
    const std::uint64_t number = board.next++;
    if (number >= crew.end) break;
    board.number[slot] = number;
    board.call[slot] = 0;
    board.since[slot] = now();
    nlohmann::json said;
    try {
      said = work(order, number, checker, [&](int call) {
        board.call[slot] = call;
        // Each time: drivers put handlers of their own in place.
        for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGABRT}) ::signal(signal, on_fault);
      });
    } catch (const std::exception &e) {
      said = {{"number", number}, {"failure", {{"what", "an exception"}, {"got", e.what()}, {"number", number}}}};
    }
    board.since[slot] = 0;
    if (!said.is_null()) write_line(pipe, said.dump() + "\n");
  }
  ::_exit(0);  // no destructors: drivers and thread pools are the process's
}

struct Worker {
  pid_t pid = 0;
  int pipe = -1;
  std::string heard;
  std::unique_ptr<scratch::Folder> folder;
};

class Crews {
 public:
  Crews(const Crew &crew, const Order &order) : crew_(crew), order_(order) {
    void *memory = ::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
    board_ = new (memory) Board{};
    board_->next = crew.first;
    workers_.resize(static_cast<std::size_t>(std::clamp(crew.workers, 1, kMostWorkers)));
    for (std::size_t i = 0; i < workers_.size(); ++i) start(i);
  }
  ~Crews() {
    for (Worker &worker : workers_) end(worker);
    ::munmap(board_, sizeof(Board));
  }

  void run(const std::function<bool(const nlohmann::json &)> &said,
           const std::function<bool(std::uint64_t, int, const std::string &)> &lost,
           const std::function<bool()> &poll) {
    while (true) {
      std::vector<pollfd> pipes;
      std::vector<std::size_t> of;
      for (std::size_t i = 0; i < workers_.size(); ++i)
        if (workers_[i].pipe >= 0) pipes.push_back({workers_[i].pipe, POLLIN, 0}), of.push_back(i);
      if (pipes.empty()) return;
      ::poll(pipes.data(), pipes.size(), 500);
      for (std::size_t p = 0; p < pipes.size(); ++p) {
        if (pipes[p].revents) listen(of[p], said, lost);
        watch(of[p]);
      }
      if (!poll()) board_->stop = true;
      if (board_->stop && ended_ == 0) ended_ = now();
    }
  }

 private:
  void start(std::size_t slot) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    Worker &worker = workers_[slot];
    worker.folder = std::make_unique<scratch::Folder>();
    worker.heard.clear();
    board_->since[slot] = 0;
    worker.pid = ::fork();
    if (worker.pid < 0) throw std::runtime_error("no process");
    if (worker.pid == 0) {
      ::close(ends[0]);
      serve(*board_, static_cast<int>(slot), ends[1], crew_, order_, worker.folder->path());
    }
    ::close(ends[1]);
    worker.pipe = ends[0];
  }

  static int end(Worker &worker) {
    if (worker.pipe >= 0) ::close(worker.pipe);
    worker.pipe = -1;
    int status = 0;
    if (worker.pid > 0) ::waitpid(worker.pid, &status, 0);
    worker.pid = 0;
    worker.folder.reset();
    return status;
  }

  void listen(std::size_t slot, const std::function<bool(const nlohmann::json &)> &said,
              const std::function<bool(std::uint64_t, int, const std::string &)> &lost) {
    Worker &worker = workers_[slot];
    char buffer[65536];
    const ssize_t n = ::read(worker.pipe, buffer, sizeof buffer);
    if (n > 0) {
      worker.heard.append(buffer, static_cast<std::size_t>(n));
      for (std::size_t line; (line = worker.heard.find('\n')) != std::string::npos;) {
        if (!said(nlohmann::json::parse(worker.heard.substr(0, line)))) board_->stop = true;
        worker.heard.erase(0, line + 1);
      }
      return;
    }
    const bool busy = board_->since[slot] != 0;
    const int status = end(worker);
    if (!busy) return;
    if (!died(slot, status, said, lost)) board_->stop = true;
    if (!board_->stop) start(slot);
  }

  // What is told of a worker that ended in the middle of a draw; whether to go on.
  bool died(std::size_t slot, int status, const std::function<bool(const nlohmann::json &)> &said,
            const std::function<bool(std::uint64_t, int, const std::string &)> &lost) {
    const std::uint64_t number = board_->number[slot];
    if (WIFEXITED(status) && WEXITSTATUS(status) == kDriverCrashed)
      return said({{"number", number},
                   {"route", name(Route::opencl)},
                   {"skipped", "the OpenCL driver's compiler crashed, draw " + std::to_string(number)}});
    if (hung_ == static_cast<int>(slot) && board_->stop) {
      hung_ = -1;
      return said({{"number", number},
                   {"route", name(call_of(order_, number, 0).route)},
                   {"skipped", "under way at the end, draw " + std::to_string(number)}});
    }
    const std::string how = hung_ == static_cast<int>(slot) ? "hangs"
                            : WIFSIGNALED(status)           ? std::string("crashes: ") + strsignal(WTERMSIG(status))
                                                            : "ends its process";
    hung_ = -1;
    return lost(number, board_->call[slot], how);
  }

  void watch(std::size_t slot) {
    const std::int64_t since = board_->since[slot];
    const bool late = ended_ != 0 && now() - ended_ >= crew_.grace_seconds + order_.shrink_seconds;
    if (since == 0 || (!late && now() - since < crew_.hang_seconds) || workers_[slot].pid <= 0) return;
    hung_ = static_cast<int>(slot);
    ::kill(workers_[slot].pid, SIGKILL);
  }

  const Crew &crew_;
  const Order &order_;
  Board *board_ = nullptr;
  std::vector<Worker> workers_;
  int hung_ = -1;           // the worker that was ended for it
  std::int64_t ended_ = 0;  // when no more was wanted; 0: not yet
};

}  // namespace

bool is_drivers_fault(std::span<const std::string_view> libraries, std::string_view kernels) {
  for (const std::string_view library : libraries) {
    if (library.starts_with(kernels)) return false;  // our kernel, which the driver called
    if (library.find("libpocl") != library.npos || library.find("libLLVM") != library.npos) return true;
  }
  return false;
}

void run_workers(const Crew &crew, const Order &order, const std::function<bool(const nlohmann::json &)> &said,
                 const std::function<bool(std::uint64_t, int, const std::string &)> &lost,
                 const std::function<bool()> &poll) {
  Crews(crew, order).run(said, lost, poll);
}

}  // namespace soak
