#!/usr/bin/env bash
# Significance has the same bits by another compiler, without optimisation, with every instruction of this machine, and
# on aarch64 under qemu. What is not here is skipped by name; with nothing but this build's own compiler there is still
# -O0 and -march=native, which ALNSMITH_FULL=1 takes beside the others too.
# Usage: statistics_bits.sh SOURCE COMPILER
set -euo pipefail
source=$1 own=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
room=$source/search/statistics
# One unit of all files: most of a compiler's time goes into the standard library's headers.
for name in composition elementary expected fit fit_counts frequencies likelihood random tables; do
  echo "#include \"$room/$name.cpp\""
done >"$folder/all.cpp"
echo "#include \"$source/tests/search/statistics_bits.cpp\"" >>"$folder/all.cpp"
cat >"$folder/main.cpp" <<'TEXT'
#include <cstdio>
#include "statistics_bits.h"
int main() {
  const auto found = alnsmith::test::hash_of_figures();
  std::printf("%016llx\n", static_cast<unsigned long long>(found));
  return found == alnsmith::test::kHashOfFigures ? 0 : 1;
}
TEXT
# The room's own rule for its files, read where it stands.
contract=$(sed -n 's/.*PRIVATE \(-ffp-contract=[a-z]*\)).*/\1/p' "$room/CMakeLists.txt")
[[ -n $contract ]] || { echo "search/statistics/CMakeLists.txt sets no -ffp-contract" >&2; exit 1; }
failed=0
try() {  # RUNNER COMPILER FLAGS...
  local runner=$1
  shift
  "$@" -std=c++20 $contract -I"$source/search" -I"$source/search/include" -I"$source/runtime/include" \
    -I"$source/tests/search" "$folder/main.cpp" "$folder/all.cpp" -o "$folder/program"
  if found=$($runner "$folder/program"); then echo "same: $*"; else echo "other bits, $found: $*" >&2; failed=1; fi
}
try "" "$own" -O0
machines=0
for other in clang++-22 g++; do
  if [[ $(readlink -f "$(command -v "$other")") == "$(readlink -f "$(command -v "$own")")" ]]; then continue; fi
  if command -v "$other" >/dev/null; then
    try "" "$other" -O2 -march=native
    machines=$((machines + 1))
  else
    echo "skipped: no $other"
  fi
done
if command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64 >/dev/null; then
  try qemu-aarch64 aarch64-linux-gnu-g++ -O2 -static
  machines=$((machines + 1))
else
  echo "skipped: no compiler for aarch64, or no qemu"
fi
# Otherwise instructions that round once where two would twice have been there: this machine's by one compiler,
# aarch64's by the other.
if [[ ${ALNSMITH_FULL-} ]] || ((machines < 2)); then try "" "$own" -O3 -march=native; fi
exit "$failed"
