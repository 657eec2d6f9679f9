"""Do Scene and Totals say what map.geojson and totals.vtkhdf hold? test_scene.py RUNS"""
import json
import pathlib
import shutil
import sys
import tempfile

import h5py
import made_run
import numpy as np
from checkout import refused, run_tests

from throng.files import Totals, read_table
from throng.scene import Scene, area, metres_per_degree, ring_holds, scenario_basics

RUNS = pathlib.Path(sys.argv[1])
WORK = pathlib.Path(tempfile.mkdtemp())
RUN = made_run.write(WORK / "run")


def old(name, walls=()):
    """The folder of a run without map.geojson: walls are rings and lines from the origin."""
    folder = WORK / name
    folder.mkdir()
    made_run.write_snapshot(folder, 0)
    if walls:
        with h5py.File(folder / "walls.vtkhdf", "w") as file:
            file.create_group("throng").attrs["origin"] = made_run.ORIGIN
            points, ids, ends = [], [], [0]
            for wall in walls:
                closed = wall[0] == wall[-1]
                first = len(points)
                points += [(x, y, 0) for x, y in (wall[:-1] if closed else wall)]
                ids += [*range(first, len(points))] + [first] * closed
                ends.append(len(ids))
            file["VTKHDF/Points"] = np.array(points, float)
            file["VTKHDF/Lines/Connectivity"], file["VTKHDF/Lines/Offsets"] = ids, ends
    return folder


def rename(folder, scenario):
    """Another scenario for the only snapshot, and no attribute with its name."""
    with h5py.File(folder / "snapshot-00000000.vtkhdf", "r+") as file:
        del file["throng/scenario"], file["throng"].attrs["name"]
        file["throng/scenario"] = np.array([scenario.encode()])


def test_map():
    scene = Scene(RUN)
    assert scene.complete and scene.title == "Harbour town" and scene.bbox == made_run.BOX
    assert scene.centre == made_run.CENTRE and "OpenStreetMap" in scene.attribution
    assert len(scene.features) == len(made_run.FEATURES)
    kinds = [one.kind for one in scene.of("obstacle")]
    assert kinds == ["building", "locked", "sea", "water", ""], kinds
    building, pond = scene.of("obstacle")[0], scene.of("obstacle")[3]
    outline, hole = building.polygons[0]
    assert area(outline) == 1600 and area(hole) == -400 and np.array_equal(hole[0], hole[-1])
    assert [len(polygon) for polygon in pond.polygons] == [1, 1]
    outside = scene.named("destination", "outside")
    assert outside.index == 0 and len(outside.polygons) == 2 and scene.named("area", "x") is None
    quay = scene.of("street")[1]
    assert quay.kind == "footway" and [len(line) for line in quay.lines] == [2, 2]
    assert np.array_equal(scene.of("label")[0].points, [[1040, 1960]])


def test_lonlat():
    """The inverse of throng's projection, which is written here as its formula."""
    scene, (lon, lat) = Scene(RUN), made_run.CENTRE
    a, f = 6378137.0, 1 / 298.257223563
    e2 = f * (2 - f)
    w = np.sqrt(1 - e2 * np.sin(np.radians(lat))**2)
    degrees = np.array([[7.4, 43.7], [7.45, 43.75]])
    x = a / w * np.cos(np.radians(lat)) * np.radians(degrees[:, 0] - lon)
    y = a * (1 - e2) / w**3 * np.radians(degrees[:, 1] - lat)
    assert np.allclose(scene.lonlat(np.stack([x, y], axis=1)), degrees, rtol=0, atol=1e-12)
    assert np.allclose(metres_per_degree(lat)[1], 111107, atol=2)
    refused(lambda: Scene(old("nowhere")).lonlat([0, 0]), "unknown", 64)


def test_rings_are_turned():
    """Outlines counter-clockwise, holes clockwise, closed, whatever the file says."""
    data = {"features": [made_run.feature("obstacle", "Polygon", [
        made_run.box(0, 0, 9, 9)[::-1], made_run.box(2, 2, 3, 3)[:-1]])]}
    outline, hole = Scene.of_json(data).features[0].polygons[0]
    assert area(outline) == 81 and area(hole) == -1 and np.array_equal(hole[0], hole[-1])
    assert Scene.of_json(data).bbox == (900, 1900, 909, 1909)


def test_old_run():
    """Walls as solids with their holes; another solid in a hole; lines."""
    def square(x, size, clockwise=False):
        ring = [(x, x), (x + size, x), (x + size, x + size), (x, x + size), (x, x)]
        return ring[::-1] if clockwise else ring

    folder = old("walls", [square(0, 90), square(10, 60, True), square(20, 10),
                           square(22, 2, True), [(-5, 0), (-9, 3), (-9, 9)]])
    scene = Scene(folder)
    assert not scene.complete and scene.title == "Harbour town" and scene.centre is None
    solids = scene.of("obstacle")[0].polygons
    areas = sorted(tuple(area(ring) for ring in solid) for solid in solids)
    assert areas == [(100, -4), (8100, -3600)], areas
    assert np.array_equal(scene.of("wall")[0].lines[0][0], [995, 2000])
    # The world is what walls and people need, and a metre more.
    assert np.allclose(scene.bbox, (903.77, 1903, 1091, 2091), atol=3)


