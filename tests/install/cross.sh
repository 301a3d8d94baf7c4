#!/usr/bin/env bash
# Cross-compiling takes a generator of this machine: the package's own is for another one and cannot run.
# Usage: cross.sh PREFIX SOURCE
source "$(dirname "$0")/common.sh"
full_only
prefix=$folder/prefix
cp -r "$1" "$prefix"
printf 'a program for another machine\n' >"$prefix/bin/alnsmith-generate"
cp -r "$2/examples/linked" "$folder/linked"
cat >"$folder/toolchain.cmake" <<TEXT
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $(uname -m))
set(CMAKE_CXX_COMPILER $CXX)
set(CMAKE_FIND_ROOT_PATH $prefix)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
TEXT
configure() {
  rm -rf "$folder/build"
  cmake -S "$folder/linked" -B "$folder/build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$folder/toolchain.cmake" \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_MAKE_PROGRAM="$(command -v ninja)" "$@"
}
refuses 'no alnsmith-generate that runs here; install it .* or set ALNSMITH_GENERATE_EXECUTABLE' \
  configure -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF
refuses 'alnsmith-generate does not run on this machine' configure -DALNSMITH_GENERATE_EXECUTABLE="$prefix/bin/alnsmith-generate"
quietly configure -DALNSMITH_GENERATE_EXECUTABLE="$1/bin/alnsmith-generate"
quietly cmake --build "$folder/build"
[[ $(printf 'ACGTT TTACATTGG\n' | "$folder/build/place" 2>/dev/null) == '19 4 6' ]] || fail "other scores"
