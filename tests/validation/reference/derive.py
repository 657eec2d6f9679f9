#!/usr/bin/env python3
"""Makes the files *-inflow.csv, *-bins.csv and *-figures.csv here from the trajectories and tables
named in ORIGIN.md, which are not in this repository:

    tests/validation/reference/derive.py DIR...     folders with these files, at any depth

inflow: how many people came in during each second. bins: mean speed by classic density, every half
second, speeds over one second. figures: one number each. All lengths in m, all times in s.
"""

import csv
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import doors  # noqa: E402
import tracks  # noqa: E402
from tracks import LEAST, Tracks, bins, cloud, crossings, gaps, inside, lanes_of  # noqa: E402

TWO_WAY = [f"bo-360-{b}-{b}" for b in ("050", "075", "090", "120", "160")]
CROSSWISE = [f"bot-360-{b}-{b}" for b in ("050", "075", "090", "120", "160", "200", "250")]
ONE_WAY = [f"uo-{b}-180-180" for b in ("050", "070", "100", "145", "180")]
ONE_WAY_WIDE = [f"uo-{b}-300-300" for b in ("080", "100", "120", "180", "240", "300")]


class Files:
    """The files of the experiments, and what was derived of them."""

    def __init__(self, folders):
        self.folders = [pathlib.Path(folder) for folder in folders]
        self.inflow, self.bins, self.figures = [], [], []

    def path(self, name):
        return next(path for folder in self.folders for path in sorted(folder.rglob(name)))

    def tracks(self, name, rate, metre=1.0):
        rows = np.loadtxt(self.path(name), usecols=(0, 1, 2, 3))
        return tracks.tracks_of_rows(rows, rate, metre)

    def bins_add(self, run, place, table):
        self.bins += [(run, place, low, n, f"{v:.3f}") for low, (n, v) in table.items()]

    def figures_add(self, run, **figures):
        self.figures += [(run, name, f"{value:.3f}") for name, value in figures.items()
                         if not np.isnan(value)]

    def inflow_add(self, run, **entrances):
        """entrances: the times at which people came in."""
        first = min(np.min(times) for times in entrances.values())
        for name, times in entrances.items():
            people = np.bincount((np.asarray(times) - first).astype(int))
            self.inflow.append((run, name, " ".join(map(str, people))))

    def write(self, origin, about):
        for kind, head in (("inflow", "run,entrance,people"), ("figures", "run,figure,value"),
                           ("bins", "run,place,density,samples,speed")):
            rows = getattr(self, kind)
            if rows:
                with open(HERE / f"{origin}-{kind}.csv", "w", encoding="utf-8", newline="") as out:
                    out.write(f"# {about}: see ORIGIN.md\n{head}\n")
                    csv.writer(out, lineterminator="\n").writerows(rows)
        self.inflow, self.bins, self.figures = [], [], []


def appeared(people):
    """When each person was seen first, s."""
    return (~np.isnan(people.place[:, :, 0])).argmax(0) * tracks.EVERY


def first_inside(people, area):
    """When each person was first in a rectangle, s; nan: never."""
    here = inside(people.place, area)
    return np.where(here.any(0), here.argmax(0) * tracks.EVERY, np.nan)


def upright(people, width, half):
    """A corridor along y from -half to half; heads that lean over its edge are put onto it."""
    place = people.place.copy()
    place[..., 0] = np.clip(place[..., 0], 0.01, width - 0.01)
    return Tracks(place), (0, -2, width, 2), (-9, -half, 9, half)


def two_way(files, run, people, width, half):
    people, middle, corridor = upright(people, width, half)
    begin, end = people.ends()
    up = end[:, 1] > begin[:, 1]
    rows = cloud(people, middle, np.column_stack((0 * up, np.where(up, 1, -1))))
    many = rows[:, 0] * tracks.size(middle) > LEAST - 0.5
    order, right = lanes_of(people, middle, up)
    came = first_inside(people, corridor)
    gone = np.nanmax(np.where(inside(people.place, corridor).any(1))[0]) * tracks.EVERY
    files.inflow_add(run, up=came[up & ~np.isnan(came)], down=came[~up & ~np.isnan(came)])
    files.bins_add(run, "middle", bins(rows))
    files.figures_add(run, people=len(up), duration=gone - np.nanmin(came), order=order, right=right,
                      density=rows[:, 0].mean(), speed=rows[:, 1].mean(),
                      slowest=rows[many, 1].min() if many.any() else np.nan)


