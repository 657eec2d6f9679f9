"""Reads single files of a run: snapshots, density files, totals, walls and tables.

Coordinates are the scenario's own, in m.
"""
from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable
from typing import Union

import h5py
import numpy as np

from throng.errors import Error, reading
from throng.guarded import opened, opened_hdf5

Path = Union[str, "os.PathLike[str]"]  # of a file or folder
Table = dict[str, np.ndarray]  # {column: values [rows]}
TEXTS = {"line", "area", "queue", "source", "profile", "destination", "kind"}  # columns of tables
WHOLE = {"step", "agents", "arrived", "overlaps", "in_contact", "full_neighbourhoods",
         "infeasible", "relaxed", "wall_stops", "agents_in_walls", "forward", "backward", "count",
         "id", "waiting", "served"}


class Snapshot:
    """One snapshot, in the order of its rows.

    step; time (s); count (agents); position [count][2] (m); origin [2] (m, added to the points of
    the file: not 0 in those of older versions); scenario (its text),
    name, attribution; and an attribute for each requested field: id, velocity [count][3] (m/s),
    speed (m/s), radius (m), destination.
    """

    def __init__(self, path: Path, fields: Iterable[str] = ("speed", "radius")) -> None:
        with reading(path, "a snapshot"), opened_hdf5(path) as file:
            self._read(file, fields)
        self.path = path

    def _read(self, file: h5py.File, fields: Iterable[str]) -> None:
        about = file["throng"].attrs
        self.step, self.time = int(about["step"]), float(about["time"])
        self.origin = np.array(about["origin"])
        self.scenario = text(file["throng/scenario"][0])
        self.name = text(about.get("name", b""))
        self.attribution = text(about.get("attribution", b""))
        self.position = file["VTKHDF/Points"][:, :2] + self.origin
        self.count = len(self.position)
        for field in fields:
            if field not in file["VTKHDF/PointData"]:
                raise ValueError(f"it has no {field}: see output.fields")
            setattr(self, field, file["VTKHDF/PointData/" + field][:])


class Field:
    """One density file: means over the samples of an interval, in square cells.

    step, time (s): the end of the interval; since (s): its beginning; cell (m); corner [2] (m):
    the lower left one of the grid; density [rows][columns] (persons/m^2); speed (m/s; 0: nobody);
    limits: Fruin's.
    """

    def __init__(self, path: Path) -> None:
        with reading(path, "a density file"), opened_hdf5(path) as file:
            about, image = file["throng"].attrs, file["VTKHDF"]
            self.step, self.time = int(about["step"]), float(about["time"])
            # The file knows the step after which its interval begins; steps are of one length.
            self.since = self.time * int(about["since"]) / max(self.step, 1)
            self.cell, self.limits = float(about["cell"]), np.array(about["fruin_limits"])
            self.corner = np.array(image.attrs["Origin"][:2]) + about["origin"]
            self.density = image["CellData/density"][0]
            self.speed = image["CellData/speed"][0]
        self.path = path


class Totals:
    """What the whole run brought to each square cell: totals.vtkhdf (measure.grid).

    time (s): the end; cell (m); corner [2] (m): the lower left one of the grid; sample (s): time
    between samples; samples: their number; levels, fruin_limits, hbs_limits (persons/m^2). Arrays
    are read when they are first asked for: those of a city's grid take seconds.
    [rows][columns]: density, max_density, max_mean_density (persons/m^2); speed (m/s; 0: nobody);
    people (persons, summed over samples); delay (person-seconds); crossed_east, _west: of the
    cell's right edge, crossed_north, _south: of its upper one (crossings by people).
    samples_above [rows][columns][levels]: samples with at least that density.
    """

    CELLS = ("density", "max_density", "max_mean_density", "speed", "people", "delay",
             "samples_above", "crossed_east", "crossed_west", "crossed_north", "crossed_south")
    density: np.ndarray
    max_density: np.ndarray
    max_mean_density: np.ndarray
    speed: np.ndarray
    people: np.ndarray
    delay: np.ndarray
    samples_above: np.ndarray
    crossed_east: np.ndarray
    crossed_west: np.ndarray
    crossed_north: np.ndarray
    crossed_south: np.ndarray

    def __init__(self, folder: Path) -> None:
        self.path = os.path.join(folder, "totals.vtkhdf")
        if not os.path.exists(self.path):
            raise Error(f"{self.path}: no such file; set measure.grid.every in the scenario, and "
                        "let the run end")
        with reading(self.path, "totals"), opened_hdf5(self.path) as file:
            about, image = file["throng"].attrs, file["VTKHDF"]
            self.step, self.time = int(about["step"]), float(about["time"])
            self.cell, self.sample = float(about["cell"]), float(about["sample"])
            self.samples = int(about["samples"])
            self.levels, self.fruin_limits, self.hbs_limits = (
                np.array(about[name], float) for name in ("levels", "fruin_limits", "hbs_limits"))
            self.corner = np.array(image.attrs["Origin"][:2]) + about["origin"]
        self._above: dict[int, np.ndarray] = {}

    def __getattr__(self, name: str) -> np.ndarray:
        """An array that nobody has asked for yet."""
        if name not in self.CELLS:
            raise AttributeError(f"totals have no {name}")
        with reading(self.path, "totals"), opened_hdf5(self.path) as file:
            values = file["VTKHDF/CellData/" + name][0]
        setattr(self, name, values)
        return values

    def _samples_above(self, level: int) -> np.ndarray:
        """Samples [rows][columns] of one level; in memory are never more than some rows of all."""
        if level not in self._above:
            with reading(self.path, "totals"), opened_hdf5(self.path) as file:
                found = file["VTKHDF/CellData/samples_above"]
                _, rows, columns, _ = found.shape
                band = max(1, (found.chunks or found.shape)[1])
                self._above[level] = np.empty((rows, columns), found.dtype)
                for row in range(0, rows, band):
                    self._above[level][row:row + band] = found[0, row:row + band][..., level]
        return self._above[level]

    def time_above(self, limit: float) -> np.ndarray:
        """Time (s) [rows][columns] with at least this density, which is one of the levels."""
        at = np.flatnonzero(np.isclose(self.levels, limit, rtol=1e-6))
        if not len(at):
            known = ", ".join(f"{level:.3g}" for level in self.levels)
            raise Error(f"{self.path}: no time above {limit:g} persons/m^2; it has {known}")
        return self._samples_above(int(at[0])) * self.sample


