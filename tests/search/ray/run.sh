#!/usr/bin/env bash
# Runs a test by the Python that has Ray: that of `tools/setup ray`, else python3. Usage: run.sh TEST.py
set -euo pipefail
for python in "${ALNSMITH_RAY_DIR:-$HOME/.local/share/alnsmith/ray}/bin/python" python3; do
  if "$python" -c 'import ray' 2>/dev/null; then exec "$python" -B "$@"; fi
done
echo "skipped: no Ray (tools/setup ray)"
exit 77
