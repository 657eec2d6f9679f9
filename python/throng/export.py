"""Writes a run for other programs: trajectories here, frame by frame, in bounded memory; maps,
scenes and pictures in modules of their own (OTHERS).

A file is complete when it has its name: it is written as NAME.tmp and renamed.
"""
from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import h5py
import numpy as np

from throng.errors import INPUT_OUTPUT, Error, one_line
from throng.files import Path, Table
from throng.guarded import without_link
from throng.trajectory import Frame, Selection, Trajectory
from throng.whole_file import is_special, temporary

if TYPE_CHECKING:
    from throng.results import Run

ROWS = 1 << 16  # gathered before they are written to columns
ARCHIVE = np.dtype([("id", "<i8"), ("frame", "<i8"), ("x", "<f8"), ("y", "<f8"), ("z", "<f8")])


@dataclass
class About:
    """What a file says besides the rows: frames per second, recorded fields, name of the scenario,
    and a function that gives the walkable ground (WKT)."""

    rate: float
    fields: tuple[str, ...]
    name: str
    ground: Callable[[], str]


class Writer(Protocol):
    """A file of some format: created with (path, About)."""

    def write(self, frame: Frame) -> None:
        """Appends a frame."""

    def close(self) -> None:
        """Completes the file, or lets go of an incomplete one."""


class Archive:
    """HDF5 of the Pedestrian Dynamics Data Archive."""

    def __init__(self, path: str, about: About) -> None:
        ground = about.ground()
        self.file = h5py.File(path, "w")
        self.file.attrs["file_version"] = "1.0.0"
        self.file.attrs["wkt_geometry"] = ground
        self.table = self.file.create_dataset(
            "trajectory", (0,), ARCHIVE, maxshape=(None,), chunks=(1 << 14,), shuffle=True,
            compression=1)
        self.table.attrs["fps"] = about.rate
        self.waiting: list[np.ndarray] = []

    def write(self, frame: Frame) -> None:
        """Appends a frame."""
        rows = np.zeros(len(frame.columns["id"]), ARCHIVE)
        rows["frame"] = frame.number
        for name in ("id", "x", "y"):
            rows[name] = frame.columns[name]
        self.waiting.append(rows)
        if sum(map(len, self.waiting)) >= ROWS:
            self.flush()

    def flush(self) -> None:
        """Writes the rows that wait."""
        rows = np.concatenate([np.zeros(0, ARCHIVE), *self.waiting])
        begin = len(self.table)
        self.table.resize((begin + len(rows),))
        self.table[begin:] = rows
        self.waiting = []

    def close(self) -> None:
        """Completes the file."""
        try:
            self.flush()
        finally:
            self.file.close()


class Text:
    """The text of the Pedestrian Dynamics Data Archive; positions to 1e-6 m."""

    def __init__(self, path: str, about: About) -> None:
        self.file = open(path, "w", encoding="utf-8")  # pylint: disable=consider-using-with
        self.file.write(f"# framerate: {about.rate:.17g} fps\n# id frame x/m y/m z/m\n")

    def write(self, frame: Frame) -> None:
        """Appends a frame."""
        columns = (frame.columns[name].tolist() for name in ("id", "x", "y"))
        self.file.write("".join([f"{i} {frame.number} {x:.6f} {y:.6f} 0\n"
                                 for i, x, y in zip(*columns)]))

    def close(self) -> None:
        """Completes the file."""
        self.file.close()


class Csv:
    """id, frame, time_s, x, y and the recorded fields; all digits."""

    def __init__(self, path: str, about: About) -> None:
        self.names = ("id", "x", "y", *about.fields)
        self.file = open(path, "w", encoding="utf-8")  # pylint: disable=consider-using-with
        self.file.write(",".join(("id", "frame", "time_s", *self.names[1:])) + "\n")

    def write(self, frame: Frame) -> None:
        """Appends a frame."""
        moment = f",{frame.number},{frame.time:.10g},"
        ids, *others = (shortest(frame.columns[name]) for name in self.names)
        self.file.write("".join([f"{i}{moment}{','.join(rest)}\n"
                                 for i, *rest in zip(ids, *others)]))

    def close(self) -> None:
        """Completes the file."""
        self.file.close()


