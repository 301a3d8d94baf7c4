#!/usr/bin/env bash
# `alnsmith-generate link`: its files, what it refuses, and that it writes only what changed. The flags that CMake gives
# each text are those that its stamp asks for.
# Usage: link.sh ALNSMITH_GENERATE SOURCE
source "$(dirname "$0")/common.sh"
cd "$folder"
generate=$1
mkdir 'my specs'
cp "$2"/examples/linked/{reads.yaml,transitions.mat} 'my specs/'
link() { "$generate" link "$@"; }

link 'my specs/reads.yaml' --target x86-64-v3 --target scalar -o out --depfile out/reads.d >said
printf 'out/reads%s\n' -x86-64-v3.kernels.cpp -scalar.kernels.cpp .kernels.cpp .kernels.h | diff - said || fail "other files"
printf 'out/reads-x86-64-v3.kernels.cpp: \\\n  %s/my\\ specs/reads.yaml \\\n  %s/my\\ specs/transitions.mat\n' \
  "$folder" "$folder" | diff - out/reads.d || fail "another dependency file"
# The same bytes again, and the same files: nothing is written.
touch -d '2001-01-01' out/*
link 'my specs/reads.yaml' --target x86-64-v3 --target scalar -o out --depfile out/reads.d >/dev/null
[[ -z $(find out -type f -newermt '2001-01-02') ]] || fail "unchanged files are written"
# Another scoring: kernels change, table and header stay.
sed -i 's/open: 6/open: 7/' 'my specs/reads.yaml'
link 'my specs/reads.yaml' --target x86-64-v3 --target scalar -o out >/dev/null
[[ $(find out -type f -newermt '2001-01-02' | sort) == $'out/reads-scalar.kernels.cpp\nout/reads-x86-64-v3.kernels.cpp' ]] ||
  fail "a change writes $(find out -type f -newermt '2001-01-02')"

refuses '--target cuda:sm_90: kernels are linked for CPUs; name one of scalar, x86-64-v2' \
  link 'my specs/reads.yaml' --target cuda:sm_90 -o out
refuses '--target scalar: is given twice' link 'my specs/reads.yaml' --target scalar --target scalar -o out
refuses "the name '../x' cannot name files" link 'my specs/reads.yaml' --target scalar -o out --name ../x
refuses "the name '' cannot|--name" link 'my specs/reads.yaml' --target scalar -o out --name '-'
refuses 'out/reads.d/out: .*; name a folder that can be made' link 'my specs/reads.yaml' --target scalar -o out/reads.d/out
refuses 'none.yaml' link none.yaml --target scalar -o out
mv 'my specs/transitions.mat' away
refuses 'transitions.mat' link 'my specs/reads.yaml' --target scalar -o new
[[ ! -e new ]] || fail "something was written without the matrix"
mv away 'my specs/transitions.mat'

# Two specs in one object file's neighbourhood: the units have no symbol in common but those that name them.
targets=(x86-64-v4 x86-64-v3 x86-64-v2 scalar)
link 'my specs/reads.yaml' "${targets[@]/#/--target=}" -o out --name 'a.b-c' >/dev/null
grep -q 'alnsmith_kernels_a_b_c;' out/a.b-c.kernels.h || fail "another symbol"
for target in "${targets[@]}"; do
  stamp=$(sed -nE 's,^// target [^ ]+\, compile with (.*)$,\1,p' "out/a.b-c-$target.kernels.cpp")
  cat >flags.cmake <<TEXT
include("$2/cmake/kernel_flags.cmake")
list(JOIN ALNSMITH_FLAGS_$target " " flags)
message("\${flags}")
TEXT
  flags=$(cmake -P flags.cmake 2>&1)
  [[ $flags == "$stamp" ]] || fail "$target: CMake compiles with '$flags', the text asks for '$stamp'"
done
"$CXX" -std=c++17 -w -c out/a.b-c-scalar.kernels.cpp -o unit.o
symbols=$(nm --defined-only --extern-only unit.o | cut -d' ' -f3)
[[ $symbols == alnsmith_kernels_a_b_c_scalar ]] || fail "a unit shows $symbols"
