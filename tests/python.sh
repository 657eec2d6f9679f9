#!/bin/sh
# Runs a script by a python that has h5py; 77 when there is none.
for python in ${THRONG_PYTHON:+"$THRONG_PYTHON"} python3 /usr/bin/python3; do
  if "$python" -c 'import h5py, numpy' 2>/dev/null; then
    exec "$python" "$@"
  fi
done
echo "no python with h5py" >&2
exit 77
