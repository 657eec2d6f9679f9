"""Reads the trajectory of a run frame by frame, in bounded memory: trajectory.h5 of either layout,
or the snapshots."""
from __future__ import annotations

import os
import time as clock
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import h5py
import numpy as np

from throng.errors import INPUT_OUTPUT, Error, reading
from throng.files import Path, Table, snapshot_paths, text
from throng.guarded import opened_hdf5

FIELDS = ("vx", "vy", "speed", "radius", "destination")
BLOCK = 1 << 18  # rows that are read at a time, if they hold more than one frame
ALMOST = 1e-6  # s, to compare times
ATTEMPTS, PAUSE = 50, 0.02  # to read a file that is being written; s between them
Result = TypeVar("Result")


@dataclass
class Frame:
    """All agents of one moment, by ascending id.

    number: from 0, in frames of the rate asked for; time: s; columns: arrays of one length, `id`
    (int64), `x`, `y` (float64, m, the scenario's coordinates), and the recorded fields: `vx`, `vy`,
    `speed` (m/s), `radius` (m), `destination`.
    """

    number: int
    time: float
    columns: Table


@dataclass
class Selection:
    """A part of a trajectory.

    region: [x0, y0, x1, y1] (m): agents while they are in it, without its upper edges. ids: only
    these agents. begin, end: s of simulated time, inclusive. every: s between frames, a whole
    multiple of the recorded interval; None: all frames.
    """

    region: Sequence[float] | None = None
    ids: Sequence[int] | None = None
    begin: float | None = None
    end: float | None = None
    every: float | None = None
    wanted: np.ndarray | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self.region is not None:
            x0, y0, x1, y1 = self.region if len(self.region) == 4 else (0, 0, 0, 0)
            if not (x0 < x1 and y0 < y1):
                raise Error("region: four numbers x0, y0, x1, y1 with x0 < x1 and y0 < y1 are "
                            "expected")
        if self.every is not None and not self.every > 0:
            raise Error("every: a number of seconds above 0 is expected")
        if self.ids is not None:
            self.wanted = np.array(list(self.ids), np.int64)

    def stride(self, interval: float) -> int:
        """How many recorded intervals (s) lie between two frames of the selection."""
        if self.every is None:
            return 1
        stride = round(self.every / interval)
        if stride < 1 or abs(stride * interval - self.every) > ALMOST * max(1, stride):
            raise Error(f"every {self.every:g} s: a multiple of the recorded {interval:g} s is "
                        "expected")
        return stride

    def times(self, time: np.ndarray) -> np.ndarray:
        """Whether each time (s) is wanted."""
        low = -np.inf if self.begin is None else self.begin - ALMOST
        high = np.inf if self.end is None else self.end + ALMOST
        return (time >= low) & (time <= high)

    def rows(self, columns: Table) -> Table:
        """The wanted rows."""
        chosen = np.ones(len(columns["id"]), bool)
        if self.wanted is not None:
            chosen &= np.isin(columns["id"], self.wanted)
        if self.region is not None:
            x0, y0, x1, y1 = self.region
            x, y = columns["x"], columns["y"]
            chosen &= (x >= x0) & (x < x1) & (y >= y0) & (y < y1)
        if chosen.all():
            return columns
        return {name: values[chosen] for name, values in columns.items()}


