#!/usr/bin/env bash
# The example of placement builds against an installation, with no header but those installed, and gives each read the branch
# that the installed program gives it; the shared library has nothing of it.
# Usage: placement.sh PREFIX EXAMPLES DATA
source "$(dirname "$0")/common.sh"
prefix=$(realpath "$1")
cp -r "$2/placement" "$folder/placement"
quietly cmake -S "$folder/placement" -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" --warn-uninitialized -Werror=dev
quietly cmake --build "$folder/build"

gzip -dc "$3/placement_reference.phy.gz" >"$folder/reference.phy"
"$prefix/bin/alnsmith" place --tree "$3/placement_tree.nwk" --reference "$folder/reference.phy" \
  --query "$3/placement_reads.fasta" --out "$folder/placed" --quiet
[[ $(wc -l <"$folder/placed/reads.tsv") == 41 ]] || fail "the program places other than forty reads"
awk '/^>/ { printf "%s%s ", n++ ? "\n" : "", substr($1, 2); next } { printf "%s", $0 } END { print "" }' \
  "$3/placement_reads.fasta" >"$folder/reads"
"$folder/build/branches" "$3/placement_tree.nwk" "$folder/reference.phy" <"$folder/reads" >"$folder/found"
diff "$folder/placed/reads.tsv" "$folder/found" || fail "other branches than the program's"
refuses 'is empty' "$folder/build/branches" /dev/null "$folder/reference.phy"
if nm -D --defined-only "$(find "$prefix" -name libalnsmith.so)" | grep -i 'placement'; then fail "the library has placement in it"; fi
