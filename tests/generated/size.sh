#!/usr/bin/env bash
# generated/ holds texts and stays under 10 MB.
set -euo pipefail
cd "$(dirname "$0")/../../generated"
shopt -s nullglob
texts=(*.cpp)
[[ ${#texts[@]} -gt 0 ]] || { echo "generated/ holds no texts: run tools/regenerate" >&2; exit 1; }
bytes=$(cat -- * | wc -c)
echo "${#texts[@]} texts, $bytes bytes"
[[ $bytes -lt 10000000 ]] || { echo "generated/ must stay under 10 MB" >&2; exit 1; }
