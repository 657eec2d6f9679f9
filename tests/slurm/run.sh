#!/usr/bin/env bash
# Every script of jobs/ in a Slurm of its own (cluster.sh), shortened by options only.
#
#   tests/slurm/run.sh [THRONG]      the program; build/release/throng unless said otherwise
#
# Ends with 0 when all is well, 1 when a check failed, 77 when there is no Slurm to be had.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../.." && pwd)
# shellcheck source-path=SCRIPTDIR source=cluster.sh
source "$here/cluster.sh"

# What a job this runs in says of itself is not for ours.
unset "${!SLURM_@}" "${!SBATCH_@}" "${!SRUN_@}" "${!OMP_@}"
unset OMPI_MCA_mca_base_env_list # of tools/test.sh; the option -x of nodes.sh excludes it
THRONG=$(realpath -- "${1:-${THRONG:-$root/build/release/throng}}")
export THRONG TOOLS=$root/tools THRONG_PYTHON=${THRONG_PYTHON:-/usr/bin/python3}
crowd=$here/crowd.yaml
# To and fro for as long as time.end says, and a checkpoint after every step.
strolling=(--set goal.on_arrival=turn_back --set output.checkpoint_every=0.1)
failures=0
final='COMPLETED|FAILED|TIMEOUT|CANCELLED|NODE_FAIL|OUT_OF_MEMORY|PREEMPTED|BOOT_FAIL|DEADLINE'

# ---------------------------------------------------------------------------- checks and waits

say() {
  printf '%3d s  %s\n' "$SECONDS" "$*"
}

skip() {
  echo "SKIPPED: $*"
  exit 77
}

check() { # WHAT command...: a law that holds or not
  local what=$1
  shift
  if "$@"; then
    say "passed: $what"
  else
    say "FAILED: $what"
    failures=$((failures + 1))
  fi
}

wait_until() { # SECONDS command...
  local until=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$until" ] || return 1
    sleep 0.3
  done
}

attribute() { # NAME JOB: of a job, of each task of an array
  scontrol show job --oneliner "$2" 2>/dev/null | grep -o " $1=[^ ]*" | cut -d = -f 2
}

has_state() { # STATES JOB: all of its tasks
  local states
  states=$(attribute JobState "$2")
  [ -n "$states" ] && ! grep -qvxE "$1" <<<"$states"
}

ends_as() { # STATE JOB [SECONDS]
  wait_until "${3:-60}" has_state "$final" "$2" && has_state "$1" "$2"
}

summary() { # KEY DIR
  sed -n "s/^ *\"$1\": \"*\([^\",]*\)\"*,*\$/\1/p" "$2/summary.json" 2>/dev/null
}

same_result() { # DIR DIR
  local a b
  a=$(summary checksum "$1")
  b=$(summary checksum "$2")
  [ -n "$a" ] && [ "$a" = "$b" ]
}

submit() { # sbatch's options, script and arguments; prints the number of the job
  timeout -k 5 20 sbatch --parsable "$@"
}

plain() { # DIR [throng run options]: without Slurm, the result that all must have
  local folder=$1
  shift
  timeout -k 5 120 "$THRONG" run "$crowd" --threads 1 --quiet --output "$folder" "$@"
}

# ---------------------------------------------------------------------------- the scripts

one_and_many_nodes() {
  local job threads=$(($(nproc) > 1 ? 2 : 1))
  plain plain
  job=$(submit --ntasks=2 --cpus-per-task=1 "$root/jobs/node.sh" "$crowd" --output node)
  check "node.sh ends well" ends_as COMPLETED "$job"
  check "node.sh: the checksum of a plain run, on 2 ranks" same_result plain node
  check "node.sh: --ntasks is its ranks" [ "$(summary ranks node)" = 2 ]

  job=$(submit --ntasks-per-node=1 --cpus-per-task=2 "$root/jobs/nodes.sh" "$crowd" --output nodes)
  check "nodes.sh ends well" ends_as COMPLETED "$job"
  check "nodes.sh: the checksum of a plain run, on two nodes" same_result plain nodes
  check "nodes.sh: --cpus-per-task is its threads" [ "$(summary threads nodes)" = 2 ]

  job=$(LAUNCHER=mpirun submit --ntasks-per-node=1 --cpus-per-task="$threads" \
    "$root/jobs/nodes.sh" "$crowd" --output mpirun)
  check "nodes.sh by mpirun ends well" ends_as COMPLETED "$job"
  check "nodes.sh by mpirun: the checksum of a plain run" same_result plain mpirun
  check "nodes.sh by mpirun: its ranks" [ "$(summary ranks mpirun)" = 2 ]
  check "nodes.sh by mpirun: their threads" [ "$(summary threads mpirun)" = "$threads" ]

  with_gpu=FAILED
  if nvidia-smi -L >/dev/null 2>&1; then with_gpu=COMPLETED; fi
  job=$(submit --ntasks-per-node=2 --cpus-per-task=1 "$root/jobs/gpu.sh" "$crowd" --output none)
  check "gpu.sh: the GPU, or a failure" ends_as "$with_gpu" "$job"
  job=$(BACKEND=auto submit --ntasks-per-node=2 --cpus-per-task=1 "$root/jobs/gpu.sh" "$crowd" \
    --output gpu)
  check "gpu.sh ends well" ends_as COMPLETED "$job"
  check "gpu.sh: the checksum of a plain run" same_result plain gpu
}

