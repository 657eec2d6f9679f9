#!/bin/sh
# Converts OpenStreetMap data (.osm, .osm.gz, .osm.bz2, .osm.pbf) to the obstacles of a map: GeoJSON
# polygons of buildings, water and the sea. osmium selects and assembles the objects; osm2geojson.py
# closes the coastline and cleans up. docs/maps.md explains what is kept and why.
set -eu

usage() {
  echo "usage: ${0##*/} IN.osm[.gz|.bz2|.pbf] OUT.geojson [options]"
  cat <<'EOF'

  --box LON0,LAT0,LON1,LAT1  clip to this box (default: the box of the extract; of a file without
                             one, and with --mapped, the extent of the buildings plus 50 m)
  --barriers                 also walls, fences, hedges and cliffs, open at ways and gates
  --no-passages              do not cut covered ways through buildings
  --no-bridges               do not cut bridges out of the water
  --no-piers                 do not cut piers out of the sea
  --keep-locked              leave ground free that cannot be reached from the border
  --clearance M              half the width of the narrowest passage that counts (default 0.5)
  --simplify M               drop corners that stand out by less than this (default 0.1)
  --mapped                   also write the areas `mapped`, where the map has houses, and `rim`,
                             20 m wide around it on the land side
  --no-streets               without streets, tracks and names, which pictures show below the people
  --source TEXT              name of the data source in the output (default: name of the input)
  --point LON,LAT            print what is there: free, building, water, ... (may be repeated)
  --help

The output is under the licence of OpenStreetMap's data, ODbL 1.0: keep its attribution.
EOF
}

fail() {
  echo "osm2geojson: $*" >&2
  exit 1
}

python() {  # only Debian's own python3 finds Debian's python3-shapely
  for candidate in "${PYTHON:-}" /usr/bin/python3 python3; do
    if [ -n "$candidate" ] && "$candidate" -c 'import shapely' 2>/dev/null; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}

case " $* " in *" --help "* | *" -h "*) usage; exit 0 ;; esac
if [ $# -lt 2 ]; then
  usage >&2
  exit 1
fi
input=$1
output=$2
shift 2
case "$input$output" in -*) usage >&2; exit 1 ;; esac

command -v osmium >/dev/null 2>&1 ||
  fail "osmium is missing; install it: apt-get install osmium-tool" \
    "(elsewhere: conda install -c conda-forge osmium-tool)"
python3=$(python) ||
  fail "Python's shapely is missing; install it: apt-get install python3-shapely" \
    "(Spack: py-shapely)"
[ -f "$input" ] || fail "$input: no such file"
[ -r "$input" ] || fail "$input: cannot be read"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

osmium tags-filter --no-progress "$input" --output "$work/kept.osm.pbf" \
  building building:part natural=water,coastline,cliff waterway=riverbank,dock,river,canal water \
  landuse=reservoir,basin leisure=swimming_pool amenity=fountain \
  man_made=pier,breakwater,groyne barrier entrance w/highway \
  place=city,town,village,hamlet,suburb,quarter,neighbourhood,square,island,locality \
  railway=station,halt w/railway=rail,light_rail,tram,narrow_gauge public_transport=station leisure=stadium,park,marina \
  amenity=hospital,townhall,university,theatre,marketplace \
  tourism=museum,zoo,aquarium,theme_park 2>"$work/errors" ||
  fail "$input: osmium cannot read it: $(head -1 "$work/errors")"
tools=$(dirname -- "$(readlink -f -- "$0")") # it may have been called by a link
kept=$work/kept.osm.pbf
if ! osmium check-refs --no-progress "$kept" >/dev/null 2>&1; then
  osmium cat --no-progress "$kept" --output-format opl --output "$work/all.opl"
  "$python3" "$tools/osm_ways.py" <"$work/all.opl" >"$work/kept.opl"
  kept=$work/kept.opl
fi
osmium export --no-progress "$kept" --output-format geojsonseq \
  --format-option print_record_separator=false --attributes type,id --show-errors \
  --output "$work/kept.geojsonseq" 2>"$work/errors" ||
  fail "$input: osmium cannot export it: $(head -1 "$work/errors")"
dropped=$(grep -c '^Geometry error' "$work/errors" || true)
[ "$dropped" = 0 ] ||
  echo "osm2geojson: $input: osmium dropped $dropped objects with broken geometry" >&2

boxes=$(osmium fileinfo --no-progress --get header.boxes "$input" 2>/dev/null) || boxes=
"$python3" "$tools/osm2geojson.py" "$work/kept.geojsonseq" "$output" \
  --input-name "$input" --extract-box "$boxes" "$@"
