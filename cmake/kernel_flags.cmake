# ALNSMITH_KERNEL_FLAGS: what every kernel text is compiled with, as a shared object; the runtime takes the same list.
# ALNSMITH_CPU_TARGETS, ALNSMITH_FLAGS_<target>: CPU targets, wide to narrow, and what a compiler needs for each besides,
# as in the table of generator/target/target.cpp.
#
# The texts include nothing and define nothing but kernels: no start files, no run-time library; memcpy and memset
# resolve against the C library of the process. Padded lanes may overflow, hence -fwrapv. No sanitizer: kernels lie
# outside what a build with -DALNSMITH_SANITIZE=ON instruments.
set(ALNSMITH_KERNEL_FLAGS
  -x c++ -std=c++17 -O2 -fwrapv -w -Wno-psabi -fPIC -shared -nostdlib -Wl,-s -fno-rtti -fno-exceptions
  -fno-strict-aliasing -fno-stack-protector -fno-asynchronous-unwind-tables)

set(ALNSMITH_CPU_TARGETS x86-64-v4 x86-64-v3 x86-64-v2 scalar)
set(ALNSMITH_FLAGS_x86-64-v4 -march=x86-64-v4 -mprefer-vector-width=512)
set(ALNSMITH_FLAGS_x86-64-v3 -march=x86-64-v3)
set(ALNSMITH_FLAGS_x86-64-v2 -march=x86-64-v2)
set(ALNSMITH_FLAGS_scalar "")
