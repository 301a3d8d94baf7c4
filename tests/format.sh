#!/usr/bin/env bash
# The C++ sources are laid out as clang-format 22 lays them out.
set -euo pipefail
cd "$(dirname "$0")/.."
skip() { echo "skipped: $*"; exit 77; }
command -v clang-format-22 >/dev/null || skip "no clang-format-22"
git ls-files --error-unmatch tools/format >/dev/null 2>&1 || skip "not a git checkout"
exec tools/format --check --no-tidy
