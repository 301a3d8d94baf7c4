# Cross compiles for 64-bit Arm with Debian's compiler, against the libraries that `tools/setup cross` unpacks into
# ALNSMITH_AARCH64_DIR, else ~/.local/share/alnsmith/aarch64:
#   cmake -S . -B build-aarch64 -G Ninja --toolchain cmake/toolchains/aarch64.cmake \
#     -DALNSMITH_GENERATOR=OFF -DALNSMITH_PROGRAM=OFF -DALNSMITH_TESTS=OFF
# What is built runs under `qemu-aarch64 -L /usr/aarch64-linux-gnu` with LD_LIBRARY_PATH naming these libraries.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
if(DEFINED ENV{ALNSMITH_AARCH64_DIR})
  set(_alnsmith_libraries "$ENV{ALNSMITH_AARCH64_DIR}")
else()
  set(_alnsmith_libraries "$ENV{HOME}/.local/share/alnsmith/aarch64")
endif()
set(CMAKE_CXX_FLAGS_INIT "-isystem ${_alnsmith_libraries}/usr/include/aarch64-linux-gnu")
foreach(kind EXE SHARED)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-Wl,-rpath-link,${_alnsmith_libraries}/usr/lib/aarch64-linux-gnu")
endforeach()
list(APPEND CMAKE_FIND_ROOT_PATH "${_alnsmith_libraries}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(what LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${what} ONLY)
endforeach()
