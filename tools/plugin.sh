#!/bin/sh
# Compiles a plug-in, an avoidance method or a preferred velocity of one's own (docs/plugins.md), for
# every width of the lanes into one shared object.
set -eu

usage() {
  cat <<EOF
usage: ${0##*/} SOURCE.c [-o FILE.so]

The C compiler is \$CC, or cc: gcc or clang.
EOF
}

stop() {
  echo "${0##*/}: $*" >&2
  exit 64
}

source='' output=''
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage && exit 0 ;;
    -o)
      [ $# -gt 1 ] || stop "-o: a file is missing"
      output=$2
      shift
      ;;
    -*) stop "$1: no such option (see --help)" ;;
    *)
      [ -z "$source" ] || stop "$1: one source is expected"
      source=$1
      ;;
  esac
  shift
done
[ -n "$source" ] || stop "a source is missing (see --help)"
[ -f "$source" ] || stop "$source: no such file"
[ -n "$output" ] || output=${source%.c}.so

# The headers of the checkout, or those that were installed beside this script.
here=$(dirname -- "$(readlink -f -- "$0")")
if [ -d "$here/../src/core" ]; then
  core=$here/../src/core
else
  core=$here/../plugin
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# As throng itself: one rounding for each operation (docs/determinism.md).
compile() { # LANES options...
  lanes=$1
  shift
  "${CC:-cc}" -std=c17 -O2 -fPIC -fvisibility=hidden -ffp-contract=off -fno-math-errno \
    -fno-trapping-math -Wall -Wno-psabi -Wno-unknown-warning-option "-DLANES=$lanes" \
    -I "$core/plugin" -I "$core/avoidance" -I "$core/lanes" -I "$core/base" "$@" -c "$source" -o "$work/$lanes.o"
}

case $(uname -m) in
  x86_64) eight='-mavx2 -mbmi2' sixteen='-mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512' ;;
  *) eight='' sixteen='' ;;
esac
compile 1
compile 4
# shellcheck disable=SC2086 # words
compile 8 $eight
# shellcheck disable=SC2086
compile 16 $sixteen
"${CC:-cc}" -shared -o "$output" "$work/1.o" "$work/4.o" "$work/8.o" "$work/16.o"
echo "$output"
