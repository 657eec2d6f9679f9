"""The snapshots, tables and totals of the run that check_measuring.py RUN reads."""
import csv
import glob
import sys

import h5py
import numpy as np

RUN = sys.argv[1]
FRUIN = (0.31, 0.43, 0.72, 1.08, 2.17)
HBS = (0.1, 0.25, 0.6, 1.3, 1.9)


def rows(name):
    with open(f"{RUN}/{name}", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def corner_of(file):
    """The lower left corner of a grid of cells, m from the origin of the moments."""
    return file["VTKHDF"].attrs["Origin"][:2] - file["throng"].attrs["frame_origin"]


class Moment:
    """The agents of a snapshot: positions in quanta, velocities in m/s."""

    def __init__(self, path):
        with h5py.File(path) as file:
            about = file["throng"].attrs
            self.step, self.quantum = int(about["step"]), float(about["quantum"])
            self.origin = np.array(about["frame_origin"])
            points = (file["VTKHDF/Points"][:, :2] - self.origin) / self.quantum
            self.at = points.astype(np.int64)
            assert np.array_equal(self.at, points), "positions are whole quanta"
            self.id = file["VTKHDF/PointData/id"][:]
            self.radius = file["VTKHDF/PointData/radius"][:].astype(float)
            self.speed = np.hypot(*file["VTKHDF/PointData/velocity"][:, :2].astype(float).T)

    def quanta(self, point):
        return np.rint((np.array(point) - self.origin) / self.quantum).astype(np.int64)


class Totals:
    """The totals of the run, and what they should be."""

    def __init__(self):
        with h5py.File(f"{RUN}/totals.vtkhdf") as file:
            self.about = dict(file["throng"].attrs)
            self.corner, image = corner_of(file), file["VTKHDF/CellData"]
            self.data = {key: image[key][0] for key in image}
        self.cell = float(self.about["cell"])
        self.shape = self.data["people"].shape
        self.levels = self.about["levels"]
        with h5py.File(sorted(glob.glob(f"{RUN}/checkpoint-*.h5"))[0]) as file:
            agents = file["agents"]
            self.preferred = np.full(agents["id"][:].max() + 1, np.nan)
            self.preferred[agents["id"][:]] = agents["speed"][:]

    def cells(self, moment, at=None):
        column, row = np.floor(((moment.at if at is None else at) * moment.quantum - self.corner)
                               / self.cell).astype(int).T
        return row, column

    def count(self, moment):
        people = np.zeros(self.shape, np.int64)
        np.add.at(people, self.cells(moment), 1)
        return people

    def samples(self, moments):
        """What the samples add up to."""
        sums = {key: np.zeros(self.shape) for key in ("people", "speed", "delay", "max_density")}
        sums["samples_above"] = np.zeros(self.shape + self.levels.shape, int)
        for moment in moments:
            people = self.count(moment)
            sums["people"] += people
            np.add.at(sums["speed"], self.cells(moment), moment.speed)
            # Everybody walks in this scenario, unless he has arrived.
            missing = np.maximum(1 - moment.speed / self.preferred[moment.id], 0)
            np.add.at(sums["delay"], self.cells(moment), 0.5 * missing)
            sums["max_density"] = np.maximum(sums["max_density"], people / self.cell**2)
            sums["samples_above"] += (people / self.cell**2)[..., None] >= self.levels
        return sums

    def crossings(self, moments, left):
        """{key: of each cell}: those of every step, along x first, then along y."""
        wanted = {"crossed_" + key: np.zeros(self.shape, np.int64)
                  for key in ("east", "west", "north", "south")}
        for old, new in zip(moments, moments[1:]):
            now = dict(zip(new.id, new.at))
            ends = np.array([now[i] if i in now else left[i] for i in old.id]).reshape(-1, 2)
            places = zip(*self.cells(old), *self.cells(old, ends))
            for row, column, to_row, to_column in places:
                step = 1 if to_column > column else -1
                for k in range(column, to_column, step):
                    key = "crossed_east" if step > 0 else "crossed_west"
                    wanted[key][row, min(k, k + step)] += 1
                step = 1 if to_row > row else -1
                for k in range(row, to_row, step):
                    key = "crossed_north" if step > 0 else "crossed_south"
                    wanted[key][min(k, k + step), to_column] += 1
        return wanted
