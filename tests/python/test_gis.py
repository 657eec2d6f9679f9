"""Are the maps for QGIS the run, at the right place on earth? test_gis.py RUNS"""
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from checkout import ROOT, refused, run_tests
import made_run

import throng
from throng.files import Field, Totals, read_table, snapshot_paths
from throng.scene import Scene, metres_per_degree
from throng.trajectory import Selection

try:
    from osgeo import gdal, ogr, osr
except ImportError as missing:
    print(f"SKIPPED: {missing} (Debian: python3-gdal)")
    sys.exit(77)

RUNS = pathlib.Path(sys.argv[1])
WORK = tempfile.TemporaryDirectory()
TOWN = throng.open(made_run.write(os.path.join(WORK.name, "town")))
TIF, GPKG = os.path.join(WORK.name, "a.tif"), os.path.join(WORK.name, "a.gpkg")


def east_north(lonlat):
    """Metres east and north of the made run's corner, in the plane that touches WGS84 there:
    another way to the earth than throng's, equal to 5 cm up to 500 m."""
    def earth(lon, lat):
        lon, lat = np.radians(lon), np.radians(lat)
        a, e2 = 6378137.0, 0.0066943799901413165
        n = a / np.sqrt(1 - e2 * np.sin(lat) ** 2)
        return np.stack([n * np.cos(lat) * np.cos(lon), n * np.cos(lat) * np.sin(lon),
                         n * (1 - e2) * np.sin(lat)], axis=-1)

    lon, lat = map(math.radians, LOW.centre)
    axes = np.array([[-math.sin(lon), math.cos(lon), 0],
                     [-math.sin(lat) * math.cos(lon), -math.sin(lat) * math.sin(lon),
                      math.cos(lat)]])
    return (earth(*np.moveaxis(lonlat, -1, 0)) - earth(*LOW.centre)) @ axes.T


class LOW:
    """The centre of the made run, seen from its lower left corner: 5 cm hold up to 500 m."""
    corner = np.array(made_run.CORNER)
    centre = tuple(Scene(TOWN.folder).lonlat(corner))


def bands(path):
    """{name: (values, the lowest row first; unit)}, and the dataset."""
    data = gdal.Open(path)
    found = {}
    for number in range(1, data.RasterCount + 1):
        band = data.GetRasterBand(number)
        assert math.isnan(band.GetNoDataValue())
        found[band.GetDescription()] = (band.ReadAsArray()[::-1], band.GetUnitType())
    return found, data


def test_geotiff_of_totals():
    assert TOWN.export(TIF, "geotiff") == 16
    found, data = bands(TIF)
    totals = Totals(TOWN.folder)
    for name, unit, values in (
            ("mean density", "persons/m^2", totals.density),
            ("maximum density", "persons/m^2", totals.max_density),
            ("maximum mean density of an interval", "persons/m^2", totals.max_mean_density),
            ("delay", "person s", totals.delay),
            ("person-seconds", "person s", totals.people * made_run.SAMPLE),
            ("time at 1.08 persons/m^2 or more", "s", totals.time_above(1.08))):
        assert found[name][1] == unit
        assert values.max() > 0 and np.array_equal(found[name][0], values.astype(np.float32)), name
    speed, nobody = found["mean speed"][0], totals.speed == 0
    assert 0 < nobody.sum() < nobody.size and np.array_equal(np.isnan(speed), nobody)
    assert np.array_equal(speed[~nobody], totals.speed[~nobody])
    assert data.GetMetadata()["title"] == "Harbour town"
    assert data.GetMetadata()["time"] == "0 to 300 s"


def test_place_of_the_grid():
    """Every corner of the grid's cells is where it is on earth, within 5 cm."""
    TOWN.export(TIF, "geotiff")
    _, data = bands(TIF)
    system = data.GetSpatialRef()
    assert system.GetAuthorityCode(None) == "4326" and system.IsGeographic()
    x0, dx, _, y1, _, dy = data.GetGeoTransform()
    column, row = np.meshgrid(np.arange(data.RasterXSize + 1), np.arange(data.RasterYSize + 1))
    lonlat = np.stack([x0 + dx * column, y1 + dy * row], axis=-1)
    expected = np.stack([column, made_run.ROWS - row], axis=-1) * made_run.CELL
    assert np.abs(east_north(lonlat) - expected).max() < 0.05
    assert np.abs(east_north(lonlat) - expected).max() > 0  # the two ways differ


