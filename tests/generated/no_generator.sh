#!/usr/bin/env bash
# The project configures, builds, installs and aligns with no LLVM to be found, from generated/ alone.
# Usage: no_generator.sh PROGRAM CXX     PROGRAM of the build whose scores are the reference
# ALNSMITH_FULL=1 does so with every shipped kernel; ALNSMITH_EVERY=1 with two specs' for two targets. By default the
# project is configured alone, and names nothing of LLVM's.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*" >&2; exit 1; }

specs='dna-global-affine;protein-local-blosum62'
scope=("-DALNSMITH_PREBUILT_SPECS=$specs" "-DALNSMITH_PREBUILT_TARGETS=x86-64-v2;scalar")
[[ -z ${ALNSMITH_FULL-} ]] || scope=()
# The build's own code unoptimised and all files of a room at once, in a tenth of the time; kernels have their own flags. GCC
# calls what a unity build includes a header, and warns of its anonymous namespaces.
scope+=(-DCMAKE_BUILD_TYPE=Unoptimised -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0
  -DCMAKE_CXX_FLAGS=-Wno-subobject-linkage)
if command -v ccache >/dev/null; then scope+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cd "$root"
CXX=$2 cmake --preset no-generator -B "$folder/build" -DALNSMITH_TESTS=OFF -DALNSMITH_PREBUILT_COMPILER="$2" -DCMAKE_INSTALL_PREFIX="$folder/installed" \
  -DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON -DCMAKE_DISABLE_FIND_PACKAGE_Clang=ON --no-warn-unused-cli "${scope[@]}" \
  >"$folder/configure.log" || { cat "$folder/configure.log" >&2; fail "cannot configure"; }
if grep -oE '/llvm-[0-9]+/|libLLVM|libclang' "$folder/build/build.ninja"; then fail "the build names LLVM's files"; fi
[[ -n ${ALNSMITH_FULL-}${ALNSMITH_EVERY-} ]] || exit 0
SECONDS=0
ninja -C "$folder/build" -j "$(nproc)" >"$folder/build.log" || { tail -n 40 "$folder/build.log" >&2; fail "cannot build"; }
echo "built in $SECONDS s"
[[ ! -e $folder/build/alnsmith-generate ]] || fail "alnsmith-generate was built"
bash tests/generated/linkage.sh "$folder/build/alnsmith" "$folder/build/libalnsmith.so" unoptimised

# Nothing but the installation: the build folder is gone.
cmake --install "$folder/build" >/dev/null
rm -rf "$folder/build"
program=$folder/installed/bin/alnsmith pack=$folder/installed/lib/alnsmith/packs/alnsmith-default.pack
[[ -e $pack ]] || fail "cmake --install brings no default pack"
export XDG_DATA_HOME=$folder/data  # packs of who runs this would go first
export ALNSMITH_CACHE=${ALNSMITH_CACHE:-$folder/cache}

compare() {  # SPEC QUERY TARGET [MORE]
  local spec=$1 query=tests/data/$2 target=tests/data/$3
  shift 3
  "$program" align --spec "$spec" --query "$query" --target "$target" --out "$folder/without.tsv" --explain "$@" 2>"$folder/log" ||
    { cat "$folder/log" >&2; fail "$spec: fails without generator"; }
  grep -qF "from $pack ($spec for " "$folder/log" || { cat "$folder/log" >&2; fail "$spec: not from the installed default pack"; }
  "$reference" align --spec "specs/$spec.yaml" --query "$query" --target "$target" --out "$folder/with.tsv" "$@" --quiet
  cmp "$folder/with.tsv" "$folder/without.tsv" || fail "$spec: scores differ from those of the main build"
  echo "$spec: $(($(wc -l <"$folder/with.tsv") - 1)) scores equal"
}
reference=$1
compare dna-global-affine lambda_reads.fastq.gz lambda_windows.fasta.gz
compare protein-local-blosum62 protein_queries.fasta protein_targets.fasta.gz --all
if [[ -n ${ALNSMITH_FULL-} ]]; then
  compare dna-semiglobal-affine lambda_reads.fastq.gz lambda_windows.fasta.gz
  compare genome-local-hoxd70 emp16S_reads.fasta.gz emp16S_neighbours.fasta.gz
fi

# A spec without compiled kernels: generic ones, which the whole default pack has, take no second line of gaps.
sed 's/open: 4/open: 5/; s/^name: .*/name: mine/' specs/minimap2-local-dual-affine.yaml >"$folder/mine.yaml"
grep -q 'open: 5' "$folder/mine.yaml" || fail "the spec has no costs of its own"
if "$program" align --spec "$folder/mine.yaml" --query tests/data/lambda_reads.fastq.gz \
  --target tests/data/lambda_windows.fasta.gz >"$folder/out" 2>"$folder/log"; then
  fail "a spec without kernels is aligned"
fi
grep -q "mine.*no generation: no alnsmith-generate" "$folder/log" || { cat "$folder/log" >&2; fail "the error does not say why"; }
[[ $(wc -l <"$folder/log") == 1 && ! -s $folder/out ]] || fail "more than one line is said"
