// See progress.h.
#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace alnsmith::tool {
namespace {

void to_stderr(const std::string &text) {
  const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  (void)written;  // a lost progress line harms nobody
}

}  // namespace

Progress::Progress(bool wanted, Duration every)
    : active_(wanted),
      terminal_(::isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      every_(terminal_ ? std::chrono::milliseconds(100) : every),
      due_(every_.count()) {}

Progress::~Progress() { wipe(); }

void Progress::begin_part(std::uint64_t pairs, std::optional<double> until) {
  const std::lock_guard lock(mutex_);
  part_begin_ += part_pairs_;
  part_pairs_ = pairs;
  from_ = until_;
  until_ = until;
}

// "1234 pairs aligned, 42 %, 95 s, about 131 s left".
std::string Progress::line(double seconds) const {
  std::string text = fmt::format("{} pairs aligned", highest_);
  const std::string time = fmt::format(", {:.0f} s", seconds);
  if (!from_ || !until_ || part_pairs_ == 0) return text + time;
  const double done = highest_ > part_begin_ ? static_cast<double>(highest_ - part_begin_) : 0;
  const double part = std::min(done / static_cast<double>(part_pairs_), 1.0);
  const double share = std::clamp(*from_ + (*until_ - *from_) * part, 0.0, 1.0);
  text += fmt::format(", {:.0f} %", share * 100) + time;
  return share > 0 ? text + fmt::format(", about {:.0f} s left", seconds * (1 - share) / share) : text;
}

void Progress::update(std::uint64_t pairs_done) {
  if (!active_) return;
  const Duration passed = std::chrono::steady_clock::now() - start_;
  if (passed.count() < due_) return;
  const std::lock_guard lock(mutex_);
  if (passed.count() < due_) return;  // another thread was faster
  due_ = (passed + every_).count();
  highest_ = std::max(highest_, pairs_done);
  const std::string text = line(std::chrono::duration<double>(passed).count());
  to_stderr(terminal_ ? "\r\033[K" + text : "alnsmith: " + text + "\n");
  shown_ = terminal_;
}

void Progress::wipe() {
  const std::lock_guard lock(mutex_);
  if (shown_) to_stderr("\r\033[K");
  shown_ = false;
}

}  // namespace alnsmith::tool
