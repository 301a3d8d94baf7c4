#!/usr/bin/env bash
# Kernels that a program links are compiled by clang++ where there is one, the newest that the library would take at run
# time, or by the compiler that is named, whatever the project's own is; one line of the configuration says which.
# Usage: compiler.sh BUILD SOURCE
source "$(dirname "$0")/common.sh"
full_only
unset ALNSMITH_CXX
prefix=$1
newest=$(sed -nE 's/^ *(clang\+\+-22 .*)\)$/\1/p' "$2/cmake/kernel_flags.cmake" | tr ' ' '\n' | sed -n 1p)
[[ $newest == clang++-* ]] || fail "no list of compilers in cmake/kernel_flags.cmake"
real=
for name in clang++-{22,21,20,19,18,17,16,15} clang++; do real=$(command -v "$name") && break; done
gcc=$(command -v g++) && [[ -n $real ]] || skip "no clang++ and g++"

# A PATH with compilers of our own before the system's: the newest that runs, and others that must not be taken.
mkdir "$folder/bin" "$folder/p"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$real" >"$folder/bin/other-clang"
printf '#!/bin/sh\necho "%s" >>"%s/ran"\nexec "%s" "$@"\n' "$newest" "$folder" "$real" >"$folder/bin/$newest"
chmod +x "$folder/bin/"*
export PATH="$folder/bin:$PATH"

cd "$folder/p"
cat >one.yaml <<'TEXT'
version: 1
name: one
alignment: global
gap: {model: linear, extend: 1}
alphabet: dna
score: {match: 2, mismatch: -1}
TEXT
cat >main.cpp <<'TEXT'
#include <alnsmith/alnsmith.hpp>
#include <cstdio>
#include "one.kernels.h"
int main() {
  const auto aligner = alnsmith::Aligner::open_linked(alnsmith_kernels_one);
  const std::string_view letters = "ACGTACGT";
  std::int32_t score = 0;
  if (!aligner || !aligner->align_pairs({&letters, 1}, {&letters, 1}, {&score, 1})) return 1;
  std::printf("%d\n", score);
}
TEXT
cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.20)
project(compiler LANGUAGES CXX)
find_package(alnsmith REQUIRED)
set(found ${callers})
set(_alnsmith_compiler ${callers})
add_library(kernels STATIC)
alnsmith_add_kernels(TARGET kernels SPECS one.yaml TARGETS scalar x86-64-v2 ${words})
target_link_libraries(kernels PUBLIC alnsmith::alnsmith)
add_executable(main main.cpp)
target_link_libraries(main PRIVATE kernels)
TEXT
configure() {  # COMPILER OPTION...: with a project's compiler
  rm -rf "$folder/b"
  cmake -S . -B "$folder/b" -G "${generator:-Ninja}" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$@"
}
# try NAME PROGRAM COMMAND...: the status line names the program, and the objects are from it.
try() {
  local name=$1 program=$2 lines object
  shift 2
  "$@" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "$name: not configured"; }
  lines=$(grep -c 'alnsmith_add_kernels: kernels are compiled by' "$folder/log" || true)
  [[ $lines == 1 ]] || fail "$name: $lines lines on the compiler"
  grep -qF "kernels are compiled by $program ($("$program" --version | head -n 1))" "$folder/log" ||
    { cat "$folder/log" >&2; fail "$name: not $program"; }
  quietly cmake --build "$folder/b"
  [[ $("$folder/b/main") == 16 ]] || fail "$name: another score"
  for object in $(find "$folder/b" -name 'one-*.kernels*.o'); do
    readelf -p .comment "$object" >>"$folder/made"
  done
  made=$(cat "$folder/made" && rm "$folder/made")
}
clang_made() { [[ $made == *clang* && $made != *GCC:* ]] || fail "$1: the kernels are not clang's: $made"; }

try 'by itself' "$folder/bin/$newest" configure "$gcc"
clang_made 'by itself'
[[ -s $folder/ran ]] || fail "$newest did not run"
cmake --build "$folder/b" >"$folder/log"
if grep -E 'Generating|Compiling|Building' "$folder/log"; then fail "the second build does something"; fi
generator='Unix Makefiles' try 'make, COMPILER as a name' "$folder/bin/other-clang" configure "$gcc" -Dwords='COMPILER;other-clang'
clang_made 'COMPILER as a name'
try "COMPILER beside the caller's own variables" "$folder/bin/other-clang" configure "$gcc" -Dwords='COMPILER;other-clang' \
  -Dcallers="$gcc"
try 'COMPILER as a path' "$gcc" configure "$gcc" -Dwords="COMPILER;$gcc"
[[ $made == *GCC:* && $made != *clang* ]] || fail "COMPILER $gcc: $made"
try 'ALNSMITH_CXX' "$folder/bin/other-clang" configure "$gcc" -DALNSMITH_CXX=other-clang
try "the project's own clang" "$folder/bin/other-clang" configure "$folder/bin/other-clang"

# One that is too old, or does not run, is passed over; without any clang it is the project's own.
printf '#!/bin/sh\necho "clang version 14.0.6"\n' >"$folder/bin/$newest"
configure "$gcc" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "an old clang++ stops the configuration"; }
grep -q 'kernels are compiled by' "$folder/log" || fail "no compiler but an old one"
if grep -F "compiled by $folder/bin/$newest" "$folder/log"; then fail "an old clang++ is taken"; fi
configure "$gcc" -DCMAKE_PROGRAM_PATH= -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF \
  -DCMAKE_MAKE_PROGRAM="$(command -v ninja)" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "no clang++, no kernels"; }
grep -qF "kernels are compiled by $gcc (" "$folder/log" || { cat "$folder/log" >&2; fail "not the project's own without clang"; }

refuses 'COMPILER no-such-compiler: no such compiler; name one on PATH, or give its path' \
  configure "$gcc" -Dwords='COMPILER;no-such-compiler'
refuses 'COMPILER needs a name or a path' configure "$gcc" -Dwords=COMPILER
printf '#!/bin/sh\n[ "$1" = -dumpmachine ] && echo mips-linux-gnu || echo "mips-g++ 12"\n' >"$folder/bin/mips-g++"
chmod +x "$folder/bin/mips-g++"
refuses 'COMPILER mips-g\+\+: makes code for mips-linux-gnu, not for' configure "$gcc" -Dwords='COMPILER;mips-g++'
