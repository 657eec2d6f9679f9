#!/usr/bin/env bash
# Many runs of throng, a job array: every value of one option with every seed.
#
#   jobs/sweep.sh DIR CONFIG SEEDS KEY VALUE...      not by sbatch: it submits itself
#   jobs/sweep.sh runs/crowd configs/quickstart.yaml 5 sources.town.count 4000 8000 12000
#   tools/collect.py runs/crowd                      means and confidence intervals; what is missing
#
# DIR/plan.tsv says what run 0001 and so on is. The same command once more runs what is missing.
#
# Change: the lines #SBATCH, or set SBATCH_TIMELIMIT, SBATCH_PARTITION, SBATCH_ACCOUNT, ... (man
# sbatch). Each run gets what they ask for. AT_ONCE (50): so many runs at the same time. A cluster
# may allow arrays of 1,000 only (scontrol show config | grep MaxArraySize).
# THRONG is the program, if it is not build/release/throng of the folder you submit from.
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

if [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then # here, not in a job: plan and submit
  mkdir -p "$folder"
  [ -e "$folder/plan.tsv" ] || write_plan "$@" >"$folder/plan.tsv"
  if ! write_plan "$@" | cmp -s - "$folder/plan.tsv"; then
    echo "sweep.sh: $folder holds another sweep (plan.tsv); give another folder" >&2
    exit 64
  fi
  exec sbatch --array="1-$((seeds * $#))%${AT_ONCE:-50}" "$0" \
    "$folder" "$config" "$seeds" "$key" "$@"
fi

line=$((SLURM_ARRAY_TASK_ID + 1)) # below the header
IFS=$'\t' read -r run seed value < <(sed -n "${line}p" "$folder/plan.tsv")
if [ -e "$folder/$run/summary.json" ]; then
  echo "$folder/$run is there"
  exit 0
fi
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}
mpi=${SLURM_MPI_TYPE:-pmix} # pmi2 for MPICH and Intel MPI
exec srun --mpi="$mpi" --cpus-per-task="$OMP_NUM_THREADS" --cpu-bind=cores \
  "${THRONG:-build/release/throng}" run "$config" --output "$folder/$run" \
  --set "seed=$seed" --set "$key=$value"
