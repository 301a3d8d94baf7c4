#!/bin/sh
# libalnsmith.so: needs no LLVM, Clang or YAML, is under 3 MB, has a SONAME with its version, and exports exactly the
# interface listed in exported.txt (sorted, demangled): what is missing there is in no header, what is too much would
# be kept for ever.
# Usage: library_test.sh LIBRARY SONAME EXPORTED
set -eu
export LC_ALL=C
needed=$(readelf -d "$1" | grep NEEDED)
if echo "$needed" | grep -iE 'llvm|clang|yaml'; then echo "must not be needed" >&2; exit 1; fi
readelf -d "$1" | grep -qF "soname: [$2]" || { echo "the SONAME is not $2" >&2; exit 1; }
size=$(stat -Lc %s "$1")
if readelf -S "$1" | grep -q asan || nm -D "$1" | grep -q __asan; then exit 0; fi
if [ "$size" -ge 3000000 ]; then echo "$size bytes" >&2; exit 1; fi
# Every kind of symbol counts, data and the C++ library's templates too.
nm -D --defined-only -C "$1" | cut -d' ' -f3- | sed 's/\[abi:cxx11\]//g; s/, 18446744073709551615ul>/>/g' | sort -u >exported.new
if ! diff -u "$3" exported.new; then
  echo "the exported symbols are not those of $3: hide what is private, list what is public" >&2
  exit 1
fi
rm exported.new
