# ALNSMITH_KERNEL_COMPILERS: programs that compile kernel texts, the best first, as whoever finds his compiler himself
# looks for them; a clang++ before 15 lacks what the texts use. ALNSMITH_KERNEL_FLAGS: what every kernel text is compiled with, as a shared object; the runtime takes the same list.
# What a target needs besides is in targets.cmake.
#
# The texts include nothing and define nothing but kernels: no start files, no run-time library; memcpy, memset
# and sched_yield resolve against the C library of the process. Padded lanes may overflow, hence -fwrapv. No sanitizer: kernels lie
# outside what a build with -DALNSMITH_SANITIZE=ON instruments.
include("${CMAKE_CURRENT_LIST_DIR}/targets.cmake")
set(ALNSMITH_KERNEL_COMPILERS
  clang++-22 clang++-21 clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++ g++ c++)
set(ALNSMITH_KERNEL_FLAGS
  -x c++ -std=c++17 -O2 -fwrapv -w -Wno-psabi -fPIC -shared -nostdlib -Wl,-s -fno-rtti -fno-exceptions
  -fno-strict-aliasing -fno-stack-protector -fno-asynchronous-unwind-tables)
