#!/usr/bin/env bash
# A project's own flags do no harm: warnings as errors, -O0, -march, sanitizers, link-time optimisation, precompiled
# headers, unity builds; kernels in a static library serve a program and a shared library of the same project, which
# may hold the same spec.
# Usage: flags.sh PREFIX
source "$(dirname "$0")/common.sh"
full_only
mkdir "$folder/p"
cd "$folder/p"
cat >one.yaml <<'TEXT'
version: 1
name: one
alignment: global
gap: {model: affine, open: 2, extend: 1}
alphabet: dna
score: {match: 2, mismatch: -1}
TEXT
sed 's/match: 2/match: 5/; s/name: one/name: two/' one.yaml >two.yaml
cat >use.hpp <<'TEXT'
#pragma once
#include <alnsmith/alnsmith.hpp>
inline int score(const alnsmith_linked_kernels &kernels) {
  const auto aligner = alnsmith::Aligner::open_linked(kernels);
  const std::string_view letters = "ACGTACGTACGTACGTACGTACGTACGTACGT";
  std::int32_t score = 0;
  if (!aligner || !aligner->align_pairs({&letters, 1}, {&letters, 1}, {&score, 1})) return -1;
  return score;
}
TEXT
cat >library.cpp <<'TEXT'
#include "use.hpp"
#include "one.kernels.h"
__attribute__((visibility("default"))) int library_score();
int library_score() { return score(alnsmith_kernels_one); }
TEXT
cat >main.cpp <<'TEXT'
#include <cstdio>
#include "one.kernels.h"
#include "two.kernels.h"
#include "use.hpp"
int library_score();
int main() { std::printf("%d %d %d\n", score(alnsmith_kernels_one), score(alnsmith_kernels_two), library_score()); }
TEXT
cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.20)
project(flags LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(alnsmith REQUIRED)
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Werror)
add_library(kernels STATIC)
alnsmith_add_kernels(TARGET kernels SPECS one.yaml two.yaml)
target_link_libraries(kernels PUBLIC alnsmith::alnsmith)
target_precompile_headers(kernels PRIVATE <vector>)
add_library(shared SHARED library.cpp)
alnsmith_add_kernels(TARGET shared SPECS one.yaml)
target_link_libraries(shared PUBLIC alnsmith::alnsmith)
add_executable(main main.cpp)
target_link_libraries(main PRIVATE kernels shared)
TEXT
try() {  # NAME OPTION...
  local name=$1
  shift
  quietly cmake -S . -B "$folder/$name" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" "$@"
  quietly cmake --build "$folder/$name"
  for isa in x86-64-v4 x86-64-v3 x86-64-v2 scalar; do
    said=$(ALNSMITH_ISA=$isa "$folder/$name/main") || fail "$name, $isa: exit status $?"
    [[ $said == '64 160 64' ]] || fail "$name, $isa: $said"
  done
}
prefix=$1
try debug -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=ON -DCMAKE_CXX_FLAGS='-fsanitize=undefined -fno-sanitize-recover -march=x86-64'
try lto -DCMAKE_BUILD_TYPE=Release -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON
# What this CPU has is not what `scalar` may use.
try native -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS=-march=native
find "$folder/native" -name 'one-scalar.kernels*.o' -exec objdump -d {} + >"$folder/scalar.txt"
grep -q 'file format' "$folder/scalar.txt" || fail "no object of the scalar kernels"
if grep -E '[[:space:]](v[a-z]+[a-z0-9]*|s[ah][lr]x|andn|lzcnt|tzcnt)[[:space:]]' "$folder/scalar.txt"; then
  fail "the scalar kernels hold what -march=native allows"
fi
if nm -D --defined-only "$folder/lto/libshared.so" | grep -i ' aln'; then fail "the shared library exports its kernels"; fi
