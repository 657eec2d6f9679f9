"""map.geojson of a run: test_map.py THRONG FOLDER LAUNCHER...

Laws: it has the same bytes on any ranks and after a restart, and everything that a picture shows,
however the scenario is written."""

import json
import os
import sys

import h5py
from launching import FOLDER, new_folder, start, throng

SCENARIO = """
world: {geometry: town.geojson, margin: 0}
navigation: {model: field, cell: 0.5}
time: {end: 3}
destinations:
  - name: "gates \\"A\\", Łódź\\t"
    areas: [{circle: [30, 0, 4]}, {wkt: 'MULTIPOLYGON (((-40 -20, -36 -20, -36 -16, -40 -20)), \
((-40 16, -36 16, -36 20, -40 16)))'}]
    queue: {line: [[20, 0], [10, 0]], service: 1}
zones: [{name: stairs, areas: [{rectangle: [0, -20, 5, -10]}, {rectangle: [4, -20, 8, -10]}], speed: 0.5}]
doors:
  - {name: north, line: [[0, 15], [5, 15]], closed: true}
  - {name: shutter, area: {rectangle: [-20, 10, -18, 12]}}
sources:
  - {name: crowd, area: {rectangle: [-10, -5, 10, 5]}, count: 20, destination: "gates \\"A\\", Łódź\\t"}
  - {name: column, area: {border: 1}, count: 1, goal: [0, 0]}
measure:
  areas: [{name: middle, areas: [{circle: {lonlat: [10, 50, 3]}}]}]
  lines:
    - {name: across, from: [0, -5], to: [0, 5]}
    - {name: bent, line: [[1, 1], [2, 3], [4, 3]]}
    - {name: old, wkt: 'LINESTRING (1 2, 3 4)'}
"""
CENTRE, EAST, NORTH = (10.0, 50.0), 71695.754, 111229.064  # m per degree on WGS84


def polygon(x, y, size):
    """A square of a map in degrees; x, y: of its lower left corner, m."""
    corners = [(x, y), (x + size, y), (x + size, y + size), (x, y + size), (x, y)]
    return {"type": "Polygon", "coordinates": [[lonlat(*c) for c in corners]]}


def lonlat(x, y):
    return [CENTRE[0] + x / EAST, CENTRE[1] + y / NORTH]


def town():
    """A pond, a house half outside the box, a courtyard, a street and a name."""
    def feature(geometry, **properties):
        return {"type": "Feature", "properties": properties, "geometry": geometry}

    return {"type": "FeatureCollection", "attribution": "made \"here\" ü", "features": [
        feature(polygon(-30, -10, 5), throng="obstacle", kind="water", name="pond \\ \"blue\""),
        feature(polygon(-30, 10, 4), throng="obstacle", kind="locked"),
        feature({"type": "LineString", "coordinates": [lonlat(0, 15), lonlat(-8, 15)]}),
        feature({"type": "MultiLineString", "coordinates": [
            [lonlat(-100, 7), lonlat(100, 7)], [lonlat(0, 0), lonlat(0, 3)]]},
                throng="street", kind="residential", name="Rue d'Été"),
        feature({"type": "Point", "coordinates": lonlat(100, 7)}, throng="label", name="far"),
        feature({"type": "Point", "coordinates": lonlat(5, 7)}, throng="label", name="Platz")],
            "bbox": [*lonlat(-40, -20), *lonlat(40, 20)]}


def read(name):
    with open(FOLDER / name / "map.geojson", "rb") as file:
        return file.read()


def features(found, role):
    return [f for f in found["features"] if f["properties"]["role"] == role]


def names(found, role):
    return [f["properties"]["name"] for f in features(found, role)]


def near(a, b):
    """The same nested lists of numbers, to 1 cm."""
    if isinstance(a, (int, float)):
        return abs(a - b) < 0.01
    return len(a) == len(b) and all(near(x, y) for x, y in zip(a, b))


def square(x, y, size):
    return [[x, y], [x + size, y], [x + size, y + size], [x, y + size], [x, y]]


def test_same_bytes():
    throng("run", "hall.yaml", "-o", "one", "--quiet")
    throng("run", "hall.yaml", "-o", "three", "--quiet", ranks=3)
    assert read("one") == read("three")
    throng("run", "hall.yaml", "-o", "again", "--quiet", "--steps", "10", "--set",
           "output.checkpoint_every=1")
    os.remove(FOLDER / "again" / "map.geojson")
    throng("run", "hall.yaml", "-o", "again", "--quiet", "--set", "output.checkpoint_every=1",
           "--restart", "auto")
    assert read("again") == read("one"), "a run that continues writes it again"
    assert not (FOLDER / "again" / "map.geojson.tmp").exists()
    throng("run", "hall.yaml", "-o", "again", "--quiet")
    assert (FOLDER / "again" / "previous" / "map.geojson").exists(), "it belongs to the earlier run"


