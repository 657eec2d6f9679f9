#!/usr/bin/env bash
# Installs what is missing, builds throng in every way it is promised to work, and runs all tests.
#
#   tools/test.sh            release by gcc, sanitizers by clang, style: a quarter of an hour, 2 cores
#   tools/test.sh --quick    the tests of the release build only
#   tools/test.sh --all      every test in its long form in every build: four to five hours
#   tools/test.sh --all PART...   some parts of it: release, asan, clang-asan, debug, clang, mpich,
#                            validation, notebooks, pages, faults, fuzz, bare, tidy
#
# The last line says how many tests and checks passed, failed and were skipped. Above it is a line
# for each that failed, or was skipped as a whole or in part, with the reason.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source-path=SCRIPTDIR source=test_packages.sh
source "$root/tools/test_packages.sh"

passed=0 failed=0 skipped=0

note_failure() { # WHAT
  failed=$((failed + 1))
  echo "$1" >>"$work/remarks"
}

count_results() { # PRESET FILE: what ctest wrote
  local good bad out
  if ! python3 "$root/tests/results.py" "$2" >"$work/results"; then
    note_failure "$1: FAILED: ctest wrote no results"
    return
  fi
  read -r good bad out <"$work/results"
  sed "1d; s/^/$1: /" "$work/results" >>"$work/remarks"
  passed=$((passed + good))
  failed=$((failed + bad))
  skipped=$((skipped + out))
}

choose_options() { # PRESET: for cmake
  local warnings=ON long=OFF unbuilt='^$'
  [[ $1 != clang* ]] || warnings=OFF # its warnings are not those of gcc
  [ "$extent" != --all ] || [ "$1" = clang-asan ] || long=ON
  case $extent$1 in
    release) unbuilt=$left_out_release ;;
    clang-asan) unbuilt=$left_out_sanitized ;;
  esac
  options=(-DBUILD_TESTING=ON "-DTHRONG_WERROR=$warnings" "-DTHRONG_LONG_TESTS=$long"
    "-DTHRONG_TESTS_NOT_BUILT=$unbuilt")
  # These two checks take a quarter of the time of this build, numbers of lines another quarter of
  # that of the kernels. --all has all three.
  [ "$extent$1" != clang-asan ] ||
    options+=("-DTHRONG_NO_SANITIZE=null,alignment" "-DCMAKE_C_FLAGS_DEBUG=-g0")
  # The PTX of the newest architecture; --all, which may find a folder of an ordinary run, adds the
  # older ones, and machine code.
  if [ "$extent" = --all ]; then
    options+=(-UTHRONG_CUDA_ARCHITECTURES)
  else
    options+=("-DTHRONG_CUDA_ARCHITECTURES=90-virtual")
  fi
}

# Tests with ranks run one at a time; those beside them keep the cores busy while that one waits. A
# module that ranks load lets them sleep while they wait.
run_tests() { # PRESET [ctest arguments...]
  local preset=$1 folder=$builds/$1 results=$builds/$1/results.xml
  shift
  rm -f "$results"
  cp "$folder/tests/sleep_when_idle.so" "$work" ||
    { note_failure "$preset: FAILED: no sleep_when_idle.so" && return; }
  OMPI_MCA_mca_base_env_list=LD_PRELOAD=$work/sleep_when_idle.so ctest --test-dir "$folder" \
    --parallel 3 --output-on-failure --output-junit "$results" \
    --test-output-size-passed 1000000 "$@" || true # with the reasons of what is skipped
  count_results "$preset" "$results"
}

target_of() { # PRESET: what its tests need
  case $1 in
    debug | clang | mpich) echo test_same_bits ;;
    *) echo all ;;
  esac
}

build_preset() { # PRESET
  choose_options "$1"
  build "$1" "$(target_of "$1")" "${options[@]}"
}

# Starts the next build beside the tests, whose ranks leave much of the cores idle. The lowest
# priority: tests have time limits.
ahead='' ahead_preset=''
build_ahead() { # PRESET
  ahead_preset=$1
  (renice -n 19 -p "$BASHPID" >/dev/null && build_preset "$1") &
  ahead=$!
}

