#!/usr/bin/env bash
# Installs what is missing, builds throng in every way it is promised to work, and runs all tests.
#
#   tools/test.sh            release, sanitizers, Debug and clang, style
#   tools/test.sh --quick    the tests of the release build only
#
# The last line says how many tests and checks passed, failed and were skipped.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

needed_to_test='
has_command h5dump                  | hdf5-tools                 | hdf5+mpi
has_command osmium                  | osmium-tool                | osmium-tool
has_command ffmpeg                  | ffmpeg                     | ffmpeg
has_modules shapely                 | python3-shapely            | py-shapely
'
needed_for_mpich='
has_command mpicc.mpich             | mpich libmpich-dev         | mpich
has_package hdf5-mpich              | libhdf5-mpich-dev          | hdf5+mpi
'
needed_for_slurm='
has_slurm                           | slurmctld slurmd slurm-client munge | slurm munge
'
needed_for_style='
has_command clang                   | clang                      | llvm
has_clang_openmp                    | libomp-dev                 | llvm-openmp
has_command clang-format-14         | clang-format-14            | llvm@14
has_command clang-tidy-14           | clang-tidy-14              | llvm@14
has_command shellcheck              | shellcheck                 | shellcheck
'
passed=0 failed=0 skipped=0

has_clang_openmp() {
  echo 'int main(void) { return 0; }' | clang -fopenmp -x c - -o /dev/null 2>/dev/null
}

has_slurm() { # its daemons are not in everybody's PATH
  local program PATH=$PATH:/usr/sbin:/sbin
  for program in munged slurmctld slurmd sbatch; do
    has_command "$program" || return 1
  done
}

count_of() { # NAME FILE: an attribute of the file's first element
  grep -o -m 1 "[[:space:]]$1=\"[0-9]*\"" "$2" | tr -dc '0-9'
}

count_results() { # FILE: what ctest wrote
  local all bad out off
  all=$(count_of tests "$1")
  bad=$(count_of failures "$1")
  out=$(count_of skipped "$1")
  off=$(count_of disabled "$1")
  passed=$((passed + all - bad - out - off))
  failed=$((failed + bad))
  skipped=$((skipped + out + off))
}

run_tests() { # PRESET [ctest arguments...]
  local folder=$builds/$1 results=$builds/$1/results.xml
  shift
  rm -f "$results"
  ctest --test-dir "$folder" --parallel 2 --output-on-failure --output-junit "$results" "$@" || true
  if [ -s "$results" ]; then
    count_results "$results"
  else
    failed=$((failed + 1))
  fi
}

build_and_test() { # PRESET CMAKE_ARGUMENT [ctest arguments...]
  local preset=$1 argument=$2 start=$SECONDS
  shift 2
  say "$preset: building"
  if build "$preset" all "$argument"; then
    say "$preset: testing (built in $((SECONDS - start)) s)"
    run_tests "$preset" "$@"
  else
    failed=$((failed + 1))
  fi
  say "$preset: $((SECONDS - start)) s"
}

# Another MPI, the same bits; it has its ranks wait on busy cores, so no more of them than two.
test_mpich() {
  local start=$SECONDS
  build mpich test_same_bits -DTHRONG_WERROR=ON && build mpich throng || return 1
  say "mpich: built in $((SECONDS - start)) s"
  "$builds/mpich/tests/test_same_bits" --filter 'same_bits/of_everything_on_two_ranks'
}

check() { # NAME command...
  local name=$1 start=$SECONDS
  shift
  if "$@"; then
    passed=$((passed + 1))
    say "$name: passed ($((SECONDS - start)) s)"
  else
    failed=$((failed + 1))
    say "$name: FAILED ($((SECONDS - start)) s)"
  fi
}

check_formatting() {
  find "$root/src" "$root/tests" "$root/bench" -name '*.[ch]' -print0 |
    xargs -0 clang-format-14 --dry-run --Werror
}

# Told, but no failure.
advise_tidiness() {
  local said=$builds/clang/tidy.log start=$SECONDS
  find "$root/src" -name '*.c' -print0 |
    xargs -0 -n 1 -P 2 clang-tidy-14 -quiet -p "$builds/clang" >"$said" 2>/dev/null || true
  grep 'warning:' "$said" | sort -u || true
  say "clang-tidy: $(grep 'warning:' "$said" | sort -u | wc -l) warnings ($((SECONDS - start)) s)"
}

check_scripts() {
  find "$root/tools" "$root/tests" "$root/jobs" "$root/.ci" -type f \
    \( -name '*.sh' -o -path '*/.ci/run' \) -print0 | xargs -0 shellcheck -x
}

# LeakSanitizer: what MPI and HDF5 never give back is not ours.
prepare_sanitizers() {
  export ASAN_OPTIONS=detect_leaks=1:fast_unwind_on_malloc=0:abort_on_error=0
  # Its options are separated by spaces, too, and the path of this folder may hold one.
  suppressions=$(mktemp)
  trap 'rm -f "$suppressions"' EXIT
  cp "$root/tests/leaks.supp" "$suppressions"
  export LSAN_OPTIONS=suppressions=$suppressions:print_suppressions=0:use_tls=0
  export UBSAN_OPTIONS=print_stacktrace=1
}

say "what the tests need"
cd "$root"
install_missing "$needed_to_build" "$needed_to_plot" "$needed_to_test"
# A subshell: not every system has it, and then only its test is skipped.
(install_missing "$needed_for_slurm") || say "no Slurm"
say "installed in $SECONDS s"
prepare_mpi
build_and_test release -DTHRONG_WERROR=ON
if [ "${1:-}" != --quick ]; then
  install_missing "$needed_for_style" "$needed_for_mpich"
  prepare_sanitizers
  # Without those that are about time, or about Python; what they run is run by others.
  build_and_test asan -DTHRONG_WERROR=ON -E '^(slurm|restart|output_(runs|h5py|plot|vtkhdf|xdmf|paraview)|osm2geojson|collect|install)$'
  build_and_test debug -DTHRONG_WERROR=ON -R same_bits
  build_and_test clang -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -R same_bits
  check "mpich" test_mpich
  check "clang-format" check_formatting
  advise_tidiness
  check "shellcheck" check_scripts
fi
say "everything took $SECONDS s"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