def shortest(values: np.ndarray) -> Iterable[str]:
    """Numbers in the fewest digits that give the same number again; quicker from Python's own."""
    return map(str, values if values.dtype == np.float32 else values.tolist())


class Orientation:
    """Where agents look: along their velocity, or else along their way since the frame before; who
    stands looks where they looked, at first along x."""

    def __init__(self) -> None:
        self.id = np.empty(0, np.int64)
        self.place, self.ahead = np.empty((0, 2)), np.empty((0, 2))

    def of(self, columns: Table) -> np.ndarray:
        """Unit vectors [agents][2] of the next frame, whose ids ascend."""
        place = np.stack([columns["x"], columns["y"]], axis=1)
        ahead = np.tile([1.0, 0.0], (len(place), 1))
        way = np.zeros_like(ahead)
        _, here, before = np.intersect1d(columns["id"], self.id, True, return_indices=True)
        ahead[here] = self.ahead[before]
        if "vx" in columns:
            way = np.stack([columns["vx"], columns["vy"]], axis=1).astype(float)
        else:
            way[here] = place[here] - self.place[before]
        length = np.hypot(*way.T)
        moves = length > 0
        ahead[moves] = way[moves] / length[moves, None]
        self.id, self.place, self.ahead = columns["id"], place, ahead
        return ahead


class Sqlite:
    """JuPedSim's SQLite, version 2, as its own writer makes it."""

    TABLES = """
        CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL,
          pos_x REAL NOT NULL, pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
        CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);
        CREATE UNIQUE INDEX geometry_hash ON geometry (hash);
        CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
    """

    def __init__(self, path: str, about: About) -> None:
        ground = about.ground()
        self.hash = int.from_bytes(hashlib.sha256(ground.encode()).digest()[:8], "big", signed=True)
        self.orientation = Orientation()
        if os.path.exists(path):
            os.remove(path)
        self.base = sqlite3.connect(path, isolation_level=None)
        # The file gets its name when it is complete, so it needs no journal.
        self.base.executescript("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;")
        self.base.executescript(self.TABLES)
        self.base.execute("BEGIN")
        low, high = bounds(ground)
        self.base.executemany("INSERT INTO metadata VALUES (?, ?)", [
            ("version", "2"), ("fps", repr(about.rate)), ("xmin", str(low[0])),
            ("xmax", str(high[0])), ("ymin", str(low[1])), ("ymax", str(high[1]))])
        self.base.execute("INSERT INTO geometry VALUES (?, ?)", (self.hash, ground))

    def write(self, frame: Frame) -> None:
        """Appends a frame."""
        ahead = self.orientation.of(frame.columns)
        columns = [frame.columns[name].tolist() for name in ("id", "x", "y")]
        self.base.executemany(
            f"INSERT INTO trajectory_data VALUES ({frame.number}, ?, ?, ?, ?, ?)",
            zip(*columns, ahead[:, 0].tolist(), ahead[:, 1].tolist()))
        self.base.execute("INSERT INTO frame_data VALUES (?, ?)", (frame.number, self.hash))

    def close(self) -> None:
        """Completes the file."""
        try:
            if self.base.in_transaction:
                self.base.execute("CREATE INDEX frame_id_idx ON trajectory_data (frame, id)")
                self.base.execute("COMMIT")
        finally:
            self.base.close()


