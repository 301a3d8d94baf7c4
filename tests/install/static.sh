#!/usr/bin/env bash
# The static library: CMake's package and pkg-config know it, a C++ and a C program hold it and need no libalnsmith.so,
# and they find the installation whose programs are on PATH.
# Usage: static.sh PREFIX
source "$(dirname "$0")/common.sh"
prefix=$(realpath "$1")
cat >"$folder/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(own CXX)
find_package(alnsmith REQUIRED COMPONENTS static)
add_executable(own main.cpp)
target_link_libraries(own PRIVATE alnsmith::static)
END
cat >"$folder/main.cpp" <<'END'
#include <alnsmith/alnsmith.hpp>
#include <iostream>
int main(int, char **argv) {
  const auto aligner = alnsmith::Aligner::open(argv[1]);
  if (!aligner) return std::cerr << aligner.error().message << "\n", 1;
  const std::string_view query = "ACGT", target = "AGGT";
  std::int32_t score = 0;
  const auto done = aligner->align_pairs({&query, 1}, {&target, 1}, {&score, 1});
  if (!done) return std::cerr << done.error().message << "\n", 1;
  std::cout << score << "\n";
}
END
cat >"$folder/main.c" <<'END'
#include <alnsmith/alnsmith.h>
#include <stdio.h>
int main(int argc, char **argv) {
  const alnsmith_text query = {"ACGT", 4}, target = {"AGGT", 4};
  int32_t score = 0;
  alnsmith_columns columns = {0};
  alnsmith_aligner *aligner = NULL;
  columns.size = sizeof columns;
  columns.score = &score;
  if (argc != 2 || alnsmith_open_spec(argv[1], NULL, NULL, &aligner) != 0 ||
      alnsmith_align_pairs(aligner, &query, &target, 1, &columns, NULL, NULL) != 0) {
    fprintf(stderr, "%s\n", alnsmith_last_error());
    return 1;
  }
  printf("%d\n", (int)score);
  alnsmith_close(aligner);
  return 0;
}
END
quietly cmake -S "$folder" -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" --warn-uninitialized -Werror=dev
quietly cmake --build "$folder/build"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name alnsmith-static.pc)")
export PKG_CONFIG_PATH
# Named by their packages: wherever those lie, and an error that names them where they are missing.
[[ $(pkg-config --print-requires alnsmith-static | sort | xargs) == "libcrypto tbb" ]] || fail "alnsmith-static.pc requires other packages"
read -ra flags < <(pkg-config --cflags --libs alnsmith-static)
quietly "$CC" -std=c99 -pedantic -Wall -Wextra -Werror "$folder/main.c" -o "$folder/own_c" "${flags[@]}"

mv "$(find "$prefix" -name libalnsmith.a)" "$folder/kept.a"  # what is in the program needs no file
trap 'mv "$folder/kept.a" "$(dirname "$(find "$prefix" -name libalnsmith.so)")/libalnsmith.a"; rm -rf "$folder"' EXIT
for program in "$folder/build/own" "$folder/own_c"; do
  if readelf -d "$program" | grep 'NEEDED.*alnsmith'; then fail "$program needs the shared library"; fi
  [[ $(PATH=$prefix/bin:$PATH "$program" edit-distance) == 1 ]] || fail "$program: another score"
  said=$(PATH=/nowhere ALNSMITH_PREFIX=/nowhere "$program" edit-distance 2>&1) && fail "$program opens what is not there"
  [[ $said == *"set ALNSMITH_PREFIX to an installation"* ]] || fail "$program does not name the mend: $said"
done