def one_way(files, run, width):
    people, middle, corridor = upright(files.tracks(f"{run}.txt", 16, 100), width, 4)
    gap, spread = gaps(people, middle)
    came = first_inside(people, corridor)
    files.inflow_add(run, gate=came[~np.isnan(came)])
    files.bins_add(run, "middle", bins(cloud(people, middle, (0, -1))))
    files.figures_add(run, gap=gap, spread=spread)


def middle_flow(times):
    """People per second between the first and the last quarter."""
    a, b = int(0.25 * len(times)), int(0.75 * len(times))
    return (b - a) / (times[b] - times[a])


def corner(files):
    people = files.tracks("corner/traj.txt", 16)
    behind = people.place[inside(people.place, (-3, 0.5, 0, 2.5))][:, 0]
    files.inflow_add("corner-300", gate=appeared(people))
    files.bins_add("corner-300", "behind", bins(cloud(people, (-3, 0.5, 0, 2.5), (0, 1))))
    files.figures_add("corner-300", flow=middle_flow(crossings(people, 1, 1.0)),
                      near=np.mean(behind > -1), median=np.median(-behind))


def narrow_door(files):
    people = files.tracks("040_c_56_h-.txt", 25)
    times = crossings(people, 1, 0.0)
    for n in (10, 20, 30, 40, 50, 60, 70, 75):
        files.figures_add("040_c_56", **{f"person_{n}": times[n - 1] - times[0]})
    first = np.nanmin(doors.passages(people.place, 1, 0.0)[0])
    found = doors.order(people.place, 0.0, 0.25, first + 10)
    distance, _, wait = found
    files.figures_add("040_c_56", order=doors.rank_correlation(distance, wait),
                      front=doors.fairness(*found, 0, 30), aside=doors.fairness(*found, 30, 91))


def junction(files):
    people = files.tracks("traj_KO_240_050_240.txt", 16)
    begin, _ = people.ends()
    came, stem = appeared(people), (-2.4, 1, 0, 3)
    rows = cloud(people, stem, (0, 1))
    files.inflow_add("ko-240-050-240", left=came[begin[:, 0] < -1.2], right=came[begin[:, 0] > -1.2])
    files.bins_add("ko-240-050-240", "stem", bins(rows))
    files.figures_add("ko-240-050-240", flow=middle_flow(crossings(people, 1, 2.0)),
                      density=rows[:, 0].mean(), speed=rows[:, 1].mean())


def tables(files, run, place, pattern):
    """The bins of all published tables of density and speed whose name matches."""
    found = [path for folder in files.folders for path in sorted(folder.rglob(pattern))]
    files.bins_add(run, place, bins(np.concatenate([np.loadtxt(path) for path in found])))


def main():
    files = Files(sys.argv[1:])
    for run in TWO_WAY + CROSSWISE:
        two_way(files, run, files.tracks(f"{run}.txt", 16, 100), 3.6, 4)
    for run in ONE_WAY_WIDE:
        one_way(files, run, 3.0)
    files.write("archive", "Pedestrian Dynamics Data Archive, HERMES 2009")
    people = files.tracks("bi_corr_400_b_03.txt", 25, 100)
    turned = np.stack((4.1 - people.place[..., 1], people.place[..., 0]), -1)
    two_way(files, "bi_corr_400_b_03", Tracks(turned), 4.0, 5)
    for run in ONE_WAY:
        one_way(files, run, 1.8)
    corner(files)
    narrow_door(files)
    files.write("pedpy", "from files of PedPy")
    junction(files)
    opening = files.tracks("traj_AO_300.txt", 16)
    sides, closing = doors.sides((opening.place - (0.9, -0.53)) * (1, -1))
    files.figures_add("ao-300", flow=middle_flow(crossings(opening, 1, 0.0)), sides=sides,
                      closing=closing)
    tables(files, "ko-240", "stem", "ko-240-*_id_1.dat")
    tables(files, "ko-240", "branch", "ko-240-*_id_[23].dat")
    tables(files, "eo-240", "corner", "eo-240-*_id_*.dat")
    files.write("jpscore", "from files of jpscore")


if __name__ == "__main__":
    main()