class GeoParquet:
    """GeoParquet 1.0: the fields, and points in metres without a reference system, as the files of
    a run do not say where on earth they are."""

    def __init__(self, path: str, about: About) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as missing:
            raise Error(f"geoparquet needs pyarrow ({missing}): pip install pyarrow") from None
        self.arrow, self.names = pyarrow, ("id", "x", "y", *about.fields)
        kinds = {"id": pyarrow.int64(), "destination": pyarrow.int32()}
        columns = [("id", pyarrow.int64()), ("frame", pyarrow.int64()),
                   ("time_s", pyarrow.float64()),
                   *((name, kinds.get(name, pyarrow.float32())) for name in about.fields),
                   ("geometry", pyarrow.binary())]
        geo = {"version": "1.0.0", "primary_column": "geometry", "columns": {"geometry": {
            "encoding": "WKB", "geometry_types": ["Point"], "crs": None}}}
        self.schema = pyarrow.schema(columns, {"geo": json.dumps(geo), "throng": json.dumps(
            {"name": about.name, "frames_per_second": about.rate})})
        self.file = pyarrow.parquet.ParquetWriter(path, self.schema, compression="zstd")
        self.waiting: list[Frame] = []

    def write(self, frame: Frame) -> None:
        """Appends a frame."""
        self.waiting.append(frame)
        if sum(len(one.columns["id"]) for one in self.waiting) >= ROWS:
            self.flush()

    def flush(self) -> None:
        """Writes the frames that wait as one group of rows."""
        frames, self.waiting = self.waiting, []
        if not frames:
            return
        joined = {name: np.concatenate([frame.columns[name] for frame in frames])
                  for name in self.names}
        counts = [len(frame.columns["id"]) for frame in frames]
        columns = {"frame": np.repeat([frame.number for frame in frames], counts),
                   "time_s": np.repeat([frame.time for frame in frames], counts),
                   "geometry": self.points(joined["x"], joined["y"]), **joined}
        self.file.write_table(self.arrow.table([columns[name] for name in self.schema.names],
                                               schema=self.schema))

    def points(self, x: np.ndarray, y: np.ndarray) -> Any:
        """Points as well-known binary: byte order 1, type 1, x, y."""
        wkb = np.zeros(len(x), [("order", "u1"), ("type", "<u4"), ("x", "<f8"), ("y", "<f8")])
        wkb["order"] = wkb["type"] = 1
        wkb["x"], wkb["y"] = x, y
        ends = np.arange(len(x) + 1, dtype=np.int32) * wkb.itemsize
        return self.arrow.Array.from_buffers(self.arrow.binary(), len(x), [
            None, self.arrow.py_buffer(ends), self.arrow.py_buffer(wkb.tobytes())])

    def close(self) -> None:
        """Completes the file."""
        try:
            self.flush()
        finally:
            self.file.close()


STREAMED = ("txt", "csv")  # written from the first to the last byte
FORMATS: dict[str, Callable[[str, About], Writer]] = {
    "archive": Archive, "sqlite": Sqlite, "txt": Text, "csv": Csv, "geoparquet": GeoParquet}
SELECTION = {"region", "ids", "begin", "end", "every"}
OTHERS = {"geotiff": {"at", "crs"}, "geopackage": SELECTION | {"at", "crs"},
          "paraview": {"height"}, "usd": SELECTION | {"height", "fps"}}  # {format: options}
COUNTED = {"geotiff": "bands", "geopackage": "features", "paraview": "snapshots", "usd": "frames"}


