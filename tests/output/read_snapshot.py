"""Do the files hold exactly what was written? With h5py, and h5dump: read_snapshot.py FOLDER"""
import os
import shutil
import subprocess
import sys

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)
from made_up import ORIGIN, QUANTUM, WALLS, check, runs, same


def check_cells(group, kind, count, connectivity):
    """One kind of cells of a PolyData; count None: any."""
    cells = group[kind]
    check(cells["NumberOfCells"][0] == count, f"{kind}: number of cells")
    check(cells["NumberOfConnectivityIds"][0] == len(connectivity), f"{kind}: number of ids")
    check(cells["Offsets"].shape == (count + 1,), f"{kind}: offsets")
    check(cells["Offsets"][-1] == len(connectivity), f"{kind}: last offset")
    same(cells["Connectivity"][:], np.array(connectivity, np.int64), f"{kind}: connectivity")


def check_polydata(group, points):
    """What makes a group VTKHDF PolyData."""
    check(list(group.attrs["Version"]) == [2, 0], "Version")
    check(group.attrs["Type"] == b"PolyData", f"Type is {group.attrs['Type']!r}")
    check(group["NumberOfPoints"][0] == points and group["NumberOfPoints"].shape == (1,),
          "NumberOfPoints")


def check_throng(group, run, step, order):
    """What throng says itself."""
    attributes = group.attrs
    check(attributes["step"] == step and attributes["time"] == 0.1 * step, "step and time")
    check(attributes["agents"] == run.agents, "agents")
    check(tuple(attributes["origin"]) == (0, 0), "origin of the points")
    check(tuple(attributes["frame_origin"]) == ORIGIN, "origin of the quanta")
    check(attributes["quantum"] == QUANTUM and attributes["exponent"] == 16, "quantum")
    check(attributes["checksum"] == b"0123456789abcdef", "checksum")
    check(attributes["version"] == b"0.0-test", "version")
    check(attributes["attribution"].decode() == "© nobody", "attribution")
    check(group["scenario"][0].decode() == "name: made up\n# größer\n", "scenario")
    count, first = group["ranks/count"][:], group["ranks/first"][:]
    check(len(count) == run.ranks and count.sum() == run.agents, "counts of the ranks")
    check(np.array_equal(first, np.cumsum(count) - count), "first rows of the ranks")
    check(not run.crowded or count[0] == run.agents, "all on rank 0")
    x = run.quanta(step)[0][order]
    for rank, box in enumerate(group["ranks/box"][:]):
        mine = x[first[rank]:first[rank] + count[rank]]
        check(run.crowded or np.all((mine >= box[0]) & (mine < box[2])), f"box of rank {rank}")


def check_snapshot(run, step):
    """One file, every value."""
    with h5py.File(run.path(step), "r") as file:
        group = file["VTKHDF"]
        data = group["PointData"]
        order = data["id"][:]
        back = np.argsort(order)
        check_polydata(group, run.agents)
        same(group["Points"][:][back], run.points(step), "Points")
        expected = run.fields(step)
        check(set(data) == set(expected), "names of the fields")
        for name, values in expected.items():
            same(data[name][:][back], values, name)
            check(data[name].attrs["unit"] and data[name].attrs["description"], f"{name}: unit")
            check(data[name].fletcher32 == (run.compression > 0 and run.agents > 0),
                  f"{name}: checksum")
        check_cells(group, "Vertices", int(run.agents > 0), np.arange(run.agents))
        for kind in ("Lines", "Polygons", "Strips"):
            check_cells(group, kind, 0, [])
        check_throng(file["throng"], run, step, order)


def check_walls(run):
    """The file of the walls."""
    with h5py.File(os.path.join(run.folder, "walls.vtkhdf"), "r") as file:
        group = file["VTKHDF"]
        check_polydata(group, 15)
        points, ids = group["Points"][:], group["Lines/Connectivity"][:]
        ends = group["Lines/Offsets"][:]
        for line, begin, end in zip(WALLS, ends[:-1], ends[1:]):
            same(points[ids[begin:end], :2], np.array(line, float) + ORIGIN, "a line of the walls")
        check_cells(group, "Lines", len(WALLS), ids)
        check(tuple(file["throng"].attrs["origin"]) == (0, 0), "origin of the walls")


def check_h5dump(run):
    """h5dump, the standard HDF5 tool, can read the file."""
    if not shutil.which("h5dump"):
        print("SKIPPED in part: no h5dump")
        return
    text = subprocess.run(["h5dump", "-H", run.path(0)], check=True, capture_output=True,
                          text=True).stdout
    check('DATASET "Points"' in text and 'GROUP "throng"' in text, "h5dump -H")


found = runs(sys.argv[1])
check(len(found) == 8, "eight runs")
for one in found:
    leftovers = [name for name in os.listdir(one.folder) if name.endswith(".tmp")]
    check(not leftovers, f"{one.folder}: {leftovers}")
    for time_step in one.steps:
        check_snapshot(one, time_step)
    check_walls(one)
    check_h5dump(one)
print("all values of all runs are right")
