"""Is an export the trajectory, read by the reader of its format? test_export.py RUNS"""
import csv
import hashlib
import os
import pathlib
import resource
import sqlite3
import stat
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from checkout import ROOT, refused, run_tests

import throng
from throng import export
from throng.export import Orientation
from throng.trajectory import Selection

RUNS = pathlib.Path(sys.argv[1])
RUN = throng.open(RUNS / "compact")
ROWS = RUN.trajectories()
WORK = tempfile.TemporaryDirectory()
FILE = os.path.join(WORK.name, "export")


def command(*words, tool=(ROOT / "tools/export.py",), **options):
    """Exit code, standard output and standard error of throng-export."""
    done = subprocess.run([sys.executable, *tool, *map(str, words)], capture_output=True, text=True,
                          timeout=60, check=False, **options)
    return done.returncode, done.stdout, done.stderr


def same(got, names, within=0.0):
    for name in names:
        assert len(got[name]) == len(ROWS[name]) > 1000, name
        assert np.max(np.abs(np.asarray(got[name], float) - ROWS[name])) <= within, name


def test_archive():
    export.ROWS = 1000  # written in many parts
    assert RUN.export(FILE, "archive") == len(ROWS["id"])
    with h5py.File(FILE) as file, h5py.File(RUNS / "archive/trajectory.h5") as own:
        table, expected = file["trajectory"], own["trajectory"]
        assert table.dtype == expected.dtype and table.attrs["fps"] == expected.attrs["fps"] == 10
        assert np.array_equal(table[:], expected[:])
        assert file.attrs["wkt_geometry"] == own.attrs["wkt_geometry"]
        same(table[:], ("id", "frame", "x", "y"))


def test_sqlite():
    RUN.export(FILE, "sqlite")
    base = sqlite3.connect(FILE)
    rows = np.array(base.execute("SELECT id, frame, pos_x, pos_y, ori_x, ori_y "
                                 "FROM trajectory_data").fetchall()).T
    same(dict(zip(("id", "frame", "x", "y"), rows)), ("id", "frame", "x", "y"))
    moves = np.hypot(ROWS["vx"], ROWS["vy"]) > 0
    speed = np.hypot(ROWS["vx"], ROWS["vy"])[moves]
    assert np.allclose(rows[4][moves], ROWS["vx"][moves] / speed) and moves.mean() > 0.9
    assert np.allclose(np.hypot(rows[4], rows[5]), 1)
    about = dict(base.execute("SELECT key, value FROM metadata"))
    assert about == {"version": "2", "fps": "10.0", "xmin": "1000.5", "xmax": "1040.5",
                     "ymin": "-2000.0", "ymax": "-1980.0"}, about
    (number, ground), = base.execute("SELECT hash, wkt FROM geometry").fetchall()
    assert ground == RUN.trajectory.ground
    frames = base.execute("SELECT frame, geometry_hash FROM frame_data ORDER BY frame").fetchall()
    assert frames == [(k, number) for k in range(201)]
    assert ("frame_id_idx",) in base.execute(
        "SELECT name FROM sqlite_master WHERE type = 'index'").fetchall()
    base.close()


def test_orientation():
    """Without velocities: along the way since the frame before; kept by who stands."""
    looks = Orientation()

    def ahead(ids, x, y):
        return looks.of({"id": np.array(ids), "x": np.array(x), "y": np.array(y)}).tolist()

    assert ahead([1, 4], [0.0, 0], [0.0, 0]) == [[1, 0], [1, 0]]
    assert ahead([1, 3, 4], [0.0, 7, 0], [-2.0, 7, 0]) == [[0, -1], [1, 0], [1, 0]]
    assert ahead([1, 4], [0.0, 3], [-2.0, 4]) == [[0, -1], [0.6, 0.8]]