ready() { # PRESET: builds it, or waits for the build that was started ahead
  local start=$SECONDS
  if [ "$ahead_preset" = "$1" ]; then
    wait "$ahead" || return 1
  else
    build_preset "$1" || return 1
  fi
  say "$1: built ($((SECONDS - start)) s of waiting)"
}

build_and_test() { # PRESET [ctest arguments...]
  local preset=$1 start=$SECONDS
  shift
  say "$preset"
  if ready "$preset"; then
    [ -z "$next" ] || build_ahead "$next"
    run_tests "$preset" "$@"
  else
    note_failure "$preset: FAILED: it was not built"
  fi
  say "$preset: $((SECONDS - start)) s"
}

# Each scene once, by another compiler and MPI. An MPI may keep cores busy while its ranks wait, so
# that no more than two of them are started.
test_same_bits() { # PRESET
  local said=$builds/$1/same_bits.log
  ready "$1" || return 1
  "$builds/$1/tests/test_same_bits" --filter 'same_bits/@(any_width|of_everything_on_two_ranks)' \
    >"$said" 2>&1 || { cat "$said" && return 1; }
  grep -q 'Tested: 2 ' "$said" || { echo "two tests are wanted of $said" && return 1; }
}

check() { # NAME command...: an exit code of 77 means skipped; the last line says why
  local name=$1 start=$SECONDS code=0 copy copier
  shift
  exec {copy}> >(exec tee "$work/said")
  copier=$!
  "$@" >&"$copy" 2>&1 || code=$?
  exec {copy}>&-
  timeout 10 tail --pid="$copier" -f /dev/null || true # what is left of a check may hold it
  if [ "$code" -eq 0 ]; then
    passed=$((passed + 1))
    sed -n "s/.*SKIPPED in part: /$name: skipped in part: /p" "$work/said" >>"$work/remarks"
    say "$name: passed ($((SECONDS - start)) s)"
  elif [ "$code" -eq 77 ]; then
    skipped=$((skipped + 1))
    say "$name: skipped"
    echo "$name: skipped: $(tail -n 1 "$work/said" | sed 's/^SKIPPED: //')" >>"$work/remarks"
  else
    note_failure "$name: FAILED"
    say "$name: FAILED ($((SECONDS - start)) s)"
  fi
}

# Told, but no failure.
advise_tidiness() {
  [ -d "$builds/clang" ] || { say "clang-tidy: needs the part clang" && return; }
  local said=$builds/clang/tidy.log start=$SECONDS
  find "$root/src" -name '*.c' -print0 |
    xargs -0 -n 1 -P 2 clang-tidy-14 -quiet -p "$builds/clang" >"$said" 2>/dev/null || true
  grep 'warning:' "$said" | sort -u || true
  say "clang-tidy: $(grep 'warning:' "$said" | sort -u | wc -l) warnings ($((SECONDS - start)) s)"
}

# What they learn stays in the build folder, so that later calls go on from there.
fuzz_inputs() { # SECONDS of each program
  build fuzz fuzz -DTHRONG_CUDA=OFF &&
    "$root/tests/fuzz/run.sh" "$builds/fuzz" "$builds/release/throng" "$1"
}

# JuPedSim comes without its viewer, which is large; without it the notebooks leave its part out.
run_notebooks() {
  local environment=$builds/notebook-wheel
  "$root/tests/wheel.sh" "$environment" "pedpy<1.6 nbclient ipykernel" -c '' || return
  "$environment/bin/python" -c 'import jupedsim' 2>/dev/null || [ -n "${THRONG_OFFLINE:-}" ] ||
    timeout 200 "$environment/bin/pip" install --quiet --no-deps jupedsim deprecated wrapt ||
    say "no JuPedSim"
  "$environment/bin/python" "$root/tests/python/run_notebooks.py" "$builds/release/throng" \
    --pictures "$builds/notebooks"
}

