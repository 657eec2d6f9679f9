#!/usr/bin/env bash
# Runs read_vtk.py with the newest VTK there is (PyPI's, in an environment of its own that stays):
#   vtk_wheel.sh ENVIRONMENT READ_VTK ARGUMENTS...
# Without a network, or with THRONG_OFFLINE set, it is skipped (77) unless the environment is there.
set -uo pipefail
environment=$1
shift
if ! "$environment/bin/python" -c 'import vtk, numpy' 2>/dev/null; then
  if [[ -n ${THRONG_OFFLINE:-} ]]; then
    echo "SKIPPED: no VTK in $environment, and THRONG_OFFLINE is set"
    exit 77
  fi
  rm -rf "$environment"
  if ! { python3 -m venv "$environment" &&
    timeout 200 "$environment/bin/pip" install --quiet vtk numpy; }; then
    echo "SKIPPED: the vtk wheel cannot be installed (python3 -m venv; pip install vtk)"
    exit 77
  fi
fi
exec "$environment/bin/python" "$@"
