#!/usr/bin/env bash
# From a fresh machine to a picture: installs missing packages, builds throng, runs
# configs/quickstart.yaml and draws a picture of the run.
#
#   tools/quickstart.sh [RANKS]      default: THRONG_RANKS, or 2
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

ranks=${1:-${THRONG_RANKS:-2}}
run=$root/runs/quickstart
[[ $ranks =~ ^[1-9][0-9]*$ ]] || stop "\"$ranks\" is not a number of ranks"

walk() {
  (cd "$root" && mpirun -n "$ranks" "$builds/release/throng" run configs/quickstart.yaml \
    --output "$run")
}

draw() {
  local python
  python=$(python_with numpy h5py matplotlib) ||
    stop "found no Python with numpy, h5py and matplotlib"
  "$python" "$root/tools/plot.py" "$run" --snapshot 1500 # later most people have left
}

say "checking the packages that throng needs"
install_missing "$needed_to_build" "$needed_to_show"
installed=$SECONDS
say "building (build/release)"
testing=()
has_package criterion || testing=(-DBUILD_TESTING=OFF) # as only tools/test.sh needs it
build release "throng libthrong" "${testing[@]}" # the library: for Python
built=$SECONDS
say "running configs/quickstart.yaml on $ranks ranks"
prepare_mpi
walk
ran=$SECONDS
say "drawing"
draw
say "packages: $installed s, build: $((built - installed)) s," \
  "run: $((ran - built)) s, picture: $((SECONDS - ran)) s"
