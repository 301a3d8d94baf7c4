#!/usr/bin/env bash
# The kernels chosen fit the CPU, or the cap, and all score alike: natively capped, and as lesser CPUs under qemu-user.
# Program and library need no more than baseline x86-64, or they could not start there.
# Usage: dispatch.sh PROGRAM LIBRARY KERNELS     (KERNELS: dna-global-affine compiled for every target)
set -euo pipefail
data=$(cd "$(dirname "$0")/../data" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -L "$1" "$folder/alnsmith"
cp -L "$2" "$folder/"
cp -r "$3" "$folder/kernels"
cp -r "$data/../../specs" "$folder/specs"
unset ALNSMITH_ISA
export ALNSMITH_CACHE=$folder/cache
program=$folder/alnsmith  # no alnsmith-generate beside it: only compiled kernels are used
reads=$folder/reads.fastq windows=$folder/windows.fasta
gzip -dc "$data/lambda_reads.fastq.gz" >"$folder/all.fastq" && head -n 160 "$folder/all.fastq" >"$reads"
gzip -dc "$data/lambda_windows.fasta.gz" | awk '/^>/ {n++} n <= 40' >"$windows"

fail() { echo "$*" >&2; exit 1; }

# expect NAME TARGET COMMAND...: the command aligns with kernels for TARGET; scores as the first run's.
expect() {
  local name=$1 target=$2
  shift 2
  "$@" align --spec dna-global-affine --query "$reads" --target "$windows" --threads 2 --out "$folder/$name.tsv" \
    ${more-} 2>"$folder/$name.log" || { cat "$folder/$name.log" >&2; fail "$name: exit status $?"; }
  [[ -z $target ]] || grep -q " target=$target " "$folder/$name.log" || { cat "$folder/$name.log" >&2; fail "$name: not $target"; }
  cmp "$folder/native.tsv" "$folder/$name.tsv" || fail "$name: other scores"
  echo "$name: $(grep -o ' target=[^ ]*' "$folder/$name.log")"
}

expect native "" "$program"
[[ $(wc -l <"$folder/native.tsv") == 41 ]] || fail "not all reads are scored"
expect variable-scalar scalar env ALNSMITH_ISA=scalar "$program"
best=$(grep -o 'target=[^ ]*' "$folder/native.log")
if [[ $best != target=scalar ]]; then more='--isa x86-64-v2' expect option-v2 x86-64-v2 "$program"; fi
if "$program" align --spec dna-global-affine --query "$reads" --target "$windows" --isa x86-64-v9 2>/dev/null; then
  fail "an unknown --isa is taken"
fi

command -v qemu-x86_64 >/dev/null || { echo "no qemu-x86_64 (Debian: qemu-user): lesser CPUs are not tried"; exit 77; }
expect conroe scalar qemu-x86_64 -cpu Conroe "$program"
expect nehalem x86-64-v2 qemu-x86_64 -cpu Nehalem "$program"
expect haswell x86-64-v3 qemu-x86_64 -cpu Haswell "$program"
