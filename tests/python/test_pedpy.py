"""What PedPy makes of a run, by its own loaders: test_pedpy.py RUNS (runs in an environment of its
own, see wheel.sh)

Every export and trajectory.h5 itself give the same trajectories; N(t) at a line and the classic
density are those of lines.csv and areas.csv."""
import json
import pathlib
import struct
import sys
import tempfile

import numpy as np
import pedpy
import pyarrow.parquet
from checkout import run_tests

import throng
from throng import export

RUNS = pathlib.Path(sys.argv[1])
RUN = throng.open(RUNS / "compact")
ROWS = RUN.trajectories()
DATA, GROUND = RUN.to_pedpy()
GATE = pedpy.MeasurementLine([(1032, -2000), (1032, -1980)])
WAY = pedpy.MeasurementArea([(1026, -1995), (1034, -1995), (1034, -1985), (1026, -1985)])


def same(data, within=0.0):
    assert data.frame_rate == 10
    for name in ("id", "frame", "x", "y"):
        assert len(data.data[name]) == len(ROWS[name]) > 1000, name
        assert np.max(np.abs(data.data[name].to_numpy() - ROWS[name])) <= within, name


def test_the_object():
    same(DATA)
    assert abs(GROUND.area - (40 * 20 - 4 * 10 - 8 * 0.02)) < 1e-3
    data, _ = RUN.to_pedpy(every=0.5, begin=10)
    assert data.frame_rate == 2 and data.data.frame.min() == 20


def test_trajectory_itself():
    path = RUNS / "archive/trajectory.h5"
    same(pedpy.load_trajectory_from_ped_data_archive_hdf5(trajectory_file=path))
    ground = pedpy.load_walkable_area_from_ped_data_archive_hdf5(trajectory_file=path)
    assert ground.polygon.equals(GROUND.polygon)


def test_exports():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "export")
        RUN.export(path, "archive")
        same(pedpy.load_trajectory_from_ped_data_archive_hdf5(trajectory_file=path))
        ground = pedpy.load_walkable_area_from_ped_data_archive_hdf5(trajectory_file=path)
        assert ground.polygon.equals(GROUND.polygon)
        RUN.export(path, "sqlite")
        same(pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=path))
        ground = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=path)
        assert ground.polygon.equals(GROUND.polygon)
        RUN.export(path, "txt")
        same(pedpy.load_trajectory_from_txt(trajectory_file=path), within=5.01e-7)


def test_geoparquet():
    export.ROWS = 1000  # written in many parts
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "export")
        RUN.export(path, "geoparquet")
        table = pyarrow.parquet.read_table(path)
        points = [struct.unpack("<BIdd", point.as_py()) for point in table["geometry"]]
        order, kind, x, y = np.array(points).T
        assert np.all(order == 1) and np.all(kind == 1)
        assert np.array_equal(x, ROWS["x"]) and np.array_equal(y, ROWS["y"])
        for name in ("id", "frame", "vx", "vy", "speed", "radius", "destination"):
            assert np.array_equal(table[name].to_numpy(), ROWS[name]), name
        geo = json.loads(table.schema.metadata[b"geo"])
        assert geo["columns"][geo["primary_column"]] == {
            "encoding": "WKB", "geometry_types": ["Point"], "crs": None}


def test_counts_at_a_line():
    """PedPy does not look at the last movement of each agent, which matters in the last frame."""
    found, _ = pedpy.compute_n_t(traj_data=DATA, measurement_line=GATE)
    count = found.cumulative_pedestrians.to_numpy()
    step, forward = RUN.lines["step"], RUN.lines["forward"]
    assert np.all(RUN.lines["backward"] == 0) and forward[-1] > 30
    assert np.array_equal(forward[:-1], count[step[:-1]])
    last, before = (ROWS["frame"] == frame for frame in (200, 199))
    passed = np.intersect1d(ROWS["id"][last & (ROWS["x"] > 1032)],
                            ROWS["id"][before & (ROWS["x"] < 1032)])
    assert forward[-1] == count[200] + len(passed)


def test_density_in_an_area():
    found = pedpy.compute_classic_density(traj_data=DATA, measurement_area=WAY)
    density = found.density.to_numpy()[RUN.areas["step"]]
    assert np.max(np.abs(density - RUN.areas["density_per_m2"])) < 1e-6 and density.max() > 0.2


run_tests(globals())
