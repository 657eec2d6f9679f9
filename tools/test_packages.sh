# shellcheck shell=bash disable=SC2034  # test.sh reads the tables
# What tests need beside the build: tables as those of common.sh, and their checks.

needed_to_compile_tests='
has_package criterion               | libcriterion-dev           | (criterion)
'
needed_to_test='
has_command h5dump                  | hdf5-tools                 | hdf5+mpi
where_apt has_command osmium        | osmium-tool                | (osmium-tool)
has_command ffmpeg                  | ffmpeg                     | ffmpeg
tests_import numpy h5py matplotlib  | python3-numpy python3-h5py python3-matplotlib | py-numpy py-h5py py-matplotlib
tests_import jinja2 yaml            | python3-jinja2 python3-yaml | py-jinja2 py-pyyaml
tests_import shapely                | python3-shapely            | py-shapely
tests_import mpi4py                 | python3-mpi4py             | py-mpi4py
where_apt tests_import ezdxf        | python3-ezdxf              | (ezdxf)
can_make_environments               | python3-venv               | python
has_command node                    | nodejs                     | node-js
tests_import osgeo                  | python3-gdal               | gdal+python
can_make_locales                    | locales                    | (locales)
'
needed_for_pages='
where_apt has_chromium              | chromium                   | (chromium)
'
needed_for_mpich='
has_command mpicc.mpich             | mpich libmpich-dev         | mpich
has_package hdf5-mpich              | libhdf5-mpich-dev          | hdf5+mpi
'
needed_for_slurm='
has_slurm                           | slurmctld slurmd slurm-client munge | slurm munge
'
needed_for_bare='
where_apt has_command debootstrap   | debootstrap                | (debootstrap)
'
needed_for_clang='
has_command clang                   | clang                      | llvm
has_clang_openmp                    | libomp-dev                 | llvm-openmp
has_clang_sanitizers                | libclang-rt-dev            | llvm
has_command llvm-symbolizer         | llvm                       | llvm
'
needed_for_style='
has_command clang-format-14         | clang-format-14            | llvm@14
has_command shellcheck              | shellcheck                 | shellcheck
'
needed_for_long_style='
has_command clang-tidy-14           | clang-tidy-14              | llvm@14
has_command mypy                    | mypy                       | py-mypy
'

# The tests run by the system's Python, if it has one (tests/output/CMakeLists.txt), whatever other
# Python comes first in the path.
tests_import() { # MODULE...
  local python=/usr/bin/python3
  [ -x "$python" ] || python=python3
  "$python" -c "import $(IFS=,; echo "$*")" >/dev/null 2>&1
}

can_make_environments() { # of Python, for packages of PyPI (tests/wheel.sh)
  python3 -c 'import ensurepip, venv' >/dev/null 2>&1
}

can_make_locales() { # by localedef
  [ -e /usr/share/i18n/locales/de_DE ]
}

where_apt() { # CHECK...: of a package that Spack does not have; what needs it is skipped there
  ! has_command apt-get || "$@"
}

has_chromium() {
  has_command chromium || has_command chromium-browser
}

has_clang_openmp() {
  echo 'int main(void) { return 0; }' | clang -fopenmp -x c - -o /dev/null 2>/dev/null
}

has_clang_sanitizers() {
  echo 'int LLVMFuzzerTestOneInput(const void *data, unsigned long size) { return !data && size; }' |
    clang -fsanitize=fuzzer,address,undefined -x c - -o /dev/null 2>/dev/null
}

has_slurm() { # its daemons are not in every user's PATH
  local program PATH=$PATH:/usr/sbin:/sbin
  for program in munged slurmctld slurmd sbatch; do
    has_command "$program" || return 1
  done
}
