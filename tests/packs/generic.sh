#!/usr/bin/env bash
# The pack of generic kernels, of one alphabet and for one target, serves a spec of every form: with the scores that
# the spec's own kernels give. By default six of the twelve forms: every two of their words are together in one;
# ALNSMITH_FULL=1 takes all. These calls score by kernels that fill lanes with pairs: by default the packs of six forms and
# of whole alignments hold no others, which take compilers as long again.
# Usage: generic.sh PROGRAM ISA      PROGRAM with its generator
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*" >&2; exit 1; }
program=$1 isa=$2

cmake -Dfolder="$folder/specs" -Dalphabets=iupac -P "$root/generated/generic_specs.cmake"
[[ $(ls "$folder/specs" | wc -l) == 12 ]] || fail "twelve forms are expected"
forms=('global linear match' 'global affine matrix' 'local linear matrix' 'local affine match' 'semiglobal linear match'
  'semiglobal affine matrix')
if [[ ${ALNSMITH_FULL-} ]]; then
  forms=({global,local,semiglobal}' '{linear,affine}' '{match,matrix})
fi
mapfile -t specs < <(printf '%s\n' "${forms[@]// /-}" | sed "s|.*|$folder/specs/generic-iupac-&.yaml|")
pack() {  # OUT SPEC...
  local from=()
  if [[ ! ${ALNSMITH_FULL-} ]]; then
    for spec in "${@:2}"; do "$program" generate "$spec" --target "$isa" --choice mapping=lanes -o "$1.texts" >/dev/null; done
    from=(--texts "$1.texts")
  fi
  "$program" pack build "${@:2}" --target "$isa" "${from[@]}" -o "$1" --quiet
}
pack "$folder/generic.pack" "${specs[@]}"

gzip -dc "$root/tests/data/lambda_reads.fastq.gz" | awk 'NR <= 80 && NR % 4 == 1 { print ">" NR } NR <= 80 && NR % 4 == 2' >"$folder/reads.fa"
declare -A value=([linear]='{model: linear, extend: 3}' [affine]='{model: affine, open: 5, extend: 2}'
  [match]='{match: 3, mismatch: -4}' [matrix]='{matrix: NUC.4.4}')
align() { "$program" align --spec "$folder/own.yaml" --query "$folder/reads.fa" --target "$folder/reads.fa" --all --isa "$isa" "$@"; }
for form in "${forms[@]}"; do
  read -r alignment gap score <<<"$form"
  printf 'version: 1\nname: own\nalignment: %s\ngap: %s\nalphabet: iupac\nscore: %s\n' "$alignment" "${value[$gap]}" "${value[$score]}" \
    >"$folder/own.yaml"
  align --out "$folder/own.tsv" 2>"$folder/log" || { cat "$folder/log" >&2; fail "$form: fails"; }
  align --out "$folder/generic.tsv" --pack "$folder/generic.pack" 2>"$folder/log" ||
    { cat "$folder/log" >&2; fail "$form: no generic kernels"; }
  grep -q "generic kernels of 'generic-iupac-${form// /-}'" "$folder/log" || fail "$form: other kernels served"
  cmp "$folder/own.tsv" "$folder/generic.tsv" || fail "$form: other scores"
done
echo "${#forms[@]} forms: $(($(wc -l <"$folder/own.tsv") - 1)) scores each are equal"

# RNA is DNA whose T is called U; what minimizes is what maximizes with another sign.
cmake -Dfolder="$folder/dna" -Dalphabets=dna -P "$root/generated/generic_specs.cmake"
"$program" pack build "$folder"/dna/generic-dna-global-affine-{match,matrix}.yaml --target "$isa" -o "$folder/dna.pack" --quiet
printf '   A  C  G  U\nA  0  5  2  4\nC  5  0  4  2\nG  2  4  1  5\nU  3  2  5  0\n' >"$folder/costs.mat"
for words in 'alphabet: rna;score: {match: 3, mismatch: -4}' 'alphabet: dna;score: {match: 0, mismatch: 3};objective: minimize' \
  'alphabet: rna;score: {matrix: ./costs.mat};objective: minimize'; do
  { printf 'version: 1\nname: own\nalignment: global\ngap: {model: affine, open: 5, extend: 2}\n'; tr ';' '\n' <<<"$words"; } >"$folder/own.yaml"
  align --out "$folder/own.tsv" 2>"$folder/log" || { cat "$folder/log" >&2; fail "$words: fails"; }
  align --out "$folder/generic.tsv" --pack "$folder/dna.pack" 2>"$folder/log" ||
    { cat "$folder/log" >&2; fail "$words: no generic kernels"; }
  grep -q "generic kernels of 'generic-dna-global" "$folder/log" || fail "$words: other kernels served"
  cmp "$folder/own.tsv" "$folder/generic.tsv" || fail "$words: other scores"
done

# Those with whole alignments.
cmake -Dfolder="$folder/cigars" -Dcigar_alphabets=dna5 -P "$root/generated/generic_specs.cmake"
[[ $(ls "$folder/cigars" | wc -l) == 12 ]] || fail "twelve forms with CIGARs are expected"
pack "$folder/cigars.pack" "$folder/cigars/generic-dna5-local-affine-match-cigar.yaml"
printf 'version: 1\nname: own\nalignment: local\ngap: {model: affine, open: 5, extend: 2}\nalphabet: dna5\nscore: {match: 3, mismatch: -4}\noutput: [score, end, begin, cigar]\n' >"$folder/own.yaml"
align --out "$folder/own.tsv" 2>"$folder/log" || { cat "$folder/log" >&2; fail "whole alignments: fails"; }
align --out "$folder/generic.tsv" --pack "$folder/cigars.pack" 2>"$folder/log" || { cat "$folder/log" >&2; fail "no generic kernels with CIGARs"; }
grep -q "generic kernels of 'generic-dna5-local-affine-match-cigar'" "$folder/log" || fail "whole alignments: other kernels served"
cmp "$folder/own.tsv" "$folder/generic.tsv" || fail "whole alignments: others"
