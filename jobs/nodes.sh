#!/usr/bin/env bash
# Runs throng on many nodes: MPI ranks, with OpenMP threads in each, all of them bound to cores.
#
#   sbatch --nodes=16 jobs/nodes.sh CONFIG [throng run options]
#   LAUNCHER=mpirun sbatch jobs/nodes.sh CONFIG      where srun cannot start MPI ranks
#
# To adapt: edit the #SBATCH lines, or pass the same options to sbatch, which override them. The
# defaults suit nodes of two sockets with 64 cores each, in four NUMA domains each (see lscpu): one
# rank per domain, its 16 cores as threads. Nothing else may run on these nodes (--exclusive), ranks
# fill one socket before the next (block:block), hyper-threads stay idle (nomultithread).
# THRONG: path of the program. Default: build/release/throng in the folder you submit from, or the
# installed throng.
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

# One thread per core; the threads of a rank are adjacent in its domain and do not migrate.
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1} OMP_PLACES=cores OMP_PROC_BIND=close
mpi=${SLURM_MPI_TYPE:-pmix} # pmi2 for MPICH and Intel MPI
throng=${THRONG:-$(command -v build/release/throng || echo throng)}

case ${LAUNCHER:-srun} in
  srun) # Slurm starts and binds the ranks. Since 22.05, srun does not inherit --cpus-per-task.
    exec srun --mpi="$mpi" --cpus-per-task="$OMP_NUM_THREADS" --cpu-bind=cores "$throng" run "$@"
    ;;
  mpirun) # Open MPI gets the nodes from Slurm and binds each rank to that many adjacent cores.
    exec mpirun --map-by "slot:PE=$OMP_NUM_THREADS" --bind-to core \
      -x OMP_NUM_THREADS -x OMP_PLACES -x OMP_PROC_BIND "$throng" run "$@"
    ;;
  *)
    echo "nodes.sh: LAUNCHER is srun or mpirun, not \"$LAUNCHER\"" >&2
    exit 64
    ;;
esac
