// See progress.h.
#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace alnsmith::tool {
namespace {

void to_stderr(const std::string &text) {
  const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  (void)written;  // a lost progress line harms nobody
}

}  // namespace

Progress::Progress(bool wanted, Duration every, std::string what, std::string rate)
    : what_(std::move(what)),
      rate_(std::move(rate)),
      active_(wanted),
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

std::optional<double> Progress::share_done() const {
  if (!from_ || !until_ || part_pairs_ == 0) return std::nullopt;
  const double done = highest_ > part_begin_ ? static_cast<double>(highest_ - part_begin_) : 0;
  const double part = std::min(done / static_cast<double>(part_pairs_), 1.0);
  return std::clamp(*from_ + (*until_ - *from_) * part, 0.0, 1.0);
}

void Progress::update(std::uint64_t pairs_done) { say(pairs_done, nullptr); }
void Progress::update(std::uint64_t done, std::optional<double> share) { say(done, &share); }

// "1234 pairs aligned, 42 %, 95 s, about 131 s left".
void Progress::say(std::uint64_t done, const std::optional<double> *share) {
  if (!active_) return;
  const Duration passed = std::chrono::steady_clock::now() - start_;
  if (passed.count() < due_) return;
  const std::lock_guard lock(mutex_);
  if (passed.count() < due_) return;  // another thread was faster
  due_ = (passed + every_).count();
  highest_ = std::max(highest_, done);
  const std::optional<double> part = share != nullptr ? *share : share_done();
  const double seconds = std::chrono::duration<double>(passed).count();
  std::string text = fmt::format("{} {}", highest_, what_);
  if (part) text += fmt::format(", {:.0f} %", *part * 100);
  text += fmt::format(", {:.0f} s", seconds);
  if (!rate_.empty())
    text += fmt::format(", {:.0f} {}", static_cast<double>(highest_) / std::max(seconds, 1e-3), rate_);
  if (part && *part > 0) text += fmt::format(", about {:.0f} s left", seconds * (1 - *part) / *part);
  to_stderr(terminal_ ? "\r\033[K" + text : "alnsmith: " + text + "\n");
  shown_ = terminal_;
}

void Progress::wipe() {
  const std::lock_guard lock(mutex_);
  if (shown_) to_stderr("\r\033[K");
  shown_ = false;
}

}  // namespace alnsmith::tool
