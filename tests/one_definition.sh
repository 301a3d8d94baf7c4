#!/usr/bin/env bash
# No two headers define a type of one name in one namespace: the linker would take one's members for the other's, and
# nothing says so. Usage: one_definition.sh
set -euo pipefail
cd "$(dirname "$0")/.."
twice=$(find runtime generator models oracle placement search tools -name '*.h' -o -name '*.hpp' | sort | xargs awk '
  FNR == 1 { depth = 0; space = "" }
  /^namespace [a-z_:]+ \{/ { space = space "::" $2 }
  /^\}  \/\/ namespace [a-z_:]+$/ { sub("::" $NF "$", "", space) }
  /^(struct|class|enum class|enum) [A-Za-z_]+( final)?( : [^;]*)? \{/ {
    name = $1 == "enum" && $2 == "class" ? $3 : $2
    key = space "::" name
    if (key in seen && seen[key] != FILENAME) print key " in " seen[key] " and " FILENAME
    seen[key] = FILENAME
  }')
if [[ -n $twice ]]; then echo "$twice" >&2; exit 1; fi
