"""The numbers of one run, read from its files: what the summary and the tables say."""
from __future__ import annotations

import dataclasses
import functools
import json
import math
import os
from typing import Any, Optional

import numpy as np

from throng.errors import reading
from throng.exits import arrived, removed
from throng.files import Field, Table, Totals, numbered_paths, read_table
from throng.guarded import opened
from throng.report import words
from throng.results import Run

SHARES = (0.5, 0.9, 0.95, 1.0)


@dataclasses.dataclass
class Above:
    """Time at a density of at least `limit` (persons/m^2): here, in the densest cell (s); longest,
    of all cells (s), and that cell's centre (m); ground that reached it at any time (m^2)."""
    limit: float
    here: float
    longest: float
    x: float
    y: float
    ground: float


@dataclasses.dataclass
class Densest:
    """The cell with the highest mean density of an interval (persons/m^2), its centre (m), and the
    time at level E or worse, and at F. interval: s, where density files tell it; peak: the highest
    density of one sample, in any cell. exact: False if times are known only as whole intervals."""
    value: float
    x: float
    y: float
    cell: float
    interval: Optional[float]
    peak: Optional[float]
    sample: Optional[float]
    e: Above
    f: Above
    exact: bool


class Facts:
    """The numbers of one run. What it has not measured is None."""

    def __init__(self, run: Run, label: str = "") -> None:
        self.run, self.folder = run, run.folder
        self.finished = os.path.exists(run.path("summary.json"))
        self.summary: dict[str, Any] = run.summary if self.finished else {}
        self.name = words.printable(self.summary.get("name") or self._named())
        self.label = label or self.name

    def _named(self) -> str:
        """The name of a run without a summary, of its map or its folder."""
        path = self.run.path("map.geojson")
        if os.path.exists(path):
            with reading(path, "a map"), opened(path) as file:
                title = json.load(file).get("title")
            if title:
                return str(title)
        return os.path.basename(os.path.abspath(self.folder))

    def run_has(self, name: str) -> bool:
        """Is this file in the folder of the run?"""
        return os.path.exists(self.run.path(name))

    def table(self, name: str) -> Optional[Table]:
        """A table with rows; None if the run has none."""
        path = self.run.path(name)
        table = read_table(path) if os.path.exists(path) else None
        return table if table and len(next(iter(table.values()))) else None

    @functools.cached_property
    def series(self) -> Optional[Table]:
        """series.csv"""
        return self.table("series.csv")

    @functools.cached_property
    def people(self) -> Optional[Table]:
        """people.csv: one row for each person. Maps of the run use it, too."""
        found = self.run.people if self.run_has("people.csv") else None
        return found if found and len(found["id"]) else None

    @functools.cached_property
    def travel(self) -> Optional[Table]:
        """travel.csv"""
        return self.table("travel.csv")

    @functools.cached_property
    def alarms(self) -> Optional[Table]:
        """alarms.csv"""
        return self.table("alarms.csv")

    @functools.cached_property
    def log(self) -> list[dict[str, Any]]:
        """The lines of log.jsonl; the last one may be half written."""
        path = self.run.path("log.jsonl")
        if not os.path.exists(path):
            return []
        rows = []
        with reading(path, "a log"), opened(path) as file:
            for line in file:
                if line.endswith("\n"):
                    rows.append(json.loads(line))
        return rows

    # ------------------------------------------------------------------ the run as a whole

    def last(self, key: str) -> Any:
        """A value of the summary, or of the last row that the run has written."""
        if key in self.summary:
            return self.summary[key]
        if self.series is not None and key in self.series:
            return self.series[key][-1].item()
        return self.log[-1].get(key) if self.log else None

    @property
    def time(self) -> float:
        """Simulated time so far, s."""
        return float(self.last("time_s") or 0)

    @property
    def arrived(self) -> int:
        """People who have left at their destination."""
        return int(self.last("arrived") or 0)

    @property
    def inside(self) -> int:
        """People who were still in the world."""
        return int(self.summary["inside"] if self.finished else self.last("agents") or 0)

    @property
    def count(self) -> int:
        """People who were in the world at any time."""
        return int(self.summary["agents"]) if self.finished else self.arrived + self.inside

    @functools.cached_property
    def removed(self) -> int:
        """The number of people removed by a caller, if people.csv has it."""
        return int(np.sum(removed(self.people))) if self.people is not None else 0

    @property
    def all_out(self) -> Optional[float]:
        """s when the last person left, if the world was empty at the end of the run, else None."""
        return self.summary.get("evacuation_time_s")

    @functools.cached_property
    def left_times(self) -> Optional[np.ndarray]:
        """When each of them left, s, ascending, if the run has people.csv."""
        if self.people is None:
            return None
        left = np.sort(self.people["left_s"][arrived(self.people)])
        return left if len(left) == self.arrived else None

    def time_of_share(self, share: float) -> Optional[float]:
        """s by which this share of all people had left; None if they never did. Exact with
        people.csv, otherwise the first row of series.csv at which it is so."""
        wanted = math.ceil(share * self.count - 1e-9)
        if wanted < 1 or wanted > self.arrived:
            return None
        if share == 1 and self.last_arrival is not None:
            return self.last_arrival
        if self.left_times is not None:
            return float(self.left_times[wanted - 1])
        if self.series is None:
            return None
        enough = np.flatnonzero(self.series["arrived"] >= wanted)
        return float(self.series["time_s"][enough[0]]) if len(enough) else None

    @property
    def last_arrival(self) -> Optional[float]:
        """When the last one of those who arrived did, s."""
        if self.left_times is not None and len(self.left_times):
            return float(self.left_times[-1])
        at = (self.summary.get("travel") or {}).get("last_arrival_s")
        return float(at) if at is not None and self.arrived else self.all_out

    @functools.cached_property
    def series_every(self) -> Optional[float]:
        """s between rows of series.csv."""
        if self.series is None or len(self.series["time_s"]) < 3:
            return None
        return float(np.median(np.diff(self.series["time_s"])))

    @functools.cached_property
    def fullest(self) -> Optional[tuple[int, float]]:
        """The most people at the same time, and when (s)."""
        if self.series is None:
            return None
        at = int(np.argmax(self.series["agents"]))
        return int(self.series["agents"][at]), float(self.series["time_s"][at])

    def travel_row(self) -> Optional[dict[str, float]]:
        """The travel times of everybody who arrived."""
        if self.travel is None:
            return None
        row = {name: values[0].item() for name, values in self.travel.items()
               if values.dtype != object}
        return row if row["count"] else None

    @functools.cached_property
    def alarm_counts(self) -> dict[str, int]:
        """How many alarms of each kind: density, jam."""
        if "alarms" in self.summary and self.run_has("alarms.csv"):
            return {kind: int(n) for kind, n in self.summary["alarms"].items()}
        if self.alarms is None:
            return {}
        kinds, counts = np.unique(self.alarms["kind"].astype(str), return_counts=True)
        return dict(zip(map(str, kinds), map(int, counts)))

    @property
    def audit_findings(self) -> int:
        """Violations that the audit found, of all kinds."""
        audit = self.summary.get("audit") or {}
        return sum(int(n) for n in audit.values() if isinstance(n, int))

    # ------------------------------------------------------------------ density

    @functools.cached_property
    def totals(self) -> Optional[Totals]:
        """totals.vtkhdf: the grid over the whole run."""
        return self.run.totals if self.run_has("totals.vtkhdf") else None

    @functools.cached_property
    def fields(self) -> list[str]:
        """Paths of the density files; there may be none."""
        return list(numbered_paths(self.folder, "density").values())

    @functools.cached_property
    def densest(self) -> Optional[Densest]:
        """The densest place, of the totals, or of the density files of a run without them."""
        if self.totals is not None:
            interval = Field(self.fields[0]).time if self.fields else None
            return densest_of_totals(self.totals, interval)
        return densest_of_fields(self.fields)


