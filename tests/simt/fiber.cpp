// The stack switch and its bookkeeping; AddressSanitizer is told of each switch, since it tracks the stack's bounds.
#include "fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <new>

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

#ifndef __x86_64__
#error "simt: the stack switch is written for x86-64"
#endif

// Saves the callee's registers and the stack pointer in *save, then goes on where `to` was saved.
extern "C" void simt_switch_stack(void **save, void *to) __attribute__((visibility("hidden")));
asm(R"(
.text
.hidden simt_switch_stack
.globl simt_switch_stack
.type simt_switch_stack,@function
simt_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size simt_switch_stack, .-simt_switch_stack

# First frame of a fiber: start() left the fiber in rbx and the function in r12.
.hidden simt_first_frame
.globl simt_first_frame
.type simt_first_frame,@function
simt_first_frame:
  movq %rbx, %rdi
  callq *%r12
  ud2
.size simt_first_frame, .-simt_first_frame
)");
extern "C" void simt_first_frame() __attribute__((visibility("hidden")));

namespace simt {

Stack::Stack() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void *memory = mmap(nullptr, SIZE + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory, page, PROT_NONE);
  low_ = static_cast<char *>(memory) + page;
}

Stack::~Stack() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  munmap(low_ - page, SIZE + page);
}

void Fiber::start(const Stack &stack, void (*body)(void *), void *argument) {
  body_ = body;
  argument_ = argument;
  stack_ = &stack;
#ifdef SIMT_ASAN
  __asan_unpoison_memory_region(stack.low(), static_cast<std::size_t>(stack.high() - stack.low()));
#endif
  // In the order in which simt_switch_stack pops: r15 r14 r13 r12 rbx rbp, then the return address; 16-byte aligned
  // at the call in simt_first_frame.
  void **top = reinterpret_cast<void **>(stack.high());
  *--top = nullptr;
  *--top = nullptr;
  *--top = reinterpret_cast<void *>(&simt_first_frame);
  *--top = nullptr;                                  // rbp
  *--top = this;                                     // rbx
  *--top = reinterpret_cast<void *>(&Fiber::begin);  // r12
  for (int i = 0; i < 3; ++i) *--top = nullptr;      // r13 r14 r15
  fiber_stack_ = top;
}

void Fiber::begin(Fiber *self) {
#ifdef SIMT_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &self->host_low_, &self->host_size_);
#endif
  self->body_(self->argument_);
  std::abort();  // the body left for good; nobody enters again
}

void Fiber::enter() {
#ifdef SIMT_ASAN
  void *fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, stack_->low(), static_cast<std::size_t>(stack_->high() - stack_->low()));
#endif
  simt_switch_stack(&host_stack_, fiber_stack_);
#ifdef SIMT_ASAN
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

void Fiber::leave(bool last) {
#ifdef SIMT_ASAN
  void *fake = nullptr;
  __sanitizer_start_switch_fiber(last ? nullptr : &fake, host_low_, host_size_);
  simt_switch_stack(&fiber_stack_, host_stack_);
  __sanitizer_finish_switch_fiber(fake, &host_low_, &host_size_);
#else
  (void)last;
  simt_switch_stack(&fiber_stack_, host_stack_);
#endif
}

}  // namespace simt
