#!/usr/bin/env bash
# After a run: a picture of it, and a film.
#
#   run=$(sbatch --parsable jobs/nodes.sh CONFIG --output DIR)
#   sbatch --dependency=afterok:$run jobs/plot.sh DIR [tools/plot.py options]
#
# It waits until the run is done (afterok: with exit code 0; a chain with all of its legs) and is
# cancelled when the run fails. The picture is always made; the options, --movie if there are none,
# say what comes second.
#
# Change: the lines #SBATCH, or give sbatch the same options, which win.
# TOOLS is the folder of plot.py, if it is not tools of the folder you submit from; THRONG_PYTHON a
# Python with numpy, h5py and matplotlib.
#SBATCH --job-name=plot
#SBATCH --output=%x-%j.log
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
#SBATCH --kill-on-invalid-dep=yes
set -euo pipefail

run=${1:?"sbatch jobs/plot.sh DIR [tools/plot.py options]"}
shift
plot=("${THRONG_PYTHON:-python3}" "${TOOLS:-tools}/plot.py" "$run")

"${plot[@]}"
"${plot[@]}" "${@:---movie}"
