#!/usr/bin/env bash
# Runs a test by the Python that has Ray: that of `tools/setup ray`, else python3. Usage: run.sh TEST.py
# By default bytes, options, a task that dies and a node that goes; ALNSMITH_FULL=1 or ALNSMITH_EVERY=1 runs all.
set -euo pipefail
[[ -n ${ALNSMITH_FULL-}${ALNSMITH_EVERY-} ]] ||
  set -- "$@" Bytes.test_any_number_of_shards_gives_the_plain_run Usage Losses.test_a_task_that_dies_hard_is_run_again Losses.test_a_node_that_goes
for python in "${ALNSMITH_RAY_DIR:-$HOME/.local/share/alnsmith/ray}/bin/python" python3; do
  if "$python" -c 'import ray' 2>/dev/null; then exec "$python" -B "$@"; fi
done
echo "skipped: no Ray (tools/setup ray)"
exit 77
