#!/usr/bin/env bash
# The sdist builds against an installed library, with what is in it alone. Takes a minute: with ALNSMITH_FULL=1.
# In: ALNSMITH_BUILD, a build folder that is complete.
source "$(dirname "${BASH_SOURCE[0]}")/../install/common.sh"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${ALNSMITH_BUILD:-$root/build}
python=${ALNSMITH_PYTHON:-$HOME/.local/share/alnsmith/python/bin/python}
[[ ${ALNSMITH_FULL-} ]] || skip "with ALNSMITH_FULL=1"
[[ -x $python ]] || skip "no Python with the packages of tools/python-parts.txt (tools/setup python)"
for part in library dev program; do quietly cmake --install "$build" --prefix "$folder/prefix" --component $part; done
quietly env ALNSMITH_PYTHON="$python" "$root/tools/python-package" --out "$folder/dist" sdist
quietly env CMAKE_PREFIX_PATH="$folder/prefix" "$python" -m pip install --disable-pip-version-check --no-deps --no-index \
  --no-build-isolation --target "$folder/site" "$folder"/dist/alnsmith-*.tar.gz
cat >"$folder/try.py" <<'E2'
import alnsmith
assert alnsmith.Aligner("dna-global-affine").align(["ACGT"], ["ACGT"]).score.tolist() == [8]
assert len(alnsmith.read_sequences("tests/data/protein_queries.fasta")) == 12
print(alnsmith.__file__)
E2
cd "$root"
said=$(env PYTHONPATH="$folder/site" LD_LIBRARY_PATH="$folder/prefix/lib" "$python" -B "$folder/try.py")
[[ $said == "$folder"/site/* ]] || fail "it is another package: $said"
# Without a library pip says what is missing.
refuses 'alnsmithConfig.cmake|find_package.*alnsmith|package configuration file provided by "alnsmith"' env -u CMAKE_PREFIX_PATH "$python" -m pip install \
  --disable-pip-version-check --no-deps --no-index --no-build-isolation --target "$folder/other" "$folder"/dist/alnsmith-*.tar.gz
