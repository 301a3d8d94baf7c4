// The stack switch and its bookkeeping; AddressSanitizer is told of each switch, since it tracks the stack's bounds.
#include "fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#ifndef __x86_64__
#error "simt: the stack switch is written for x86-64"
#endif

// First frame of a fiber: start() left the fiber in rbx and the function in rbp.
asm(R"(
.text
.hidden simt_first_frame
.globl simt_first_frame
.type simt_first_frame,@function
simt_first_frame:
  popq %rbx
  popq %rbp
  movq %rbx, %rdi
  callq *%rbp
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
  // Stacks lie one behind another. All beginning at the same place of a page, they would share a few lines of the
  // cache, and lanes that take turns would evict each other's.
  high_ = low_ + SIZE - reinterpret_cast<std::uintptr_t>(memory) / (SIZE + page) % 32 * 128;
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
  // What switch_stack() takes from a stack, and simt_first_frame then; 16-byte aligned at its call.
  void **top = reinterpret_cast<void **>(stack.high());
  *--top = reinterpret_cast<void *>(&Fiber::begin);  // rbp
  *--top = this;                                     // rbx
  *--top = reinterpret_cast<void *>(&simt_first_frame);
  fiber_stack_ = top;
}

void Fiber::begin(Fiber *self) {
#ifdef SIMT_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &self->host_low_, &self->host_size_);
#endif
  self->body_(self->argument_);
  std::abort();  // the body left for good; nobody enters again
}

}  // namespace simt
