# shellcheck shell=bash
# Bare systems for tests: the distribution of this machine by debootstrap, in which nothing is
# installed that a system can do without. Needs root.
#
#   bare_start             makes a folder, $bare, and the system `base` in it; 77 where none is made
#   bare_copy NAME         another such system
#   bare_run NAME USER COMMAND   a line of bash, in the user's home folder
#   bare_give NAME USER    the user gets a copy of this checkout, in ~/throng, without what is built
#   bare_open NAME         from here on, every host can be reached, not only the mirror of packages
#   bare_stop              removes everything
#
# All mounts are seen by this process and its children only: source this file in a process that
# `unshare --mount` has started.

bare=
bare_skip() { # REASON
  echo "SKIPPED: $*"
  exit 77
}

bare_mirror() { # prints the address from which this machine gets its packages
  { cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null || true; } |
    awk '/^(URIs:|deb )/ && match($0, /https?:[^ ]+/) { print substr($0, RSTART, RLENGTH); exit }'
}

bare_proxies() { # prints what apt is told of the way to the mirror
  apt-config dump Acquire | grep -E '::(Proxy|Check-Valid-Until|Check-Date|CaInfo|Verify-Peer) ' || true
}

# Names are looked up in /etc/hosts only, which has those of the mirror, or of the proxy before it.
bare_close() { # NAME
  local etc=$bare/$1/etc host
  sed -i 's/^hosts:.*/hosts: files/' "$etc/nsswitch.conf"
  rm -f "$etc/resolv.conf"
  echo "127.0.0.1 localhost $(uname -n)" >"$etc/hosts"
  { bare_mirror && bare_proxies; } | grep -oE 'https?://[^/:"]+' | sed 's#.*//##' | sort -u |
    while read -r host; do
      getent ahosts "$host" | awk -v host="$host" '$2 == "STREAM" { print $1, host }' >>"$etc/hosts"
    done
}

bare_open() { # NAME
  local etc=$bare/$1/etc
  sed -i 's/^hosts:.*/hosts: files dns/' "$etc/nsswitch.conf"
  cp -L /etc/resolv.conf "$etc/resolv.conf"
}

bare_mount() { # NAME
  local place root=$bare/$1
  mount -t proc proc "$root/proc"
  for place in dev dev/pts dev/shm sys; do
    mount --bind "/$place" "$root/$place"
  done
  [ ! -d /sys/fs/cgroup ] || mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup"
}

bare_start() {
  local mirror components=main
  mirror=$(bare_mirror)
  [ -n "$mirror" ] || bare_skip "apt has no mirror from which a bare system could be made"
  # shellcheck source=/dev/null
  source /etc/os-release
  [ "$ID" != ubuntu ] || components=main,universe
  bare=$(mktemp -d /tmp/throng-bare-XXXXXX)
  chmod 755 "$bare"
  if [ -n "${BASE:-}" ]; then
    cp -a "$BASE" "$bare/base"
  elif ! debootstrap --variant=minbase --components="$components" "$VERSION_CODENAME" "$bare/base" \
    "$mirror" >"$bare/debootstrap.log" 2>&1; then
    tail -n 3 "$bare/debootstrap.log"
    exit 1
  fi
  bare_proxies >"$bare/base/etc/apt/apt.conf.d/99mirror"
  bare_close base
}

bare_copy() { # NAME
  cp -a "$bare/base" "$bare/$1"
  bare_mount "$1"
}

bare_run() { # NAME USER COMMAND
  local home=/root
  [ "$2" = root ] || home=/home/$2
  [ -d "$bare/$1$home" ] || chroot "$bare/$1" /usr/sbin/useradd --create-home "$2"
  chroot --userspec="$2" "$bare/$1" env -i HOME="$home" USER="$2" LC_ALL=C.UTF-8 TERM=dumb \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    ${THRONG_OFFLINE:+THRONG_OFFLINE=1} bash -c "cd && $3" </dev/null
}

bare_give() { # NAME USER
  bare_run "$1" "$2" "mkdir throng"
  tar -C "$root" --exclude=./build --exclude=./runs --exclude=./.git -cf - . |
    chroot --userspec="$2" "$bare/$1" tar -C "$(bare_run "$1" "$2" pwd)/throng" --no-same-owner -xf -
}

bare_stop() {
  local place
  [ -n "$bare" ] || return 0
  for place in "$bare"/*/{sys,dev,proc}; do
    umount --recursive --lazy "$place" 2>/dev/null || true
  done
  rm -rf --one-file-system "$bare"
}