# LeakSanitizer: what MPI and HDF5 never give back is not ours (tests/launch.c).
prepare_sanitizers() {
  # gcc's AddressSanitizer refuses to be loaded after another module (run_tests).
  export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:verify_asan_link_order=0
  cp "$root/tests/leaks.supp" "$work"
  export LSAN_OPTIONS=suppressions=$work/leaks.supp:print_suppressions=0
  export UBSAN_OPTIONS=print_stacktrace=1
}

# Without those that are about time, or about Python; what they run is run by others.
not_sanitized='slurm|gpu_cuda|output_(runs|h5py|plot|world|vtkhdf|xdmf|paraview)|python_.*|player_.*|osm2geojson.*|dxf2geojson|collect|install|rooms|papers'
# Minutes with a sanitizer, or slow to start in one: in --all.
long_sanitized='restart|plugin|library|cli_papers|cli_scale|cli_demand|cli_measurements|core_passage'
long_sanitized+='|core_clearpath_guarantee|output_trajectory|output_replay|output_snapshot'
long_sanitized+='|scenario_fields_update|cli_checkpoint|cli_checkpoint_space|cli_run|gpu_field_.*'
long_sanitized+='|core_(backend|scenes|deadlock|wall_lists)|cli_(status|run_lock|cost|command_line)'
long_sanitized+='|output_map|cli_(maps|many)|scenario_papers|core_density_speed_flow'
left_out_sanitized="^($not_sanitized|$long_sanitized)\$"
# In --all: pages in a browser; types of Python; kernels counted by executing them; crowds whose
# results the golden checksums of other tests hold, too; and what downloads packages from PyPI.
long_ordinary='player_screen|style_types|python_report_page|gpu_ptx_counts|gpu_ptx_session|validation'
long_ordinary+='|output_(vtkhdf|xdmf|world)|python_(pedpy|printed|install|report_runs)|gpu_ptx_choice'
long_ordinary+='|osm2geojson_sea|install|gpu_ptx_crowds'
# Laws of parts, shown by the sanitized build; in a release by --quick and --all. There, the golden
# checksums and the runs of the program show the same code.
shown_sanitized='scenario_(options|utf8|csv|bad_.*|bbox|places|lonlat|agent_table|geometry|demand)'
shown_sanitized+='|scenario_(sampling|groups|mutation|transitions)'
shown_sanitized+='|core_(agents|agents_order|box_tree|obstacles|partition_axes|navigation|position)'
shown_sanitized+='|core_(random|zones|measure|audit|marks|steps|work_stealing|worker|roadmap)'
shown_sanitized+='|core_(spreading|kept_corners|nav_grid|cost_noise|groups)'
left_out_release="^($long_ordinary|$shown_sanitized)\$"

test_ordinary() {
  next=clang-asan build_and_test release -E "$left_out_release"
  prepare_sanitizers
  next='' build_and_test clang-asan -E "$left_out_sanitized"
}

all_builds=(release asan clang-asan debug clang mpich)
all_parts=("${all_builds[@]}" validation notebooks pages faults fuzz bare tidy)

is_part() { # PART LIST...
  local one
  for one in "${@:2}"; do
    [ "$one" != "$1" ] || return 0
  done
  return 1
}

next_build() { # PRESET: the wanted one after it
  local one after=
  for one in "${all_builds[@]}"; do
    if [ -n "$after" ] && is_part "$one" "${parts[@]}"; then
      echo "$one"
      return
    fi
    [ "$one" != "$1" ] || after=1
  done
}

test_build() { # PRESET [ctest arguments...]
  is_part "$1" "${parts[@]}" || return 0
  next=$(next_build "$1") build_and_test "$@"
}

need_program() { # for the parts that run it
  local part
  for part in validation notebooks pages faults fuzz; do
    if is_part "$part" "${parts[@]}" && [ ! -x "$builds/release/throng" ]; then
      next='' ready release || note_failure "release: FAILED: it was not built"
      return
    fi
  done
}

check_part() { # PART command...
  ! is_part "$1" "${parts[@]}" || check "$@"
}

