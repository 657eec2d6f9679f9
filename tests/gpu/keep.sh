#!/bin/sh
# Runs a compiler and keeps in FILE what it says: keep.sh FILE command...
file=$1
shift
"$@" 2>"$file"
code=$?
[ "$code" -eq 0 ] || cat "$file" >&2
exit "$code"
