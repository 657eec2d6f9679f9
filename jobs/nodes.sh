#!/usr/bin/env bash
# One run of throng on many nodes: ranks by MPI, the threads of a rank by OpenMP, all of them bound.
#
#   sbatch --nodes=16 jobs/nodes.sh CONFIG [throng run options]
#   LAUNCHER=mpirun sbatch jobs/nodes.sh CONFIG      where srun cannot start its ranks
#
# Change: the lines #SBATCH, or give sbatch the same options, which win. As it stands: nodes of two
# sockets with 64 cores each in four NUMA domains (lscpu tells), a rank a domain, its 16 cores as
# threads. Nothing else may run on these nodes (--exclusive), ranks fill one socket before the next
# (block:block), hyper-threads stay idle (nomultithread).
# THRONG is the program, if it is not build/release/throng of the folder you submit from.
#SBATCH --job-name=throng
#SBATCH --output=%x-%j.log
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --cpus-per-task=16
#SBATCH --distribution=block:block
#SBATCH --hint=nomultithread
#SBATCH --exclusive
#SBATCH --time=04:00:00
set -euo pipefail

# A thread a core, those of a rank side by side in its domain; none wanders.
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1} OMP_PLACES=cores OMP_PROC_BIND=close
mpi=${SLURM_MPI_TYPE:-pmix} # pmi2 for MPICH and Intel MPI
throng=${THRONG:-build/release/throng}

case ${LAUNCHER:-srun} in
  srun) # Slurm starts and binds the ranks itself. Since 22.05 it has to be told their cores again.
    exec srun --mpi="$mpi" --cpus-per-task="$OMP_NUM_THREADS" --cpu-bind=cores "$throng" run "$@"
    ;;
  mpirun) # Open MPI learns the nodes from Slurm, and binds each rank to so many cores in a row.
    exec mpirun --map-by "slot:PE=$OMP_NUM_THREADS" --bind-to core \
      -x OMP_NUM_THREADS -x OMP_PLACES -x OMP_PROC_BIND "$throng" run "$@"
    ;;
  *)
    echo "nodes.sh: LAUNCHER is srun or mpirun, not \"$LAUNCHER\"" >&2
    exit 64
    ;;
esac
