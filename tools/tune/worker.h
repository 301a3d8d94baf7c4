// One candidate in a process of its own: a kernel that crashes or hangs takes nobody along.
//
// The tool starts itself as `alnsmith tune worker` and talks to it in lines of JSON over pipes. Between requests the
// worker sleeps, so that others can be timed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "tune/job.h"

namespace alnsmith::tool::tune {

struct WorkerSetup {
  std::string folder;   // of the job
  std::string kernels;  // folder of the candidate's
  std::string device;   // "cpu", "cuda:0", "opencl:0"
  int threads = 1;
};

struct Run {
  std::vector<double> seconds;       // by class
  std::vector<std::uint64_t> marks;  // of all results of a class: equal for equal results
  std::vector<std::string> kernels;  // that scored something
  double total() const;
};

// What went wrong: a crash, a hang, or the runtime's own line.
struct WorkerError {
  bool timeout = false;
  std::string message;
};

class Worker {
 public:
  // `program`: this one. `timeout` in seconds, for each request.
  Worker(std::string program, WorkerSetup setup, double timeout);
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;
  ~Worker();

  // Each false where it failed; error() says how. Afterwards only the destructor may be called.
  bool open();
  bool sample(Answers &answers);                  // of the job's sample
  bool run(Run &run);                             // all classes once
  bool answers(std::size_t klass, Answers &all);  // of one class
  const WorkerError &error() const { return error_; }

 private:
  bool ask(const std::string &request, std::string &reply);
  bool fail(bool timeout, const std::string &message);
  std::string last_words();

  std::string program_;
  WorkerSetup setup_;
  double timeout_;
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1;
  std::string buffer_;
  WorkerError error_;
};

// The other side: serves requests on stdin until it ends. Returns the exit status.
int serve_worker();

}  // namespace alnsmith::tool::tune