class Trajectory:
    """What was recorded of a run.

    path: of the file, or of the folder of the snapshots; times [frames] (s); numbers [frames]: of
    the frames, from 0; interval (s) between two numbers, None if there is only one frame; fields:
    columns besides id, x and y; load: gives the columns of chosen frames, one by one; ground: the
    walkable ground as WKT, '' if the files have none; name: of the scenario.
    """

    def __init__(self, path: str, times: np.ndarray, numbers: np.ndarray, interval: float | None,
                 fields: tuple[str, ...], ground: str, name: str,
                 load: Callable[[np.ndarray], Iterator[Table]]) -> None:
        self.path, self.times, self.numbers, self.interval = path, times, numbers, interval
        self.fields, self.ground, self.name = fields, ground, name
        self.load = load

    @property
    def rate(self) -> float:
        """Frames per second of simulated time, exact if it is a whole number."""
        if self.interval is None:
            raise Error(f"{self.path}: a single frame has no frame rate")
        whole = round(1 / self.interval)
        return float(whole) if abs(whole * self.interval - 1) < ALMOST else 1 / self.interval

    def selected_rate(self, selection: Selection) -> float:
        """Frames per second of a selection."""
        stride = selection.stride(1 / self.rate)
        return self.rate / stride

    def frames(self, selection: Selection | None = None) -> Iterator[Frame]:
        """The frames of a selection, one after another; at most a few are in memory."""
        selection = selection or Selection()
        stride = selection.stride(self.interval) if self.interval else 1
        chosen = np.flatnonzero(selection.times(self.times) & (self.numbers % stride == 0))
        with reading(self.path, "a trajectory"):
            for index, columns in zip(chosen, self.load(chosen)):
                yield Frame(int(self.numbers[index]) // stride, float(self.times[index]),
                            selection.rows(columns))


def open_trajectory(folder: Path) -> Trajectory:
    """The trajectory of a run: trajectory.h5 if there is one, otherwise its snapshots."""
    path = os.path.join(folder, "trajectory.h5")
    return of_file(path) if os.path.exists(path) else of_snapshots(folder)


def steady(path: str, act: Callable[[h5py.File], Result]) -> Result:
    """What `act` finds in a file that a run may be writing at this moment: again, if it changed."""
    at_work = os.path.exists(os.path.join(os.path.dirname(path), "lock"))
    for left in range(ATTEMPTS if at_work else 1, 0, -1):
        try:
            before = os.stat(path)
            with opened_hdf5(path) as file:
                found = act(file)
            after = os.stat(path)
            if not at_work or (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns,
                                                                       after.st_size):
                return found
        except (OSError, KeyError, RuntimeError, ValueError):
            if left == 1:
                raise
        clock.sleep(PAUSE)
    raise Error(f"{path}: is written faster than it can be read; try again", INPUT_OUTPUT)


def of_file(path: str) -> Trajectory:
    """The trajectory in a file trajectory.h5 of either layout."""
    with reading(path, "a trajectory"):
        return steady(path, lambda file: described(path, file))


def described(path: str, file: h5py.File) -> Trajectory:
    """The trajectory in an open file; its rows are read when they are needed."""
    step, first, count = (file["frames/" + name][:] for name in ("step", "first", "count"))
    group = file["trajectory"]
    about, compact = file["throng"].attrs, not isinstance(group, h5py.Dataset)
    recorded = list(group if compact else group.dtype.names)  # pylint: disable=no-member
    fields = tuple(name for name in FIELDS if name in recorded)
    if not {"id", "x", "y"} <= set(recorded):
        raise KeyError("it has no id, x and y")
    rows = len(group["id"] if compact else group)
    ends = np.cumsum(count)
    if not len(step) == len(first) == len(count) or np.any(count < 0) or np.any(
            first + count != ends) or (len(ends) and ends[-1] > rows):
        raise ValueError("its frames are not those of its rows")
    load = Rows(path, first, ends, fields, np.array(about["origin"]), float(about["quantum"]),
                compact)
    return Trajectory(path, step * float(about["step_s"]), np.arange(len(step)),
                      1 / float(group.attrs["fps"]), fields,
                      text(file["throng/walkable"][0]), text(about["name"]), load)


