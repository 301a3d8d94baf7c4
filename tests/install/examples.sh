#!/usr/bin/env bash
# The examples build against an installation and score as the installed program does, by every instruction set of this
# CPU, with no file but their own and the library. A C program that links kernels needs no C++ library for them.
# Usage: examples.sh PREFIX EXAMPLES
source "$(dirname "$0")/common.sh"
prefix=$1
cp -r "$2" "$folder/examples"
quietly cmake -S "$folder/examples/linked" -B "$folder/linked" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" --warn-uninitialized -Werror=dev
grep -q "CMake Warning" "$folder/quietly.log" && { cat "$folder/quietly.log" >&2; fail "warnings of CMake"; }
quietly cmake --build "$folder/linked"
mkdir "$folder/c"
# The same kernels again: by default without optimisation, which also shows what inlining would hide from the linker.
printf '#!/bin/sh\nexec "%s" "$@" -O0\n' "$CXX" >"$folder/c++"
chmod +x "$folder/c++"
quietly make -C "$folder/examples/c" PREFIX="$prefix" OUT="$folder/c" CC="$CC" CXX="$([[ ${ALNSMITH_FULL-} ]] && echo "$CXX" || echo "$folder/c++")"

# Scores by hand: ACGTT on ACATT is 4 x 5 - 1; ACGTNACG on ACATTACG is 6 x 5 - 1 - 1, AC on GG is -1 - 4.
printf '%s\n' 'ACGTT TTACATTGG' 'ACGTNACG TTTACATTACGTT' 'ac GGGG' >"$folder/pairs"
printf '%s\n' '19 4 6' '28 7 10' '-5 1 1' >"$folder/by_hand"
# And many at random, with the program.
awk 'BEGIN { srand(7); for (i = 0; i < 300; ++i) { q = t = ""; n = 1 + int(60 * rand()); m = 1 + int(90 * rand());
  for (k = 0; k < n; ++k) q = q substr("ACGTN", 1 + int(5 * rand()), 1);
  for (k = 0; k < m; ++k) t = t substr("ACGTN", 1 + int(5 * rand()), 1); print q, t } }' >"$folder/random"
awk '{ print ">" NR; print $1 }' "$folder/random" >"$folder/q.fa"
awk '{ print ">" NR; print $2 }' "$folder/random" >"$folder/t.fa"
"$prefix/bin/alnsmith" align --spec "$folder/examples/linked/reads.yaml" --query "$folder/q.fa" --target "$folder/t.fa" \
  --out "$folder/program.tsv" --quiet
tail -n +2 "$folder/program.tsv" | cut -f 3- | tr '\t' ' ' >"$folder/expected"
[[ $(wc -l <"$folder/expected") == 300 ]] || fail "the program has not scored all pairs"

rm -rf "$folder/examples" "$folder/linked/alnsmith_kernels" "$folder/c/"*.{cpp,h,o}  # nothing of them is read again
for program in linked c; do
  "$folder/$program/place" <"$folder/pairs" >"$folder/scores" 2>"$folder/log"
  diff "$folder/by_hand" "$folder/scores" || fail "$program: other scores than by hand"
  best=$(grep -o 'kernels for [^,]*' "$folder/log")
  for isa in x86-64-v4 x86-64-v3 x86-64-v2 scalar; do
    ALNSMITH_ISA=$isa ALNSMITH_CACHE=/nonexistent "$folder/$program/place" <"$folder/random" >"$folder/scores" 2>"$folder/log"
    diff "$folder/expected" "$folder/scores" >/dev/null || fail "$program, $isa: other scores than the program's"
    said=$(grep -o 'kernels for [^,]*' "$folder/log")
    [[ $said == "kernels for $isa" || ( $isa > ${best#kernels for } && $said == "$best" ) ]] ||
      fail "$program: ALNSMITH_ISA=$isa gives $said"
  done
done
# The tables stay inside the program.
if nm -D --defined-only "$folder/linked/place" | grep -i 'aln'; then fail "the program exports its kernels"; fi
if readelf -d "$folder/c/place" | grep 'NEEDED.*libstdc'; then fail "the C program needs the C++ library"; fi
if printf 'ACGT\n' | "$folder/linked/place" >/dev/null 2>&1; then fail "an odd number of words is taken"; fi
