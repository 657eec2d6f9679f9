#!/usr/bin/env bash
# Runs a Python script with the newest packages there are (PyPI's, in an environment of its own that
# stays):   wheel.sh ENVIRONMENT "PACKAGE..." SCRIPT ARGUMENTS...
# PACKAGE: as it is imported, or NAME:IMPORTED.
# Without a network, or with THRONG_OFFLINE set, it is skipped (77) unless the environment is there.
set -uo pipefail
environment=$1
read -ra packages <<<"$2"
shift 2
names=$(printf '%s\n' "${packages[@]##*:}" | sed 's/[=<>].*//' | paste -sd ,)
if ! "$environment/bin/python" -c "import $names" 2>/dev/null; then
  if [[ -n ${THRONG_OFFLINE:-} ]]; then
    echo "SKIPPED: no $names in $environment, and THRONG_OFFLINE is set"
    exit 77
  fi
  rm -rf "$environment"
  if ! { python3 -m venv "$environment" &&
    timeout 200 "$environment/bin/pip" install --quiet --no-compile "${packages[@]%%:*}"; }; then
    echo "SKIPPED: cannot be installed (python3 -m venv; pip install ${packages[*]%%:*})"
    exit 77
  fi
fi
exec "$environment/bin/python" "$@"
