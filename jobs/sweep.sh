#!/usr/bin/env bash
# Runs throng as a job array: every value of one option with every seed.
#
#   jobs/sweep.sh DIR CONFIG SEEDS KEY VALUE...      do not use sbatch: it submits itself
#   jobs/sweep.sh runs/crowd configs/quickstart.yaml 5 sources.town.count 4000 8000 12000
#   tools/collect.py runs/crowd                      means and confidence intervals; missing runs
#
# DIR/plan.tsv lists the seed and value of each run. The same command again runs what is missing.
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
  echo "jobs/sweep.sh DIR CONFIG SEEDS KEY VALUE...   (SEEDS: how many, a whole number)" >&2
  exit 64
fi
folder=$1 config=$2 seeds=$3 key=$4
shift 4

write_plan() {
  local run=0 seed value
  printf 'run\tseed\t%s\n' "$key"
  for value in "$@"; do
    for ((seed = 1; seed <= seeds; seed++)); do
      printf '%04d\t%d\t%s\n' "$((++run))" "$seed" "$value"
    done
  done
}

if [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then # not in a job: write the plan and submit
  mkdir -p "$folder"
  [ -e "$folder/plan.tsv" ] || write_plan "$@" >"$folder/plan.tsv"
  if ! write_plan "$@" | cmp -s - "$folder/plan.tsv"; then
    echo "sweep.sh: $folder holds another sweep (plan.tsv); give another folder" >&2
    exit 64
  fi
  exec sbatch --array="1-$((seeds * $#))%${AT_ONCE:-50}" "$0" \
    "$folder" "$config" "$seeds" "$key" "$@"
fi

line=$((SLURM_ARRAY_TASK_ID + 1)) # skip the header
IFS=$'\t' read -r run seed value < <(sed -n "${line}p" "$folder/plan.tsv")
if [ -e "$folder/$run/summary.json" ]; then
  echo "$folder/$run is there"
  exit 0
fi
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}
mpi=${SLURM_MPI_TYPE:-pmix} # pmi2 for MPICH and Intel MPI
throng=${THRONG:-$(command -v build/release/throng || echo throng)}
exec srun --mpi="$mpi" --cpus-per-task="$OMP_NUM_THREADS" --cpu-bind=cores \
  "$throng" run "$config" --output "$folder/$run" \
  --set "seed=$seed" --set "$key=$value"