def test_other_systems():
    """UTM: each cell has the value of the place; local: the scenario's metres."""
    totals = Totals(TOWN.folder)
    TOWN.export(TIF, "geotiff", crs="EPSG:32632")
    found, data = bands(TIF)
    assert found["mean speed"][1] == "m/s" and data.GetGeoTransform()[1] == made_run.CELL
    there = osr.SpatialReference()
    there.ImportFromEPSG(32632)
    here = osr.SpatialReference()
    here.ImportFromEPSG(4326)
    here.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    x0, dx, _, y1, _, dy = data.GetGeoTransform()
    checked = 0
    for row, column in ((5, 5), (12, 20), (20, 33)):
        x, y = x0 + dx * (column + .5), y1 + dy * (data.RasterYSize - row - .5)
        lonlat = osr.CoordinateTransformation(there, here).TransformPoint(x, y)[:2]
        at = east_north(np.array(lonlat)) / made_run.CELL
        if np.abs(at - np.round(at)).min() > 0.05:  # not at an edge of a cell
            i, j = np.floor(at[1]).astype(int), np.floor(at[0]).astype(int)
            assert found["maximum density"][0][row, column] == totals.max_density[i, j]
            checked += 1
    assert checked
    TOWN.export(TIF, "geotiff", crs="local")
    _, data = bands(TIF)
    assert data.GetGeoTransform() == (900, 4, 0, 2000, 0, -4)
    assert data.GetSpatialRef().IsLocal()


def test_geotiff_of_an_interval():
    """A real run, which is nowhere on earth."""
    run = throng.open(RUNS / "compact")
    assert run.export(TIF, "geotiff", at=10) == 2
    found, data = bands(TIF)
    field = Field(os.path.join(run.folder, "density-00000100.vtkhdf"))
    assert field.density.max() > 0
    assert np.array_equal(found["mean density"][0], field.density)
    x0, dx, _, y1, _, dy = data.GetGeoTransform()
    assert (x0, y1 + dy * data.RasterYSize) == tuple(field.corner) and dx == -dy == field.cell


def layer(name, path=None):
    """[(geometry, fields)] of a layer."""
    data = ogr.Open(path or GPKG)
    return [(ogr.CreateGeometryFromWkb(bytes(feature.GetGeometryRef().ExportToIsoWkb())),
             feature.items()) for feature in data.GetLayerByName(name)]


def test_map_in_a_geopackage():
    count = TOWN.export(GPKG, "geopackage")
    data = ogr.Open(GPKG)
    layers = {one.GetName(): one.GetFeatureCount() for one in data}
    assert layers == {
        "ground": 1, "obstacles": 5, "walls": 1, "destinations": 2, "sources": 1, "zones": 1,
        "areas": 1, "doors": 1, "lines": 1, "queues": 1, "streets": 2, "labels": 1, "starts": 400,
        "trajectories": 400, "people": 400} and sum(layers.values()) == count
    assert all(one.GetSpatialRef().GetAuthorityCode(None) == "4326" for one in data)
    assert all("Harbour town. (c) OpenStreetMap" in one.GetMetadata()["DESCRIPTION"] for one in data)
    obstacles = layer("obstacles")
    assert [row["kind"] for _, row in obstacles] == ["building", "locked", "sea", "water", None]
    building = obstacles[0][0].GetGeometryRef(0)
    rings = [np.array(building.GetGeometryRef(k).GetPoints())[:, :2] for k in range(2)]
    for ring, corners in zip(rings, ((20, 20, 60, 60), (30, 30, 50, 50))):
        at = east_north(ring)
        assert np.abs([*at.min(axis=0), *at.max(axis=0)] - np.array(corners)).max() < 0.05
    assert obstacles[3][0].GetGeometryCount() == 2
    line, = layer("lines")
    assert line[1] | {"name": 0} == {"name": 0, "kind": None, "forward": 300, "backward": 75,
                                     "highest_flow_per_s": .75, "lowest_flow_per_s": .75}
    area, = layer("areas")
    assert area[1]["highest_density_per_m2"] == 1.5 and area[1]["highest_at_s"] == 300
    assert {row["name"]: row["people"] for _, row in layer("destinations")} == {
        "outside": 253, "hall": 127}