def test_head():
    found = json.loads(read("one").decode("utf-8"))
    assert found["throng:projection"] == "metres" and found["title"] == "hall"
    assert found["attribution"] == "made \"here\" ü"
    assert near(found["bbox"], [-40, -20, 40, 20]), found["bbox"]
    assert near(found["throng:centre"], CENTRE)
    assert near(found["throng:metres_per_degree"], [EAST, NORTH]), found["throng:metres_per_degree"]
    assert all(set(f["properties"]) >= {"role", "name", "kind"} for f in found["features"])
    ground, = features(found, "ground")
    assert near(ground["geometry"]["coordinates"][0][2], [40, 20])


def test_people_in_degrees():
    """throng info, and the attributes of a snapshot, speak of the same place."""
    path = FOLDER / "one" / "snapshot-00000000.vtkhdf"
    with h5py.File(path) as file:
        about = file["throng"].attrs
        assert near(list(about["centre"]), CENTRE)
        scale, origin = about["metres_per_degree"][:], about["origin"][:]
        points = file["VTKHDF/Points"][:, :2] + origin
    found = json.loads(read("one"))
    assert list(scale) == found["throng:metres_per_degree"], "to the bit"
    out, _ = start("info", str(path.resolve())).communicate()
    low, high = points.min(axis=0), points.max(axis=0)
    west, south = low / scale + CENTRE
    east, north = high / scale + CENTRE
    assert f"x {low[0]:.3f} to {high[0]:.3f} m, y {low[1]:.3f} to {high[1]:.3f} m\n" in out, out
    assert f"longitude {west:.7f} to {east:.7f}, latitude {south:.7f} to {north:.7f}\n" in out, out


def test_walls_and_backdrop():
    found = json.loads(read("one"))
    pond, court = features(found, "obstacle")
    assert [f["properties"]["kind"] for f in (pond, court)] == ["water", "locked"]
    assert pond["properties"]["name"] == "pond \\ \"blue\""
    assert near(pond["geometry"]["coordinates"], [square(-30, -10, 5)])
    wall, = features(found, "wall")
    assert wall["geometry"]["type"] == "LineString"
    street, = features(found, "street")
    assert street["properties"]["name"] == "Rue d'Été"
    assert street["properties"]["kind"] == "residential"
    ends = sorted(p for line in street["geometry"]["coordinates"] for p in line)
    assert near(ends, [[-40, 7], [0, 0], [0, 3], [40, 7]]), ends
    label, = features(found, "label")
    assert label["properties"]["name"] == "Platz", "the other one is outside"


def test_areas():
    found = json.loads(read("one"))
    gates, = features(found, "destination")
    assert gates["properties"]["name"] == "gates \"A\", Łódź\t"
    assert gates["properties"]["index"] == 0 and gates["properties"]["areas"] == [0, 1, 1]
    circle, *rest = gates["geometry"]["coordinates"]
    assert gates["geometry"]["type"] == "MultiPolygon" and len(rest) == 2
    assert len(circle[0]) == 65, "a circle has 64 corners"
    assert all(abs((x - 30) ** 2 + y * y - 16) < 0.01 for x, y in circle[0])
    assert names(found, "source") == ["crowd", "column"]
    assert [f["properties"]["index"] for f in features(found, "source")] == [0, 1]
    border = features(found, "source")[1]["geometry"]["coordinates"]
    assert len(border) == 1 and len(border[0]) == 2, "a ring has a hole"
    zone, = features(found, "zone")
    assert zone["geometry"]["type"] == "MultiPolygon"
    assert len(zone["geometry"]["coordinates"]) == 1, "its areas overlap"
    middle, = features(found, "area")
    assert all(abs(x * x + y * y - 9) < 0.05 for x, y in middle["geometry"]["coordinates"][0][0])


def test_lines():
    found = json.loads(read("one"))
    north, shutter = features(found, "door")
    assert [f["properties"]["kind"] for f in (north, shutter)] == ["closed", "open"]
    assert north["geometry"] == {"type": "LineString", "coordinates": [[0, 15], [5, 15]]}
    assert shutter["geometry"]["type"] == "Polygon"
    assert [f["geometry"]["coordinates"] for f in features(found, "line")] == [
        [[0, -5], [0, 5]], [[1, 1], [2, 3], [4, 3]], [[1, 2], [3, 4]]]
    queue, = features(found, "queue")
    assert queue["geometry"]["coordinates"] == [[20, 0], [10, 0]]
    assert queue["properties"]["name"] == "gates \"A\", Łódź\t" and queue["properties"]["index"] == 0


def test_an_extent_cuts_the_map():
    """Nothing outside of it, and the part of what crosses it."""
    throng("run", "hall.yaml", "-o", "cut", "--quiet", "--steps", "1",
           "--set", "world.extent=[-28, -8, 36, 16]", "--set", "zones=[]",
           "--set", "destinations.0.areas=[{circle: [30, 0, 4]}]")
    found = json.loads(read("cut"))
    pond, court = features(found, "obstacle")
    assert near(found["bbox"], [-28, -8, 36, 16]), found["bbox"]
    assert near(sorted(pond["geometry"]["coordinates"][0])[0], [-28, -8])
    assert near(sorted(court["geometry"]["coordinates"][0])[-1], [-26, 14])


def main():
    new_folder(SCENARIO)
    (FOLDER / "town.geojson").write_text(json.dumps(town(), ensure_ascii=False), encoding="utf-8")
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print("ok", name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
