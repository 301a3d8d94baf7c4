// Calls of the library from Python: without the GIL, ended by Ctrl-C, with progress, errors as exceptions.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <functional>

#include "alnsmith/alnsmith.hpp"

namespace alnsmith::python {

namespace nb = nanobind;

// Raises what stands for an error: KeyboardInterrupt (exit code 130), MemoryError, FileNotFoundError, else ValueError,
// with the error's line.
[[noreturn]] void raise(const Error &error);

// What a call does without the GIL; `cancelled` and `progress` of the options are set.
using Work = std::function<Status(const Options &)>;

// Runs it. A short call runs on the calling thread; it looks for signals when the library asks whether to go on. A long
// one has a thread of its own while this one looks for signals, and tells `progress` of pairs done, every 50 ms:
// a handler of Python's runs in its main thread alone, and that may be waiting inside a kernel otherwise.
// `progress`: None, or a callable that takes the number of pairs done; what it raises ends the call.
void run(const Work &work, Options options, nb::handle progress, bool is_short);

// Threads for a call: those wanted, but one in a process that was forked after calls of several threads, as oneTBB's
// threads are gone there.
int usable_threads(int wanted);
// Of this library in this process; before the first call.
void watch_forks();
// Ends the calls of other threads and waits for it, a second at most: the interpreter ends, and this thread ends it.
void end_calls();

}  // namespace alnsmith::python
