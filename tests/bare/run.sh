#!/usr/bin/env bash
# What README.md promises for a fresh machine, in bare systems (root.sh): an ordinary user who may not
# install anything gets one list of all that is missing; with that, README's commands work for this
# user; root needs nothing but the two scripts; and packaging/throng.def builds.
#
#   tests/bare/run.sh [PART...]     user, root, apptainer; all of them unless said otherwise
#
# KEEP=1 keeps the folder with the systems and prints its path; BASE=FOLDER/base makes the next ones
# from the bare system of an earlier call. BARE_TESTS='--quick' gives words to tools/test.sh. Needs root
# and debootstrap, half an hour and 6 GB in /tmp; otherwise it ends with 77.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../.." && pwd)
# shellcheck source-path=SCRIPTDIR source=root.sh
source "$here/root.sh"
# shellcheck source-path=SCRIPTDIR source=apptainer.sh
source "$here/apptainer.sh"

[ "$(id -u)" -eq 0 ] || bare_skip "only root can make a bare system"
command -v debootstrap >/dev/null || bare_skip "no debootstrap"
if [ -z "${THRONG_UNSHARED:-}" ]; then
  unshare --mount true 2>/dev/null || bare_skip "no mounts of its own"
  THRONG_UNSHARED=1 exec unshare --mount "${BASH_SOURCE[0]}" "$@"
fi

say() {
  printf -- '-- %4d s  %s\n' "$SECONDS" "$*"
}

fail() {
  echo "FAILED: $*"
  exit 1
}

# Every block of README.md of this section and kind that holds the text.
printed() { # SECTION KIND TEXT
  python3 -B "$root/tests/python/page_blocks.py" README.md "$@"
}

# The list of the packages that a script asks for. It does nothing else.
asked_for() { # NAME USER COMMAND
  local said before after list files='find . -path "./.*" -prune -o -print | sort' # no settings
  before=$(bare_run "$1" "$2" "$files")
  if said=$(bare_run "$1" "$2" "$3" 2>&1); then
    fail "$3 ends with 0 where packages are missing: $said"
  fi
  list=$(sed -n 's/^ *apt-get install --no-install-recommends //p' <<<"$said")
  [ "$(grep -c 'apt-get install' <<<"$said")" -eq 1 ] || fail "$3: not one list: $said"
  [ -z "$(tr ' ' '\n' <<<"$list" | sort | uniq -d)" ] || fail "$3: named twice: $list"
  after=$(bare_run "$1" "$2" "$files")
  [ "$before" = "$after" ] || fail "$3 has begun: $(diff <(echo "$before") <(echo "$after"))"
  echo "$list"
}

install() { # NAME PACKAGES
  bare_run "$1" root "apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
    install --no-install-recommends $2" >"$bare/apt.log" 2>&1 || fail "$(tail -n 20 "$bare/apt.log")"
}

expect_picture() { # NAME PATH
  [ "$(head -c 4 "$bare/$1$2" | tail -c 3)" = PNG ] || fail "$2 is no picture"
}

# README's lines after the quickstart, as it prints them, one by one. There is no ParaView.
run_readme() { # NAME USER
  local line lines
  printed "Your own crowd" yaml hall.yaml >"$bare/$1/home/$2/throng/hall.yaml"
  lines=$(printed "Your own crowd" sh "throng check" | grep -v '^paraview')
  [ "$(nproc)" -gt 1 ] || lines=$(grep -v '^mpirun' <<<"$lines")
  while read -r line; do
    say "user: $line"
    bare_run "$1" "$2" "cd throng && PATH=\$PWD/build/release:\$PATH; $line" >"$bare/said" 2>&1 ||
      fail "$line: $(cat "$bare/said")"
  done <<<"$lines"
  [ -s "$bare/$1/home/$2/throng/runs/hall/report.html" ] || fail "no report"
}

# The lines with pip need PyPI, which is no mirror of packages of the system.
run_python() { # NAME USER
  local lines
  install "$1" "$(asked_of_python)"
  bare_open "$1"
  [ ! -f "${PIP_CERT:-/etc/ssl/certs/ca-certificates.crt}" ] ||
    cp -L "${PIP_CERT:-/etc/ssl/certs/ca-certificates.crt}" "$bare/$1/tmp/certificates.crt"
  lines=$(printed "Your own crowd" sh "pip install")
  printed "Your own crowd" python >"$bare/$1/home/$2/throng/printed.py"
  if ! bare_run "$1" "$2" "export PIP_CERT=/tmp/certificates.crt; python3 -m venv /tmp/try &&
    /tmp/try/bin/pip -q download --no-deps -d /tmp/try setuptools" >"$bare/said" 2>&1; then
    echo "SKIPPED in part: README's lines in Python: no PyPI from here"
    return
  fi
  say "user: README's lines in Python"
  bare_run "$1" "$2" "set -e; export PIP_CERT=/tmp/certificates.crt; cd throng
    $lines
    python printed.py" >"$bare/said" 2>&1 || fail "$(tail -n 30 "$bare/said")"
}

# What README.md says that Debian needs for pip.
asked_of_python() {
  printed "Your own crowd" sh "pip install" | grep -oE 'apt-get install [^#]*' |
    sed 's/apt-get install //'
}

part_user() {
  local list
  bare_copy user
  bare_give user guest
  list=$(asked_for user guest "cd throng && tools/test.sh")
  say "user: tools/test.sh asks for $(wc -w <<<"$list") packages"
  list=$(asked_for user guest "cd throng && tools/quickstart.sh")
  say "user: tools/quickstart.sh asks for $list"
  install user "$list"
  bare_run user guest "cd throng && tools/quickstart.sh" || fail "quickstart, with all it asked for"
  expect_picture user /home/guest/throng/runs/quickstart/people-1500.png
  run_readme user guest
  run_python user guest
}

part_root() {
  bare_copy root
  bare_give root root
  say "root: tools/quickstart.sh"
  bare_run root root "cd throng && tools/quickstart.sh" || fail "quickstart"
  expect_picture root /root/throng/runs/quickstart/people-1500.png
  bare_run root root "cd throng && build/release/throng report runs/quickstart --quiet" ||
    fail "throng report"
  say "root: tools/test.sh ${BARE_TESTS:-}"
  bare_run root root "cd throng && CI=true tools/test.sh ${BARE_TESTS:-}" || fail "tools/test.sh"
}

leave() {
  if [ -n "${KEEP:-}" ]; then
    echo "kept: $bare"
  else
    bare_stop
  fi
}

[ $# -gt 0 ] || set -- user root apptainer
trap leave EXIT
say "a bare system"
bare_start
for part in "$@"; do
  say "$part"
  "part_$part"
done
say "all is well"
