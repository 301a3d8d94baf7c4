// Fibers: stacks of their own that one host thread switches between.
//
// A Stack has a guard page below it, so that overflowing it is a crash and not corruption.  A fiber that is left
// unfinished is simply forgotten: kernel code holds nothing that wants a destructor.
#pragma once

#include <cstddef>

namespace simt {

class Stack {
 public:
  Stack();
  ~Stack();
  Stack(const Stack &) = delete;
  Stack &operator=(const Stack &) = delete;
  char *low() const { return low_; }
  char *high() const { return low_ + SIZE; }
  bool holds(const void *address) const { return address >= low_ && address < high(); }

 private:
  static constexpr std::size_t SIZE = 256 * 1024;
  char *low_;
};

class Fiber {
 public:
  // Prepares to run `body(argument)` on the stack; `body` must not return but leave() for good.
  void start(const Stack &stack, void (*body)(void *), void *argument);
  void enter();                   // from the host thread's own stack, until the fiber leaves
  void leave(bool last = false);  // from the fiber, back to where it was entered

 private:
  static void begin(Fiber *self);
  void *fiber_stack_ = nullptr;  // stack pointers while not running
  void *host_stack_ = nullptr;
  void (*body_)(void *) = nullptr;
  void *argument_ = nullptr;
  // AddressSanitizer's view of the two stacks.
  const Stack *stack_ = nullptr;
  const void *host_low_ = nullptr;
  std::size_t host_size_ = 0;
};

}  // namespace simt
