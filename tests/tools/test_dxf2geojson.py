#!/usr/bin/env python3
"""Tests of tools/dxf2geojson.py on small drawings made here. usage: test_dxf2geojson.py TOOL

Exits with 77 (skipped) where no Python has ezdxf.
"""
import contextlib
import io
import json
import math
import os
import runpy
import subprocess
import sys
import tempfile

try:
    import ezdxf
except ImportError:
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # has Debian's modules
    print("SKIPPED: no Python with ezdxf (Debian: python3-ezdxf)")
    sys.exit(77)

TOOL = os.path.abspath(sys.argv[1])
CASES = []


def case(function):
    """A test."""
    CASES.append(function)
    return function


def run_program(*words):
    """Exit code, output and errors of the tool."""
    done = subprocess.run([sys.executable, TOOL, *words], capture_output=True, text=True,
                          timeout=100, check=False)
    return done.returncode, done.stdout, done.stderr


def run(*words):
    """The same without a process of its own, which takes longer to start than to convert."""
    said, errors, before = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = [TOOL, *words]
    code = 0
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(errors):
        try:
            runpy.run_path(TOOL, run_name="__main__")
        except SystemExit as end:
            code = end.code
            if isinstance(code, str):
                print(code, file=sys.stderr)
                code = 1
    sys.argv = before
    return code or 0, said.getvalue(), errors.getvalue()


def drawing(units=6):
    """An empty drawing, in metres by default, and its model space."""
    made = ezdxf.new("R2010")
    made.header["$INSUNITS"] = units
    return made, made.modelspace()


def converted(made, *words):
    """The features of a drawing, and what the tool says."""
    made.saveas("plan.dxf")
    code, said, errors = run("plan.dxf", "map.geojson", *words)
    assert code == 0, errors
    with open("map.geojson", encoding="utf-8") as file:
        data = json.load(file)
    assert data["throng:projection"] == "metres"
    return data["features"], said + errors


def refused(part, *words):
    """One line of error, and exit code 1."""
    code, _, errors = run(*words)
    assert code == 1 and part in errors and errors.count("\n") == 1, f"{code}: {errors}"


def on(layer, **more):
    """Attributes of an entity."""
    return {"layer": layer, **more}