# How long does a step take on this machine, with a checkpoint after it?
pace() {
  local job
  job=$(submit --ntasks=2 --cpus-per-task=1 "$root/jobs/node.sh" "$crowd" --output pace \
    "${strolling[@]}" --steps 50)
  check "a checkpoint after every step ends well" ends_as COMPLETED "$job"
}

# The time.end of a run that lasts about so long, by a short one of its kind.
end_of_a_run_of() { # SECONDS DIR
  awk -v wall="$(summary wall_s "$2")" -v steps="$(summary steps "$2")" -v wanted="$1" \
    'BEGIN { printf "%.1f", 0.1 * int(wanted * steps / wall) }'
}

legs() { # FILE
  grep -c '^== leg' "$1"
}

has_checkpoint() { # DIR: a whole one; it has another name while it is written
  compgen -G "$1/checkpoint-*.h5" >/dev/null
}

went_on() { # FILE: every leg but the first began at a checkpoint
  [ "$(grep -c 'continuing from step' "$1")" = $(($(legs "$1") - 1)) ]
}

submit_chain() { # DIR END [sbatch's options]: until time.end=END, on two ranks
  local folder=$1 end=$2
  shift 2
  submit --ntasks-per-node=2 --cpus-per-task=1 --output="$folder.log" "$@" \
    "$root/jobs/chain.sh" "$crowd" --output "$folder" "${strolling[@]}" --set "time.end=$end"
}

is_chain() { # DIR REFERENCE JOB LEAST_LEGS
  check "$1: ends well" ends_as COMPLETED "$3" 150
  check "$1: at least $4 legs" [ "$(legs "$1.log")" -ge "$4" ]
  check "$1: each but the first went on from a checkpoint" went_on "$1.log"
  check "$1: the checksum of an undisturbed run" same_result "$2" "$1"
}

# One chain on n1 over its time limit: Slurm asks for the end of the first leg ahead of it, we ask
# for that of the second. Meanwhile another on n2, which dies, so that it has to go on on n1.
limit_and_crash() {
  local limit=$1 crash=$2 first second plot
  first=$(submit_chain limit "$limit" --nodelist=n1 --time=1 --signal=B:USR1@40)
  plot=$(submit --dependency="afterok:$first" --output=plot.log "$root/jobs/plot.sh" limit --trails)
  check "limit: begins" wait_until 30 has_checkpoint limit
  second=$(submit_chain crash "$crash" --time=20)
  check "crash: begins" wait_until 30 has_checkpoint crash
  check "crash: on n2" [ "$(attribute NodeList "$second")" = n2 ]
  cluster_crash n2 "$second"
  plain limit.plain "${strolling[@]:0:2}" --set "time.end=$limit"
  plain crash.plain "${strolling[@]:0:2}" --set "time.end=$crash"
  check "limit: is requeued ahead of its limit" wait_until 70 grep -q "== leg 2" limit.log
  sleep 4 # in the midst of its steps
  scancel --batch --signal=USR1 "$first" || true # it has failed, then: said below
  is_chain crash crash.plain "$second" 2
  is_chain limit limit.plain "$first" 3
  check "n2 comes back" cluster_revive n2
  check_plot limit "$plot"
}

has_picture() { # DIR
  compgen -G "$1/*.png" >/dev/null
}

check_plot() { # DIR JOB
  if "$THRONG_PYTHON" -c 'import numpy, h5py, matplotlib' 2>/dev/null; then
    check "plot.sh waited for all legs and ends well" ends_as COMPLETED "$2"
    check "plot.sh drew" has_picture "$1"
  else
    say "not checked: plot.sh ($THRONG_PYTHON has no numpy, h5py or matplotlib)"
  fi
}

newest_step() { # DIR: of its checkpoints
  compgen -G "$1/checkpoint-*.h5" | sed 's/.*-0*\([0-9]*\)\.h5$/\1/' | sort -n | tail -n 1
}

