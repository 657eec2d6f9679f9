#!/usr/bin/env bash
# Runs throng on one node.
#
#   sbatch jobs/node.sh CONFIG [throng run options]
#   sbatch --ntasks=8 --cpus-per-task=8 --time=02:00:00 jobs/node.sh configs/monaco.yaml
#
# To adapt: edit the #SBATCH lines, or pass the same options to sbatch, which override them.
# --ntasks is the number of ranks, --cpus-per-task the threads of each; their product is the number
# of cores. One rank per NUMA domain, with its cores as threads, is a good start.
# THRONG: path of the program. Default: build/release/throng in the folder you submit from, or the
# installed throng.
#SBATCH --job-name=throng
#SBATCH --output=%x-%j.log
#SBATCH --nodes=1
#SBATCH --ntasks=2
#SBATCH --cpus-per-task=4
#SBATCH --time=01:00:00
set -euo pipefail

export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1} OMP_PLACES=cores OMP_PROC_BIND=close
mpi=${SLURM_MPI_TYPE:-pmix} # pmi2 for MPICH and Intel MPI
throng=${THRONG:-$(command -v build/release/throng || echo throng)}
# Since Slurm 22.05, srun does not inherit --cpus-per-task from sbatch.
exec srun --mpi="$mpi" --cpus-per-task="$OMP_NUM_THREADS" --cpu-bind=cores \
  "$throng" run "$@"
