#!/usr/bin/env bash
# Makes the runs that the readers of tests/output look at: write_runs.sh RANK_SNAPSHOT FOLDER LAUNCHER...
# LAUNCHER: mpirun and what it needs for more ranks than cores.
set -euo pipefail
program=$1 folder=$2
shift 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_hwloc_base_binding_policy=none
rm -rf "$folder"
# 700001 agents are several pieces a rank, and chunks that two ranks share.
for run in 1-1000-3-f32-1 2-1000-3-f64-6 3-1000-2-f32-0 3-1000-2-f64-1-crowded 2-0-2-f32-1 \
  3-1-1-f32-1 1-700001-1-f64-1 3-700001-1-f32-1; do
  mkdir -p "$folder/$run"
  IFS=- read -ra word <<<"$run"
  launch=(timeout -k 5 60)
  [[ ${word[0]} == 1 ]] || launch+=("$@" -n "${word[0]}")
  "${launch[@]}" "$program" write "$folder/$run" "${word[@]:1}"
done
