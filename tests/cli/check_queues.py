"""Are queues.csv and people.csv what the snapshots of every step say? check_queues.py RUN

Of tests/cli/queues.yaml. An agent walks to the desk (destination 0), queues there (none) and leaves
by one of two areas (1)."""
import collections
import csv
import glob
import sys

import h5py
import numpy as np

RUN = sys.argv[1]
PEOPLE = 25
EXITS = ((28, 0, 30, 4), (28, 16, 30, 20))


def rows(name):
    with open(f"{RUN}/{name}", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def counts(path):
    """Step, agents in the queue and agents that are on their way out."""
    with h5py.File(path) as file:
        destination = file["VTKHDF/PointData/destination"][:]
        found = collections.Counter(destination.tolist())
        return int(file["throng"].attrs["step"]), found[0], found[-1], found[1]


def main():
    table = {int(r["step"]): r for r in rows("queues.csv")}
    told = rows("people.csv")
    left = np.sort([round(float(r["left_s"]) / 0.1) for r in told if r["left_s"]])
    most = 0
    for step, coming, queueing, leaving in map(counts, sorted(glob.glob(f"{RUN}/snapshot-*"))):
        row = table[step]
        gone = np.searchsorted(left, step, "right")
        assert row["queue"] == "desk" and float(row["time_s"]) == round(0.1 * step, 9), row
        # The agent that has been served walks on in the next step, and one that has taken its
        # ticket still has its destination then.
        waiting, served = int(row["waiting"]), int(row["served"])
        assert 0 <= served - (leaving + gone) <= 1, (step, row, leaving, gone)
        # Before the first step, nobody has begun the journey.
        assert step == 0 or 0 <= waiting - queueing <= 2, (step, row, queueing)
        assert waiting + served <= PEOPLE and coming <= PEOPLE, (step, row)
        most = max(most, waiting)
    assert most > 5 and served == PEOPLE and waiting == 0 and len(left) == PEOPLE
    for row in told:
        x0, y0, x1, y1 = EXITS[int(row["exit"])]
        x, y = float(row["x"]), float(row["y"])
        assert x0 - 0.5 < x < x1 and y0 - 0.5 < y < y1 + 0.5, row
        assert row["destination"] == "out, both" and row["removed"] == "0", row
    assert {row["exit"] for row in told} == {"0", "1"}


main()
