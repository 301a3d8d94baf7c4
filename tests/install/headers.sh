#!/usr/bin/env bash
# Each public header stands alone, without warnings: the C ones in C99 and C++, the C++ ones in C++20; they give the
# library's version.
# Usage: headers.sh PREFIX
source "$(dirname "$0")/common.sh"
full_only
strict=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only -I "$1/include")
for header in "$1"/include/alnsmith/*; do
  name=alnsmith/${header##*/}
  printf '#include <%s>\ntypedef int a_unit_is_not_empty;\n' "$name" >"$folder/one.c"
  cp "$folder/one.c" "$folder/one.cpp"
  case $name in
    *.h) quietly "$CC" -std=c99 "${strict[@]}" -Wstrict-prototypes "$folder/one.c"
         quietly "$CXX" -std=c++11 "${strict[@]}" "$folder/one.cpp" ;;
    *.hpp) quietly "$CXX" -std=c++20 "${strict[@]}" "$folder/one.cpp" ;;
    *) fail "$name: what is that?" ;;
  esac
done
cat >"$folder/version.c" <<'TEXT'
#include <alnsmith/alnsmith.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char text[40];
  sprintf(text, "%d.%d.%d", ALNSMITH_VERSION_MAJOR, ALNSMITH_VERSION_MINOR, ALNSMITH_VERSION_PATCH);
  puts(text);
  return strcmp(text, alnsmith_version()) != 0;
}
TEXT
pc=$(find "$1" -name alnsmith.pc)
export PKG_CONFIG_PATH=${pc%/*}
read -ra flags <<<"$(pkg-config --cflags --libs alnsmith)"
quietly "$CC" -std=c99 "$folder/version.c" -o "$folder/version" "${flags[@]}" -Wl,-rpath,"$(pkg-config --variable=libdir alnsmith)"
version=$("$folder/version") || fail "the headers are of another version than the library: $version"
[[ $(pkg-config --modversion alnsmith) == "$version" ]] || fail "pkg-config gives another version than $version"
# Nothing but the library itself: what it needs is its own affair.
[[ $(pkg-config --static --libs alnsmith) != *tbb* ]] || fail "pkg-config hands oneTBB on"
