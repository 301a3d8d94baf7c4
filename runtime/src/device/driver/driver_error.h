// What the executors share in telling of errors: one line that names device, step, the driver's words and the mend.
#pragma once

#include <string>
#include <string_view>

#include "device/driver/executor.h"

namespace alnsmith::rt::driver {

// A compiler's or driver's log on one line, cut after `limit` bytes.
std::string on_one_line(std::string_view log, std::size_t limit = 600);

// "cuda:0: copying 4096 bytes to the device failed: CUDA_ERROR_X (text): mend", the mend by `failure`.
Error device_error(const std::string &id, const std::string &step, const std::string &driver_words, Failure failure);

// Refuses a range that leaves its memory; `what` names the memory.
Status check_range(const std::string &id, const char *what, const Memory &memory, std::size_t offset,
                   std::size_t bytes);

// The device node `path` is there but this user may not use it, or it is missing; empty if neither. For a driver that
// only says "no device".
std::string node_problem(const std::string &path, const std::string &missing, const std::string &forbidden);

// "; VARIABLE=value may hide devices" for the first of these environment variables that is set; else empty.
std::string hidden_by(std::initializer_list<const char *> variables);

}  // namespace alnsmith::rt::driver