def test_starts():
    table = read_table(os.path.join(TOWN.folder, "people.csv"))
    TOWN.export(GPKG, "geopackage", crs="local")
    rows = layer("starts")
    assert [row["id"] for _, row in rows] == table["id"].tolist()
    taken = [math.nan if row["time_s"] is None else row["time_s"] for _, row in rows]
    assert np.array_equal(taken, table["left_s"] - table["entered_s"], equal_nan=True)
    assert np.isnan(taken).sum() == 20 and rows[-1][1]["exit"] is None
    assert np.array_equal([(g.GetX(), g.GetY()) for g, _ in rows],
                          np.c_[table["start_x"], table["start_y"]])


def test_people_and_ways():
    """Of a real run: every position, and the selection."""
    run = throng.open(RUNS / "compact")
    selection = Selection(region=(1002, -2000, 1015, -1980), begin=2, end=12, every=0.5)
    run.export(GPKG, "geopackage", selection, at=5)
    rows = run.trajectories((1002, -2000, 1015, -1980), None, 2, 12, 0.5)
    now = rows["frame"] == 10
    people = sorted(layer("people"), key=lambda one: one[1]["id"])
    assert [row["id"] for _, row in people] == rows["id"][now].tolist() and now.sum() > 20
    assert [row["speed"] for _, row in people] == rows["speed"][now].tolist()
    assert np.array_equal([(g.GetX(), g.GetY()) for g, _ in people],
                          np.c_[rows["x"], rows["y"]][now])
    assert all(row["time_s"] == 5 and 0 <= row["heading_deg"] < 360 for _, row in people)
    found = {}
    for shape, row in layer("trajectories"):
        points = np.array([shape.GetPointZM(k) for k in range(shape.GetPointCount())])
        assert points[0, 3] == row["start_s"] and points[-1, 3] == row["end_s"]
        assert np.allclose(np.diff(points[:, 3]), 0.5)  # without a gap
        length = np.hypot(*np.diff(points[:, :2], axis=0).T).sum()
        assert math.isclose(length, row["length_m"], abs_tol=1e-9)
        found.setdefault(row["id"], []).append(points)
    for agent in np.unique(rows["id"]):
        mine = rows["id"] == agent
        if mine.sum() > 1 and np.all(np.diff(rows["frame"][mine]) == 1):
            (way,) = found[agent]
            assert np.array_equal(way[:, :2], np.c_[rows["x"], rows["y"]][mine])
    visits = sum(len(np.split(f, np.flatnonzero(np.diff(f) > 1) + 1)) for f in (
        rows["frame"][rows["id"] == agent] for agent in np.unique(rows["id"])))
    assert len(found) > 50 and sum(map(len, found.values())) <= visits


def test_ways_are_written_in_parts():
    """The same lines if only a few rows are gathered at a time."""
    from throng import geopackage
    run = throng.open(RUNS / "compact")
    run.export(GPKG, "geopackage")
    def lines():
        return sorted((row["id"], row["start_s"], shape.ExportToIsoWkt())
                      for shape, row in layer("trajectories"))
    expected = lines()
    geopackage.ROWS, before = 5000, geopackage.ROWS
    run.export(GPKG, "geopackage")
    geopackage.ROWS = before
    assert lines() == expected and len(expected) > 50


def test_fullest_moment():
    run = throng.open(RUNS / "plain")
    run.export(GPKG, "geopackage")
    counts = [run.snapshot(step).count for step in snapshot_paths(run.folder)]
    assert len(layer("people")) == max(counts) > 20


def test_a_warning_if_nobody_is_there():
    """Not of a map of a grid, which has no people."""
    for kind, selection, count in (("geopackage", Selection(begin=900), 1),
                                   ("geopackage", Selection(region=[0, 0, 5, 5]), 1),
                                   ("geopackage", Selection(begin=19), 0),
                                   ("geotiff", Selection(), 0)):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            throng.open(RUNS / "plain").export(GPKG, kind, selection)
        assert [": nobody is in it;" in str(one.message) for one in said] == [True] * count, said


