// What ThreadSanitizer is told of work that oneTBB's threads do in parts: oneTBB as systems ship it is not
// instrumented, so the order that it keeps between the caller and the parts is not seen. Costs nothing in other builds.
//
// The caller: fork(), the parts, join(). A part begins with a Part. One mark serves all calls, since a part can read
// nothing of its own call before what the caller wrote is known to be done.
#pragma once

#ifdef __SANITIZE_THREAD__
extern "C" void __tsan_acquire(void *address);  // NOLINT(bugprone-reserved-identifier): the sanitizer's names
extern "C" void __tsan_release(void *address);  // NOLINT(bugprone-reserved-identifier)
#endif

namespace alnsmith::rt::fork_join {

#ifdef __SANITIZE_THREAD__
inline char mark;
inline void fork() { __tsan_release(&mark); }
inline void join() { __tsan_acquire(&mark); }
#else
inline void fork() {}
inline void join() {}
#endif

class Part {
 public:
  Part() { join(); }
  ~Part() { fork(); }
  Part(const Part &) = delete;
  Part &operator=(const Part &) = delete;
};

}  // namespace alnsmith::rt::fork_join
