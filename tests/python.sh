#!/bin/sh
# Runs a script by a python that has h5py, by that of the system if possible; 77 when there is none.
# It looks for the modules without importing them: an import takes as long as some of the scripts.
has_modules='import sys
from importlib.util import find_spec
sys.exit(not (find_spec("h5py") and find_spec("numpy")))'
for python in ${THRONG_PYTHON:+"$THRONG_PYTHON"} /usr/bin/python3 python3; do
  if "$python" -c "$has_modules" 2>/dev/null; then
    exec "$python" "$@"
  fi
done
echo "SKIPPED: no Python with h5py and numpy" >&2
exit 77
