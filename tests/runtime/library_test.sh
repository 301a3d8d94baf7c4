#!/bin/sh
# libalnsmith.so: needs no LLVM, Clang or YAML, is under 3 MB and exports nothing but its interface.
set -eu
needed=$(readelf -d "$1" | grep NEEDED)
if echo "$needed" | grep -iE 'llvm|clang|yaml'; then echo "must not be needed" >&2; exit 1; fi
size=$(stat -Lc %s "$1")
if readelf -S "$1" | grep -q asan || nm -D "$1" | grep -q __asan; then exit 0; fi
if [ "$size" -ge 3000000 ]; then echo "$size bytes" >&2; exit 1; fi
foreign=$(nm -D --defined-only "$1" | awk '$2 == "T" { print $3 }' | grep -vE '^alnsmith_|^_ZN?K?8alnsmith|^_ZNK8alnsmith|^_init$|^_fini$' || true)
if [ -n "$foreign" ]; then echo "exported: $foreign" >&2; exit 1; fi