# When restarts are used up the job ends with 75, and the same command goes on, on other nodes, too.
cap_on_restarts() {
  local job end
  job=$(MAX_RESTARTS=0 submit_chain cap 10000)
  wait_until 60 has_checkpoint cap || true
  touch cap/stop
  check "chain.sh with no restart left fails" ends_as FAILED "$job"
  check "its exit code is throng's, 75" [ "$(attribute ExitCode "$job")" = 75:0 ]
  end=$(($(newest_step cap) / 10 + 5))
  job=$(submit_chain cap "$end" --nodes=2 --ntasks-per-node=1 --open-mode=append)
  plain cap.plain "${strolling[@]:0:2}" --set "time.end=$end"
  is_chain cap cap.plain "$job" 2
  check "cap: on two nodes at last" [ "$(attribute NumNodes "$job")" = 2 ]
}

collected() { # EXPECTED_CODE LINES: the words that the table must have
  local code=0
  "$TOOLS/collect.py" sweep --csv sweep.csv >sweep.txt || code=$?
  [ "$code" = "$1" ] && grep -qE "$2" sweep.txt
}

# The mean by awk from the very files, against the collector's.
mean_is_right() { # VALUE RUN...
  local value=$1 run
  shift
  for run in "$@"; do
    summary evacuation_time_s "sweep/$run"
  done | awk -v said="$(awk -F , -v v="$value" '$1 == v { print $5 }' sweep.csv)" \
    '{ sum += $1 } END { exit !(NR == 2 && (sum / NR - said) ^ 2 < 1e-12) }'
}

exits_with() { # CODE command...
  local code=0
  "${@:2}" >/dev/null 2>&1 || code=$?
  [ "$code" = "$1" ]
}

sweep_and_collector() {
  local sweep=("$root/jobs/sweep.sh" sweep "$crowd" 2 sources.people.count 40 80) job
  job=$(SBATCH_TIMELIMIT=2 AT_ONCE=2 "${sweep[@]}" | grep -o '[0-9]*$')
  check "sweep.sh: all tasks end well" ends_as COMPLETED "$job" 60
  check "collect.py: all runs are there" collected 0 '^4 of 4 runs are there'
  check "collect.py: the mean of 40 people" mean_is_right 40 0001 0002
  check "collect.py: the mean of 80 people" mean_is_right 80 0003 0004
  check "sweep.sh keeps out of another sweep" exits_with 64 "${sweep[@]}" 90
  rm -r sweep/0003 sweep/0002/summary.json
  check "collect.py names an unfinished run" collected 1 '^run 0002 \(40, seed 2\): unfinished'
  check "collect.py names a missing run" collected 1 '^run 0003 \(80, seed 1\): not run yet'
  job=$("${sweep[@]}" | grep -o '[0-9]*$')
  check "sweep.sh once more: well" ends_as COMPLETED "$job" 60
  check "sweep.sh once more: two were there" [ "$(grep -l 'is already finished' sweep-*.log | wc -l)" = 2 ]
  check "sweep.sh once more: nothing lacks" collected 0 '^4 of 4 runs are there'
}

bad_input() {
  local job plot
  job=$(submit --ntasks=2 --cpus-per-task=1 "$root/jobs/node.sh" "$crowd" --set no.such=1)
  plot=$(submit --dependency="afterok:$job" "$root/jobs/plot.sh" nowhere)
  check "a bad option fails the job" ends_as FAILED "$job"
  check "its exit code is throng's, 64" [ "$(attribute ExitCode "$job")" = 64:0 ]
  check "what waited for it is cancelled" ends_as CANCELLED "$plot" 30
}

# ---------------------------------------------------------------------------- all of it

finish() {
  local code=$?
  trap - EXIT
  trap '' INT TERM HUP # a second ^C must not stop the stopping
  cluster_stop
  if [ "$code" -ne 0 ] && [ "$code" -ne 77 ]; then
    tail -n 15 "$work"/*.log "$work"/cluster/{,munge/}*.log || true
  fi
  rm -rf "$work"
  exit "$code"
}

lacking=$(cluster_lacks)
[ -z "$lacking" ] || skip "no $lacking(Debian: slurmctld slurmd slurm-client munge)"
work=$(mktemp -d)
trap finish EXIT
trap 'exit 130' INT TERM HUP
check "two nodes are up" cluster_start "$work/cluster"
if [ "$failures" -gt 0 ]; then
  grep -q ' cgroup2\? ' /proc/self/mounts || skip "Slurm's daemons want cgroups, and none are mounted"
  exit 1
fi
cd "$work"

# Two nodes on one machine: no shared memory between them; more ranks than cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl=tcp,self OMPI_MCA_mpi_yield_when_idle=1 OMP_WAIT_POLICY=passive
one_and_many_nodes
bad_input
sweep_and_collector
cap_on_restarts
pace
limit_and_crash "$(end_of_a_run_of 45 pace)" "$(end_of_a_run_of 15 pace)"
say "$failures failures"
[ "$failures" -eq 0 ]
