// One line on stderr that updates itself, on a terminal only.
#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace alnsmith::tool {
namespace {

void to_terminal(const std::string &text) {
  const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  (void)written;  // a lost progress line harms nobody
}

}  // namespace

Progress::Progress(bool wanted)
    : active_(wanted && ::isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()), last_(start_) {}

Progress::~Progress() { wipe(); }

void Progress::update(std::uint64_t pairs_done) {
  if (!active_) return;
  const std::lock_guard lock(mutex_);
  highest_ = std::max(highest_, pairs_done);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  to_terminal(fmt::format("\r\033[K{} pairs aligned, {:.0f} s", highest_, seconds));
  shown_ = true;
}

void Progress::wipe() {
  const std::lock_guard lock(mutex_);
  if (shown_) to_terminal("\r\033[K");
  shown_ = false;
}

}  // namespace alnsmith::tool
