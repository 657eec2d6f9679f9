#!/usr/bin/env python3
"""Tests of tools/osm2geojson.sh on small maps made here.

usage: test_osm2geojson.py TOOL [CASE ...]. Needs nothing but Python; exits with 77 (skipped) when
the tool says that osmium or shapely is missing.
"""
import json
import os
import subprocess
import sys
import tempfile
from xml.sax.saxutils import quoteattr

TOOL = ""
METRE = 1e-5               # degrees: 1.11 m of latitude, and of longitude at the equator
BOX = "0,0,0.01,0.01"      # 1.11 km square, in which the maps below lie


class Map:
    """A small OpenStreetMap file: nodes on a plane of 0..1000 units, ways and relations."""

    def __init__(self):
        self.nodes, self.ways, self.relations = [], [], []
        self.missing = set()  # nodes that ways name and the file does not have

    def node(self, x, y, **tags):
        self.nodes.append((x, y, tags))
        return len(self.nodes)

    def way(self, corners, **tags):
        """A way through these corners; the first one repeated last closes it."""
        ids = [self.node(x, y) for x, y in corners]
        if len(corners) > 3 and corners[0] == corners[-1]:
            ids[-1] = ids[0]
        self.ways.append((ids, tags))
        return len(self.ways)

    def square(self, x, y, size, **tags):
        return self.way([(x, y), (x + size, y), (x + size, y + size), (x, y + size), (x, y)],
                        **tags)

    def multipolygon(self, members, **tags):
        """members: (role, way)"""
        self.relations.append((members, dict(tags, type="multipolygon")))

    def lose(self, *corners):
        """Leaves these nodes out of the file, as an extract does with those outside its box."""
        self.missing |= {i for i, (x, y, _) in enumerate(self.nodes, 1) if (x, y) in corners}

    def xml(self):
        meta = 'version="1" timestamp="2020-01-01T00:00:00Z"'
        out = ['<?xml version="1.0"?><osm version="0.6">']
        for i, (x, y, tags) in enumerate(self.nodes, 1):
            if i in self.missing:
                continue
            out.append('<node id="%d" lon="%.7f" lat="%.7f" %s>%s</node>' % (
                i, x * METRE, y * METRE, meta, xml_tags(tags)))
        for i, (ids, tags) in enumerate(self.ways, 1):
            refs = "".join('<nd ref="%d"/>' % r for r in ids)
            out.append('<way id="%d" %s>%s%s</way>' % (i, meta, refs, xml_tags(tags)))
        for i, (members, tags) in enumerate(self.relations, 1):
            refs = "".join('<member type="way" ref="%d" role="%s"/>' % (way, role)
                           for role, way in members)
            out.append('<relation id="%d" %s>%s%s</relation>' % (i, meta, refs, xml_tags(tags)))
        return "\n".join(out + ["</osm>\n"])


def xml_tags(tags):
    return "".join('<tag k="%s" v=%s/>' % (k.replace("__", ":"), quoteattr(v))
                   for k, v in tags.items())


