# shellcheck shell=bash
# A private Slurm for tests: two nodes, n1 and n2, of 4 processors each, both of them this machine.
# It has a key, a socket, ports and a folder of its own, so it neither sees nor touches a Slurm that
# the machine may really have.
#
#   cluster_start FOLDER   returns 1 when it does not come up; sets SLURM_CONF for srun and friends
#   cluster_crash NODE JOB its slurmd and the job that it runs die at once
#   cluster_revive NODE    its slurmd is back
#   cluster_stop           whatever is up ends; may be called at any time, and again

cluster=                                     # the folder
PATH=$PATH:/usr/sbin:/sbin                   # where Debian has the daemons
cluster_programs=(munged slurmctld slurmd srun sbatch scancel scontrol squeue)

cluster_lacks() { # prints what is not installed
  local program
  for program in "${cluster_programs[@]}"; do
    command -v "$program" >/dev/null || printf '%s ' "$program"
  done
}

free_ports() { # prints three
  /usr/bin/python3 - <<'END'
import socket
taken = [socket.socket() for _ in range(3)]
for s in taken:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in taken))
END
}

# cred_expire: else a requeued job waits two minutes. TmpFS: else the PMIx folders of the two nodes
# collide. Debian's cgroup plug-ins want systemd, hence linuxproc and task/none: no binding here.
# CR_LLN: the next job goes to the emptier node.
cluster_configure() {
  local user control first second
  user=$(id -un)
  read -r control first second < <(free_ports)
  mkdir -p "$cluster"/{state,n1,n2,munge}
  chmod 700 "$cluster/munge"
  cat >"$cluster/slurm.conf" <<END
ClusterName=throng_test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$control
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket,cred_expire=5
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/%n
TmpFS=$cluster/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core,CR_LLN
SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=1
SlurmdParameters=config_overrides
MpiDefault=pmix
ReturnToService=2
SlurmdTimeout=6
KillWait=5
MinJobAge=600
GresTypes=gpu
NodeName=n1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$first CPUs=4 Gres=gpu:2
NodeName=n2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$second CPUs=4 Gres=gpu:2
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
  # No GPU is touched: two files stand for two of them, so that Slurm has something to hand out.
  echo 'NodeName=n[1-2] Name=gpu File=/dev/null,/dev/zero' >"$cluster/gres.conf"
}

cluster_start() { # FOLDER
  cluster=$1
  export SLURM_CONF=$cluster/slurm.conf
  cluster_configure
  (umask 077 && head -c 128 /dev/urandom >"$cluster/munge/key")
  # --force: suppresses a warning about access to the socket, which no other user can reach.
  munged --force --key-file="$cluster/munge/key" --socket="$cluster/munge/socket" \
    --pid-file="$cluster/munge/pid" --log-file="$cluster/munge/munged.log" \
    --seed-file="$cluster/munge/seed" --num-threads=2 2>>"$cluster/munge/munged.log" || return 1
  slurmctld -c || return 1
  cluster_revive n1 && cluster_revive n2
}

node_is_up() { # NODE
  [ "$(sinfo -h -n "$1" -o %t 2>/dev/null)" = idle ]
}

cluster_revive() { # NODE
  local i
  slurmd -c -N "$1" || return 1
  for ((i = 0; i < 100; i++)); do
    node_is_up "$1" && return 0
    sleep 0.2
  done
  return 1
}

# The processes of this cluster: Slurm tells each its configuration, whose name nothing else has.
cluster_processes() {
  env -u SLURM_CONF grep -lsxzF "SLURM_CONF=$cluster/slurm.conf" /proc/[0-9]*/environ |
    sed 's#/proc/##; s#/environ##'
}

job_processes() { # JOB: its programs, and who watches over them
  local pid
  for pid in $(cluster_processes); do
    if grep -qsxzF "SLURM_JOB_ID=$1" "/proc/$pid/environ" ||
      grep -qs "^slurmstepd: \[$1\." "/proc/$pid/cmdline"; then
      echo "$pid"
    fi
  done
}

# A job that runs on this node alone goes down with it. The daemon first: it must not tell.
cluster_crash() { # NODE JOB
  kill -KILL "$(cat "$cluster/$1.pid")"
  # shellcheck disable=SC2046  # one word a process
  kill -KILL $(job_processes "$2") 2>/dev/null
  rm -f "$cluster/$1.pid"
}

cluster_stop() {
  local file i
  [ -n "$cluster" ] || return 0
  for file in "$cluster"/{slurmctld.pid,n1.pid,n2.pid,munge/pid}; do
    [ ! -s "$file" ] || kill "$(cat "$file")" 2>/dev/null
  done
  for ((i = 0; i < 25; i++)); do # what a job has left runs on; it is ended after 5 s
    [ -n "$(cluster_processes)" ] || return 0
    sleep 0.2
  done
  # shellcheck disable=SC2046  # one word a process
  kill -KILL $(cluster_processes) 2>/dev/null || true
}
