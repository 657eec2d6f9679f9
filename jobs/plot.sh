#!/usr/bin/env bash
# Plots a finished run: a picture and a movie.
#
#   run=$(sbatch --parsable jobs/nodes.sh CONFIG --output DIR)
#   sbatch --dependency=afterok:$run jobs/plot.sh DIR [tools/plot.py options]
#
# The job waits until the run has ended with exit code 0 (afterok; a chain with all of its legs) and
# is cancelled when the run fails. The first picture is always made; the options select the second
# (default: --movie).
#
# To adapt: edit the #SBATCH lines, or pass the same options to sbatch, which override them.
# TOOLS: folder of plot.py. Default: tools in the folder you submit from, or the installed
# throng-plot. THRONG_PYTHON: a Python with numpy, h5py and matplotlib.
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
if [ -z "${TOOLS:-}" ] && [ ! -e tools/plot.py ]; then
  plot=(${THRONG_PYTHON:+"$THRONG_PYTHON"} "$(command -v throng-plot || echo throng-plot)" "$run")
fi

"${plot[@]}"
"${plot[@]}" "${@:---movie}"