def test_old_run_within_walls():
    """A room: solid ground outside of it, up to the end of the world."""
    folder = old("room", [[(0, 0), (0, 8), (8, 8), (8, 0), (0, 0)]])
    rename(folder, "world: {extent: [850, 1850, 1100, 2100], margin: 0}\nname: room")
    scene = Scene(folder)
    assert scene.bbox == (850, 1850, 1100, 2100) and scene.title == "room"
    (outline, hole), = scene.of("obstacle")[0].polygons
    assert area(hole) == -64 and area(outline) > 250 * 250
    assert Scene(old("empty")).of("obstacle") == []


def test_scenario_basics():
    assert scenario_basics("world: {geometry: F, margin: 0}\nname: 'a: b'") == (None, "a: b")
    assert scenario_basics("world:\n  extent: [-1, 0,\n    2, 3]  # m\n") == ((-1, 0, 2, 3), "")
    # The first `extent:` of the text is not the world's.
    assert scenario_basics("a: {extent: [9, 9, 9, 9]}\nworld: {extent: [0, 0, 1, 1]}"
                           )[0] == (0, 0, 1, 1)
    for text in ("", "- 1", "world: 3", "world: {extent: [1, x]}", "{", "world: {extent: 4}"):
        assert scenario_basics(text) == (None, ""), text


def test_ring_holds():
    """Against the winding of many points around a star."""
    angle = np.linspace(0, 2 * np.pi, 41)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) * (1 + 0.5 * np.cos(5 * angle))[:, None]
    ring[-1] = ring[0]
    for point in np.random.default_rng(3).uniform(-1.6, 1.6, (500, 2)):
        turn = np.arctan2(*(ring - point).T[::-1])
        winding = np.sum((np.diff(turn) + np.pi) % (2 * np.pi) - np.pi)
        assert ring_holds(ring, point) == (abs(winding) > np.pi), point


def test_totals():
    totals, values = Totals(RUN), made_run.cell_values()
    for name, array in values.items():
        assert np.array_equal(getattr(totals, name), array), name
        assert getattr(totals, name).dtype == array.dtype, name
    assert set(values) == set(Totals.CELLS)
    assert np.array_equal(totals.corner, made_run.CORNER) and totals.cell == 4
    assert (totals.sample, totals.samples, totals.time) == (2, 150, 300)
    assert np.array_equal(totals.levels, made_run.LEVELS)
    assert np.array_equal(totals.fruin_limits, made_run.FRUIN)
    assert np.array_equal(totals.hbs_limits, made_run.HBS)
    above = totals.time_above(np.float32(1.08))
    assert np.array_equal(above, values["samples_above"][..., 6] * 2.0) and above.max() <= 300
    refused(lambda: totals.time_above(1.1), "no time above 1.1", 64)


def test_tables():
    people, rows = read_table(RUN / "people.csv"), made_run.people_rows()
    assert np.array_equal(people["id"], np.arange(400)) and people["id"].dtype == np.int64
    assert list(people["destination"][:3]) == ["hall", "outside", "outside"]
    assert np.isnan(people["left_s"][-20:]).all() and np.isnan(people["exit"][-20:]).all()
    assert people["exit"][1] == 1 and people["start_x"][5] == float(rows[5]["start_x"])
    queues = read_table(RUN / "queues.csv")
    assert queues["waiting"].dtype == np.int64 and list(queues["queue"][:2]) == ["till", "gate"]


def test_refused():
    bare = old("bare")
    refused(lambda: Totals(bare), "measure.grid.every", 64)
    refused(lambda: Scene(WORK / "missing"), "no such directory", 64)
    (bare / "map.geojson").write_text("{", encoding="utf-8")
    refused(lambda: Scene(bare), "not a map, or damaged", 65)
    (bare / "map.geojson").write_text(json.dumps({"features": [3]}), encoding="utf-8")
    refused(lambda: Scene(bare), "not a map, or damaged", 65)
    (bare / "totals.vtkhdf").write_bytes((RUN / "totals.vtkhdf").read_bytes()[:5000])
    refused(lambda: Totals(bare), "not totals, or damaged", 65)


def test_real_run():
    scene = Scene(RUNS / "plain")
    assert scene.of("obstacle") and scene.title == "hall"
    x0, y0, x1, y1 = scene.bbox
    assert (x0, y0, x1, y1) == (1000.5, -2000, 1040.5, -1980), scene.bbox


run_tests(globals())
shutil.rmtree(WORK)
