#!/usr/bin/env bash
# `cmake --install` puts everything in its place. The other tests use the result.
# Usage: prefix.sh BUILD PREFIX
source "$(dirname "$0")/common.sh"
rm -rf "$2"
quietly cmake --install "$1" --prefix "$2"
for file in bin/alnsmith include/alnsmith/{alnsmith.h,alnsmith.hpp,linked.h,version.h} share/alnsmith/specs/edit-distance.yaml; do
  [[ -e $2/$file ]] || fail "$file is not installed"
done
[[ -n $(find "$2" -name libalnsmith.so) && -n $(find "$2" -name alnsmithConfig.cmake) ]] || fail "no library or no package"
# No path of the build stays behind: the prefix can be moved.
build=$(realpath "$1")
for file in $(find "$2" -name '*.cmake' -o -name '*.pc'); do
  if grep -n "$build\|$2" "$file"; then fail "$file names a folder of this machine"; fi
done
moved=$folder/moved
cp -r "$2" "$moved"
"$moved/bin/alnsmith" version >"$folder/version"
said=$("$moved/bin/alnsmith" spec check "$moved/share/alnsmith/specs/edit-distance.yaml")
[[ -n $said ]] || fail "the moved program does not work"
