// Ctrl-C and SIGTERM: work stops at the next question, unfinished output is removed, the exit status is 130.
#pragma once

#include <string>

#include "alnsmith/result.hpp"

namespace alnsmith::tool {

// Handles SIGINT and SIGTERM and ignores SIGPIPE, whose error writes report. A second signal, or one that
// nobody asked about within a second (blocked on stdin, say), removes the registered file and exits at once.
void catch_interrupts();

bool interrupted();
Error interrupted_error();  // exit status 130, no message

// The file to remove if the process must leave at once; empty: none. At most one at a time.
void set_unfinished_file(const std::string &path);

// No SIGINT or SIGTERM is handled while one of these lives: around making a file and registering it.
class InterruptsHeld {
 public:
  InterruptsHeld();
  ~InterruptsHeld();
  InterruptsHeld(const InterruptsHeld &) = delete;
  InterruptsHeld &operator=(const InterruptsHeld &) = delete;
};

}  // namespace alnsmith::tool
