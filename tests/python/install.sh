#!/usr/bin/env bash
# Installs the package with pip and uses it outside the checkout: install.sh PYTHON_FOLDER WORK RUN
# Without a network, or with THRONG_OFFLINE set, it is skipped (77).
set -euo pipefail
source=$1 work=$2 run=$3
if [[ -n ${THRONG_OFFLINE:-} ]]; then
  echo "SKIPPED: pip needs a network, and THRONG_OFFLINE is set"
  exit 77
fi
rm -rf "$work"
mkdir -p "$work"
cp -r "$source" "$work/python" # pip builds in the folder of the source
if ! { python3 -m venv "$work/environment" &&
  timeout 200 "$work/environment/bin/pip" install --quiet "$work/python"; }; then
  echo "SKIPPED: pip cannot install (python3 -m venv; pip install $source)"
  exit 77
fi
cd "$work"
rm -r python
[[ $(environment/bin/python -c 'import throng; print(throng.__file__)') == */site-packages/* ]]
[[ -e $(echo environment/lib/python3*/site-packages/throng/py.typed) ]]
environment/bin/throng-export "$run" --format txt -o command.txt
environment/bin/python -m throng export "$run" --format txt -o module.txt
cmp command.txt module.txt
THRONG='' PATH=/usr/bin:/bin environment/bin/python -c '
import throng
try:
    throng.run("hall.yaml")
except throng.Error as error:
    assert "no such program" in str(error), error
'
