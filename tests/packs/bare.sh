#!/usr/bin/env bash
# A machine with no compiler, no LLVM, no /proc and no shell aligns at full speed with the default pack: the program, its
# libraries and the pack in a root of their own.
# Usage: bare.sh PROGRAM LIBRARY     Exit 77: no chroot can be had here.
# The pack holds one spec here; ALNSMITH_FULL=1 takes all shipped ones.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "$1") library=$(realpath -s "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*" >&2; exit 1; }

if [[ $(id -u) == 0 ]]; then inside=(chroot)
elif unshare --user --map-root-user true 2>/dev/null; then inside=(unshare --user --map-root-user chroot)
else echo "neither root nor user namespaces: no chroot" >&2; exit 77; fi

# As an installation lies: bin, lib, share, with the libraries that the program asks for.
bare=$folder/root
mkdir -p "$bare"/usr/{bin,lib/alnsmith/packs,share/alnsmith} "$bare/tmp" "$bare/data"
chmod 1777 "$bare/tmp"
cp -L "$program" "$bare/usr/bin/alnsmith"
cp -L "$library" "$bare/usr/lib/"
needed=$(ldd "$bare/usr/bin/alnsmith" | grep -oE '/[^ ]+' | grep -v "^$bare" | sort -u)
for file in $needed; do
  [[ $file != */libalnsmith.so* ]] || continue
  mkdir -p "$bare$(dirname "$file")"
  cp -L "$file" "$bare$file"
done
cp -r "$root/specs" "$bare/usr/share/alnsmith/"
cp "$root"/tests/data/lambda_{reads.fastq,windows.fasta}.gz "$bare/data/"
cp "$root"/tests/data/protein_{queries.fasta,targets.fasta.gz} "$bare/data/"

specs=(dna-global-affine protein-local-blosum62)
if [[ -n ${ALNSMITH_FULL-} ]]; then
  mapfile -t specs < <(cd "$root/generated" && ls ./*-scalar.cpp | sed 's|^\./||; s/-scalar\.cpp$//')
fi
pack=$bare/usr/lib/alnsmith/packs/alnsmith-default.pack
"$program" pack build "${specs[@]}" --texts "$root/generated" -o "$pack"
chmod -R go-w "$bare/usr"
if find "$bare" | grep -E 'clang|LLVM|/cc1|g\+\+|gcc$|/proc/|/sh$'; then fail "the root holds more than it should"; fi

align() {  # SPEC MORE: inside, then outside with the same pack
  local spec=$1
  shift
  "${inside[@]}" "$bare" /usr/bin/alnsmith align --spec "$spec" --out /tmp/scores.tsv --explain "$@" \
    2>"$folder/inside.log" || { cat "$folder/inside.log" >&2; fail "$spec: fails in the bare root"; }
  (cd "$bare" && ALNSMITH_CACHE=$folder/cache "$program" align --spec "$spec" --pack "$pack" --out "$folder/scores.tsv" \
    "${@//\/data/data}" 2>"$folder/outside.log") || { cat "$folder/outside.log" >&2; fail "$spec: fails outside"; }
  cmp "$bare/tmp/scores.tsv" "$folder/scores.tsv" || fail "$spec: other scores than outside"
  grep -q "from /usr/lib/alnsmith/packs/alnsmith-default.pack ($spec for " "$folder/inside.log" ||
    { cat "$folder/inside.log" >&2; fail "$spec: not from the pack"; }
  for what in kernel target; do  # full speed: the same kernels for the same instruction set
    [[ $(grep -oE " $what=[^ ]+" "$folder/inside.log") == $(grep -oE " $what=[^ ]+" "$folder/outside.log") ]] ||
      fail "$spec: another $what than outside"
  done
  echo "$spec: $(($(wc -l <"$folder/scores.tsv") - 1)) scores," \
    "inside $(grep -oE 'gcups=[^ ]+' "$folder/inside.log"), outside $(grep -oE 'gcups=[^ ]+' "$folder/outside.log")," \
    "$(grep -oE 'target=[^ ]+' "$folder/inside.log")"
}
align dna-global-affine --all --query /data/lambda_reads.fastq.gz --target /data/lambda_windows.fasta.gz
align protein-local-blosum62 --all --query /data/protein_queries.fasta --target /data/protein_targets.fasta.gz
[[ -z $(ls -A "$bare/tmp" | grep -v '^scores.tsv$') ]] || fail "temporary files are left"

# What the pack does not hold is refused in one line: nothing there could make it.
if "${inside[@]}" "$bare" /usr/bin/alnsmith align --spec no-such-spec --query /data/lambda_reads.fastq.gz \
  --target /data/lambda_windows.fasta.gz 2>"$folder/log"; then
  fail "a spec without kernels is aligned"
fi
[[ $(wc -l <"$folder/log") == 1 ]] || { cat "$folder/log" >&2; fail "more than one line is said"; }
"${inside[@]}" "$bare" /usr/bin/alnsmith pack verify /usr/lib/alnsmith/packs/alnsmith-default.pack
