// See cache.h.  The seal stands behind the text, where an ELF loader does not look.
#include "base/cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/files.h"

namespace alnsmith::rt {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kSeal = "\nalnsmith sha256 ";
constexpr std::size_t kSealSize = kSeal.size() + 64 + 1;

std::string default_folder() {
  const auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (const auto own = variable("ALNSMITH_CACHE"); !own.empty()) return own;
  if (const auto xdg = variable("XDG_CACHE_HOME"); !xdg.empty() && xdg[0] == '/') return xdg + "/alnsmith";
  const auto home = variable("HOME");
  return home.empty() ? "" : home + "/.cache/alnsmith";
}

// Makes the folder, for the user alone.
void make(const std::string &folder) {
  std::error_code ignored;
  fs::create_directories(fs::path(folder).parent_path(), ignored);
  ::mkdir(folder.c_str(), 0700);
}

// What is wrong with the folder; empty if it can be read.
std::string unreadable(const std::string &folder) {
  if (folder.empty()) return "no cache folder: neither ALNSMITH_CACHE nor HOME is set";
  std::error_code error;
  if (!fs::is_directory(folder, error)) return folder + ": there is no cache folder";
  const auto trusted = check_trusted(folder);
  if (!trusted) return trusted.error().message;
  return ::access(folder.c_str(), R_OK | X_OK) == 0 ? "" : folder + ": cannot read the cache folder";
}

// What a killed process left half written, once it is an hour old. Looked for once an hour: a cache of thousands of
// kernels takes milliseconds to list.
void sweep(const std::string &folder) {
  constexpr auto hour = std::chrono::hours(1);
  const fs::path last = fs::path(folder) / ".swept";
  std::error_code error;
  const auto swept = fs::last_write_time(last, error);
  const auto now = fs::file_time_type::clock::now();
  if (!error && now - swept < hour && swept <= now) return;
  std::ofstream(last).put('\n');
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().rfind(".tmp-", 0) != 0) continue;
    std::error_code ignored;
    const auto written = fs::last_write_time(at->path(), ignored);
    if (!ignored && now - written > hour) fs::remove(at->path(), ignored);
  }
}

}  // namespace

Cache::Cache(const std::string &dir, Use use) {
  std::error_code error;
  folder_ = dir.empty() ? default_folder() : dir;
  if (!folder_.empty()) folder_ = fs::absolute(folder_, error).lexically_normal().string();
  while (folder_.size() > 1 && folder_.back() == '/') folder_.pop_back();
  if (use == Use::fill && !folder_.empty()) make(folder_);
  note_ = unreadable(folder_);
  if (use == Use::read) {
    if (!note_.empty()) folder_.clear();
    return;
  }
  if (note_.empty() && ::access(folder_.c_str(), W_OK) == 0) {
    sweep(folder_);
    return;
  }
  if (note_.empty()) {
    readable_ = folder_;
    note_ = folder_ + ": cannot write to the cache folder";
  }
  const char *base = std::getenv("TMPDIR");
  std::string made = std::string(base && *base == '/' ? base : "/tmp") + "/alnsmith-XXXXXX";
  private_ = ::mkdtemp(made.data()) != nullptr;
  folder_ = private_ ? made : "";
  note_ += private_ ? "; kernels are kept for this run only" : "; no private folder either";
}

Cache::~Cache() {
  std::error_code ignored;
  if (private_) fs::remove_all(folder_, ignored);
}

std::string Cache::where() const {
  const std::lock_guard lock(mutex_);
  return (note_.empty() ? folder_ : note_) + (refused_.empty() ? "" : "; " + refused_);
}

std::string Cache::path(const std::string &name) const {
  std::error_code ignored;
  const std::string own = folder_ + "/" + name, other = readable_ + "/" + name;
  return !readable_.empty() && !fs::exists(own, ignored) && fs::exists(other, ignored) ? other : own;
}

std::optional<std::string> Cache::load(const std::string &name) const {
  if (folder_.empty()) return std::nullopt;
  const std::string file = path(name);
  auto bytes = read_in_trusted_folder(file);
  std::error_code ignored;
  if (!bytes && fs::exists(file, ignored)) {
    const std::lock_guard lock(mutex_);
    refused_ = bytes.error().message;
  }
  if (!bytes || bytes->size() < kSealSize) return std::nullopt;
  const std::string_view all(*bytes);
  const auto text = all.substr(0, all.size() - kSealSize);
  if (all.substr(text.size()) != std::string(kSeal) + sha256_hex(text) + "\n") return std::nullopt;
  return std::string(text);
}

Status Cache::store(const std::string &name, std::string_view text) const {
  if (folder_.empty()) return Error{note_};
  return write_file(folder_ + "/" + name, std::string(text) + std::string(kSeal) + sha256_hex(text) + "\n");
}

}  // namespace alnsmith::rt
