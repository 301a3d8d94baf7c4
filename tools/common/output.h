// Where results go: stdout, or a file that appears only when it is complete.
#pragma once

#include <string>
#include <string_view>

#include "alnsmith/result.hpp"

namespace alnsmith::tool {

// A file is written under a temporary name in its own folder and renamed by `finish`; without `finish` nothing
// is left behind. Devices and pipes (/dev/stdout, a fifo) are written directly. Writes are buffered; the first
// failure is kept and every later call returns it.
class Output {
 public:
  static Result<Output> open(const std::string &path);  // empty or "-": stdout

  Output(Output &&other) noexcept;
  Output &operator=(Output &&) = delete;
  ~Output();

  void text(std::string_view text);
  Status flush();   // hands what is buffered to the system
  Status finish();  // flushes, closes and puts the file in its place

 private:
  Output() = default;
  Status failure(int code);

  int fd_ = -1;
  std::string label_;      // for messages
  std::string temporary_;  // empty: written directly
  std::string final_;
  std::string buffer_;
  Error error_{"", 0};  // exit_code 0: none yet
};

}  // namespace alnsmith::tool
