#!/usr/bin/env bash
# tools/regenerate writes only what changed, removes what no spec makes, and --check names what differs.
# Usage: regenerate.sh ALNSMITH_GENERATE
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/specs"
cp "$root"/specs/{dna-global-affine,dna-local-affine,edit-distance}.yaml "$folder/specs/"
{ sed 's/^score: .*/score: {target: profile}/; s/^name: .*/name: profiles/' "$root/specs/dna-global-affine.yaml"; } >"$folder/specs/profiles.yaml"
regenerate() { "$root/tools/regenerate" --generator "$1" --specs "$folder/specs" --out "$folder/out" "${@:2}"; }
fail() { echo "$*" >&2; exit 1; }

regenerate "$1" >/dev/null
[[ -s $folder/out/dna-global-affine-scalar.cpp ]] || fail "nothing written"
grep -q '^// target x86-64-v2, ' "$folder/out/dna-global-affine-x86-64-v4+x86-64-v3+x86-64-v2.cpp" || fail "no text for several targets"
[[ ! -e $folder/out/dna-global-affine-x86-64-v2.cpp ]] || fail "a text stands twice"
grep -q '^| profiles |' "$folder/out/README.md" || fail "README.md does not list what is refused"
regenerate "$1" --check || fail "fresh texts are called stale"

echo '// edited' >>"$folder/out/dna-global-affine-scalar.cpp"
rm "$folder/out/edit-distance-x86-64-v4+x86-64-v3+x86-64-v2.cpp"
touch "$folder/out/old-x86-64-v3.cpp"
kept=$(stat -c %y "$folder/out/dna-local-affine-scalar.cpp")
expected=$'dna-global-affine-scalar.cpp: stale\nedit-distance-x86-64-v4+x86-64-v3+x86-64-v2.cpp: missing\nold-x86-64-v3.cpp: no spec makes it'
if found=$(regenerate "$1" --check 2>/dev/null); then fail "--check calls a stale folder up to date"; fi
[[ $found == "$expected" ]] || fail "--check says: $found"

expected=$'dna-global-affine-scalar.cpp: written\nedit-distance-x86-64-v4+x86-64-v3+x86-64-v2.cpp: written\nold-x86-64-v3.cpp: removed'
found=$(regenerate "$1")
[[ $found == "$expected" ]] || fail "regenerate says: $found"
[[ $(stat -c %y "$folder/out/dna-local-affine-scalar.cpp") == "$kept" ]] || fail "an unchanged file was written"

sed -i 's/^alignment:/alignement:/' "$folder/specs/edit-distance.yaml"
if regenerate "$1" >/dev/null 2>"$folder/log"; then fail "a spec with a fault is passed over"; fi
grep -q 'edit-distance.yaml:.*alignement' "$folder/log" || fail "the fault is not named: $(cat "$folder/log")"

# No file takes the place of a device.
ln -s /dev/null "$folder/nothing"
if said=$("$1" text "$root/specs/edit-distance.yaml" --target scalar -o "$folder/nothing" 2>&1); then fail "a device is written over"; fi
[[ -L $folder/nothing && $said == *"$folder/nothing: cannot be written: is no regular file" ]] || fail "a device as output: $said"
