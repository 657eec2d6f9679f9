#!/usr/bin/env bash
# Runs throng for longer than the time limit. Before the limit, the run writes a checkpoint and
# stops; the job goes back into the queue and continues from there. When a node fails, Slurm
# requeues the job, and it continues from the last checkpoint.
#
#   sbatch jobs/chain.sh CONFIG --set output.checkpoint_wall=1800 [throng run options]
#   scancel --batch --signal=USR1 JOB     stop this leg now; the next one follows
#   touch RUN_DIR/stop                    the same, where scancel is not available
#   scancel JOB                           stop for good
#
# To adapt: edit the #SBATCH lines, or pass the same options to sbatch, which override them.
# --signal=B:USR1@300 leaves 300 seconds for the step and the checkpoint; Slurm may signal up to a
# minute early. MAX_RESTARTS (20) limits the restarts; after that the job ends with 75. Submit the
# same command again to continue, with other nodes and ranks if you like.
# THRONG: path of the program. Default: build/release/throng in the folder you submit from, or the
# installed throng.
#SBATCH --job-name=throng
#SBATCH --output=%x-%j.log
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:USR1@300
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8
#SBATCH --cpus-per-task=16
#SBATCH --time=12:00:00
set -euo pipefail

stopped_early=75 # throng's exit code: stopped after a checkpoint
restarts=${SLURM_RESTART_COUNT:-0}
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1} OMP_PLACES=cores OMP_PROC_BIND=close
mpi=${SLURM_MPI_TYPE:-pmix} # pmi2 for MPICH and Intel MPI
throng=${THRONG:-$(command -v build/release/throng || echo throng)}

trap 'scancel --signal=USR1 "$SLURM_JOB_ID"' USR1 # pass it on to the ranks
echo "== leg $((restarts + 1)) on $SLURM_JOB_NODELIST"
# In the background: bash handles no signal while it waits for a program in the foreground.
# Since Slurm 22.05, srun does not inherit --cpus-per-task from sbatch.
srun --mpi="$mpi" --cpus-per-task="$OMP_NUM_THREADS" --cpu-bind=cores \
  "$throng" run --restart auto "$@" &
launcher=$!
while kill -0 "$launcher" 2>/dev/null; do
  wait "$launcher" || true # also returns at the signal, while the ranks still write
done
code=0
wait "$launcher" || code=$?

[ "$code" -eq "$stopped_early" ] || exit "$code"
if [ "$restarts" -ge "${MAX_RESTARTS:-20}" ]; then
  echo "== stopped after $restarts restarts; submit it again to go on"
  exit "$code"
fi
scontrol requeue "$SLURM_JOB_ID" || exit "$code"
