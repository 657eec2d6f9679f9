"""Are the points of every file the scenario's own coordinates, near (0, 0) m and in a national grid?
test_coordinates.py THRONG FOLDER LAUNCHER..."""
import re
import sys

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)
from launching import FOLDER, new_folder, outputs, throng

CORNERS = {"near": (-7.25, 3.5), "far": (691603.25, 5336124.5), "just beyond": (4060.5, -10.0)}
SCENARIO = """
world: {{margin: 0, walkable: ["POLYGON (({x} {y}, {x1} {y}, {x1} {y1}, {x} {y1}, {x} {y}))"]}}
sources: [{{area: {{rectangle: [{x}, {y}, {x1}, {y1}]}}, count: 20, goal: [{x1}, {y1}]}}]
time: {{end: 1}}
measure: {{grid: {{every: 1, cell: 1}}}}
output: {{snapshot_every: 1, trajectory: {{every: 0.1, layout: archive}}}}
"""
SIZE = np.array([40.0, 20.0])


def points(name):
    """Points of a file, what to add to them, and what it says of them."""
    with h5py.File(FOLDER / name) as file:
        about = dict(file["throng"].attrs)
        return file["VTKHDF/Points"][:], np.array(about["origin"]), about


def files_of(corner, ranks):
    x, y = corner
    x1, y1 = corner + SIZE
    new_folder(SCENARIO.format(x=x, y=y, x1=x1, y1=y1))
    throng("run", "hall.yaml", "-o", ".", ranks=ranks)
    far = max(abs(side) for side in (x, y, x1, y1)) > 4096
    for step in (0, 10):
        people, added, about = points(f"snapshot-{step:08d}.vtkhdf")
        assert people.dtype == (np.float64 if far else np.float32) and not added.any()
        with h5py.File(FOLDER / "trajectory.h5") as file:
            rows = file["trajectory"][:]
        rows = rows[rows["frame"] == step]
        with h5py.File(FOLDER / f"snapshot-{step:08d}.vtkhdf") as file:
            order = np.argsort(file["VTKHDF/PointData/id"][:])
        exact = np.stack([rows["x"], rows["y"]], axis=1)
        assert np.abs(people[order, :2] - exact).max() <= (0 if far else 1.3e-4)
        quanta = (exact - about["frame_origin"]) / about["quantum"]
        assert np.array_equal(quanta, np.rint(quanta)) and len(quanta) == 20
    walls, added, _ = points("walls.vtkhdf")
    assert np.array_equal(walls[:, :2].min(axis=0), corner) and not added.any()
    assert np.array_equal(walls[:, :2].max(axis=0), corner + SIZE)
    with h5py.File(FOLDER / "density-00000010.vtkhdf") as file:
        image = file["VTKHDF"].attrs
        assert np.all(np.abs(image["Origin"][:2] - corner) <= 1)
        assert not file["throng"].attrs["origin"].any()
    precision = re.findall(r'NumberType="Float" Precision="(\d)"[^>]*>snapshot[^:]*:/VTKHDF/Points',
                           (FOLDER / "snapshots.xdmf").read_text())
    assert precision == ["8" if far else "4"] * 2, precision


def told_of(path):
    """The extent that throng tells."""
    return re.search("extent.*", outputs("info", path)[0])[0]


def older_files_are_read():
    """Points relative to the middle of the world, which is `origin`."""
    path = FOLDER / "snapshot-00000010.vtkhdf"
    told = told_of(path)
    with h5py.File(path, "r+") as file:
        about = file["throng"].attrs
        about["origin"] = about["frame_origin"]
        del about["frame_origin"]
        moved = file["VTKHDF/Points"][:] - [*about["origin"], 0]
        del file["VTKHDF/Points"]
        file["VTKHDF/Points"] = moved
    assert told_of(path) == told, told


for name, at in CORNERS.items():
    files_of(np.array(at), ranks=2 * (name == "far"))
    older_files_are_read()
print("points are the scenario's own coordinates")
