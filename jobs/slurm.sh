#!/usr/bin/env bash
# Runs throng as a Slurm job on one node; without Slurm, on this machine with mpirun. jobs/node.sh
# is the documented script for one node.
#   sbatch --ntasks=8 jobs/slurm.sh configs/monaco.yaml        jobs/slurm.sh configs/quickstart.yaml
#SBATCH --job-name=throng
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
set -euo pipefail

config=${1:?"jobs/slurm.sh CONFIG [throng run options]"}
shift
throng=${THRONG:-$(command -v build/release/throng || echo throng)}
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}

if [ -n "${SLURM_JOB_ID:-}" ]; then
  exec srun --mpi=pmix "$throng" run "$config" "$@"
fi
exec mpirun --oversubscribe -n "${THRONG_RANKS:-2}" "$throng" run "$config" "$@"
