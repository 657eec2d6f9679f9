# shellcheck shell=bash disable=SC2154  # `bare` and `root` are those of run.sh
# Builds packaging/throng.def without Apptainer: what its sections say is done in bare systems, whose
# packages are those of the image that it starts from.

section_of() { # STAGE NAME: the lines of one section of packaging/throng.def
  awk -v stage="$1" -v name="%$2" '
    $1 == "Stage:" { now = $2; within = 0; next }
    /^%/ { within = now == stage && index($0 " ", name " ") == 1; next }
    within && NF' "$root/packaging/throng.def"
}

copy_files() { # STAGE FROM TO: the lines "source target" of %files
  local source target
  section_of "$1" files | while read -r source target; do
    mkdir -p "$3$(dirname "$target")"
    cp -a "$2/$source" "$3$target"
  done
}

build_stage() { # STAGE
  section_of "$1" post >"$bare/$1/post"
  bare_run "$1" root "sh -e /post" || fail "%post of the stage $1 of packaging/throng.def"
}

run_image() { # SECTION [ARGUMENT...]
  { section_of final environment && section_of final "$1"; } >"$bare/final/script"
  shift
  bare_run final root "sh -e /script $*" || fail "the image of packaging/throng.def: $*"
}

part_apptainer() {
  bare_copy build
  bare_copy final
  copy_files build "$root" "$bare/build"
  build_stage build
  copy_files final "$bare/build" "$bare/final"
  build_stage final
  say "apptainer: the image runs"
  run_image runscript run /opt/throng/share/throng/configs/quickstart.yaml --quiet --steps 300 \
    --output /runs
  run_image "apprun plot" /runs -o /picture.png
  expect_picture final /picture.png
  run_image runscript report /runs --quiet
  run_image runscript plot /runs -o /same.png
}
