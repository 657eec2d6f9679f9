#!/usr/bin/env bash
# One run of throng that is longer than the time limit, or than its nodes live: ahead of the limit
# it writes a checkpoint and stops, goes back to the queue, and goes on from there. When a node
# fails, Slurm puts it back into the queue, and it goes on from the last checkpoint.
#
#   sbatch jobs/chain.sh CONFIG --set output.checkpoint_wall=1800 [throng run options]
#   scancel --batch --signal=USR1 JOB     stop this leg now; the next one follows
#   touch RUN_DIR/stop                    the same, when there is no scancel at hand
#   scancel JOB                           stop for good
#
# Change: the lines #SBATCH, or give sbatch the same options, which win. --signal=B:USR1@300 is how
# many seconds are left for the step and the checkpoint; Slurm may be a minute early.
# MAX_RESTARTS (20): so often at most; then the job ends with 75. The same command submits it again,
# with other nodes and ranks if you like, and it goes on.
# THRONG is the program, if it is not build/release/throng of the folder you submit from.
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

stopped_early=75 # throng's exit code for it
restarts=${SLURM_RESTART_COUNT:-0}
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1} OMP_PLACES=cores OMP_PROC_BIND=close
mpi=${SLURM_MPI_TYPE:-pmix} # pmi2 for MPICH and Intel MPI

trap 'scancel --signal=USR1 "$SLURM_JOB_ID"' USR1 # on to the ranks
echo "== leg $((restarts + 1)) on $SLURM_JOB_NODELIST"
# In the background: bash hears no signal while it waits for a program in the foreground.
# Since Slurm 22.05 srun has to be told again how many cores a rank has.
srun --mpi="$mpi" --cpus-per-task="$OMP_NUM_THREADS" --cpu-bind=cores \
  "${THRONG:-build/release/throng}" run --restart auto "$@" &
launcher=$!
while kill -0 "$launcher" 2>/dev/null; do
  wait "$launcher" || true # ends at the signal too, while the ranks still write
done
code=0
wait "$launcher" || code=$?

[ "$code" -eq "$stopped_early" ] || exit "$code"
if [ "$restarts" -ge "${MAX_RESTARTS:-20}" ]; then
  echo "== stopped after $restarts restarts; submit it again to go on"
  exit "$code"
fi
scontrol requeue "$SLURM_JOB_ID" || exit "$code"