@dataclass
class Rows:
    """Reads frames of trajectory.h5, several at a time where they are small."""

    path: str
    first: np.ndarray  # of each frame
    ends: np.ndarray  # behind the last one of each frame
    fields: tuple[str, ...]
    origin: np.ndarray
    quantum: float
    compact: bool

    def __call__(self, chosen: np.ndarray) -> Iterator[Table]:
        for some in self.blocks(chosen):
            begin, end = int(self.first[some[0]]), int(self.ends[some[-1]])
            block = steady(self.path, partial(self.read, rows=slice(begin, end)))
            for index in some:
                part = slice(self.first[index] - begin, self.ends[index] - begin)
                yield {name: values[part] for name, values in block.items()}

    def blocks(self, chosen: np.ndarray) -> Iterator[list[int]]:
        """Groups of frames of at most BLOCK rows, with what lies between; at least one frame."""
        some: list[int] = []
        for index in chosen:
            if some and self.ends[index] - self.first[some[0]] > BLOCK:
                yield some
                some = []
            some.append(int(index))
        if some:
            yield some

    def read(self, file: h5py.File, rows: slice) -> Table:
        """The columns of some rows; an error if any of them are not there."""
        group = file["trajectory"]
        for name in ("id", "x", "y", *self.fields) if self.compact else ("",):
            require_chunks(group[name] if name else group, rows)
        columns = self.columns(group, rows)
        if any(len(values) != rows.stop - rows.start for values in columns.values()):
            raise ValueError("rows are missing")
        return columns

    def columns(self, group: h5py.Group | h5py.Dataset, rows: slice) -> Table:
        """The columns of some rows, as far as they are there."""
        if not self.compact:
            table = group[rows]
            return {name: np.ascontiguousarray(table[name]) for name in ("id", "x", "y")}
        columns = {"id": group["id"][rows]}
        for axis, name in enumerate(("x", "y")):
            columns[name] = self.origin[axis] + group[name][rows] * self.quantum
        for name in self.fields:
            columns[name] = group[name][rows]
        return columns


def require_chunks(table: h5py.Dataset, rows: slice) -> None:
    """An error if rows are not stored yet: HDF5 would read zeros."""
    size = table.chunks[0]
    for row in range(rows.start // size * size, rows.stop, size):
        if table.id.get_chunk_info_by_coord((row,)).byte_offset is None:
            raise ValueError("rows are missing")


def of_snapshots(folder: Path) -> Trajectory:
    """The snapshots as a trajectory. Those that are not at the most frequent interval, such as that
    of the end of a run, are left out."""
    paths = snapshot_paths(folder)
    steps = np.array(list(paths))
    with reading(paths[int(steps[-1])], "a snapshot"), opened_hdf5(
            paths[int(steps[-1])]) as file:
        about, data = file["throng"].attrs, file["VTKHDF/PointData"]
        if "id" not in data:
            raise ValueError("it has no id: see output.fields")
        fields = tuple(name for name in FIELDS
                       if ("velocity" if name in ("vx", "vy") else name) in data)
        step_s = float(about["time"]) / steps[-1] if steps[-1] else 0.0
        name = text(about.get("name", b""))
    interval = most_frequent(np.diff(steps)) if len(steps) > 1 else 1
    numbers, off = np.divmod(steps - steps[0], interval)
    files = [paths[int(step)] for step in steps[off == 0]]

    def load(chosen: np.ndarray) -> Iterator[Table]:
        for index in chosen:
            yield read_snapshot(files[index], fields)

    return Trajectory(os.fspath(folder), steps[off == 0] * step_s, numbers[off == 0],
                      interval * step_s if len(steps) > 1 else None, fields, "", name, load)


def most_frequent(values: np.ndarray) -> int:
    """The value that occurs most often, the smallest of several."""
    found, counts = np.unique(values, return_counts=True)
    return int(found[np.argmax(counts)])


def read_snapshot(path: str, fields: Sequence[str]) -> Table:
    """The columns of a snapshot, by ascending id."""
    with reading(path, "a snapshot"), opened_hdf5(path) as file:
        data, origin = file["VTKHDF/PointData"], file["throng"].attrs["origin"]
        ids, point = data["id"][:], file["VTKHDF/Points"][:, :2].astype(float) + origin
        order = np.argsort(ids)
        columns = {"id": ids[order], "x": point[order, 0], "y": point[order, 1]}
        if "vx" in fields:
            velocity = data["velocity"][:][order]
            columns["vx"], columns["vy"] = velocity[:, 0].copy(), velocity[:, 1].copy()
        for name in fields:
            if name not in columns:
                columns[name] = data[name][:][order]
        return columns
