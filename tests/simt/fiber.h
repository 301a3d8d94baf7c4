// Fibers: stacks of their own that one host thread switches between.
//
// A Stack has a guard page below it, so that overflowing it is a crash and not corruption.  A fiber that is left
// unfinished is simply forgotten: kernel code holds nothing that wants a destructor.
#pragma once

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#define SIMT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIMT_ASAN 1
#endif
#endif
#ifdef SIMT_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace simt {

class Stack {
 public:
  Stack();
  ~Stack();
  Stack(const Stack &) = delete;
  Stack &operator=(const Stack &) = delete;
  char *low() const { return low_; }
  char *high() const { return high_; }
  bool holds(const void *address) const { return address >= low_ && address < high(); }

 private:
  static constexpr std::size_t SIZE = 256 * 1024;
  char *low_, *high_;
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

// Saves registers and the stack pointer in *save, then goes on where `to` was saved. In line, and with jumps for calls
// and returns: a processor foresees returns by the calls before them, and would be wrong at each switch.
[[gnu::always_inline]] inline void switch_stack(void **save, void *to) {
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"  // what a function may keep below its stack pointer
      "pushq %%rbp\n\t"
      "pushq %%rbx\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%%rdi)\n\t"
      "movq %%rsi, %%rsp\n\t"
      "popq %%rax\n\t"
      "jmpq *%%rax\n"
      "1:\n\t"
      "popq %%rbx\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp"
      : "+D"(save), "+S"(to)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3",
        "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc",
        "memory");
}

[[gnu::always_inline]] inline void Fiber::enter() {
#ifdef SIMT_ASAN
  void *fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, stack_->low(), static_cast<std::size_t>(stack_->high() - stack_->low()));
#endif
  switch_stack(&host_stack_, fiber_stack_);
#ifdef SIMT_ASAN
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

[[gnu::always_inline]] inline void Fiber::leave([[maybe_unused]] bool last) {
#ifdef SIMT_ASAN
  void *fake = nullptr;
  __sanitizer_start_switch_fiber(last ? nullptr : &fake, host_low_, host_size_);
#endif
  switch_stack(&fiber_stack_, host_stack_);
#ifdef SIMT_ASAN
  __sanitizer_finish_switch_fiber(fake, &host_low_, &host_size_);
#endif
}

}  // namespace simt
