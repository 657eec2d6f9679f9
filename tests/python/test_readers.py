"""Does the package read what h5py and csv find in the files? test_readers.py RUNS"""
import csv
import fcntl
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile
import threading
import time

import h5py
import numpy as np
from checkout import refused, run_tests

import throng
from throng import trajectory
from throng.files import Walls

RUNS = pathlib.Path(sys.argv[1])
COMPACT, ARCHIVE, PLAIN = (throng.open(RUNS / name) for name in ("compact", "archive", "plain"))
FIELDS = ("vx", "vy", "speed", "radius", "destination")


def by_hand(path):
    """id, step, x, y and the fields of a compact file, by h5py alone."""
    with h5py.File(path) as file:
        group, about = file["trajectory"], file["throng"].attrs
        count = file["frames/count"][:]
        rows = {name: group[name][:] for name in ("id", *FIELDS)}
        for axis, name in enumerate("xy"):
            rows[name] = about["origin"][axis] + group[name][:] * about["quantum"]
        rows["frame"] = np.repeat(np.arange(len(count)), count)
    return rows


def same(got, expected, names):
    assert list(got)[:4] == ["id", "frame", "x", "y"], list(got)
    for name in names:
        assert np.array_equal(got[name], expected[name]), name
        assert len(got[name]) > 0 and got[name].dtype == expected[name].dtype, name


def test_compact():
    expected = by_hand(RUNS / "compact/trajectory.h5")
    same(COMPACT.trajectories(), expected, ("id", "frame", "x", "y", *FIELDS))
    assert COMPACT.frame_rate == 10 and expected["frame"].max() == 200


def test_archive():
    with h5py.File(RUNS / "archive/trajectory.h5") as file:
        table = file["trajectory"][:]
    same(ARCHIVE.trajectories(), table, ("id", "frame", "x", "y"))
    same(COMPACT.trajectories(), table, ("id", "frame", "x", "y"))  # both layouts are exact


def test_snapshots():
    """Every fifth frame is a snapshot; positions are exact in both."""
    got, expected = PLAIN.trajectories(), COMPACT.trajectories(every=0.5)
    assert PLAIN.frame_rate == 2
    same(got, expected, ("id", "frame", "x", "y", *FIELDS))
    snapshot = PLAIN.snapshot(100)
    with h5py.File(PLAIN.snapshots[100]) as file:
        place = file["VTKHDF/Points"][:, :2] + file["throng"].attrs["origin"]
    assert np.array_equal(snapshot.position, place) and len(place) == snapshot.count > 0
    assert np.array_equal(snapshot.position[np.argsort(snapshot.id), 0],
                          got["x"][got["frame"] == 20])


def test_snapshots_off_the_interval():
    """A snapshot between the others is not a frame; a single one has no rate."""
    with tempfile.TemporaryDirectory() as folder:
        for step in (0, 10, 20, 25, 30, 40, 55):
            name = f"snapshot-{step:08d}.vtkhdf"
            shutil.copy(RUNS / "plain" / name, folder)
        run = throng.open(folder)
        assert run.frame_rate == 1
        same(run.trajectories(), COMPACT.trajectories(every=1, end=4), ("id", "frame", "x", "y"))
        for step in (10, 20, 25, 30, 40, 55):
            os.remove(f"{folder}/snapshot-{step:08d}.vtkhdf")
        run = throng.open(folder)
        assert len(run.trajectories()["id"]) == 160
        refused(lambda: run.frame_rate, "single frame", 64)


