#!/usr/bin/env bash
# Runs throng with one GPU per rank.
#
#   sbatch --nodes=2 jobs/gpu.sh CONFIG [throng run options]
#
# Build throng with nvcc (docs/gpu.md). A rank without a GPU ends the run with a message. The speed
# of the GPU has not been measured yet: compare with jobs/nodes.sh; the result is the same.
# BACKEND=auto selects the CPU.
#
# To adapt: edit the #SBATCH lines, or pass the same options to sbatch, which override them. The
# defaults suit nodes of four GPUs and 64 cores: a rank has one GPU and 16 cores.
# THRONG: path of the program. Default: build/release/throng in the folder you submit from, or the
# installed throng.
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
throng=${THRONG:-$(command -v build/release/throng || echo throng)}
# Since Slurm 22.05, srun does not inherit --cpus-per-task from sbatch.
exec srun --mpi="$mpi" --cpus-per-task="$OMP_NUM_THREADS" --cpu-bind=cores \
  --gpus-per-task=1 "$throng" run --backend "${BACKEND:-cuda}" "$@"
