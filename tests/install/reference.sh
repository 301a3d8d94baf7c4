#!/usr/bin/env bash
# The API's reference is complete: Doxygen has no warning, each exported name is in it; and it would notice: without its
# words, a parameter, a field or a function is an error.
# Usage: reference.sh SOURCE VERSION
source "$(dirname "$0")/common.sh"
command -v doxygen >/dev/null || skip "no doxygen"
export ALNSMITH_VERSION=$2 ALNSMITH_REFERENCE=$folder/reference
make_reference() {
  rm -rf "$folder/reference"
  mkdir "$folder/reference"
  (cd "$1" && doxygen docs/Doxyfile)
}
quietly make_reference "$1"
[[ ! -s $folder/quietly.log ]] || { cat "$folder/quietly.log" >&2; fail "Doxygen has something to say"; }
[[ -s $folder/reference/html/index.html ]] || fail "no pages"
while read -r symbol; do
  name=${symbol%%(*} name=${name##*::}
  grep -qF "<name>$name</name>" "$folder"/reference/xml/*.xml || fail "$symbol is exported and not in the reference"
done < <(sed -E '/^(vtable|typeinfo)( name)? for /d; s/ (const|volatile)$//; s/operator=\(.*/operator=/' "$1/tests/runtime/exported.txt")

mkdir -p "$folder/copy/runtime/include" "$folder/copy/docs"
without() {  # FILE EXPRESSION WARNING
  rm -rf "$folder/copy/runtime/include/alnsmith"
  cp -r "$1/runtime/include/alnsmith" "$folder/copy/runtime/include/"
  cp "$1"/docs/{Doxyfile,reference.md} "$folder/copy/docs/"
  sed -i "$3" "$folder/copy/runtime/include/alnsmith/$2"
  cmp -s "$1/runtime/include/alnsmith/$2" "$folder/copy/runtime/include/alnsmith/$2" && fail "$2 has nothing like $3"
  refuses "$4" make_reference "$folder/copy"
}
without "$1" alnsmith.hpp '/@param sources where they/d' "sources"
without "$1" alnsmith.hpp 's/  *\/\/\/< of a call; 0: all that oneTBB.*//' "threads"
without "$1" devices.hpp '/^\/\/\/ The CPU under the name/,/@return/d' "cpu_device"
without "$1" alnsmith.h 's/\/\*\*< sum of query length x target length \*\///' "cells"
