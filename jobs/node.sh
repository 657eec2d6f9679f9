#!/usr/bin/env bash
# One run of throng on one node.
#
#   sbatch jobs/node.sh CONFIG [throng run options]
#   sbatch --ntasks=8 --cpus-per-task=8 --time=02:00:00 jobs/node.sh configs/monaco.yaml
#
# Change: the lines #SBATCH, or give sbatch the same options, which win. --ntasks is the ranks and
# --cpus-per-task the threads of each; their product is the cores you get. One rank a NUMA domain
# with its cores as threads is a good start.
# THRONG is the program, if it is not build/release/throng of the folder you submit from.
#SBATCH --job-name=throng
#SBATCH --output=%x-%j.log
#SBATCH --nodes=1
#SBATCH --ntasks=2
#SBATCH --cpus-per-task=4
#SBATCH --time=01:00:00
set -euo pipefail

export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1} OMP_PLACES=cores OMP_PROC_BIND=close
mpi=${SLURM_MPI_TYPE:-pmix} # pmi2 for MPICH and Intel MPI
# Since Slurm 22.05 srun has to be told again how many cores a rank has.
exec srun --mpi="$mpi" --cpus-per-task="$OMP_NUM_THREADS" --cpu-bind=cores \
  "${THRONG:-build/release/throng}" run "$@"
