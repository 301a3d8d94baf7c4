// Runs the built program as a user would, and makes its input files.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "scratch.h"

namespace alnsmith::testing {

using scratch::Folder;

struct Finished {
  int status = 0;  // exit status; 128 + signal where a signal ended the program
  std::string out, err;
};

// A running program; `finish` waits for it.
class Process {
 public:
  Process(const std::vector<std::string> &words, const std::string &stdin_path, const std::string &stdout_path);
  // A program whose stdin stays open and silent after `text`.
  Process(const std::vector<std::string> &words, const std::string &text);
  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;
  ~Process();
  void signal(int number) const;
  Finished finish();

 private:
  void start(const std::vector<std::string> &words, int stdin_fd, int stdout_fd);
  pid_t pid_ = -1;
  int out_ = -1, err_ = -1, hold_ = -1;
};

// `alnsmith` followed by `arguments`. An empty `stdin_path` is /dev/null; an empty `stdout_path` is captured.
Finished alnsmith(const std::vector<std::string> &arguments, const std::string &stdin_path = "",
                  const std::string &stdout_path = "");
Finished run(const std::vector<std::string> &words, const std::string &stdin_path = "",
             const std::string &stdout_path = "");

std::string program();
std::string library();
std::string shipped_spec(const std::string &name);  // its file
std::string data_file(const std::string &name);     // of tests/data

// True if this build can obtain kernels for the tests' own specs, so has the generator. What needs them is skipped
// else; tests/generated aligns with the shipped, compiled ones.
bool have_kernels();

std::string read_file(const std::string &path);
bool one_line(const std::string &text);                                           // exactly one line, with its end
void write_gzip(const std::string &path, const std::string &text, bool blocked);  // blocked: bgzip's form

// Global, affine with open 2 and extend 1, match 2, mismatch -1, letters ACGT only: the spec of most tests.
extern const char *const strict_spec;

}  // namespace alnsmith::testing

// First line of a test that needs kernels.
#define ALNSMITH_NEEDS_KERNELS() \
  if (!alnsmith::testing::have_kernels()) GTEST_SKIP() << "this build has no generator for specs of the tests' own"
