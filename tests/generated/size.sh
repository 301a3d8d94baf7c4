#!/usr/bin/env bash
# generated/ holds texts and stays under 8 MB and 150,000 lines.
set -euo pipefail
cd "$(dirname "$0")/../../generated"
shopt -s nullglob
texts=(*.cpp)
[[ ${#texts[@]} -gt 0 ]] || { echo "generated/ holds no texts: run tools/regenerate" >&2; exit 1; }
bytes=$(cat -- * | wc -c)
lines=$(cat -- * | wc -l)
echo "${#texts[@]} texts, $lines lines, $bytes bytes"
[[ $bytes -lt 8000000 && $lines -lt 150000 ]] || { echo "generated/ must stay under 8 MB and 150,000 lines" >&2; exit 1; }
