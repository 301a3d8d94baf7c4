# What the scripts here share: a folder of their own, and ways to fail.
set -euo pipefail
export LC_ALL=C
unset ALNSMITH_ISA ALNSMITH_GENERATE_EXECUTABLE DESTDIR PKG_CONFIG_PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*" >&2; exit 1; }
skip() { echo "skipped: $*"; exit 77; }
full_only() { [[ -n ${ALNSMITH_FULL-}${ALNSMITH_EVERY-} ]] || skip "ALNSMITH_FULL=1 runs it"; }

# quietly COMMAND...: its output only if it fails.
quietly() {
  "$@" >"$folder/quietly.log" 2>&1 || { tail -n 60 "$folder/quietly.log" >&2; fail "failed: $*"; }
}

# refuses TEXT COMMAND...: the command fails and says TEXT, an extended regular expression (CMake breaks lines anywhere).
refuses() {
  local text=$1
  shift
  if "$@" >"$folder/refuses.log" 2>&1; then fail "succeeds: $*"; fi
  tr -s ' \n' '  ' <"$folder/refuses.log" | grep -qE -- "$text" ||
    { cat "$folder/refuses.log" >&2; fail "does not say '$text': $*"; }
}
