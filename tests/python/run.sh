#!/usr/bin/env bash
# Runs a test of the Python package by pytest, with the package of ALNSMITH_PACKAGE (a build's folder `python`; empty: the
# package that ALNSMITH_PYTHON has installed). Usage: run.sh TEST.py...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
python=${ALNSMITH_PYTHON:-$HOME/.local/share/alnsmith/python/bin/python}
skip() { echo "skipped: $*"; exit 77; }
[[ -x $python ]] || skip "no Python with the packages of tools/python-parts.txt (tools/setup python)"
[[ -z ${ALNSMITH_PACKAGE-} || -e $ALNSMITH_PACKAGE/alnsmith/_core.abi3.so ]] ||
  skip "this build was configured before tools/setup python: configure it again"
export PYTHONPATH=${ALNSMITH_PACKAGE-}
exec "$python" -B -m pytest -q -p no:cacheprovider --rootdir tests/python "$@"
