#!/usr/bin/env bash
# The preset `release`, built and installed, brings the default pack and that of generic kernels: it is configured, its build
# has both packs among what it makes, and its installation takes them. Nothing is built: the packs are stand-ins.
# Usage: release.sh BUILD SOURCE
source "$(dirname "$0")/common.sh"
# What takes most of a configuration is known from the build: whether LLVM's archives link here.
known=$(sed -n 's/^ALNSMITH_HAS_LLVM_ARCHIVES:INTERNAL=/-DALNSMITH_HAS_LLVM_ARCHIVES=/p' "$1/CMakeCache.txt")
cd "$2"
quietly cmake --preset release -B "$folder/build" -DALNSMITH_TESTS=OFF -DALNSMITH_PYTHON= ${known:+"$known"}
grep -q '^ALNSMITH_PREBUILT:.*=ON$' "$folder/build/CMakeCache.txt" || fail "the preset release does not set ALNSMITH_PREBUILT"
ninja -C "$folder/build" -t commands all >"$folder/commands"
mkdir -p "$folder/build/packs"
for pack in default generic; do
  grep -q "pack build .*/alnsmith-$pack.pack" "$folder/commands" || fail "the preset release does not build alnsmith-$pack.pack"
  echo "$pack" >"$folder/build/packs/alnsmith-$pack.pack"
done
quietly cmake -DCMAKE_INSTALL_PREFIX="$folder/prefix" -P "$folder/build/generated/cmake_install.cmake"
for pack in default generic; do
  [[ $(cat "$folder/prefix/lib/alnsmith/packs/alnsmith-$pack.pack" 2>&1) == "$pack" ]] ||
    fail "an installation of the preset release has no alnsmith-$pack.pack"
done
grep -q 'generated/cmake_install.cmake' "$folder/build/cmake_install.cmake" || fail "the whole installation leaves the packs out"
