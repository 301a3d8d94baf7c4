#!/usr/bin/env bash
# The example of database search builds against an installation, with no header but those installed, and prints the hits and
# E-values of the installed program; the shared library has nothing of it.
# Usage: search.sh PREFIX EXAMPLES
source "$(dirname "$0")/common.sh"
prefix=$(realpath "$1")
cp -r "$2/search" "$folder/search"
quietly cmake -S "$folder/search" -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" --warn-uninitialized -Werror=dev
quietly cmake --build "$folder/build"

awk 'BEGIN { srand(7); for (i = 0; i < 500; ++i) { t = ""; m = 1 + int(400 * rand());
  for (k = 0; k < m; ++k) t = t substr("ACGTN", 1 + int(5 * rand()), 1); print ">t" i; print t } }' >"$folder/t.fa"
query=$(awk 'BEGIN { srand(8); for (k = 0; k < 60; ++k) t = t substr("ACGT", 1 + int(4 * rand()), 1); print t }')
printf '>q\n%s\n' "$query" >"$folder/q.fa"
"$prefix/bin/alnsmith" makedb "$folder/t.fa" -o "$folder/t.alndb" --quiet
"$prefix/bin/alnsmith" search --spec "$folder/search/reads.yaml" --query "$folder/q.fa" --db "$folder/t.alndb" --top 10 \
  --strand plus --composition off --evalue 1e9 --columns target,score,evalue --quiet | tail -n +2 | tr '\t' ' ' >"$folder/expected"
[[ $(wc -l <"$folder/expected") == 10 ]] || fail "the program finds other than ten hits"
"$folder/build/hits" "$folder/t.alndb" "$query" >"$folder/hits"
diff "$folder/expected" "$folder/hits" || fail "other hits than the program's"
refuses 'no database' "$folder/build/hits" "$folder/t.fa" ACGT
if nm -D --defined-only "$(find "$prefix" -name libalnsmith.so)" | grep -i 'search'; then fail "the library has search in it"; fi