test_all() {
  test_build release
  prepare_sanitizers
  test_build asan -E "^($not_sanitized)\$"
  test_build clang-asan -E "^($not_sanitized|restart|cli_papers)\$"
  test_build debug -R same_bits
  test_build clang -R same_bits
  check_part mpich test_same_bits mpich
  need_program
  check_part validation "$root/tests/python.sh" "$root/tests/validation/run.py" \
    --throng "$builds/release/throng" --output "$builds/validation"
  check_part notebooks run_notebooks
  check_part pages "$root/tests/python.sh" "$root/tests/python/run_pages.py" \
    "$builds/release/throng" "$builds/pages"
  check_part faults python3 -B "$root/tests/faults/run.py" --long "$builds/release/throng"
  check_part fuzz fuzz_inputs 60
  check_part bare "$root/tests/bare/run.sh"
  ! is_part tidy "${parts[@]}" || advise_tidiness
}

# Programs that start without mpirun share a folder of Open MPI 4. The last one to end removes it,
# while another one may be about to use it. A file inside keeps it.
keep_session_folder() {
  local folder
  folder=${TMPDIR:-/tmp}/ompi.$(uname -n | cut -d. -f1).$(id -u)/jf.0
  { (umask 077 && mkdir -p "$folder") && touch "$folder/kept"; } 2>/dev/null || true
}

# What looks for networks takes longer to load than most tests take to run, and the names of PCI
# devices longer to read with a sanitizer. Threads wait passively: there are more than cores.
prepare_one_machine() {
  prepare_mpi
  keep_session_folder
  export HWLOC_COMPONENTS=-gl,-opencl,-pci OMP_WAIT_POLICY=passive
  export OMPI_MCA_pml=ob1 OMPI_MCA_btl=^openib,ofi,tcp OMPI_MCA_mtl=^ofi,psm,psm2 OMPI_MCA_osc=^ucx
}

choose_tables() { # of what the tests need beside the build
  tables=("$needed_to_show" "$needed_to_test")
  [ "$extent" = --quick ] || tables+=("$needed_for_clang" "$needed_for_style")
  [ -z "$extent" ] || tables+=("$needed_for_pages")
  [ "$extent" != --all ] || tables+=("$needed_for_long_style" "$needed_for_mpich")
  ! is_part bare "${parts[@]}" || tables+=("$needed_for_bare")
}

install_for_tests() {
  install_missing "${tables[@]}"
  # A subshell: not every system has it, and then only its test is skipped.
  (install_missing "$needed_for_slurm") || say "no Slurm"
}

extent=${1:-}
parts=("${@:2}")
case $extent in
  '' | --quick) [ $# -le 1 ] || stop "${parts[0]}: only --all has parts" ;;
  --all) [ $# -gt 1 ] || parts=("${all_parts[@]}") ;;
  *) stop "$extent: the argument must be --quick or --all" ;;
esac
for part in "${parts[@]}"; do
  is_part "$part" "${all_parts[@]}" || stop "$part: the parts are ${all_parts[*]}"
done
say "what the tests need"
cd "$root"
# LD_PRELOAD and the options of LeakSanitizer take no path with spaces, which that of this folder and
# TMPDIR may hold. One test runs ranks as another user, who must be able to enter it.
work=$(mktemp -d /tmp/throng-XXXXXX)
trap 'rm -rf "$work"' EXIT
chmod 711 "$work"
: >"$work/remarks"
choose_tables
stop_unless_installable "$needed_to_build" "$needed_to_compile_tests" "${tables[@]}"
install_missing "$needed_to_build" "$needed_to_compile_tests"
say "what the build needs: $SECONDS s"
if [ "$extent" != --all ] || is_part release "${parts[@]}"; then
  build_ahead release # beside the installation
fi
(install_for_tests) || { wait && exit 1; }
hash -r
say "installed in $SECONDS s"
prepare_one_machine
case $extent in
  --quick) next='' build_and_test release ;;
  --all) test_all ;;
  *) test_ordinary ;;
esac
say "everything took $SECONDS s"
cat "$work/remarks" # what was skipped, and why; what failed
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
