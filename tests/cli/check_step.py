"""One step from a table: the start is the table, the end is one step on. check_step.py RUN"""
import sys

import h5py
import numpy as np

START = {  # x, y, vx, vy
    7: (-20, 0, 0, 0),
    11: (-4, 0.25, 1, 0),
    12: (-3, 0.25, -1, 0),
    10**12: (20, 10, 0.5, -0.25),
}
QUANTUM = 2.0**-16


def read(run, step):
    with h5py.File(f"{run}/snapshot-{step:08d}.vtkhdf") as file:
        points = file["VTKHDF/Points"][:]
        velocity = file["VTKHDF/PointData/velocity"][:]
        ids = file["VTKHDF/PointData/id"][:]
        origin = file["throng"].attrs["origin"] if "origin" in file["throng"].attrs else (0, 0)
    return {
        int(i): (*(p[:2] + origin[:2]), *(float(c) for c in v[:2]))
        for i, p, v in zip(ids, points, velocity)
    }


run = sys.argv[1]
before, after = read(run, 0), read(run, 1)
assert before == START, before
assert after.keys() == START.keys()
for i, (x, y, vx, vy) in after.items():
    assert abs(x - (START[i][0] + 0.1 * vx)) <= QUANTUM, (i, x, vx)
    assert abs(y - (START[i][1] + 0.1 * vy)) <= QUANTUM, (i, y, vy)
# Lone agents walk as preferred; two agents that meet head-on give way by the same amount.
assert np.allclose(after[7][2:], (1.5, 0), atol=1e-6), after[7]
assert np.allclose(after[10**12][2:], (0, -1), atol=1e-6), after[10**12]
left, right = np.array(after[11][2:]), np.array(after[12][2:])
assert np.array_equal(left, -right), (left, right)
assert left[0] < 1 and (left[0] < 0.9 or left[1] != 0), left
