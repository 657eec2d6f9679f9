"""Runs a scenario of tests/validation and reads what it measured."""

import csv
import functools
import json
import pathlib
import shutil
import subprocess
import sys

import numpy as np

from registry import SEEDS

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import throng_paths  # noqa: E402,F401  (finds the package throng)
from throng.files import Field, Snapshot, Walls, field_paths, snapshot_paths  # noqa: E402


class Run:
    """One run that is done: its folder, and what stands in it."""

    def __init__(self, folder):
        self.folder = folder

    @functools.cached_property
    def summary(self):
        return json.loads((self.folder / "summary.json").read_text(encoding="utf-8"))

    @functools.cached_property
    def scenario(self):
        """The text of the scenario's file."""
        return pathlib.Path(self.summary["config"]).read_text(encoding="utf-8")

    def rows(self, file):
        with open(self.folder / file, encoding="utf-8", newline="") as lines:
            return list(csv.DictReader(lines))

    def travel(self, source="all", destination="all"):
        """The row of travel.csv for this pair, or None if none of these agents has arrived."""
        for row in self.rows("travel.csv"):
            if (row["source"], row["profile"], row["destination"]) == (source, "all", destination):
                return row
        return None

    def trips(self):
        """{(source, destination): how many have arrived} of travel.csv."""
        return {
            (row["source"], row["destination"]): int(row["count"])
            for row in self.rows("travel.csv")
            if "all" not in (row["source"], row["profile"], row["destination"])
        }

    def crossings(self, line):
        """When people crossed a line forward, ascending, as exact as output.series_every."""
        times, before = [], 0
        for row in self.rows("lines.csv"):
            if row["line"] == line:
                now = int(row["forward"])
                times += [float(row["time_s"])] * (now - before)
                before = max(now, before)
        return np.array(times)

    def area(self, name, first=0.0, last=float("inf")):
        """Rows [time, density, mean speed or nan] of an area, between two times."""
        rows = [
            (float(r["time_s"]), float(r["density_per_m2"]), float(r["mean_speed_m_s"] or "nan"))
            for r in self.rows("areas.csv")
            if r["area"] == name and first <= float(r["time_s"]) <= last
        ]
        return np.array(rows).reshape(-1, 3)

    def snapshots(self, fields=("id", "velocity", "destination")):
        """The snapshots in order of time; `place` is in the scenario's coordinates."""
        for path in snapshot_paths(self.folder).values():
            snapshot = Snapshot(path, fields)
            snapshot.place = snapshot.position
            yield snapshot

    def grid(self):
        """The last density file."""
        return Field(list(field_paths(self.folder).values())[-1])

    def walls(self):
        return Walls(self.folder)


class Work:
    """Where a case runs its scenes, and where its picture goes."""

    def __init__(self, throng, folder, pictures, shared, overrides=()):
        self.throng, self.folder, self.pictures, self.shared = throng, folder, pictures, shared
        self.overrides = overrides  # KEY=VALUE, of every run

    def run(self, file, *overrides, name=None):
        """Runs FILE.yaml with overrides KEY=VALUE; on one thread, as cases may run side by side."""
        folder = self.folder / (name or file)
        shutil.rmtree(folder, ignore_errors=True)  # an earlier run of this case
        chosen = (*self.overrides, *overrides)
        sets = [word for override in chosen for word in ("--set", override)]
        command = [self.throng, "run", HERE / f"{file}.yaml", "--quiet", "--threads", "1"]
        subprocess.run([*command, "--output", folder, *sets], check=True)
        return Run(folder)

    def runs(self, file, *overrides, name=None, seeds=SEEDS):
        """The same with several seeds: a run each."""
        return [self.run(file, *overrides, f"seed={seed}", name=f"{name or file}-seed-{seed}")
                for seed in seeds]

    def picture(self, name):
        self.pictures.mkdir(parents=True, exist_ok=True)
        return self.pictures / f"validation-{name}.png"


def mean_and_range(values, digits=2):
    """Text of the mean of several seeds, and how far apart they are."""
    return (f"{np.mean(values):.{digits}f} ({np.min(values):.{digits}f} to "
            f"{np.max(values):.{digits}f})")


def flow(times, first=0.0, last=1.0):
    """People per second between two shares of all crossings; the first one starts the clock."""
    chosen = times[int(len(times) * first) : max(int(len(times) * last), 1)]
    span = chosen[-1] - chosen[0]
    return (len(chosen) - 1) / span if span > 0 else float("nan")
