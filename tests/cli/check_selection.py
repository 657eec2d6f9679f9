"""Does a run's every snapshot hold what was asked for, and no more? check_selection.py WHOLE PART

PART with output.fields [id, velocity], output.stride 3 and output.region [2, 1, 6, 9]; both exact."""
import glob
import re
import sys

import h5py
import numpy as np

WHOLE, PART = sys.argv[1:]


def read(path):
    with h5py.File(path) as file:
        data = file["VTKHDF/PointData"]
        return file["VTKHDF/Points"][:] + [*file["throng"].attrs["origin"], 0], \
            {name: data[name][:] for name in data}


paths = sorted(glob.glob(f"{WHOLE}/snapshot-*.vtkhdf"))
assert len(paths) > 2
seen = 0
with open(f"{PART}/snapshots.xdmf", encoding="utf-8") as text:
    listed = [int(n) for n in re.findall(r'Polyvertex" NumberOfElements="(\d+)"', text.read())]
counts = []
for path in paths:
    at, data = read(path)
    there, part = read(path.replace(WHOLE, PART, 1))
    assert set(part) == {"id", "velocity"}, set(part)
    inside = (at[:, 0] >= 2) & (at[:, 0] < 6) & (at[:, 1] >= 1) & (at[:, 1] < 9)
    meant = np.nonzero(inside & (data["id"] % 3 == 0))[0]
    meant = meant[np.argsort(data["id"][meant])]
    order = np.argsort(part["id"])
    assert np.array_equal(part["id"][order], data["id"][meant])
    assert np.array_equal(there[order], at[meant])
    assert np.array_equal(part["velocity"][order], data["velocity"][meant])
    counts.append(len(meant))
assert 0 < sum(counts) and listed == [n for n in counts if n], (counts, listed)
