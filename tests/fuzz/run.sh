#!/usr/bin/env bash
# Runs the fuzz programs of the preset `fuzz`, one after the other.
#
#   tests/fuzz/run.sh BUILD THRONG SECONDS [NAME...]    each, or the named ones, for so many seconds
#
# BUILD: build/fuzz. THRONG: an ordinary throng, which writes the first checkpoint and snapshot. What
# they learn stays in BUILD/corpus and helps the next call. A find is a file in BUILD/finds; the exit
# code is then 1.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 3 ] || { sed -n '4,8s/^# \{0,1\}//p' "$0" >&2 && exit 64; }
build=$(cd -- "$1" && pwd) throng=$(realpath -- "$2") seconds=$3
shift 3
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(cd "$here" && printf '%s\n' fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export TMPDIR=$scratch OMP_NUM_THREADS=1
cp "$here/../leaks.supp" "$scratch/leaks.supp" # its own path may hold a space
export ASAN_OPTIONS=detect_leaks=1
export LSAN_OPTIONS=suppressions=$scratch/leaks.supp:print_suppressions=0
# tests/leaks.supp names libraries of MPI without frame pointers, and a function of libfyaml: only the
# slow unwinder sees them.
slow_options=$ASAN_OPTIONS:fast_unwind_on_malloc=0
export UBSAN_OPTIONS=print_stacktrace=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_ess_singleton_isolated=1

# The words of a target's files; of scenarios, the options as well. No file without words.
write_dictionary() { # NAME
  case $1 in
    yaml | override | scenario)
      cat "$here/dictionaries/yaml.dict" "$here/dictionaries/wkt.dict"
      "$throng" options | sed -n 's/^| .\([a-z_.]*\). |.*/"\1"/p' | sed 's/.*[.]/"/' | sort -u
      ;;
    wkt) cat "$here/dictionaries/wkt.dict" ;;
    geojson | places) cat "$here/dictionaries/geojson.dict" ;;
    street_graph) cat "$here/dictionaries/wkt.dict" "$here/dictionaries/geojson.dict" ;;
    agents | trips) cat "$here/dictionaries/csv.dict" ;;
  esac
}

# The files that throng writes change with its version, so they are written anew.
write_run() {
  "$throng" run "$here/seeds/run.yaml" -o "$scratch/run" >"$scratch/run.log" 2>&1 ||
    { cat "$scratch/run.log" >&2 && exit 1; }
}

seed() { # NAME: adds to its corpus
  local corpus=$build/corpus/$1 kind
  mkdir -p "$corpus"
  for kind in seeds regressions; do
    [ ! -d "$here/$kind/$1" ] || cp -r "$here/$kind/$1/." "$corpus/"
  done
  case $1 in
    checkpoint) cp "$scratch"/run/checkpoint-*.h5 "$corpus/" ;;
    snapshot) cp "$scratch"/run/*.vtkhdf "$corpus/" ;;
    roadmap_cache) tail -q -c +33 "$scratch"/run/roadmap-*.bin >"$corpus/written" ;; # no header
  esac
}

fuzz() { # NAME: false if it finds anything
  local log=$build/finds/$1.log options=$ASAN_OPTIONS
  local words=(-max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -close_fd_mask=3 -max_len=30000
    -print_final_stats=1 -artifact_prefix="$build/finds/$1-")
  case $1 in checkpoint | snapshot | yaml) options=$slow_options ;; esac
  seed "$1"
  write_dictionary "$1" >"$scratch/$1.dict"
  [ ! -s "$scratch/$1.dict" ] || words+=(-dict="$scratch/$1.dict")
  if ASAN_OPTIONS=$options "$build/fuzz_$1" "${words[@]}" "$build/corpus/$1" >"$log" 2>&1; then
    echo "$1: nothing in $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs"
  else
    grep -m 3 -E 'runtime error|ERROR|SUMMARY|broken:' "$log" || tail -n 5 "$log"
    echo "$1: a find: $build/finds/$1-* and $1.log"
    return 1
  fi
}

mkdir -p "$build/finds"
write_run
code=0
for name in "${names[@]}"; do
  fuzz "$name" || code=1
done
exit $code
