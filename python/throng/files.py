"""Reads single files of a run: snapshots, density files, walls and tables.

Coordinates are the scenario's own, in m. With `local`, they are as the file has them, from
`origin`: pictures need small numbers.
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

Path = Union[str, "os.PathLike[str]"]  # of a file or folder
Table = dict[str, np.ndarray]  # {column: values [rows]}
TEXTS = {"line", "area", "source", "profile", "destination", "kind"}  # columns of tables
WHOLE = {"step", "agents", "arrived", "overlaps", "in_contact", "full_neighbourhoods", "infeasible",
         "relaxed", "wall_stops", "agents_in_walls", "forward", "backward", "count", "id"}


class Snapshot:
    """One snapshot, in the order of its rows.

    step; time (s); count (agents); position [count][2] (m); origin [2] (m); scenario (its text),
    name, attribution; and an attribute for each requested field: id, velocity [count][3] (m/s),
    speed (m/s), radius (m), destination.
    """

    def __init__(self, path: Path, fields: Iterable[str] = ("speed", "radius"),
                 local: bool = False) -> None:
        with reading(path, "a snapshot"), h5py.File(path, "r") as file:
            self._read(file, fields)
            if not local:
                self.position += self.origin
        self.path = path

    def _read(self, file: h5py.File, fields: Iterable[str]) -> None:
        about = file["throng"].attrs
        self.step, self.time = int(about["step"]), float(about["time"])
        self.origin = np.array(about["origin"])
        self.scenario = text(file["throng/scenario"][0])
        self.name = text(about.get("name", b"")) or scenario_value(self.scenario, "name")
        self.attribution = text(about.get("attribution", b""))
        self.position = file["VTKHDF/Points"][:, :2].astype(float)
        self.count = len(self.position)
        for field in fields:
            if field not in file["VTKHDF/PointData"]:
                raise ValueError(f"it has no {field}: see output.fields")
            setattr(self, field, file["VTKHDF/PointData/" + field][:])


class Field:
    """One density file: means over the samples of an interval, in square cells.

    step, time (s): the end of the interval; cell (m); corner [2] (m): the lower left one of the
    grid; density [rows][columns] (persons/m^2); speed (m/s; 0: nobody); limits: Fruin's.
    """

    def __init__(self, path: Path, local: bool = False) -> None:
        with reading(path, "a density file"), h5py.File(path, "r") as file:
            about, image = file["throng"].attrs, file["VTKHDF"]
            self.step, self.time = int(about["step"]), float(about["time"])
            self.cell, self.limits = float(about["cell"]), np.array(about["fruin_limits"])
            self.corner = np.array(image.attrs["Origin"][:2])
            if not local:
                self.corner = self.corner + about["origin"]
            self.density = image["CellData/density"][0]
            self.speed = image["CellData/speed"][0]
        self.path = path


class Walls:
    """The walls of a run: closed and open lines of points [n][2] (m). Solid ground is on the left
    of closed ones, which end with their first point. No file: no walls."""

    def __init__(self, folder: Path, local: bool = False) -> None:
        self.closed: list[np.ndarray] = []
        self.open: list[np.ndarray] = []
        path = os.path.join(folder, "walls.vtkhdf")
        if not os.path.exists(path):
            return
        with reading(path, "walls"), h5py.File(path, "r") as file:
            points = file["VTKHDF/Points"][:, :2]
            ids = file["VTKHDF/Lines/Connectivity"][:]
            ends = file["VTKHDF/Lines/Offsets"][:]
            if not local:
                points = points + file["throng"].attrs["origin"]
            for begin, end in zip(ends[:-1], ends[1:]):
                line = points[ids[begin:end]]
                is_closed = end - begin > 3 and ids[begin] == ids[end - 1]
                (self.closed if is_closed else self.open).append(line)

    def points(self) -> np.ndarray:
        """All corners [n][2]."""
        lines = self.closed + self.open
        return np.concatenate(lines) if lines else np.empty((0, 2))

    def outside_is_solid(self) -> bool:
        """Whether agents walk inside the outlines, so that the largest one runs clockwise."""
        areas = [area(line) for line in self.closed]
        return bool(areas) and max(areas, key=abs) < 0


def area(line: np.ndarray) -> float:
    """Signed area (m^2) of a closed line: positive if it runs counter-clockwise."""
    x, y = (line - line[0]).T
    return 0.5 * float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))


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


def scenario_value(scenario: str, key: str) -> str:
    """The value in the first line `key: value` of a scenario, at any depth; '' if there is none."""
    match = re.search(rf"(?m)^[ \t]*{re.escape(key)}:[ \t]*([^\n#]*)", scenario)
    return match[1].strip().strip("'\"") if match else ""


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
    with reading(path, "a table"), open(path, encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
        # A run that goes on may be writing the last row at this moment.
        if rows and len(rows[-1]) != len(head):
            rows.pop()
        if any(len(row) != len(head) for row in rows):
            raise ValueError("its rows differ in length")
        return {name: column(name, [row[i] for row in rows]) for i, name in enumerate(head)}