def area(ring):
    """The signed area of a closed ring."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:])) / 2


def size(feature):
    """The area of a polygon with holes; outer rings run counter-clockwise."""
    rings = feature["geometry"]["coordinates"]
    assert area(rings[0]) > 0 and all(area(r) < 0 for r in rings[1:]), rings
    assert all(r[0] == r[-1] for r in rings)
    return sum(map(area, rings))


SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4)]


@case
def closed_outlines_are_solid():
    """Closed polylines become polygons, open ones walls; the layer is kept."""
    made, space = drawing()
    space.add_lwpolyline(SQUARE, close=True, dxfattribs=on("WALLS"))
    space.add_lwpolyline([(9, 0), (9, 5), (12, 5)], dxfattribs=on("WALLS"))
    space.add_polyline2d([(20, 0), (24, 0), (24, 4)], close=True, dxfattribs=on("walls-2"))
    space.add_line((5, 5), (6, 6), dxfattribs=on("OTHER"))
    features, said = converted(made, "--obstacles", "Walls*")
    kinds = [f["geometry"]["type"] for f in features]
    assert kinds == ["Polygon", "LineString", "Polygon"], kinds
    assert [size(features[0]), size(features[2])] == [16, 8]
    assert features[1]["geometry"]["coordinates"] == [[9, 0], [9, 5], [12, 5]]
    assert features[0]["properties"] == {"throng": "obstacle", "layer": "WALLS"}
    assert "obstacles  WALLS: 1 polygons, 1 lines\n" in said, said


@case
def roles_of_layers():
    """Walls keep closed outlines as lines; places have names, from a text inside if there is one."""
    made, space = drawing()
    space.add_lwpolyline(SQUARE, close=True, dxfattribs=on("GLASS"))
    space.add_lwpolyline(SQUARE, close=True, dxfattribs=on("EXITS"))
    space.add_lwpolyline([(x + 9, y) for x, y in SQUARE], close=True, dxfattribs=on("EXITS"))
    space.add_text("Gate  5 é", dxfattribs=on("TEXT", insert=(1, 2), height=0.2))
    space.add_point((7, 7), dxfattribs=on("EXITS"))
    space.add_lwpolyline([(-1, -1), (20, -1), (20, 9), (-1, 9)], close=True, dxfattribs=on("FLOOR"))
    features, _ = converted(made, "--walls", "GLASS", "--places", "EXITS", "--walkable", "FLOOR")
    found = [(f["properties"]["throng"], f["geometry"]["type"], f["properties"].get("name"))
             for f in features]
    assert found == [("place", "Polygon", "Gate 5 é"), ("place", "Polygon", "EXITS"),
                     ("place", "Point", "EXITS"), ("walkable", "Polygon", None),
                     ("obstacle", "LineString", None)], found


@case
def units_come_from_the_header():
    """Millimetres, inches; no unit is an error, --units overrides."""
    for number, factor in ((4, 0.001), (5, 0.01), (6, 1), (1, 0.0254), (2, 0.3048)):
        made, space = drawing(number)
        space.add_lwpolyline([(1000 * x, 1000 * y) for x, y in SQUARE], close=True)
        features, _ = converted(made, "--obstacles", "0")
        assert math.isclose(size(features[0]), 16e6 * factor**2), (number, size(features[0]))
    made, space = drawing(0)
    space.add_lwpolyline(SQUARE, close=True)
    made.saveas("plan.dxf")
    refused("$INSUNITS is 0", "plan.dxf", "x.geojson", "--obstacles", "0")
    assert size(converted(made, "--obstacles", "0", "--units", "ft")[0][0]) < 2
    assert "not given" in run("plan.dxf", "--list")[1]


@case
def a_unit_that_makes_a_toy_of_a_building_is_refused():
    """A drawing in metres whose header says millimetres, a default of some programs, or inches."""
    for number, width in ((4, 20), (4, 2999), (5, 200), (1, 100), (2, 9)):
        made, space = drawing(number)
        space.add_lwpolyline([(0, 0), (width, 0), (width, width / 2), (0, width / 2)], close=True)
        made.saveas("plan.dxf")
        refused("so the unit is wrong", "plan.dxf", "toy.geojson", "--obstacles", "0")
        assert not os.path.exists("toy.geojson")
        features, _ = converted(made, "--obstacles", "0", "--units", "m")
        assert math.isclose(size(features[0]), width**2 / 2)
    made, space = drawing(4)  # a pillar: nothing is left of it
    space.add_lwpolyline([(0, 0), (0.4, 0), (0.4, 0.4), (0, 0.4)], close=True)
    made.saveas("plan.dxf")
    refused("with the unit millimeters ($INSUNITS 4)", "plan.dxf", "x.geojson", "--obstacles", "0")
    made, space = drawing(4)
    space.add_lwpolyline([(0, 0), (20, 0), (20, 10), (0, 10)], close=True)
    features, _ = converted(made, "--obstacles", "0", "--units", "mm")  # as the user says
    assert size(features[0]) < 2.1e-4


@case
def curves_are_flattened():
    """Circles, bulges, arcs, ellipses and splines keep within the distance."""
    made, space = drawing()
    space.add_circle((0, 0), 2, dxfattribs=on("A"))
    space.add_lwpolyline([(10, 0, 1), (14, 0, 1)], format="xyb", close=True, dxfattribs=on("B"))
    space.add_ellipse((30, 0), (3, 0), 0.5, dxfattribs=on("C"))
    space.add_arc((40, 0), 2, 0, 90, dxfattribs=on("D"))
    space.add_spline([(50, 0), (52, 2), (54, 0)], dxfattribs=on("E"))
    for distance in ("0.1", "0.001"):
        features, _ = converted(made, "--obstacles", "?", "--flatten", distance)
        by = {f["properties"]["layer"]: f for f in features}
        for layer, wanted in (("A", 4 * math.pi), ("B", 4 * math.pi), ("C", 4.5 * math.pi)):
            around = 13 if layer != "C" else 15
            assert 0 <= wanted - size(by[layer]) < around * float(distance), (layer, distance)
        radii = [math.hypot(x - 40, y) for x, y in by["D"]["geometry"]["coordinates"]]
        assert all(math.isclose(r, 2, abs_tol=1e-3) for r in radii) and len(radii) > 3, radii
        assert by["E"]["geometry"]["type"] == "LineString"


@case
def outlines_within_outlines_are_holes():
    """Walls with two outlines, hatches with islands, an island in a hole; --fill fills them."""
    made, space = drawing()
    ring = [(0, 0), (10, 0), (10, 10), (0, 10)]
    for inset in (0, 1, 3):
        space.add_lwpolyline([(x + inset * (1 if x == 0 else -1), y + inset * (1 if y == 0 else -1))
                              for x, y in ring], close=True, dxfattribs=on("W"))
    space.add_lwpolyline(ring[2:] + ring[:2], close=True, dxfattribs=on("W"))  # drawn twice
    hatch = space.add_hatch(dxfattribs=on("H"))
    hatch.paths.add_polyline_path([(20, 0), (24, 0), (24, 4), (20, 4)], is_closed=True, flags=1)
    hatch.paths.add_polyline_path([(21, 1), (22, 1), (22, 2), (21, 2)], is_closed=True, flags=16)
    features, _ = converted(made, "--obstacles", "W,H")
    assert sorted(map(size, features)) == [15, 16, 36], sorted(map(size, features))
    features, _ = converted(made, "--obstacles", "W", "--fill")
    assert len(features) == 4 and all(len(f["geometry"]["coordinates"]) == 1 for f in features)


@case
def blocks_are_dissolved():
    """Nested inserts are moved, turned, scaled and repeated; layer 0 is that of the insert."""
    made, space = drawing()
    inner = made.blocks.new("INNER")
    inner.add_lwpolyline(SQUARE, close=True)
    inner.add_circle((9, 9), 1, dxfattribs=on("ROUND"))
    outer = made.blocks.new("OUTER")
    outer.add_blockref("INNER", (10, 0), dxfattribs={"xscale": 0.5, "yscale": 0.5})
    space.add_blockref("OUTER", (100, 0), dxfattribs=on("FURN", rotation=90, column_count=2,
                                                        column_spacing=50))
    features, _ = converted(made, "--obstacles", "FURN")
    assert [size(f) for f in features] == [4, 4]
    assert features[0]["geometry"]["coordinates"][0][0] in ([100, 10], [98, 10], [98, 12], [100, 12])
    features, _ = converted(made, "--obstacles", "ROUND")
    assert len(features) == 2


@case
def mirrored_entities_are_where_they_are_seen():
    """An extrusion of (0, 0, -1) mirrors x."""
    made, space = drawing()
    space.add_lwpolyline(SQUARE, close=True, dxfattribs=on("M", extrusion=(0, 0, -1)))
    features, _ = converted(made, "--obstacles", "M")
    assert min(x for x, _ in features[0]["geometry"]["coordinates"][0]) == -4


@case
def lines_are_joined():
    """Four lines are an outline with --join, and else no walkable ground."""
    made, space = drawing()
    for a, b in zip(SQUARE, SQUARE[1:] + SQUARE[:1]):
        space.add_line(b, a, dxfattribs=on("F"))
    space.add_line((4, 4.0004), (9, 9), dxfattribs=on("G"))
    space.add_arc((9, 10), 1, 270, 360, dxfattribs=on("G"))
    made.saveas("plan.dxf")
    code, _, errors = run("plan.dxf", "x.geojson", "--walkable", "F")
    assert code == 1 and "--join closes outlines" in errors and "no file is written" in errors
    assert not os.path.exists("x.geojson")
    features, _ = converted(made, "--walkable", "F", "--obstacles", "G", "--join")
    assert [f["geometry"]["type"] for f in features] == ["Polygon", "LineString"]
    assert size(features[0]) == 16
    assert features[1]["geometry"]["coordinates"][-1] == [10, 10] or \
        features[1]["geometry"]["coordinates"][0] == [10, 10]


@case
def the_origin_is_moved():
    """Coordinates of a national grid become small."""
    made, space = drawing()
    space.add_lwpolyline([(x + 4e5, y + 5e6) for x, y in SQUARE], close=True)
    features, _ = converted(made, "--obstacles", "0", "--origin", "4e5,5e6")
    assert [0, 0] in features[0]["geometry"]["coordinates"][0]


@case
def layers_are_listed():
    """With counts and state."""
    made, space = drawing(4)
    made.layers.add("OFF").off()
    made.layers.add("COLD").freeze()
    for layer in ("OFF", "COLD", "A-WALL"):
        space.add_lwpolyline([(1000 * x, 1000 * y) for x, y in SQUARE], close=True,
                             dxfattribs=on(layer))
    space.add_line((0, 0), (1, 1), dxfattribs=on("A-WALL"))
    made.saveas("plan.dxf")
    code, said, errors = run("plan.dxf", "--list")
    assert code == 0 and not errors
    assert said.splitlines() == ["unit       millimeters ($INSUNITS 4)",
                                 "extent     (0, 0) to (4, 4) m",
                                 "A-WALL     1 LWPOLYLINE, 1 LINE; 1 closed",
                                 "COLD       1 LWPOLYLINE; 1 closed (frozen)",
                                 "OFF        1 LWPOLYLINE; 1 closed (off)"], said


@case
def what_cannot_be_drawn_is_counted():
    """Endless lines; outlines without area."""
    made, space = drawing()
    space.add_lwpolyline(SQUARE, close=True, dxfattribs=on("A"))
    space.add_lwpolyline([(0, 0), (1, 0), (0, 0)], close=True, dxfattribs=on("A"))
    space.add_ray((0, 0), (1, 0), dxfattribs=on("A"))
    _, said = converted(made, "--obstacles", "A")
    assert "left out   1 RAY\n" in said and "1 without area dropped" in said, said


@case
def mistakes_are_named():
    """Files and layers."""
    made, space = drawing()
    space.add_lwpolyline(SQUARE, close=True, dxfattribs=on("WALLS"))
    made.saveas("plan.dxf")
    with open("text.dxf", "w", encoding="utf-8") as file:
        file.write("hello\n")
    with open("plan.dwg", "wb") as file:
        file.write(b"AC1032" + bytes(40))
    refused("No such file", "nowhere.dxf", "--list")
    refused("not a DXF file", "text.dxf", "--list")
    refused("this is DWG", "plan.dwg", "--list")
    refused("did you mean WALLS?", "plan.dxf", "x.geojson", "--obstacles", "WALS")
    refused("no layers are chosen", "plan.dxf", "x.geojson")
    refused("among the obstacles, too", "plan.dxf", "x.geojson", "--obstacles", "W*", "--places",
            "WALLS")
    refused("No such file", "plan.dxf", "nowhere/x.geojson", "--obstacles", "WALLS")
    assert run_program("plan.dxf")[0] == 2
    assert run_program("nowhere.dxf", "--list") == run("nowhere.dxf", "--list")
    assert run_program("plan.dxf", "--list") == run("plan.dxf", "--list")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for test in CASES:
            test()
            print("passed:", test.__doc__)
