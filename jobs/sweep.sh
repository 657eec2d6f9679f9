#!/usr/bin/env bash
# Runs throng as a job array: every combination of some options' values with every seed.
#
#   jobs/sweep.sh DIR CONFIG SEEDS KEY VALUE... [-- KEY VALUE...]    do not use sbatch: it submits
#                                                                   itself
#   jobs/sweep.sh runs/crowd configs/quickstart.yaml 5 sources.town.count 4000 8000 12000
#   tools/collect.py runs/crowd                      means and confidence intervals; missing runs
#
# DIR/plan.tsv lists the seed and values of each run. The same command again runs what is missing,
# from its last checkpoint. tools/sweep.py, which needs Python 3 alone, does the same on one machine.
#
# To adapt: edit the #SBATCH lines, or set SBATCH_TIMELIMIT, SBATCH_PARTITION, SBATCH_ACCOUNT, ...
# (man sbatch). They apply to each run. AT_ONCE (50) limits the runs at the same time. A cluster may
# limit arrays to 1,000 jobs (scontrol show config | grep MaxArraySize).
# THRONG: path of the program. Default: build/release/throng in the folder you submit from, or the
# installed throng.
#SBATCH --job-name=sweep
#SBATCH --output=%x-%A-%a.log
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --time=01:00:00
set -euo pipefail

if [ $# -lt 5 ] || ! [[ $3 =~ ^[1-9][0-9]*$ ]]; then
  echo "jobs/sweep.sh DIR CONFIG SEEDS KEY VALUE... [-- KEY VALUE...]   (SEEDS: how many)" >&2
  exit 64
fi
# Slurm runs a copy of this script: the tool beside the original one.
export THRONG_SWEEP=${THRONG_SWEEP:-$(realpath -- "$(dirname -- "$0")/../tools/sweep.py")}
sweep=(python3 -B "$THRONG_SWEEP" "$2" -o "$1" --seeds "$3" --over "$4")
for word in "${@:5}"; do
  [ "$word" = -- ] && word=--over
  sweep+=("$word")
done

if [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then # not in a job: write the plan and submit
  runs=$("${sweep[@]}" --plan)
  exec sbatch --array="1-$runs%${AT_ONCE:-50}" "$0" "$@"
fi

export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}
mpi=${SLURM_MPI_TYPE:-pmix} # pmi2 for MPICH and Intel MPI
export THRONG_LAUNCHER="srun --mpi=$mpi --cpus-per-task=$OMP_NUM_THREADS --cpu-bind=cores"
exec "${sweep[@]}" --task "$SLURM_ARRAY_TASK_ID"
