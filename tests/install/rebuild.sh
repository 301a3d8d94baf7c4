#!/usr/bin/env bash
# A change remakes exactly what follows from it: spec, matrix, generator; mistakes in words and specs are one clear error.
# Usage: rebuild.sh PREFIX
source "$(dirname "$0")/common.sh"
full_only
prefix=$1
mkdir "$folder/p"
cd "$folder/p"
cat >m.mat <<'TEXT'
  A B
A 3 -2
B -2 3
TEXT
cat >a.yaml <<'TEXT'
version: 1
name: with-matrix
alignment: global
gap: {model: linear, extend: 1}
alphabet: {letters: AB}
score: {matrix: ./m.mat}
TEXT
cat >b.yaml <<'TEXT'
version: 1
name: plain
alignment: local
gap: {model: affine, open: 2, extend: 1}
alphabet: dna
score: {match: 2, mismatch: -1}
TEXT
cat >main.cpp <<'TEXT'
#include <alnsmith/alnsmith.hpp>
#include <cstdio>
#include "a.kernels.h"
#include "b.kernels.h"
int score(const alnsmith_linked_kernels &kernels, std::string_view query, std::string_view target) {
  const auto aligner = alnsmith::Aligner::open_linked(kernels);
  std::int32_t score = -99;
  if (!aligner || !aligner->align_pairs({&query, 1}, {&target, 1}, {&score, 1})) return -98;
  return score;
}
int main() { std::printf("%d %d\n", score(alnsmith_kernels_a, "AABA", "AABB"), score(alnsmith_kernels_b, "TACGT", "ACG")); }
TEXT
cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.20)
project(rebuild LANGUAGES CXX)
find_package(alnsmith 0.1 REQUIRED COMPONENTS generate)
add_executable(main main.cpp)
target_link_libraries(main PRIVATE alnsmith::alnsmith)
alnsmith_add_kernels(TARGET main SPECS a.yaml b.yaml TARGETS scalar x86-64-v2)
TEXT
cp "$prefix/bin/alnsmith-generate" "$folder/generate"
chmod u+w "$folder/generate"
configure() { cmake -S . -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DALNSMITH_GENERATE_EXECUTABLE="$folder/generate" "$@"; }

# expect WHAT...: the build does just this: gen:NAME, cxx:OBJECT, link.
expect() {
  local did
  sleep 0.2  # the grain of time stamps
  cmake --build "$folder/build" -- -v >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "cannot build"; }
  did=$(sed -nE 's/.*generate link .*--name ([^ ]*) .*/gen:\1/p; s/.* -c .*\/([^/ ]*)\.cpp$/cxx:\1/p; s/.* -o main .*/link/p' "$folder/log" |
    sort | tr '\n' ' ')
  [[ $did == "$(printf '%s\n' "$@" | sed '/^$/d' | sort | tr '\n' ' ')" ]] || { cat "$folder/log" >&2; fail "the build does: $did, not: $*"; }
}
scores() { [[ $("$folder/build/main") == "$1" ]] || fail "scores $("$folder/build/main"), not $1"; }

quietly configure
expect gen:a gen:b cxx:main cxx:a.kernels cxx:a-scalar.kernels cxx:a-x86-64-v2.kernels \
  cxx:b.kernels cxx:b-scalar.kernels cxx:b-x86-64-v2.kernels link
scores '7 6'
expect ''
echo '# a remark' >>a.yaml  # the same spec
expect gen:a
expect ''
sed -i 's/A 3/A 4/' m.mat
expect gen:a cxx:a-scalar.kernels cxx:a-x86-64-v2.kernels link
scores '9 6'
sed -i 's/match: 2/match: 3/' b.yaml
expect gen:b cxx:b-scalar.kernels cxx:b-x86-64-v2.kernels link
scores '9 9'
touch "$folder/generate"
expect gen:a gen:b
touch main.cpp
expect cxx:main link

# A mistake stops the build where it is; mended, the build goes on.
cp b.yaml b.good
sed -i 's/^gap:/gaps:/' b.yaml
refuses 'b\.yaml:4:1: ' cmake --build "$folder/build"
cp b.good b.yaml
quietly cmake --build "$folder/build"
mv m.mat m.away
refuses 'm\.mat' cmake --build "$folder/build"
mv m.away m.mat
quietly cmake --build "$folder/build"
scores '9 9'

# Mistakes in the words of the function.
words() { sed "s/^alnsmith_add_kernels(.*/alnsmith_add_kernels($1)/" CMakeLists.txt >c.new && mv c.new CMakeLists.txt; }
words 'TARGET main SPECS a.yaml TARGETS x86-64-v9'
refuses 'TARGETS x86-64-v9: no such CPU target; name some of x86-64-v4' configure
words 'TARGET main SPECS none.yaml'
refuses 'SPECS none.yaml: no such file' configure
words 'TARGET main SPECS a.yaml .\/a.yaml'
refuses 'main has kernels of that name already; rename' configure
words 'TARGET nowhere SPECS a.yaml'
refuses 'there is no target nowhere' configure
words 'TARGET main SPEC a.yaml'
refuses 'unknown words SPEC;a.yaml; write alnsmith_add_kernels\(TARGET' configure
words 'TARGET main'
refuses 'TARGET and SPECS are needed' configure
words 'TARGET main SPECS a.yaml b.yaml TARGETS scalar'
refuses 'none of that here does not run on this machine' configure -DALNSMITH_GENERATE_EXECUTABLE="none of that here"
sed -i 's/ LANGUAGES CXX/ LANGUAGES C/' CMakeLists.txt
sed -i 's/main.cpp/main.c/' CMakeLists.txt
echo 'int main(void) { return 0; }' >main.c
refuses 'enable the language CXX' cmake -S . -B "$folder/other" -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
sed -i 's/find_package(alnsmith 0.1/find_package(alnsmith 0.9/' CMakeLists.txt
refuses 'requested version "0.9"' cmake -S . -B "$folder/other" -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