def test_selection():
    rows = by_hand(RUNS / "compact/trajectory.h5")
    x, y, frame = rows["x"], rows["y"], rows["frame"]
    for options, wanted in (
            ({"region": [1015, -1990, 1030, -1985]},
             (x >= 1015) & (x < 1030) & (y >= -1990) & (y < -1985)),
            ({"ids": [3, 5, 77, 10**9]}, np.isin(rows["id"], [3, 5, 77])),
            ({"begin": 3, "end": 5.5}, (frame >= 30) & (frame <= 55)),
            ({"every": 0.7, "begin": 2, "ids": range(9)},
             (frame % 7 == 0) & (frame >= 20) & (rows["id"] < 9))):
        got = COMPACT.trajectories(**options)
        assert 0 < len(got["id"]) < len(x), options
        for name in ("id", "x", "y", "speed"):
            assert np.array_equal(got[name], rows[name][wanted]), (options, name)
        stride = 7 if "every" in options else 1
        assert np.array_equal(got["frame"], frame[wanted] // stride), options
        archive = ARCHIVE.trajectories(**options)
        assert all(np.array_equal(got[name], archive[name]) for name in archive)
    x1 = x[len(x) // 2]  # the upper edge does not belong to a region, the lower one does
    below = COMPACT.trajectories(region=[0, -3000, x1, 0])["x"]
    above = COMPACT.trajectories(region=[x1, -3000, 3000, 0])["x"]
    assert below.max() < x1 == above.min() and len(below) + len(above) == len(x)
    nobody = COMPACT.trajectories(ids=[])
    assert len(nobody["x"]) == 0 and set(nobody) == set(COMPACT.trajectories())
    refused(lambda: COMPACT.trajectories(every=0.15), "multiple of the recorded 0.1 s", 64)
    refused(lambda: COMPACT.trajectories(every=-1), "above 0", 64)
    refused(lambda: COMPACT.trajectories(region=[1, 1, 0, 2]), "x0 < x1", 64)


def test_frames():
    """Frame by frame the same as at once, however few rows are read at a time."""
    whole, before = COMPACT.trajectories(), trajectory.BLOCK
    rows = trajectory.of_file(str(RUNS / "compact/trajectory.h5")).load
    for block in (1, 300, 5000):
        trajectory.BLOCK = block
        parts = list(rows.blocks(np.arange(201)))
        assert [index for part in parts for index in part] == list(range(201))
        sizes = [(rows.ends - rows.first)[part].sum() for part in parts if len(part) > 1]
        assert max(sizes, default=0) <= block and (len(sizes) > 3 or block == 1)
        frames = list(COMPACT.frames())
        assert np.array_equal(np.concatenate([f.columns["x"] for f in frames]), whole["x"])
        assert np.allclose([f.time for f in frames], np.arange(201) / 10)
    trajectory.BLOCK = before


def test_while_it_is_written():
    """A reader waits while trajectory.h5 is locked, and reads again what changed meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copy(RUNS / "compact/trajectory.h5", folder)
        with open(path, "rb") as writer:
            fcntl.flock(writer, fcntl.LOCK_EX)
            threading.Timer(0.1, fcntl.flock, (writer, fcntl.LOCK_UN)).start()
            pathlib.Path(folder, "lock").touch()
            run = throng.open(folder)
            assert run.frame_rate == 10
        first = []

        def changes(file):
            if not first:
                os.utime(path, (1, 1))
            first.append(len(file["frames/step"]))
            return len(first)

        assert trajectory.steady(path, changes) == 2
        refused(lambda: trajectory.steady(path, lambda _: os.utime(path, (0, time.time()))),
                "faster than it can be read", 74)


def test_tables():
    with open(RUNS / "compact/areas.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    areas = COMPACT.areas
    assert list(areas) == list(rows[0])
    assert areas["step"].tolist() == [int(row["step"]) for row in rows]
    assert areas["area"].tolist() == [row["area"] for row in rows]
    speeds = [float(row["mean_speed_m_s"] or "nan") for row in rows]
    assert np.array_equal(areas["mean_speed_m_s"], speeds, equal_nan=True)
    assert np.isnan(speeds).any() and not np.isnan(speeds).all()
    assert COMPACT.lines["forward"].dtype == np.int64 and COMPACT.lines["forward"][-1] > 10
    assert COMPACT.series["time_s"][-1] == 20 and COMPACT.series["time_s"].dtype == float
    assert COMPACT.travel["count"][0] == COMPACT.summary["travel"]["arrived"] > 0
    refused(lambda: COMPACT.alarms, "alarms.csv: no such table", 64)


def test_summary():
    expected = json.loads((RUNS / "compact/summary.json").read_text(encoding="utf-8"))
    assert COMPACT.summary == expected and COMPACT.summary["agents"] == 160


def test_density():
    field = COMPACT.density()
    with h5py.File(RUNS / "compact/density-00000200.vtkhdf") as file:
        corner = file["VTKHDF"].attrs["Origin"][:2] + file["throng"].attrs["origin"]
        assert np.array_equal(field.density, file["VTKHDF/CellData/density"][0])
    assert np.array_equal(field.corner, corner) and tuple(corner) == (1000.5, -2000)
    assert COMPACT.density(100).step == 100
    refused(lambda: COMPACT.density(7), "there are the steps 100, 200", 64)


def test_ground():
    try:
        import shapely.geometry
    except ImportError:
        print("no shapely: the ground is not looked at")
        return
    for run in (COMPACT, PLAIN):  # from wkt_geometry, and from the walls
        ground = run.walkable_area
        assert ground.is_valid and ground.bounds == (1000.5, -2000, 1040.5, -1980)
        assert abs(ground.area - (40 * 20 - 4 * 10 - 8 * 0.02)) < 1e-3, ground.area
        assert not ground.contains(shapely.geometry.Point(1012, -1990))
    assert PLAIN.walkable_area.symmetric_difference(COMPACT.walkable_area).area < 1e-3
    assert len(COMPACT.walls.geoms) == 2 and COMPACT.walls.bounds == (1010, -2000, 1025, -1985)


def test_nested_ground():
    """A courtyard in a building, with a hut in it; then all of it inside one outer wall."""
    try:
        from throng.ground import without_solids
    except throng.Error:
        return
    from shapely.geometry import box

    def ring(size, solid):
        line = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]) * size
        return line if solid else line[::-1]

    rings = [ring(4, True), ring(3, False), ring(2, True), ring(1, False)]
    ground = without_solids(box(-5, -5, 5, 5), rings)
    assert ground.area == 100 - 64 + 36 - 16 + 4, ground.area


def test_what_is_not_installed():
    """The message names what to install; test_pedpy.py has PedPy."""
    try:
        import pedpy  # noqa: F401
    except ImportError:
        refused(COMPACT.to_pedpy, "pip install pedpy", 64)


def test_wrong_files():
    refused(lambda: throng.open(RUNS / "nowhere"), "no such directory", 64)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        refused(lambda: throng.open(folder), "no files of a run", 64)
        whole = (RUNS / "compact/trajectory.h5").read_bytes()
        path = folder / "trajectory.h5"
        path.write_bytes(whole[:len(whole) // 2])
        refused(lambda: throng.open(folder).trajectories(), "not a trajectory, or damaged", 65)
        damaged = bytearray(whole)
        with h5py.File(RUNS / "compact/trajectory.h5") as file:
            chunk = file["trajectory/x"].id.get_chunk_info(0)
        damaged[chunk.byte_offset + chunk.size // 2] ^= 255
        path.write_bytes(damaged)
        refused(lambda: throng.open(folder).trajectories(), "trajectory.h5: not a trajectory", 65)
        (folder / "summary.json").write_text("{")
        refused(lambda: throng.open(folder).summary, "not a summary", 65)
        (folder / "series.csv").write_text("step,time_s\n1,x\n2,3\n")
        refused(lambda: throng.open(folder).series, "not a table", 65)
        (folder / "lines.csv").write_text("step,time_s\n1,2\n2")  # being written
        assert throng.open(folder).lines["step"].tolist() == [1]


def damaged(data, chance):
    """The bytes of a file, cut off or with a few bits flipped, most of them in its structure."""
    data = bytearray(data)
    if chance.random() < 0.3:
        return data[:chance.randrange(len(data))]
    for _ in range(chance.choice((1, 4, 50))):
        place = chance.randrange(min(5000, len(data)) if chance.random() < 0.7 else len(data))
        data[place] ^= 1 << chance.randrange(8)
    return data


def test_damage():
    """Whatever is broken: either it cannot be seen, or the error is ours and names the file."""
    readers = {"trajectory.h5": throng.Run.trajectories, "summary.json": lambda run: run.summary,
               "snapshot-00000100.vtkhdf": lambda run: (run.snapshot(), run.trajectories()),
               "density-00000200.vtkhdf": throng.Run.density,
               "walls.vtkhdf": lambda run: Walls(run.folder)}
    chance, seen = random.Random(1), 0
    for trial in range(60):
        name = list(readers)[trial % len(readers)]
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "log.jsonl").touch()
            whole = (RUNS / ("archive" if trial % 2 else "compact") / name).read_bytes()
            pathlib.Path(folder, name).write_bytes(damaged(whole, chance))
            try:
                readers[name](throng.open(folder))
            except throng.Error as error:
                assert error.code == 65 and name in str(error), (trial, error.code, error)
                seen += 1
    assert seen > 30, seen


run_tests(globals())