def bounds(ground: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """The least and greatest x, y of a polygon in WKT; needs no shapely."""
    numbers = np.array(re.findall(r"[-+\d.eE]*\d[-+\d.eE]*", ground), float).reshape(-1, 2)
    low, high = numbers.min(axis=0), numbers.max(axis=0)
    return (float(low[0]), float(low[1])), (float(high[0]), float(high[1]))


def require_options(kind: str, selection: Selection, options: dict[str, Any]) -> None:
    """An error if an option is given that the format does not have."""
    if kind not in FORMATS and kind not in OTHERS:
        raise Error(f"format {kind}: one of {', '.join([*FORMATS, *OTHERS])} is expected")
    given = {name for name in SELECTION if getattr(selection, name) is not None}
    given |= {name for name, value in options.items() if value is not None}
    for name in sorted(given - OTHERS.get(kind, SELECTION)):
        shown = {"begin": "from", "end": "to"}.get(name, name)
        raise Error(f"{kind} has no option --{shown}")


def write_other(run: Run, output: Path, path: str, kind: str, selection: Selection,
                options: dict[str, Any]) -> int:
    """Writes one of the other formats to a path that will be named output."""
    if kind == "geotiff":
        from throng import geotiff
        return geotiff.write(run.folder, path, options.get("at"), options.get("crs"))
    if kind == "geopackage":
        from throng import geopackage
        return geopackage.write(run, path, selection, options.get("at"), options.get("crs"))
    if kind == "paraview":
        from throng import paraview
        return paraview.write(run.folder, output, path, options.get("height"))
    from throng import usd
    return usd.write(run, path, selection, options.get("height"), options.get("fps"))


def export(run: Run, output: Path, kind: str, selection: Selection, **options: Any) -> int:
    """Writes a run to a file of this format; returns the number of rows, or of what COUNTED says.
    options: those of OTHERS. Warns if nobody is in a file for people. Raises Error with 64 for a
    wrong choice, 65 for damaged input, 74 if the file cannot be written."""
    require_options(kind, selection, options)
    if is_special(output):
        count = streamed(run, output, kind, selection)
    elif kind in FORMATS:
        count = written(output, f"{os.fspath(output)}.tmp",
                        lambda path: write_trajectory(run, path, kind, selection))
    else:
        count = written(output, temporary(output),
                        lambda path: write_other(run, output, path, kind, selection, options))
    if OTHERS.get(kind, SELECTION) >= SELECTION and not holds_people(run.trajectory, selection):
        warnings.warn(f"{output}: nobody is in it; {recorded(run)}", stacklevel=3)
    return count


def holds_people(trajectory: Trajectory, selection: Selection) -> bool:
    """Whether a selection has anybody in it; reads no further than to the first."""
    return any(len(frame.columns["id"]) for frame in trajectory.frames(selection))


def recorded(run: Run) -> str:
    """When and where a run was recorded, in words."""
    times, (x0, y0, x1, y1) = run.trajectory.times, run.scene.bbox
    when = f"from {times[0]:g} to {times[-1]:g} s" if len(times) else "at no time"
    return f"the run was recorded {when}, between ({x0:g}, {y0:g}) and ({x1:g}, {y1:g}) m"


def write_trajectory(run: Run, path: str, kind: str, selection: Selection) -> int:
    """Writes a trajectory frame by frame; returns the number of rows."""
    trajectory = run.trajectory
    about = About(trajectory.selected_rate(selection), trajectory.fields, trajectory.name,
                  lambda: trajectory.ground or run.walkable_area.wkt)
    rows, writer = 0, FORMATS[kind](path, about)
    try:
        for frame in trajectory.frames(selection):
            rows += len(frame.columns["id"])
            writer.write(frame)
    finally:
        writer.close()
    return rows


def streamed(run: Run, output: Path, kind: str, selection: Selection) -> int:
    """Writes to a device, a pipe or a standard stream as it is."""
    if kind not in STREAMED:
        raise Error(f"{output}: not a regular file, which format {kind} needs")
    try:
        return write_trajectory(run, os.fspath(output), kind, selection)
    except OSError as error:
        raise Error(f"{output}: cannot be written ({error.strerror})", INPUT_OUTPUT) from None


def written(output: Path, path: str, write: Callable[[str], int]) -> int:
    """Writes to a path and gives the file its name; nothing is left of a file that fails."""
    try:
        os.stat(os.path.dirname(os.path.abspath(output)))  # USD would make the folder
        without_link(path)
        count = write(path)
        os.replace(path, output)
    except (OSError, RuntimeError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or one_line(error) or "no reason given"
        raise Error(f"{output}: cannot be written ({why})", INPUT_OUTPUT) from None
    finally:
        if os.path.exists(path):
            os.remove(path)
    return count
