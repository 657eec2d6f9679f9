#!/usr/bin/env bash
# Runs all checks and measurements that need a GPU. Builds only throng-bench, which needs no MPI,
# HDF5, GEOS, libfyaml or Criterion. Ends with a page that sums it up, and writes it to a folder as
# gpu_session.txt, beside gpu_session.csv and gpu_session.log.
#
#   tools/gpu_session.sh [FOLDER [PART...]]       (default: gpu_session, all parts)
#
# identity  compares GPU and CPU (simd): the checksum after 200 steps of every method, with
#           straight walking, walls, fields, a roadmap, groups, mixed profiles and speed from
#           density; the hash of fields
# repeats   20 runs of one crowd, and two runs at the same time: all have the same checksum
# sanitize  compute-sanitizer (memcheck, racecheck, initcheck) with small crowds, if it is installed
# times     1, 10 and 100 million agents (the last if memory suffices), a field of 1e8 cells, times
#           per kernel, the CPU for comparison, and the bytes transferred over the bus
#
# A rehearsal without a GPU: REHEARSAL=1, which takes small crowds and few steps, with
# BACKEND=emulated, or with BENCH=tests/throng-bench_ptx of a build folder and PTX_FILE (docs/gpu.md).
#
# BENCH: a throng-bench that is built. DEVICE: the name of the device, if it cannot be asked.
# RANDOM123: a folder that contains Random123/, if the system has none.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
out=${1:-gpu_session}
parts=${*:2}
parts=${parts:-identity repeats sanitize times}
mkdir -p "$out"
out=$(cd -- "$out" && pwd)
gpu=${BACKEND:-cuda}
build=${BUILD:-$root/build/gpu}
bench=${BENCH:-$build/throng-bench}
log=$out/gpu_session.log
csv=$out/gpu_session.csv
page=$out/gpu_session.txt
failed=0

# Agents and steps of each part, and what leads them.
identity=(5000 200)
scenes=('' '--pillars' '--mixed --pace --pillars' '--lead fields' '--lead roadmap --groups')
large=('1000000 20' '200000 50 --density 5' '100000 50 --density 0.01')
field_cells=(1000000 100000000 4000000)
repeats=(200000 20)
shared=(100000 50 --lead fields)
steps_timed=20
warmup=5
sizes=(1000000 10000000 100000000)
size_of_methods=200000
if [ -n "${REHEARSAL:-}" ]; then
  identity=(60 2)
  scenes=('' '--pillars' '--mixed --pace --pillars')
  large=('300 1' '100 2 --density 5' '100 2 --density 0.01')
  field_cells=(2000 4000 2000)
  repeats=(100 1)
  shared=(100 1 --pillars)
  steps_timed=1
  warmup=0
  sizes=(100 200 300)
  size_of_methods=100
fi
export CPATH=${RANDOM123:-}${CPATH:+:$CPATH}
export PATH=$PATH:/usr/local/cuda/bin

say() {
  printf '%s\n' "$*" | tee -a "$log"
}

value() { # KEY JSON: the value of a key in a line of throng-bench
  sed -n "s/.*\"$1\": \"\{0,1\}\([^\",}]*\).*/\1/p" <<<"$2"
}

build_it() {
  [ -z "${BENCH:-}" ] || return 0
  cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DTHRONG_CORE_ONLY=ON -DBUILD_TESTING=OFF \
    -DTHRONG_CUDA=ON -DTHRONG_CUDA_ARCHITECTURES=native >>"$log" 2>&1
  cmake --build "$build" --parallel "$(nproc)" --target throng-bench >>"$log" 2>&1
}

same() { # OPTIONS...: compares the checksums of simd and the GPU
  local here there
  here=$("$bench" crowd --backend simd --threads "$(nproc)" "$@" 2>>"$log") || here=
  there=$("$bench" crowd --backend "$gpu" "$@" 2>>"$log") || there=
  here=$(value checksum "$here")
  there=$(value checksum "$there")
  if [ -n "$here" ] && [ "$here" = "$there" ]; then
    say "same  $here  $*"
  else
    say "DIFFERENT ${here:-none} ${there:-none}  $*"
    failed=$((failed + 1))
  fi
}

same_field() { # CELLS FIELDS
  local here there
  here=$(value hash "$("$bench" field --backend simd --agents "$1" --fields "$2" --steps 1 2>>"$log")") || here=
  there=$(value hash "$("$bench" field --backend "$gpu" --agents "$1" --fields "$2" --steps 1 2>>"$log")") || there=
  if [ -n "$here" ] && [ "$here" = "$there" ]; then
    say "same  $here  $2 fields of $1 cells"
  else
    say "DIFFERENT ${here:-none} ${there:-none}  $2 fields of $1 cells"
    failed=$((failed + 1))
  fi
}

check_identity() {
  local method extra crowd agents steps
  for method in none orca clearpath clearpath-guaranteed rvo hrvo directional; do
    for extra in "${scenes[@]}"; do
      # shellcheck disable=SC2086 # $extra is several words
      same --method "$method" --agents "${identity[0]}" --steps "${identity[1]}" --warmup 0 $extra
    done
  done
  same_field "${field_cells[0]}" 1
  same_field "${field_cells[0]}" 16
  for crowd in "${large[@]}"; do
    read -r agents steps extra <<<"$crowd"
    # shellcheck disable=SC2086
    same --agents "$agents" --steps "$steps" $extra
  done
}

