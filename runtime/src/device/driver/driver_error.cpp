// The words of device errors.  See driver_error.h.
#include "device/driver/driver_error.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace alnsmith::rt::driver {
namespace {

const char *mend(Failure failure) {
  switch (failure) {
    case Failure::memory:
      return "; free memory of the device, or align fewer or shorter sequences at a time";
    case Failure::launch:
      return "; generate kernels for this device anew, or use another device";
    case Failure::lost:
      return "; the device is lost to this program: start it again, and look at the kernel's log (dmesg)";
    default:
      return "";
  }
}

}  // namespace

std::string on_one_line(std::string_view log, std::size_t limit) {
  std::string line;
  bool gap = false;
  for (const char c : log) {
    if (static_cast<unsigned char>(c) <= ' ') {
      gap = !line.empty();
      continue;
    }
    if (line.size() >= limit) return line + "...";
    if (gap) line += ' ';
    gap = false;
    line += c;
  }
  return line;
}

Error device_error(const std::string &id, const std::string &step, const std::string &driver_words, Failure failure) {
  return Error{id + ": " + step + " failed: " + driver_words + mend(failure)};
}

Status check_range(const std::string &id, const char *what, const Memory &memory, std::size_t offset,
                   std::size_t bytes) {
  if (offset <= memory.size() && bytes <= memory.size() - offset) return Ok{};
  return Error{id + ": bytes " + std::to_string(offset) + " to " + std::to_string(offset + bytes) + " are outside " +
               what + " of " + std::to_string(memory.size()) + " bytes"};
}

std::string node_problem(const std::string &path, const std::string &missing, const std::string &forbidden) {
  if (::faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, AT_EACCESS) == 0) return "";
  return path + (errno == EACCES ? " may not be used by this user: " + forbidden : " is missing: " + missing);
}

std::string hidden_by(std::initializer_list<const char *> variables) {
  for (const char *variable : variables)
    if (const char *value = std::getenv(variable))
      return std::string("; ") + variable + "=" + value + " may hide devices";
  return "";
}

}  // namespace alnsmith::rt::driver
