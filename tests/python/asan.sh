#!/usr/bin/env bash
# Runs the tests of the Python package with library and extension under AddressSanitizer and UBSan, built into build-asan.
# Usage: tests/python/asan.sh [TEST.py...]       (default: those of calls, inputs, results, errors and searches)
# Python itself is not instrumented, so the sanitizer's library is loaded before it; what Python keeps to its end is no leak of
# ours (test_leaks.py looks for those), and the program alnsmith that answers for specs is build/alnsmith.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[[ $# -gt 0 ]] || set -- tests/python/test_{align,errors,inputs,outputs,search}.py
cmake -S . -B build-asan -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DALNSMITH_SANITIZE=ON -DALNSMITH_TESTS=OFF >/dev/null
ninja -C build-asan alnsmith_python >/dev/null
touch build-asan/python/alnsmith/_core.pyi
export ALNSMITH_PROGRAM=$PWD/build/alnsmith ALNSMITH_PACKAGE=$PWD/build-asan/python PATH=$PWD/build:$PATH
export ALNSMITH_CACHE=${ALNSMITH_CACHE:-$PWD/build/test-cache}
LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libubsan.so) $(g++ -print-file-name=libstdc++.so)" \
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 bash tests/python/run.sh "$@"