def square_corners():
    """Longitudes and latitudes of square.geojson, in the order of its file."""
    with open(pathlib.Path(__file__).with_name("square.geojson"), encoding="utf-8") as file:
        return [np.array(one["geometry"]["coordinates"][0]) for one in json.load(file)["features"]]


def test_known_places():
    """A run of a map in degrees, by the program: its corners are where the map has them."""
    run = throng.open(RUNS / "square")
    degree = metres_per_degree(60.17)
    for crs in (None, "EPSG:32635"):
        run.export(GPKG, "geopackage", crs=crs)
        data = ogr.Open(GPKG)
        system = data.GetLayerByName("obstacles").GetSpatialRef()
        there = osr.SpatialReference()
        there.ImportFromEPSG(4326)
        for one in (system, there):
            one.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
        back = osr.CoordinateTransformation(system, there)

        def corners(shape, back=back):
            return np.array(back.TransformPoints(shape.GetPoints()))[:, :2]

        for (shape, _), expected in zip(layer("obstacles"), square_corners()):
            found = corners(shape.GetGeometryRef(0).GetGeometryRef(0))
            away = np.linalg.norm((found[:, None] - expected) * degree, axis=2)
            assert away.min(axis=0).max() < 0.05 and away.min(axis=1).max() < 0.05
        (line, _), = layer("lines")
        assert np.abs((corners(line.GetGeometryRef(0)) - [[24.941, 60.1697], [24.941, 60.17]])
                      * degree).max() < 0.05


def test_people_stand_in_the_cells():
    """Everybody of every moment is in a cell where the totals of the run have somebody."""
    run = throng.open(RUNS / "square")
    run.export(TIF, "geotiff")
    found, data = bands(TIF)
    totals = Totals(run.folder)
    assert np.array_equal(found["maximum density"][0], totals.max_density)
    assert totals.people.sum() == found["person-seconds"][0].sum() / totals.sample > 100
    x0, dx, _, y1, _, dy = data.GetGeoTransform()
    people = 0
    for at in (1.0, 8.0, 20.0):
        run.export(GPKG, "geopackage", at=at)
        for shape, _ in layer("people"):
            row, column = (shape.GetY() - y1) / dy, (shape.GetX() - x0) / dx
            assert found["maximum density"][0][-1 - int(row), int(column)] > 0
            people += 1
    assert people > 60


def test_errors():
    """One line, an exit code, and nothing is left."""
    hall = throng.open(RUNS / "plain")
    early = throng.open(made_run.write(os.path.join(WORK.name, "early")))
    os.remove(early.path("totals.vtkhdf"))
    for act, part, code in (
            (lambda: early.export(TIF, "geotiff"), "no totals.vtkhdf", 64),
            (lambda: hall.export(GPKG, "geopackage", crs="EPSG:32632"), "where on earth", 64),
            (lambda: TOWN.export(GPKG, "geopackage", crs="EPSG:1"), "is expected", 64),
            (lambda: TOWN.export(GPKG, "geopackage", at=77), "no recorded moment", 64),
            (lambda: hall.export(TIF, "geotiff", at=5.5), "no density file", 64),
            (lambda: TOWN.export(TIF, "geotiff", Selection(ids=[4])), "no option --ids", 64),
            (lambda: TOWN.export(TIF, "csv", crs="local"), "no option --crs", 64),
            (lambda: TOWN.export("/nowhere/a.tif", "geotiff"), "cannot be written", 74),
            (lambda: TOWN.export("/nowhere/a.gpkg", "geopackage"), "cannot be written", 74)):
        refused(act, part, code)
    before = sorted(os.listdir(WORK.name))
    for kind in ("geotiff", "geopackage"):
        out = os.path.join(WORK.name, "full." + kind)
        done = subprocess.run(
            [sys.executable, ROOT / "tools/export.py", TOWN.folder, "--format", kind, "-o", out],
            capture_output=True, text=True, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)))
        assert done.returncode == 74 and "cannot be written" in done.stderr, done.stderr
        assert done.stderr.count("\n") == 1 and sorted(os.listdir(WORK.name)) == before


run_tests(globals())
WORK.cleanup()
