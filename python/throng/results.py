"""The files of one run as attributes of an object."""
from __future__ import annotations

import difflib
import functools
import json
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from throng.errors import DAMAGED, Error, reading
from throng.files import (Field, Path, Snapshot, Table, Totals, field_paths, numbered_paths,
                          read_table, snapshot_paths)
from throng.guarded import opened
from throng.scene import Scene
from throng.trajectory import Frame, Selection, Trajectory, open_trajectory

if TYPE_CHECKING:
    import pedpy
    import shapely.geometry


# Columns that people.csv has had in every version.
PEOPLE = ("id", "source", "profile", "destination", "exit", "entered_s", "start_x", "start_y",
          "left_s", "x", "y", "delay_s")


class Run:
    """The output directory of a run, which may still be going on.

    Tables are dicts {column: array [rows]}; `pandas.DataFrame(run.series)` makes a data frame.
    Everything is read when it is first asked for. Coordinates are the scenario's own, in m.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = os.fspath(folder)
        if not is_run(self.folder):
            raise no_run(self.folder)

    def __fspath__(self) -> str:
        return self.folder

    def __repr__(self) -> str:
        return f"throng.open({self.folder!r})"

    def path(self, name: str) -> str:
        """The path of one of its files."""
        return os.path.join(self.folder, name)

    @functools.cached_property
    def summary(self) -> dict[str, Any]:
        """summary.json, which a run writes at its end."""
        path = self.path("summary.json")
        if not os.path.exists(path):
            raise Error(f"{path}: no such file; the run is unfinished")
        with reading(path, "a summary"), opened(path) as file:
            found = json.load(file)
            if not isinstance(found, dict):
                raise ValueError("it is no object")
            return found

    @functools.cached_property
    def series(self) -> Table:
        """series.csv: one row per output.series_every."""
        return read_table(self.path("series.csv"))

    @functools.cached_property
    def lines(self) -> Table:
        """lines.csv: crossings, one row per time and line."""
        return read_table(self.path("lines.csv"))

    @functools.cached_property
    def areas(self) -> Table:
        """areas.csv: people and densities, one row per time and area."""
        return read_table(self.path("areas.csv"))

    @functools.cached_property
    def travel(self) -> Table:
        """travel.csv: travel times by source, profile and destination."""
        return read_table(self.path("travel.csv"))

    @functools.cached_property
    def alarms(self) -> Table:
        """alarms.csv: cells that were too dense, agents that were blocked."""
        return read_table(self.path("alarms.csv"))

    @functools.cached_property
    def people(self) -> Table:
        """people.csv: where and when each agent entered and left."""
        path = self.path("people.csv")
        if not os.path.exists(path):
            raise Error(f"{path}: no such file; set measure.people: true in the scenario")
        table = read_table(path)
        lacking = [name for name in PEOPLE if name not in table]
        if lacking:
            raise Error(f"{path}: not a table of people: it has no column {lacking[0]}", DAMAGED)
        return table

    @functools.cached_property
    def queues(self) -> Table:
        """queues.csv: people waiting and served, one row per time and queue."""
        return read_table(self.path("queues.csv"))

    @functools.cached_property
    def totals(self) -> Totals:
        """totals.vtkhdf: what the whole run brought to each cell of the grid."""
        return Totals(self.folder)

    @functools.cached_property
    def scene(self) -> Scene:
        """The map: obstacles, destinations, lines, streets; title, bounds, place on earth."""
        return Scene(self.folder)

    @property
    def snapshots(self) -> dict[int, str]:
        """{step: path} of the snapshots, in order of time; there may be none."""
        return numbered_paths(self.folder, "snapshot")

    def snapshot(self, step: int | None = None,
                 fields: Sequence[str] = ("id", "velocity", "speed", "radius", "destination")
                 ) -> Snapshot:
        """The snapshot of a step; by default the last."""
        return Snapshot(of_step(snapshot_paths(self.folder), step, self.folder), fields)

    def density(self, step: int | None = None) -> Field:
        """The density field that ends at a step; by default the last."""
        return Field(of_step(field_paths(self.folder), step, self.folder))

    @functools.cached_property
    def trajectory(self) -> Trajectory:
        """trajectory.h5, or the snapshots of a run that has none."""
        return open_trajectory(self.folder)

    @property
    def frame_rate(self) -> float:
        """Recorded frames per second of simulated time."""
        return self.trajectory.rate

    def frames(self, region: Sequence[float] | None = None, ids: Sequence[int] | None = None,
               begin: float | None = None, end: float | None = None,
               every: float | None = None) -> Iterator[Frame]:
        """The frames one after another, in bounded memory; options as of trajectories()."""
        return self.trajectory.frames(Selection(region, ids, begin, end, every))

    def trajectories(self, region: Sequence[float] | None = None, ids: Sequence[int] | None = None,
                     begin: float | None = None, end: float | None = None,
                     every: float | None = None) -> Table:
        """All positions in one table, by frame and then id.

        Columns: id, frame (int64), x, y (float64, m), and those of vx, vy, speed (m/s), radius (m)
        and destination that were recorded. region: [x0, y0, x1, y1], agents while they are in it,
        without its upper edges. ids: only these agents. begin, end: s, inclusive. every: s between
        frames, a multiple of the recorded interval. Frame k is at k / (frames per second).
        """
        return gathered(self.trajectory, Selection(region, ids, begin, end, every))

    @functools.cached_property
    def walls(self) -> shapely.geometry.MultiLineString:
        """All walls; those that end where they begin go round solid ground, or round its holes."""
        from throng.ground import wall_lines
        return wall_lines(self.folder)

    @functools.cached_property
    def walkable_area(self) -> shapely.geometry.Polygon:
        """Where people can walk: wkt_geometry of trajectory.h5, or else the ground between the
        walls, which then ends at their bounds and those of the people in the snapshots."""
        from throng.ground import ground_between_walls, ground_of_text
        if self.trajectory.ground:
            return ground_of_text(self.trajectory.ground)
        return ground_between_walls(self.folder)

    def to_pedpy(self, **selection: Any) -> tuple[pedpy.TrajectoryData, pedpy.WalkableArea]:
        """The trajectories, with the options of trajectories(), and the walkable area for PedPy."""
        try:
            import pandas
            import pedpy as target
        except ImportError as missing:
            raise Error(f"to_pedpy needs PedPy ({missing}): pip install pedpy") from None
        chosen = Selection(**selection)
        rows = gathered(self.trajectory, chosen)
        data = pandas.DataFrame({name: rows[name] for name in ("id", "frame", "x", "y")})
        return (target.TrajectoryData(data, self.trajectory.selected_rate(chosen)),
                target.WalkableArea(self.walkable_area))

    def export(self, output: Path, kind: str, selection: Selection | None = None,
               **options: Any) -> int:
        """Writes a file for other programs and returns the number of rows, features, bands or
        frames. kind: archive, sqlite, txt, csv, geoparquet, geotiff, geopackage, paraview, usd.
        options: those of throng.export.OTHERS, as `crs`."""
        from throng.export import export
        return export(self, output, kind, selection or Selection(), **options)

    def report(self, output: Path | None = None, others: Sequence[Run] = (), title: str = "",
               player: bool = True, lonlat: bool = False) -> str:
        """Writes one HTML file about this run, and about others beside it; by default report.html
        in its folder. Returns its path."""
        from throng.report import write
        path = os.fspath(output) if output is not None else self.path("report.html")
        write([self, *others], path, title, player, lonlat)
        return path


def is_run(folder: str) -> bool:
    """Is this the output directory of a run? It may have only begun."""
    known = ("summary.json", "series.csv", "trajectory.h5", "log.jsonl", "map.geojson")
    return os.path.isdir(folder) and (any(os.path.exists(os.path.join(folder, name))
                                          for name in known)
                                      or bool(numbered_paths(folder, "snapshot")))


def no_run(folder: str) -> Error:
    """Says what is there instead of a run, and what would be right."""
    above = os.path.dirname(os.path.abspath(folder))
    if os.path.isfile(folder):
        better = f", {os.path.dirname(folder)}" if os.path.dirname(folder) and is_run(above) else ""
        return Error(f"{folder}: this is a file; give the output directory of a run{better}")
    if not os.path.isdir(folder):
        near = difflib.get_close_matches(os.path.basename(folder.rstrip("/")),
                                         runs_in(above), 1, 0.75)
        better = f"; did you mean {os.path.join(os.path.dirname(folder), near[0])}?" if near else \
            "; give the output directory of a run, as runs/hall"
        return Error(f"{folder}: no such directory{better}")
    inside = runs_in(folder)
    if inside:
        some = ", ".join(os.path.join(folder, name) for name in inside[:3])
        return Error(f"{folder}: no files of a run, but {len(inside)} "
                     f"{'run is' if len(inside) == 1 else 'runs are'} in it: {some}"
                     f"{', ...' if len(inside) > 3 else ''}; give one of these")
    return Error(f"{folder}: no files of a run (as summary.json, map.geojson, series.csv); give "
                 "the output directory of one")


def runs_in(folder: str) -> list[str]:
    """The names of the folders in this one that are runs."""
    if not os.path.isdir(folder):
        return []
    with reading(folder, "a directory"):
        return sorted(name for name in os.listdir(folder) if is_run(os.path.join(folder, name)))


def gathered(trajectory: Trajectory, selection: Selection) -> Table:
    """All rows of a selection in one table."""
    names = ("id", "x", "y", *trajectory.fields)
    parts: dict[str, list[np.ndarray]] = {name: [] for name in names}
    frames = []
    for frame in trajectory.frames(selection):
        frames.append(np.full(len(frame.columns["id"]), frame.number))
        for name in names:
            parts[name].append(frame.columns[name])
    kinds = {"id": np.int64, "x": float, "y": float, "destination": np.int32}
    joined = {name: np.concatenate(values) if values else np.empty(0, kinds.get(name, np.float32))
              for name, values in parts.items()}
    order = np.concatenate(frames) if frames else np.empty(0, np.int64)
    return {"id": joined.pop("id"), "frame": order, **joined}


def of_step(paths: dict[int, str], step: int | None, folder: str) -> str:
    """The path of this step, or of the last one."""
    if step is None:
        return list(paths.values())[-1]
    if step not in paths:
        some = ", ".join(map(str, list(paths)[:8]))
        raise Error(f"{folder}: nothing of step {step}; there are the steps {some}"
                    f"{', ...' if len(paths) > 8 else ''}")
    return paths[step]
