#!/usr/bin/env bash
# Neither program nor library needs LLVM or Clang, the library no YAML; the library is under 3 MB.
# Usage: linkage.sh PROGRAM LIBRARY [unoptimised]     (unoptimised: of any size)
set -euo pipefail
export LC_ALL=C
refuse() {  # FILE PATTERN
  local needed
  needed=$(readelf -d "$1" | grep NEEDED)
  if grep -iE "$2" <<<"$needed"; then echo "$1 must not need that" >&2; exit 1; fi
}
refuse "$1" 'llvm|clang'
refuse "$2" 'llvm|clang|yaml'
size=$(stat -Lc %s "$2")
[[ ${3-} == unoptimised || $size -lt 3000000 ]] || { echo "$2: $size bytes" >&2; exit 1; }
