#!/usr/bin/env bash
# What every source file must pass: style.sh format|scripts|types BUILD
#
# Exits with 77 where the program that checks it is not installed.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
build=$2

need() { # PROGRAM
  command -v "$1" >/dev/null || { echo "SKIPPED: no $1" && exit 77; }
}

case $1 in
  format)
    need clang-format-14
    find "$root/src" "$root/tests" "$root/bench" -name '*.[ch]' -print0 |
      xargs -0 clang-format-14 --dry-run --Werror
    ;;
  scripts)
    need shellcheck
    find "$root/tools" "$root/tests" "$root/jobs" "$root/.ci" -type f \
      \( -name '*.sh' -o -path '*/.ci/run' \) -print0 | xargs -0 shellcheck -x
    ;;
  types) # pyproject.toml says of which parts
    need mypy
    cd "$root/python" && mypy --cache-dir "$build/mypy"
    ;;
esac
