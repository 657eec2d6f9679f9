#!/usr/bin/env bash
# One run of throng with a GPU for each rank.
#
#   sbatch --nodes=2 jobs/gpu.sh CONFIG [throng run options]
#
# throng has to be built where nvcc is (docs/gpu.md); a rank without a GPU ends the run with a message.
# What the GPU gains has not been measured yet: compare with jobs/nodes.sh, the result is the same.
# BACKEND=auto takes the CPU.
#
# Change: the lines #SBATCH, or give sbatch the same options, which win. As it stands: nodes of four
# GPUs and 64 cores, so a rank has one GPU and the 16 cores nearest to it.
# THRONG is the program, if it is not build/release/throng of the folder you submit from.
#SBATCH --job-name=throng
#SBATCH --output=%x-%j.log
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-task=1
#SBATCH --cpus-per-task=16
#SBATCH --hint=nomultithread
#SBATCH --time=01:00:00
set -euo pipefail

export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1} OMP_PLACES=cores OMP_PROC_BIND=close
mpi=${SLURM_MPI_TYPE:-pmix} # pmi2 for MPICH and Intel MPI
# Since Slurm 22.05 srun has to be told again how many cores a rank has.
exec srun --mpi="$mpi" --cpus-per-task="$OMP_NUM_THREADS" --cpu-bind=cores \
  --gpus-per-task=1 "${THRONG:-build/release/throng}" run --backend "${BACKEND:-cuda}" "$@"