def run(*arguments, **environment):
    done = subprocess.run(["/bin/sh", TOOL, *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True,
                          env=dict(os.environ, **environment))
    if " is missing; install it" in done.stderr and not environment:
        print("skipped:", done.stderr.strip())
        sys.exit(77)
    return done


def convert(town, points, *options):
    """Runs the tool on a map. Returns what it says lies at the points, its warnings, its file."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "in.osm"), os.path.join(folder, "out.geojson")
        with open(source, "w", encoding="utf-8") as stream:
            stream.write(town.xml())
        wanted = [a for x, y in points for a in ("--point", "%.7f,%.7f" % (x * METRE, y * METRE))]
        done = run(source, target, "--box", BOX, *wanted, *options)
        assert done.returncode == 0, done.stderr
        with open(target, encoding="utf-8") as stream:
            output = json.load(stream)
    kinds = [line.split(": ")[1] for line in done.stdout.splitlines()
             if line.startswith("point")]
    return kinds, done.stderr, output


def expect(town, at, *options, warning=None):
    """at: {(x, y): kind}. The tool must find these kinds, and warn only of what is expected."""
    kinds, warnings, output = convert(town, list(at), *options)
    for (point, wanted), found in zip(at.items(), kinds):
        assert found == wanted, "at %s: %s instead of %s" % (point, found, wanted)
    assert (warning in warnings) if warning else not warnings, warnings
    output["features"] = obstacles(output)
    for f in output["features"]:
        check_feature(f)
    return output


def obstacles(output):
    return [f for f in output["features"] if f["properties"]["throng"] not in ("street", "label")]


def backdrop(output, role):
    """{(kind, name): coordinates in units} of streets or labels."""
    def units(part):
        return round(part / METRE, 3) if isinstance(part, float) else [units(p) for p in part]

    return {(f["properties"].get("kind"), f["properties"].get("name")):
            units(f["geometry"]["coordinates"])
            for f in output["features"] if f["properties"]["throng"] == role}


def check_feature(f):
    assert f["properties"]["throng"] == "obstacle", f
    assert f["geometry"]["type"] == "Polygon", f
    for i, ring in enumerate(f["geometry"]["coordinates"]):
        assert len(ring) >= 4 and ring[0] == ring[-1], ring
        assert all(round(v, 7) == v for corner in ring for v in corner), ring
        assert (signed_area(ring) > 0) == (i == 0), "a ring turns the wrong way"


def signed_area(ring):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:])) / 2


def outer_area(output, kind):
    """Square units of the outer rings of a kind."""
    return sum(signed_area(f["geometry"]["coordinates"][0]) for f in output["features"]
               if f["properties"]["kind"] == kind) / METRE ** 2


# --- the sea -------------------------------------------------------------------------------------

def test_land_is_on_the_left():
    town = Map()
    town.way([(-50, 400), (500, 450), (1050, 400)], natural="coastline")
    output = expect(town, {(500, 900): "free", (500, 100): "sea", (5, 5): "sea", (995, 5): "sea"})
    assert abs(outer_area(output, "sea") - 427274) < 500, outer_area(output, "sea")
    town = Map()
    town.way([(1050, 400), (500, 450), (-50, 400)], natural="coastline")
    expect(town, {(500, 900): "sea", (500, 100): "free"})


def test_coast_in_several_ways_and_round_a_corner():
    town = Map()
    town.way([(-50, 400), (300, 500)], natural="coastline")
    town.way([(300, 500), (600, 400)], natural="coastline")
    town.way([(600, 400), (700, -50)], natural="coastline")
    town.way([(900, -50), (1050, 300)], natural="coastline")
    expect(town, {(100, 100): "sea", (500, 100): "sea", (800, 100): "free", (500, 900): "free",
                  (980, 20): "sea"})


def test_island_and_lagoon():
    town = Map()
    town.way([(-50, 500), (1050, 500)], natural="coastline")
    town.square(300, 100, 200, natural="coastline")                         # anticlockwise: land
    town.way([(600, 700), (600, 900), (800, 900), (800, 700), (600, 700)], natural="coastline")
    at = {(100, 100): "sea", (400, 200): "free", (700, 800): "sea", (500, 800): "free"}
    expect(town, at, "--keep-locked")
    at[(400, 200)] = "locked"
    expect(town, at)


def test_island_in_open_sea():
    town = Map()
    town.square(300, 300, 200, natural="coastline")
    expect(town, {(400, 400): "free", (10, 10): "sea", (990, 990): "sea"}, "--keep-locked")


def test_coast_outside_the_box_changes_nothing():
    town = Map()
    town.way([(-50, -30), (1050, -30)], natural="coastline")
    town.square(100, 100, 20, building="yes")
    output = expect(town, {(500, 500): "free", (110, 110): "building"})
    assert {f["properties"]["kind"] for f in output["features"]} == {"building"}


def test_loose_end_is_led_to_the_border():
    town = Map()
    town.way([(-50, 400), (800, 400)], natural="coastline")
    at = {(100, 100): "sea", (100, 900): "free", (950, 300): "sea", (950, 500): "free"}
    expect(town, at, warning="the coastline ends at 0.00800,0.00400 inside the box")


def test_loose_end_does_not_cross_the_coast():
    town = Map()                     # a hook: straight on, the end would run into the line itself
    town.way([(-50, 400), (950, 400), (950, 600), (800, 600)], natural="coastline")
    expect(town, {(900, 500): "free", (980, 500): "sea", (500, 500): "free", (500, 900): "free",
                  (900, 900): "sea"}, warning="the coastline ends at 0.00800,0.00600")


def test_ways_that_leave_the_extract_are_cut():
    town = Map()  # the coast leaves the extract between its two halves, a building at its border
    town.way([(-50, 400), (1, 400), (999, 400), (1200, 400), (999, 700), (600, 700), (600, 999),
              (600, 1050)], natural="coastline")
    town.way([(100, 800), (100, 900), (-50, 900), (-50, 800), (100, 800)], building="yes")
    town.square(300, 800, 50, building="yes")
    town.lose((-50, 400), (1200, 400), (600, 1050), (-50, 900))
    expect(town, {(500, 100): "sea", (900, 500): "free", (900, 900): "sea", (300, 500): "free",
                  (40, 810): "building", (20, 890): "free", (325, 825): "building"},
           warning="2 ways leave the extract and are cut where its nodes end")


def test_contradicting_coast_is_told():
    town = Map()
    town.way([(-50, 400), (1050, 400)], natural="coastline")
    town.way([(-50, 600), (500, 610), (1050, 600)], natural="coastline")
    expect(town, {(500, 100): "sea"}, warning="contradicts itself")


def test_piers_and_bridges_carry():
    town = Map()
    town.way([(-50, 500), (1050, 500)], natural="coastline")
    town.square(300, 400, 101, man_made="pier")                 # from land into the sea
    town.square(600, 100, 50, man_made="pier")                  # begins nowhere
    town.way([(700, 505), (700, 450)], man_made="pier", width="4")
    town.square(400, 700, 100, natural="water")
    town.way([(380, 750), (520, 750)], highway="footway", bridge="yes")
    at = {(350, 450): "free", (620, 120): "sea", (700, 470): "free", (710, 470): "sea",
          (450, 750): "free", (450, 720): "water"}
    expect(town, at)
    at.update({(350, 450): "sea", (700, 470): "sea", (450, 750): "water"})
    expect(town, at, "--no-piers", "--no-bridges")


# --- buildings, water, barriers ------------------------------------------------------------------

def test_what_stands_in_the_way():
    town = Map()
    town.square(100, 100, 20, building="yes")
    town.square(200, 100, 20, building="roof")
    town.square(300, 100, 20, building="yes", location="underground")
    town.square(400, 100, 20, building="yes", building__min_level="1")
    town.square(500, 100, 20, building__part="yes")
    town.square(600, 100, 20, leisure="swimming_pool")
    town.square(700, 100, 20, leisure="swimming_pool", location="roof")
    town.square(800, 100, 20, building="yes", layer="-1")
    town.square(900, 100, 0.5, building="yes")
    town.way([(100, 300), (900, 300)], waterway="canal", width="10 m")
    expect(town, {(110, 110): "building", (210, 110): "free", (310, 110): "free",
                  (410, 110): "free", (510, 110): "building", (610, 110): "water",
                  (710, 110): "free", (810, 110): "free", (900.2, 100.2): "free",
                  (500, 304): "water", (500, 310): "free"})


def test_river_without_banks_is_told():
    town = Map()
    town.way([(100, 300), (900, 300)], waterway="river")
    town.square(100, 100, 20, building="yes")
    expect(town, {(500, 300): "free"}, warning="without banks or width")


def test_courtyard_passage_and_lock():
    town = Map()
    outer = town.square(100, 100, 100)
    inner = town.square(130, 130, 40)
    town.multipolygon([("outer", outer), ("inner", inner)], building="yes")
    at = {(110, 110): "building", (150, 150): "locked", (50, 50): "free"}
    expect(town, at)
    at[(150, 150)] = "free"
    expect(town, at, "--keep-locked")
    town.way([(90, 150), (140, 150)], highway="footway", tunnel="building_passage")
    at[(115, 150)] = "free"
    expect(town, at)
    at.update({(150, 150): "locked", (115, 150): "building"})
    expect(town, at, "--no-passages")


def test_terraces_become_one():
    town = Map()
    for x in (100, 110, 120.1):                                 # the last one a slit apart
        town.way([(x, 100), (x + 10, 100), (x + 10, 120), (x, 120), (x, 100)], building="house")
    output = expect(town, {(105, 110): "building", (120.05, 110): "building"})
    assert len(output["features"]) == 1, len(output["features"])


def test_barriers_open_at_ways_and_gates():
    town = Map()
    town.way([(100, 100), (900, 100)], barrier="wall")
    town.way([(300, 50), (300, 150)], highway="footway")
    town.node(600, 100, barrier="gate")
    town.square(100, 500, 20, building="yes")
    at = {(200, 100): "barrier", (300, 100): "free", (600, 100): "free", (700, 100): "barrier"}
    expect(town, at, "--barriers")
    expect(town, {point: "free" for point in at})


def test_mapped_ground_and_its_rim():
    town = Map()
    town.way([(-50, 300), (1050, 300)], natural="coastline")
    for x in range(200, 800, 60):
        for y in range(320, 700, 60):
            town.square(x, y, 30, building="yes")
    kinds, _, output = convert(town, [(500, 900)], "--mapped")
    assert kinds == ["free"], kinds
    areas = {f["properties"]["name"]: f["geometry"]["coordinates"][0]
             for f in output["features"] if f["properties"]["throng"] == "area"}
    assert sorted(areas) == ["mapped", "rim"], areas
    assert signed_area(areas["mapped"]) > 0.25e6 * METRE ** 2
    assert 710 < max(y for _, y in areas["mapped"]) / METRE < 750
    assert min(y for _, y in areas["rim"]) / METRE > 299
    assert output["bbox"] == [0, 0, 0.01, 0.01], "the box that was asked for"


def test_head_of_the_output():
    town = Map()
    town.square(100, 100, 20, building="yes")
    output = expect(town, {}, "--source", "made here")
    assert "OpenStreetMap contributors, ODbL 1.0" in output["attribution"]
    assert output["source"] == "made here" and output["bbox"] == [0, 0, 0.01, 0.01]


# --- streets and names ---------------------------------------------------------------------------

def test_streets_are_clipped_and_joined():
    town = Map()
    town.square(100, 100, 20, building="yes")
    town.way([(-50, 500), (300, 500)], highway="residential", name="Rue \"A\"")
    town.way([(300, 500), (600, 500.2), (900, 500)], highway="residential", name="Rue \"A\"")
    town.way([(200, 300), (400, 300)], highway="footway")
    town.way([(200, 200), (400, 200)], highway="primary", tunnel="yes", name="below")
    town.way([(200, 100), (200, 200)], highway="proposed", name="never")
    _, _, output = convert(town, [])
    assert backdrop(output, "street") == {
        ("residential", "Rue \"A\""): [[[0, 500], [900, 500]]],
        ("footway", None): [[[200, 300], [400, 300]]]}, backdrop(output, "street")
    _, _, without = convert(town, [], "--no-streets")
    assert without["features"] == obstacles(output)


def test_tracks_are_drawn_and_no_obstacles():
    town = Map()
    town.square(100, 100, 20, building="yes")
    _, _, without = convert(town, [])
    town.way([(0, 300), (500, 300)], railway="rail", name="Main line", service="siding")
    town.way([(500, 300), (1500, 300)], railway="rail", name="Main line", bridge="yes")
    ring = [(600, 600), (700, 600), (700, 700), (600, 700), (600, 600)]
    town.way(ring, railway="tram")
    town.way([(200, 400), (400, 400)], railway="tram", highway="pedestrian")
    town.way([(200, 200), (400, 200)], railway="rail", tunnel="yes")
    town.way([(200, 250), (400, 250)], railway="subway", layer="-2")
    town.way([(200, 280), (400, 280)], railway="abandoned")
    found, _, output = convert(town, [(250, 300), (650, 650), (650, 600)])
    assert found == ["free"] * 3 and obstacles(output) == obstacles(without), found
    streets = backdrop(output, "street")
    assert set(streets) == {("rail", None), ("tram", None), ("pedestrian", None)}, streets
    assert streets["rail", None] == [[[0, 300], [1000, 300]]], streets
    assert sorted(map(len, streets["tram", None])) == [2, 5], streets


def test_names_of_places():
    town = Map()
    town.square(100, 100, 20, building="yes")
    town.node(300, 300, place="suburb", name="Łódź")
    town.square(500, 500, 100, place="square", name="Place")
    town.node(510, 510, place="square", name="Place")         # the node counts
    town.square(800, 800, 400, leisure="park", name="Park")   # half of it is outside
    town.node(2000, 300, railway="station", name="far away")
    town.node(700, 300, railway="station")                    # without a name
    _, _, output = convert(town, [])
    found = backdrop(output, "label")
    x, y = found.pop(("park", "Park"))
    assert 800 < x < 1000 and 800 < y < 1000, (x, y)
    assert found == {("suburb", "Łódź"): [300, 300], ("square", "Place"): [510, 510]}, found


# --- errors are reported -------------------------------------------------------------------------

def expect_error(wanted, *arguments, **environment):
    done = run(*arguments, **environment)
    assert done.returncode == 1, (wanted, done.returncode, done.stderr)
    assert wanted in done.stderr and "Traceback" not in done.stderr, (wanted, done.stderr)


def test_errors():
    with tempfile.TemporaryDirectory() as folder:
        good, bad, empty, out = [os.path.join(folder, n) for n in
                                 ("good.osm", "bad.osm", "empty.osm", "out.geojson")]
        town = Map()
        town.square(100, 100, 20, building="yes")
        for path, text in ((good, town.xml()), (bad, town.xml()[:300]), (empty, Map().xml())):
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)
        expect_error("usage:", good)
        expect_error("no such file", os.path.join(folder, "none.osm"), out)
        expect_error("osmium cannot read it", bad, out)
        expect_error("no obstacles found", empty, out)
        expect_error("is outside the data", good, out, "--box", "5,5,5.01,5.01")
        expect_error("expected four numbers", good, out, "--box", "5,5,6")
        expect_error("west < east", good, out, "--box", "1,0,0,1")
        expect_error("expected two numbers", good, out, "--point", "north")
        expect_error("unrecognized arguments: --barrier", good, out, "--barrier")
        expect_error("--clearance 50", good, out, "--clearance", "50")
        expect_error("No such file or directory", good, os.path.join(folder, "none", "out"))
        expect_error("osmium is missing; install it: apt-get install osmium-tool", good, out,
                     PATH=folder)


def main():
    global TOOL
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    TOOL = sys.argv[1]
    cases = {n: f for n, f in globals().items() if n.startswith("test_") and callable(f)}
    failed = 0
    for name in sys.argv[2:] or cases:
        try:
            cases[name]()
            print("ok    ", name)
        except AssertionError as error:
            failed += 1
            print("FAILED", name, error)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
