#!/usr/bin/env bash
# Runs the tests of the Python package with its extension under AddressSanitizer and UBSan, built into build/python-asan against
# the library of build/ (which the preset `asan` tests by itself).
# Usage: tests/python/asan.sh [TEST.py...]       (default: those of inputs, results, errors and searches)
# Python itself is not instrumented, so the sanitizer's library is loaded before it, and what Python keeps to its end is no leak
# of ours: test_leaks.py looks for those. CTest runs it with ALNSMITH_FULL=1, as it compiles for a minute.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=${ALNSMITH_BUILD:-$PWD/build}
[[ $# -gt 0 ]] || set -- tests/python/test_{align,errors,inputs,outputs,search}.py
if [[ -n ${ALNSMITH_BUILD-} && -z ${ALNSMITH_FULL-} ]]; then
  echo "skipped: with ALNSMITH_FULL=1"
  exit 77
fi
python=${ALNSMITH_PYTHON:-$HOME/.local/share/alnsmith/python/bin/python}
[[ -x $python ]] || { echo "skipped: no Python with the packages of tools/python-parts.txt (tools/setup python)"; exit 77; }
# g++ 12 takes parts of its own headers for uninitialised where it instruments them.
cmake -S python/alnsmith -B "$build/python-asan" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_PREFIX_PATH=$build" \
  "-DPython_EXECUTABLE=$python" \
  "-DCMAKE_CXX_FLAGS=-fsanitize=address,undefined -fno-sanitize=vptr -fno-omit-frame-pointer -Wno-maybe-uninitialized" >/dev/null
ninja -C "$build/python-asan" alnsmith_python >/dev/null
export ALNSMITH_PROGRAM=$build/alnsmith ALNSMITH_PACKAGE=$build/python-asan/python
export ALNSMITH_CACHE=${ALNSMITH_CACHE:-$build/test-cache}
LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libubsan.so) $(g++ -print-file-name=libstdc++.so)" \
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 bash tests/python/run.sh "$@"
