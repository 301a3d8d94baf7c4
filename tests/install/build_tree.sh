#!/usr/bin/env bash
# A build tree serves as an installation does, with make in place of ninja; make does nothing the second time.
# Usage: build_tree.sh BUILD EXAMPLES
source "$(dirname "$0")/common.sh"
full_only
cp -r "$2/linked" "$folder/linked"
sed -i 's/SPECS reads.yaml)/SPECS reads.yaml TARGETS scalar)/' "$folder/linked/CMakeLists.txt"
quietly cmake -S "$folder/linked" -B "$folder/build" -G "Unix Makefiles" -DCMAKE_PREFIX_PATH="$1"
quietly cmake --build "$folder/build"
[[ $(printf 'ACGTT TTACATTGG\n' | "$folder/build/place" 2>"$folder/log") == '19 4 6' ]] || fail "other scores"
grep -q 'kernels for scalar' "$folder/log" || fail "TARGETS scalar is not kept to"
sleep 0.2
echo '# a comment' >>"$folder/linked/reads.yaml"
cmake --build "$folder/build" >"$folder/log"
grep -q 'Generating kernels of reads' "$folder/log" || fail "an edited spec is not generated anew"
cmake --build "$folder/build" >"$folder/log"
if grep -E 'Generating|Building' "$folder/log"; then fail "the second build does something"; fi
sleep 0.2
sed -i 's/^A  5/A  6/' "$folder/linked/transitions.mat"
quietly cmake --build "$folder/build"
[[ $(printf 'ACGTT TTACATTGG\n' | "$folder/build/place" 2>/dev/null) == '20 4 6' ]] || fail "an edited matrix does not count"
