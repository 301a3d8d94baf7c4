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
pages=$2/share/doc/alnsmith
[[ -e $pages/docs/tutorial.md && -n $(find "$pages/examples" -name CMakeLists.txt) ]] ||
  fail "documents or examples are not installed"
# Links of the installed pages lead to installed files; what stands between ``` is no link.
dead=$(find "$pages" -name '*.md' | sort | while read -r page; do
  sed '/^```/,/^```/d' "$page" | { grep -oP '\]\(\K[^)\s#:]+(?=[)#])' || true; } | while read -r link; do
    [[ -e $(dirname "$page")/$link ]] || echo "${page#"$pages/"}: $link"
  done
done)
[[ -z $dead ]] || fail "links of installed pages lead nowhere; install what they name (tools/CMakeLists.txt):"$'\n'"$dead"
[[ -e $2/share/alnsmith/tsan.supp ]] || fail "no suppressions for ThreadSanitizer"
# A manual page for the program and each subcommand, with the synopsis of its help.
if command -v help2man >/dev/null; then
  for words in "" $("$2/bin/alnsmith" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -vx help) "pack build"; do
    page=$2/share/man/man1/alnsmith${words:+-${words// /-}}.1
    [[ -e $page ]] || fail "no manual page $page"
    sed -n '/^.SH SYNOPSIS/,/^.SH DESC/p' "$page" | grep -q -- "${words:-alnsmith}" || fail "$page has no synopsis"
    if grep -n "$(realpath "$1")" "$page"; then fail "$page names a folder of this machine"; fi
  done
fi
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
