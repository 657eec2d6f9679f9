#!/usr/bin/env bash
# Installs the package as README.md prints it, in a new environment, and uses it outside the checkout,
# first by what README.md prints:    install.sh PYTHON_FOLDER WORK RUN PROGRAM PEDPY_ENVIRONMENT
# Packages of the last one, which python_pedpy makes, are not downloaded again. Without a network, or
# with THRONG_OFFLINE set, it is skipped (77).
set -euo pipefail
source=$1 work=$2 run=$3 program=$4 pedpy=$5
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
checkout=$work/checkout environment=$work/checkout/env # as README.md calls it
unset PYTHONPATH THRONG

skip() {
  echo "SKIPPED: $*"
  exit 77
}

printed() { # KIND [TEXT]
  python3 -B "$here/page_blocks.py" README.md "Your own crowd" "$@"
}

# pip takes what is there for installed, if it is of the same Python.
share_packages() {
  local packages
  packages=$(cd "$environment" && echo lib/python3*/site-packages)
  [[ ! -d $pedpy/$packages ]] || echo "$pedpy/$packages" >"$environment/$packages/shared.pth"
}

# A folder that is to pip and to the shell what a checkout with a build is.
make_checkout() {
  mkdir -p "$checkout/build/release"
  cp -r "$source" "$checkout/python" # pip builds in the folder of the source
  ln -s "$program" "$checkout/build/release/throng"
}

# In this shell, so that what README.md exports holds; an error ends it. That Python sees the shared
# packages proves nothing: pip has to ask for what is used.
install_as_printed() {
  local package
  cd "$checkout"
  printed sh "pip install" >"$work/install"
  # shellcheck source=/dev/null
  source "$work/install" >"$work/pip.log"
  for package in numpy h5py pandas shapely pedpy; do
    grep -qiE "^(Collecting|Requirement already satisfied:) $package\b" "$work/pip.log" || {
      echo "README.md installs no $package"
      exit 1
    }
  done
  rm -r python
}

run_as_printed() {
  mkdir "$work/empty"
  cd "$work/empty"
  printed yaml >hall.yaml
  printed python >"$work/printed.py"
  python "$work/printed.py"
}

use_the_commands() {
  cd "$work"
  [[ $(python -c 'import throng; print(throng.__file__)') == "$environment"/lib/*/site-packages/* ]]
  [[ -e $(echo "$environment"/lib/python3*/site-packages/throng/py.typed) ]]
  throng-export "$run" --format txt -o command.txt
  python -m throng export "$run" --format txt -o module.txt
  cmp command.txt module.txt
}

# Neither a variable nor PATH names the program.
without_the_program() {
  THRONG='' PATH=/usr/bin:/bin "$environment/bin/python" -c '
import throng
try:
    throng.run("hall.yaml")
except throng.Error as error:
    assert "no such program" in str(error), error
else:
    raise AssertionError("a program was found")
'
}

[[ -z ${THRONG_OFFLINE:-} ]] || skip "pip needs a network, and THRONG_OFFLINE is set"
rm -rf "$work"
mkdir -p "$work"
python3 -m venv "$environment" || skip "python3 -m venv makes no environment"
PATH=$environment/bin:$PATH
timeout 60 pip download --quiet --no-deps --dest "$work/network" setuptools ||
  skip "pip finds no network"
share_packages
make_checkout
install_as_printed
run_as_printed
use_the_commands
without_the_program
