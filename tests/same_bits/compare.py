"""Are the last snapshots of two runs the same, agent by agent? compare.py RUN RUN"""
import glob
import sys

import h5py
import numpy as np


def agents(run):
    path = sorted(glob.glob(f"{run}/snapshot-*.vtkhdf"))[-1]
    with h5py.File(path) as file:
        polydata = file["VTKHDF"]
        columns = {name: data[:] for name, data in polydata["PointData"].items()}
        columns["position"] = polydata["Points"][:]
    order = np.argsort(columns["id"])
    rank = columns.pop("rank", None)  # who owned it may differ
    assert rank is None or len(rank) == len(order)
    return {name: column[order] for name, column in columns.items()}


first, second = agents(sys.argv[1]), agents(sys.argv[2])
assert len(first["id"]) > 0 and first["position"].dtype == np.float64
different = [
    name for name in first if first[name].tobytes() != second.get(name, np.zeros(0)).tobytes()
]
if different or first.keys() != second.keys():
    sys.exit(f"not the same: {different} of {sorted(first)} and {sorted(second)}")
print(f"{len(first['id'])} agents with the same {', '.join(sorted(first))}")
