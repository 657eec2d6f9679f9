# shellcheck shell=bash
# Shared by quickstart.sh and test.sh: finds and installs what throng needs, and builds it.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
builds=${THRONG_BUILDS:-$root/build} # default: the build folder of the presets

say() {
  printf '== %s\n' "$*"
}

stop() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# ---------------------------------------------------------------------------- what is installed

has_command() {
  command -v "$1" >/dev/null 2>&1
}

has_compiler() {
  has_command cc && echo 'int main(void) { return 0; }' | cc -x c - -o /dev/null 2>/dev/null
}

has_make() {
  has_command ninja || has_command make
}

has_cmake() { # 3.25 or newer
  local version
  version=$(cmake --version 2>/dev/null | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')
  [ -n "$version" ] && [ "$(printf '3.25\n%s\n' "$version" | sort -V | head -n 1)" = 3.25 ]
}

has_mpi() {
  has_command mpicc && has_command mpirun
}

has_parallel_hdf5() {
  has_command h5pcc || has_command h5pcc.openmpi
}

has_geos() {
  has_command geos-config
}

has_package() { # known to pkg-config
  pkg-config --exists "$1" 2>/dev/null
}

has_header() {
  echo "#include <$1>" | cc -E -x c - >/dev/null 2>&1
}

python_with() { # prints a Python that can import all of the given modules
  local python modules
  modules=$(IFS=,; echo "$*")
  for python in ${THRONG_PYTHON:+"$THRONG_PYTHON"} python3 /usr/bin/python3; do
    if "$python" -c "import $modules" >/dev/null 2>&1; then
      echo "$python"
      return 0
    fi
  done
  return 1
}

has_modules() {
  python_with "$@" >/dev/null
}

# Requirements, one per line: a check | packages of Debian and Ubuntu | packages of Spack, in
# parentheses what Spack does not have.
# shellcheck disable=SC2034  # used by scripts that source this file
needed_to_build='
has_compiler                        | gcc libc6-dev              | gcc
has_make                            | ninja-build                | ninja
has_cmake                           | cmake                      | cmake
has_command pkg-config              | pkg-config                 | pkgconf
has_mpi                             | libopenmpi-dev openmpi-bin | openmpi
has_parallel_hdf5                   | libhdf5-openmpi-dev        | hdf5+mpi
has_geos                            | libgeos-dev                | geos
has_package libfyaml                | libfyaml-dev               | libfyaml
has_package libdeflate              | libdeflate-dev             | libdeflate
has_package zlib                    | zlib1g-dev                 | zlib
has_header Random123/philox.h       | librandom123-dev           | random123
'
# shellcheck disable=SC2034  # pictures and reports
needed_to_show='
has_modules numpy h5py matplotlib jinja2 yaml | python3-numpy python3-h5py python3-matplotlib python3-jinja2 python3-yaml | py-numpy py-h5py py-matplotlib py-jinja2 py-pyyaml
'

trim() {
  local text=$1
  text=${text#"${text%%[![:space:]]*}"}
  printf '%s' "${text%"${text##*[![:space:]]}"}"
}

# missing COLUMN TABLE...: prints the packages (column 2: Debian, 3: Spack) of failed checks.
missing() {
  local column=$1 check debian spack
  shift
  printf '%s\n' "$@" | while IFS='|' read -r check debian spack; do
    [ -n "$(trim "$check")" ] || continue
    # shellcheck disable=SC2086  # a check and its arguments
    if ! ${check} </dev/null; then
      if [ "$column" = 2 ]; then trim "$debian"; else trim "$spack"; fi
      echo
    fi
  done
}

# ---------------------------------------------------------------------------- installation

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

may_install() { # as root, or by a sudo that asks for no password, or has somebody to ask
  [ "$(id -u)" -eq 0 ] || { has_command sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; }
}

updated= # once is enough
apt_install() { # package...
  local log
  log=$(mktemp)
  say "installing $*"
  [ -n "$updated" ] || as_root apt-get -qq -o DPkg::Lock::Timeout=300 update >"$log" 2>&1 || true
  updated=1
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 \
    install --no-install-recommends "$@" >>"$log" 2>&1; then
    tail -n 20 "$log" >&2
    stop "apt-get could not install these packages: $*"
  fi
  rm -f "$log"
}

say_how_with_apt() { # package...
  cat >&2 <<END
${0##*/}: packages are missing, and this user may not install them. Ask an administrator to run
  apt-get install --no-install-recommends $*
then run this script again.
END
  exit 1
}

say_how_with_spack() { # package...
  local package of_spack=() others=()
  for package in "$@"; do
    case $package in
      \(*\)) others+=("$(echo "$package" | tr -d '()')") ;;
      *) of_spack+=("$package") ;;
    esac
  done
  echo "${0##*/}: packages are missing, and this machine has no apt." >&2
  if [ "${#of_spack[@]}" -gt 0 ]; then
    cat >&2 <<END
With Spack (https://spack.io):
  spack install ${of_spack[*]}
  spack load ${of_spack[*]}
END
  fi
  case " $* " in
    *" random123 "*) echo "  export CPATH=\$(spack location -i random123)/include:\$CPATH" >&2 ;;
  esac
  [ "${#others[@]}" -eq 0 ] || echo "By hand, since Spack does not have them: ${others[*]}" >&2
  echo "Then run this script again." >&2
  exit 1
}

say_still_missing() { # package...
  has_cmake || echo "${0##*/}: CMake 3.25 or newer is required, but this system has an older one:" \
    "python3 -m pip install --user cmake" >&2
  stop "still missing after installing: $*"
}

find_missing() { # COLUMN TABLE...: fills `packages`, each once
  mapfile -t packages < <(missing "$@" | tr ' ' '\n' | awk '!seen[$0]++')
}

# Ends the script with a list of all that the tables lack, if it cannot be installed from here.
stop_unless_installable() { # TABLE...
  local packages
  find_missing 2 "$@"
  if [ "${#packages[@]}" -eq 0 ]; then
    return 0
  elif ! has_command apt-get; then
    find_missing 3 "$@"
    say_how_with_spack "${packages[@]}"
  elif ! may_install; then
    say_how_with_apt "${packages[@]}"
  fi
}

# Installs the packages of the tables that are missing, and no others.
install_missing() { # TABLE...
  local packages
  find_missing 2 "$@"
  [ "${#packages[@]}" -gt 0 ] || return 0
  stop_unless_installable "$@"
  apt_install "${packages[@]}"
  hash -r
  find_missing 2 "$@"
  [ "${#packages[@]}" -eq 0 ] || say_still_missing "${packages[@]}"
}

# ---------------------------------------------------------------------------- build and run

cores() {
  nproc 2>/dev/null || getconf _NPROCESSORS_ONLN
}

run_logged() { # LOG command...: no output unless the command fails
  local log=$1
  shift
  if ! "$@" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    printf '%s: failed: %s (complete log: %s)\n' "${0##*/}" "$*" "$log" >&2
    return 1
  fi
}

# build PRESET TARGETS [cmake arguments...]: keeps the generator of an existing build folder.
build() {
  local preset=$1 targets folder=$builds/$1
  read -ra targets <<<"$2"
  shift 2
  mkdir -p "$folder"
  if has_command ninja && [ -z "${CMAKE_GENERATOR:-}" ] && [ ! -e "$folder/CMakeCache.txt" ]; then
    set -- -G Ninja "$@"
  fi
  (cd "$root" && run_logged "$folder/configure.log" cmake --preset "$preset" -B "$folder" "$@") &&
    run_logged "$folder/build.log" cmake --build "$folder" --target "${targets[@]}" --parallel "$(cores)"
}

# Permits more ranks than cores, also as root and in a container.
prepare_mpi() {
  if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  fi
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
  export OMPI_MCA_hwloc_base_binding_policy=none # threads may use every core
  export OMPI_MCA_btl_vader_single_copy_mechanism=none
  # mpirun of Open MPI 4 sometimes misses that a rank has finalized, and ends with exit code 1
  # (open-mpi/ompi issues 7833 and 9389). A rank with an exit code of its own still ends the run.
  export OMPI_MCA_orte_allowed_exit_without_sync=1
  export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # Open MPI 5
}