def test_txt():
    RUN.export(FILE, "txt")
    with open(FILE, encoding="utf-8") as file:
        assert file.readline() == "# framerate: 10 fps\n"
        assert file.readline() == "# id frame x/m y/m z/m\n"
    rows = np.loadtxt(FILE).T
    same(dict(zip(("id", "frame", "x", "y"), rows)), ("id", "frame", "x", "y"), within=5.01e-7)


def test_csv():
    RUN.export(FILE, "csv")
    with open(FILE, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["id", "frame", "time_s", *list(ROWS)[2:]]
    got = {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}
    same(got, ("id", "frame", "x", "y", "destination"))
    for name in ("vx", "vy", "speed", "radius"):
        assert np.array_equal(got[name].astype(np.float32), ROWS[name]), name
    assert np.allclose(got["time_s"], ROWS["frame"] / 10)


def test_snapshots():
    """A run without a trajectory: its snapshots; with shapely also the ground, from the walls."""
    plain = throng.open(RUNS / "plain")
    rows = plain.trajectories()
    assert plain.export(FILE, "txt") == len(rows["id"])
    with open(FILE, encoding="utf-8") as file:
        assert file.readline() == "# framerate: 2 fps\n"
    try:
        import shapely.wkt
    except ImportError:
        return
    plain.export(FILE, "archive")
    with h5py.File(FILE) as file:
        assert np.array_equal(file["trajectory"]["x"], rows["x"])
        assert shapely.wkt.loads(file.attrs["wkt_geometry"]).equals(plain.walkable_area)


def test_selection_by_the_command():
    words = ("--every", "0.5", "--region", "-5,-2000,1012.5,-1980", "--ids", "1,2,3,50", "--from",
             "1", "--to", "9")
    code, said, wrong = command(RUNS / "compact", "--format", "csv", "-o", FILE, *words)
    expected = RUN.trajectories(region=[-5, -2000, 1012.5, -1980], ids=[1, 2, 3, 50], begin=1,
                                end=9, every=0.5)
    assert (code, said, wrong) == (0, f"{FILE}: {len(expected['id'])} rows\n", "")
    rows = np.loadtxt(FILE, delimiter=",", skiprows=1)
    assert np.array_equal(rows[:, 3], expected["x"]) and np.array_equal(rows[:, 1],
                                                                        expected["frame"])
    assert 0 < len(rows) < 60 and rows[0, 2] == 1.0
    assert not os.path.exists(FILE + ".tmp")


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def test_a_file_with_nobody():
    """It is written, and one line says where and when there would have been somebody."""
    warning = (f"throng export: {FILE}: nobody is in it; the run was recorded from 0 to 20 s, "
               "between (1000.5, -2000) and (1040.5, -1980) m\n")
    for kind, words in (("csv", ("--from", 900)), ("txt", ("--region", "0,0,5,5")),
                        ("archive", ("--ids", 12345))):
        code, out, errors = command(RUN.folder, "--format", kind, "-o", FILE, *words)
        assert (code, out, errors) == (0, f"{FILE}: 0 rows\n", warning), errors
        assert os.path.getsize(FILE) > 0
    code, _, errors = command(RUN.folder, "--format", "csv", "-o", FILE, "--from", 20)
    assert code == 0 and errors == "", errors


def test_wrong_words():
    """One line, an exit code, and the file of before is untouched."""
    RUN.export(FILE, "txt")
    before, out = digest(FILE), ("-o", FILE)
    for code, part, words in (
            (64, "is expected", (RUNS / "compact", "--format", "pdf", *out)),
            (64, "no such directory", (RUNS / "nowhere", "--format", "txt", *out)),
            (64, "--format", (RUNS / "compact", *out)),
            (64, "--every", (RUNS / "compact", "--format", "txt", *out, "--every", "x")),
            (64, "multiple", (RUNS / "compact", "--format", "txt", *out, "--every", "0.25")),
            (64, "--region", (RUNS / "compact", "--format", "txt", *out, "--region", "1,b,3,4")),
            (64, "region", (RUNS / "compact", "--format", "txt", *out, "--region", "1,2,3")),
            (64, "--ids", (RUNS / "compact", "--format", "txt", *out, "--ids", "1.5")),
            *((74, "cannot be written", (RUNS / "compact", "--format", kind, "-o", "/nowhere/a"))
              for kind in ("txt", "csv", "archive", "sqlite"))):
        got, said, wrong = command(*words)
        assert got == code and said == "" and part in wrong and wrong.count("\n") == 1, (
            words, got, said, wrong)
        assert digest(FILE) == before and not os.path.exists(FILE + ".tmp"), words
    assert command("export", "--help", tool=("-m", "throng"), cwd=ROOT / "python")[0] == 0
    assert command("exprot", tool=("-m", "throng"), cwd=ROOT / "python")[0] == 64


def test_full_disk():
    """A file that may not grow further: 74, and nothing is left."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    for kind in ("archive", "sqlite", "txt", "csv"):
        got, _, wrong = command(RUNS / "compact", "--format", kind, "-o", FILE + kind,
                                preexec_fn=limit)
        assert got == 74 and wrong.count("\n") == 1 and "cannot be written" in wrong, (kind, wrong)
        assert not os.path.exists(FILE + kind) and not os.path.exists(f"{FILE}{kind}.tmp"), kind


def full_device():
    """A device without room: one of our own where a mistake could replace that of the system."""
    own = os.path.join(WORK.name, "full")
    try:
        if not os.path.exists(own):
            os.mknod(own, 0o666 | stat.S_IFCHR, os.makedev(1, 7))
        with open(own, "wb"):
            return own
    except PermissionError:
        return "/dev/full"


def test_devices_and_streams_stay():
    full = full_device()
    for kind, code, part in (("csv", 74, "No space left"), ("txt", 74, "No space left"),
                             *((kind, 64, "regular file") for kind in ("archive", "sqlite"))):
        got, _, wrong = command(RUNS / "compact", "--format", kind, "-o", full)
        assert got == code and part in wrong and wrong.count("\n") == 1, (kind, wrong)
        assert stat.S_ISCHR(os.stat(full).st_mode), kind
    RUN.export(FILE, "csv")
    pipe = FILE + ".pipe"
    os.mkfifo(pipe)
    with open(FILE + ".read", "wb") as read, subprocess.Popen(["cat", pipe], stdout=read):
        assert command(RUNS / "compact", "--format", "csv", "-o", pipe)[0] == 0
    assert digest(FILE + ".read") == digest(FILE)
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)


def test_damaged_input():
    with tempfile.TemporaryDirectory() as folder:
        data = bytearray((RUNS / "compact/trajectory.h5").read_bytes())
        with h5py.File(RUNS / "compact/trajectory.h5") as file:
            chunk = file["trajectory/y"].id.get_chunk_info(0)
        data[chunk.byte_offset + chunk.size // 2] ^= 255
        pathlib.Path(folder, "trajectory.h5").write_bytes(data)
        out = os.path.join(folder, "out")
        refused(lambda: throng.open(folder).export(out, "txt"), "damaged", 65)
        assert sorted(os.listdir(folder)) == ["trajectory.h5"]


def test_geoparquet_without_pyarrow():
    try:
        import pyarrow  # noqa: F401  (test_pedpy.py reads the file)
    except ImportError:
        refused(lambda: RUN.export(FILE, "geoparquet", Selection()), "pip install pyarrow", 64)


def test_missing_libraries():
    """One line that says what to install."""
    for name, kind, part in (("osgeo", "geotiff", "apt-get install python3-gdal"),
                             ("osgeo", "geopackage", "apt-get install python3-gdal"),
                             ("pxr", "usd", "pip install usd-core mapbox_earcut")):
        before, sys.modules[name] = sys.modules.get(name), None
        refused(lambda kind=kind: RUN.export(FILE + ".usdc", kind), part, 64)
        sys.modules.pop(name)
        if before:
            sys.modules[name] = before


run_tests(globals())
WORK.cleanup()