class Walls:
    """The walls of a run: closed and open lines of points [n][2] (m). Solid ground is on the left
    of closed ones, which end with their first point. No file: no walls."""

    def __init__(self, folder: Path) -> None:
        self.closed: list[np.ndarray] = []
        self.open: list[np.ndarray] = []
        path = os.path.join(folder, "walls.vtkhdf")
        if not os.path.exists(path):
            return
        with reading(path, "walls"), opened_hdf5(path) as file:
            points = file["VTKHDF/Points"][:, :2] + file["throng"].attrs["origin"]
            ids = file["VTKHDF/Lines/Connectivity"][:]
            ends = file["VTKHDF/Lines/Offsets"][:]
            for begin, end in zip(ends[:-1], ends[1:]):
                line = points[ids[begin:end]]
                is_closed = end - begin > 3 and ids[begin] == ids[end - 1]
                (self.closed if is_closed else self.open).append(line)

    def points(self) -> np.ndarray:
        """All corners [n][2]."""
        lines = self.closed + self.open
        return np.concatenate(lines) if lines else np.empty((0, 2))


def text(value: object) -> str:
    """A string attribute of HDF5, as str; h5py may return bytes."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def numbered_paths(folder: Path, word: str) -> dict[int, str]:
    """{step: path} of the complete files WORD-STEP.vtkhdf of a run, in order of time."""
    if not os.path.isdir(folder):
        raise Error(f"{folder}: no such directory; give the output directory of a run")
    steps = {}
    for name in os.listdir(folder):
        match = re.fullmatch(word + r"-(\d+)\.vtkhdf", name)
        if match:
            steps[int(match[1])] = os.path.join(folder, name)
    return dict(sorted(steps.items()))


def snapshot_paths(folder: Path) -> dict[int, str]:
    """{step: path} of the snapshots of a run."""
    steps = numbered_paths(folder, "snapshot")
    if not steps:
        raise Error(f"{folder}: no snapshots (snapshot-*.vtkhdf); is this the output directory "
                    "of a run?")
    return steps


def field_paths(folder: Path) -> dict[int, str]:
    """{step: path} of the density files of a run."""
    steps = numbered_paths(folder, "density")
    if not steps:
        raise Error(f"{folder}: no density files (density-*.vtkhdf); set measure.grid.every "
                    "in the scenario")
    return steps


def column(name: str, values: list[str]) -> np.ndarray:
    """The values of a column: int64 or texts by its name, otherwise float64, nan where empty."""
    if name in TEXTS:
        return np.array(values, object)
    if name in WHOLE:
        return np.array(values, np.str_).astype(np.int64)
    return np.array([float(value or "nan") for value in values])


def read_table(path: Path) -> Table:
    """{column: values [rows]} of a table: int64, float64 (nan where empty), or object for texts."""
    if not os.path.exists(path):
        raise Error(f"{path}: no such table; does the scenario measure this?")
    with reading(path, "a table"), opened(path, newline="") as file:
        head, *rows = list(csv.reader(file)) or [[]]
        if not head:
            raise ValueError("it is empty")
        # A run that goes on may be writing the last row at this moment.
        if rows and len(rows[-1]) != len(head):
            rows.pop()
        if any(len(row) != len(head) for row in rows):
            raise ValueError("its rows differ in length")
        return {name: column(name, [row[i] for row in rows]) for i, name in enumerate(head)}