def cell_centre(corner: np.ndarray, cell: float, at: tuple[Any, ...]) -> tuple[float, float]:
    """x, y (m) of the centre of a cell [row, column]."""
    return float(corner[0] + (at[1] + 0.5) * cell), float(corner[1] + (at[0] + 0.5) * cell)


def first_highest(values: np.ndarray) -> tuple[Any, ...]:
    """[row, column] of the highest value; of equal ones the first."""
    return np.unravel_index(int(np.argmax(values)), values.shape)


def above_of(limit: float, times: np.ndarray, at: tuple[Any, ...], corner: np.ndarray,
             cell: float) -> Above:
    """Of the times (s) of all cells."""
    longest = first_highest(times)
    return Above(limit, float(times[at]), float(times[longest]),
                 *cell_centre(corner, cell, longest), float(np.count_nonzero(times)) * cell**2)


def densest_of_totals(totals: Totals, interval: Optional[float]) -> Optional[Densest]:
    """Every sample of the run counts."""
    value = totals.max_mean_density
    if not value.size or value.max() <= 0:
        return None
    at, corner, cell = first_highest(value), totals.corner, totals.cell
    e, f = (above_of(float(limit), totals.time_above(limit), at, corner, cell)
            for limit in totals.fruin_limits[-2:])
    return Densest(float(value[at]), *cell_centre(corner, cell, at), cell, interval,
                   float(totals.max_density.max()), totals.sample, e, f, True)


def densest_of_fields(paths: list[str]) -> Optional[Densest]:
    """An interval whose mean is at a level counts as a whole."""
    if not paths:
        return None
    first = Field(paths[0])
    limits, shape = first.limits[-2:], first.density.shape
    best, times, since = np.zeros(shape), [np.zeros(shape) for _ in limits], 0.0
    for path in paths:
        field = Field(path)
        for time, limit in zip(times, limits):
            time += (field.density >= limit) * (field.time - since)
        best = np.maximum(best, field.density)
        since = field.time
    if not best.size or best.max() <= 0:
        return None
    at, corner, cell = first_highest(best), first.corner, first.cell
    e, f = (above_of(float(limit), time, at, corner, cell) for limit, time in zip(limits, times))
    return Densest(float(best[at]), *cell_centre(corner, cell, at), cell, first.time, None, None, e,
                   f, False)