check_repeats() {
  local first='' one line
  for _ in $(seq 20); do
    line=$("$bench" crowd --backend "$gpu" --agents "${repeats[0]}" --steps "${repeats[1]}" --mixed \
      --pillars 2>>"$log") || line=
    one=$(value checksum "$line")
    first=${first:-$one}
    if [ -z "$one" ] || [ "$one" != "$first" ]; then
      say "20 runs: checksum $one differs from $first"
      failed=$((failed + 1))
      return
    fi
  done
  say "20 runs: same checksum $first"
}

check_shared() { # two processes on one device at the same time
  local one two crowd=(crowd --backend "$gpu" --agents "${shared[0]}" --steps "${shared[1]}" "${shared[@]:2}")
  "$bench" "${crowd[@]}" >"$out/two.json" 2>>"$log" &
  one=$(value checksum "$("$bench" "${crowd[@]}" 2>>"$log")") || one=
  wait $! || true
  two=$(value checksum "$(cat "$out/two.json")")
  if [ -n "$one" ] && [ "$one" = "$two" ]; then
    say "two at the same time: same checksum $one"
  else
    say "two at the same time: DIFFERENT ${one:-none} and ${two:-none}"
    failed=$((failed + 1))
  fi
}

sanitize() {
  local tool method lead
  if ! command -v compute-sanitizer >/dev/null; then
    say "compute-sanitizer: SKIPPED, not installed"
    return
  fi
  for tool in memcheck racecheck initcheck; do
    for method in orca clearpath rvo hrvo directional; do
      lead=fields
      [ "$method" = orca ] && lead=roadmap
      if compute-sanitizer --tool "$tool" --error-exitcode 9 "$bench" crowd --backend "$gpu" --agents 3000 \
        --steps 3 --warmup 0 --method "$method" --mixed --pace --lead "$lead" --groups >>"$log" 2>&1; then
        say "$tool $method: clean"
      else
        say "$tool $method: FAILED"
        failed=$((failed + 1))
      fi
    done
  done
}

out_of_memory=71 # an exit code of throng-bench

not_timed() { # CODE WHAT: memory that does not suffice is no failure
  if [ "$1" -eq "$out_of_memory" ]; then
    say "$2: SKIPPED, out of memory"
  else
    say "$2: FAILED"
    failed=$((failed + 1))
  fi
}

time_one() { # BACKEND AGENTS OPTIONS...
  local backend=$1 agents=$2 line code=0
  shift 2
  line=$("$bench" crowd --backend "$backend" --threads "$(nproc)" --agents "$agents" \
    --steps "$steps_timed" --warmup "$warmup" "$@" 2>>"$log") || code=$?
  if [ "$code" -eq 0 ]; then
    say "$line"
    printf '%s,%s,%s,"%s",%s,%s,%s,%s,%s\n' "$device" "$backend" "$agents" "$*" "$(value median_ms "$line")" \
      "$(value agent_steps_per_s "$line")" "$(value up "$line")" "$(value down "$line")" \
      "$(value checksum "$line")" >>"$csv"
  else
    not_timed "$code" "time of $backend with $agents agents${*:+ }$*"
  fi
}

time_fields() { # BACKEND CELLS FIELDS
  local line code=0
  line=$("$bench" field --backend "$1" --threads "$(nproc)" --agents "$2" --fields "$3" --steps 3 \
    2>>"$log") || code=$?
  if [ "$code" -eq 0 ]; then
    say "$line"
  else
    not_timed "$code" "time of $1 with $3 fields of $2 cells"
  fi
}

measure() {
  local agents backend method cells=("${field_cells[@]:1}")
  echo 'device,backend,agents,options,median_ms,agent_steps_per_s,bytes_up,bytes_down,checksum' >"$csv"
  for agents in "${sizes[@]}"; do
    for backend in "$gpu" simd; do
      time_one "$backend" "$agents"
    done
  done
  for backend in "$gpu" simd; do
    time_fields "$backend" "${cells[0]}" 1
    time_fields "$backend" "${cells[1]}" 16
  done
  for method in clearpath rvo hrvo directional; do
    for backend in "$gpu" simd; do
      time_one "$backend" "$size_of_methods" --method "$method"
    done
  done
}

: >"$log"
device=${DEVICE:-$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -1)} || device=
say "device: ${device:-none}"
say "parts: $parts"
build_it || { say "the build failed: $log"; exit 1; }
say "built"
"$bench" crowd --backend "$gpu" --agents 100 --steps 1 >"$out/first.json" 2>>"$log" || { tail -1 "$log"; exit 1; }
for part in $parts; do
  case $part in
    identity) check_identity ;;
    repeats) check_repeats && check_shared ;;
    sanitize) sanitize ;;
    times) measure ;;
    *) say "$part: unknown part (identity, repeats, sanitize, times)"; exit 64 ;;
  esac
done
python3 "$root/tools/gpu_page.py" "$out" | tee "$page" || failed=$((failed + 1))
say "$failed failed; $page, $csv, $log"
[ "$failed" -eq 0 ]
