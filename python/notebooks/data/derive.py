#!/usr/bin/env python3
"""Makes the files *.h5 here from the trajectories named in ORIGIN.md, which are not in this
repository:   python/notebooks/data/derive.py DIR      a folder with these text files

They are in the HDF5 layout of the Pedestrian Dynamics Data Archive, which PedPy loads: every n-th
frame, positions in m rounded to 1/128 m, and the floor as walkable area."""
import pathlib
import sys

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
CITE = "Pedestrian Dynamics Data Archive, Forschungszentrum Juelich; see ORIGIN.md"
ROW = np.dtype([("id", "<i8"), ("frame", "<i8"), ("x", "<f8"), ("y", "<f8"), ("z", "<f8")])

# The floor of 040_c_56: a waiting area 5.6 m wide, and a passage of 0.5 m with a funnel before it.
ROOM = ("POLYGON ((-2.8 8, -2.8 0, -0.4 0, -0.25 -0.15, -0.25 -1.1, -3.5 -1.1, -3.5 -3, 3.5 -3, "
        "3.5 -1.1, 0.25 -1.1, 0.25 -0.15, 0.4 0, 2.8 0, 2.8 8, -2.8 8))")


def corridor(exit_width):
    """A corridor 1.8 m wide with an exit in its middle at y = -4 m."""
    a, b = 0.9 - exit_width / 2, 0.9 + exit_width / 2
    return (f"POLYGON ((0 -8, 1.8 -8, 1.8 -4.2, {b} -4.2, {b} -4, 1.8 -4, 1.8 7, 0 7, "
            f"0 -4, {a} -4, {a} -4.2, 0 -4.2, 0 -8))")


OPEN = "POLYGON ((0 -8, 1.8 -8, 1.8 7, 0 7, 0 -8))"
# name: frames per second, of which every n-th is taken, units per metre, floor
RUNS = {"040_c_56_h-": (25, 5, 1, ROOM),
        "uo-050-180-180": (16, 4, 100, OPEN),
        "uo-100-180-180": (16, 4, 100, OPEN),
        "uo-180-180-120": (16, 4, 100, corridor(1.2)),
        "uo-180-180-070": (16, 4, 100, corridor(0.7))}


def thinned(path, stride, metre):
    """The rows of every n-th frame from the first one on, by id and then frame."""
    table = np.loadtxt(path, usecols=range(5))
    table = table[table[:, 1] % stride == 0]
    rows = np.empty(len(table), ROW)
    rows["id"], rows["frame"] = table[:, 0], table[:, 1] // stride
    for name, values in zip("xyz", table[:, 2:].T):
        rows[name] = np.round(values / metre * 128) / 128  # few bits: small files
    rows["frame"] -= rows["frame"].min()
    return np.sort(rows, order=("id", "frame"))


def main():
    folder = pathlib.Path(sys.argv[1])
    for name, (rate, stride, metre, floor) in RUNS.items():
        rows = thinned(folder / f"{name}.txt", stride, metre)
        with h5py.File(HERE / f"{name.removesuffix('_h-')}.h5", "w") as file:
            file.attrs["wkt_geometry"] = floor
            file.attrs["origin"] = CITE
            table = file.create_dataset("trajectory", data=rows, compression=9, shuffle=True)
            table.attrs["fps"] = rate / stride


if __name__ == "__main__":
    main()
