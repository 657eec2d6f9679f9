"""What is measured at places: lines, areas, queues, exits; and where a point is, in words."""
from __future__ import annotations

import dataclasses
from typing import Optional

import numpy as np

from throng.exits import arrived, exits_of, named_parts
from throng.files import Table
from throng.levels import E_BEGINS
from throng.report.facts import Facts
from throng.scene import Feature, Scene, ring_holds

NEAR = 100.0  # m: beyond it, no place is named
LARGE = 0.25  # of the world: what covers more is no place
HOLDING = ("area", "destination", "zone", "source")
ROLES = ("area", "destination", "door", "line", "queue", "source", "zone", "label", "street",
         "obstacle")


def by_name(table: Table, key: str) -> dict[str, Table]:
    """{place: its rows}, in the order of the file."""
    return {str(place): {name: values[table[key] == place] for name, values in table.items()
                         if name != key} for place in dict.fromkeys(table[key])}


def window_of(time: float) -> float:
    """s over which flows are averaged: over one second they are combs."""
    return 60.0 if time >= 600 else 10.0


@dataclasses.dataclass
class Line:
    """Crossings of a measured line. busiest: most crossings of both directions in `window` s,
    per s; at: the middle of that time, s. length: m, if the map has it."""
    name: str
    forward: int
    backward: int
    busiest: Optional[float]
    at: Optional[float]
    window: float
    length: Optional[float]


def flow_over(times: np.ndarray, counts: np.ndarray, window: float
              ) -> tuple[np.ndarray, np.ndarray]:
    """Middle of each interval (s), and the mean flow in it (1/s). The window is rounded to rows,
    and no longer than the table."""
    rows = int(np.searchsorted(times, times[0] + window - 1e-9))
    rows = min(max(rows, 1), len(times) - 1)
    if rows < 1:
        return np.empty(0), np.empty(0)
    spent = times[rows:] - times[:-rows]
    flow = (counts[rows:] - counts[:-rows]) / np.maximum(spent, 1e-9)
    return (times[rows:] + times[:-rows]) / 2, flow


def length_of(feature: Optional[Feature]) -> Optional[float]:
    """Length of a line, m."""
    if feature is None or not feature.lines:
        return None
    return float(sum(np.hypot(*np.diff(line, axis=0).T).sum() for line in feature.lines))


def lines_of(facts: Facts, scene: Scene) -> list[Line]:
    """What lines.csv says of each line."""
    table, found = facts.table("lines.csv"), []
    window = window_of(facts.time)
    for name, line in by_name(table, "line").items() if table else ():
        middle, flow = flow_over(line["time_s"], line["forward"] + line["backward"], window)
        top = int(np.argmax(flow)) if len(flow) and flow.any() else None
        found.append(Line(name, int(line["forward"][-1]), int(line["backward"][-1]),
                          float(flow.max()) if len(flow) else None,
                          None if top is None else float(middle[top]), window,
                          length_of(scene.named("line", name))))
    return found


@dataclasses.dataclass
class Area:
    """A measured area over all rows. seconds: at level E or worse; speed: m/s, mean over
    the people inside (None if nobody was)."""
    name: str
    people: int
    at: float
    mean_people: float
    density: float
    mean_density: float
    speed: Optional[float]
    seconds: float


def areas_of(facts: Facts) -> list[Area]:
    """What areas.csv says of each area. A row stands for the time since the one before it."""
    table, found = facts.table("areas.csv"), []
    for name, area in by_name(table, "area").items() if table else ():
        most = int(np.argmax(area["count"]))
        inside = area["count"] > 0
        speed = (float(np.average(area["mean_speed_m_s"][inside], weights=area["count"][inside]))
                 if inside.any() else None)
        spent = np.diff(area["time_s"], prepend=area["time_s"][0])
        density = area["density_per_m2"]
        found.append(Area(name, int(area["count"][most]), float(area["time_s"][most]),
                          float(area["count"].mean()), float(density.max()), float(density.mean()),
                          speed, float(spent[density >= E_BEGINS].sum())))
    return found


@dataclasses.dataclass
class Queue:
    """A queue over all rows of queues.csv."""
    name: str
    longest: int
    at: float
    mean: float
    served: int


def queues_of(facts: Facts) -> list[Queue]:
    """What queues.csv says of each queue."""
    table, found = facts.table("queues.csv"), []
    for name, queue in by_name(table, "queue").items() if table else ():
        most = int(np.argmax(queue["waiting"]))
        found.append(Queue(name, int(queue["waiting"][most]), float(queue["time_s"][most]),
                           float(queue["waiting"].mean()), int(queue["served"][-1])))
    return found


@dataclasses.dataclass
class Exit:
    """People who arrived at a destination, or in one of its areas; times in s since the start.
    None: not measured, or nobody came."""
    name: str
    people: int
    first: Optional[float] = None
    half: Optional[float] = None
    last: Optional[float] = None
    travel: Optional[float] = None


def found_exits(facts: Facts, scene: Scene) -> list[Exit]:
    """Every exit in the order of the scenario, also those that nobody used: by destination and area
    with people.csv, otherwise by destination from travel.csv."""
    if facts.people is not None:
        return exits_of_people(facts.people, scene)
    if facts.travel is None:
        return []
    rows = zip(*(facts.travel[name] for name in
                 ("source", "profile", "destination", "count", "mean_s")))
    used = {destination: Exit(destination, int(count), travel=float(mean))
            for i, (source, profile, destination, count, mean) in enumerate(rows)
            if i and source == "all" and profile == "all" and destination != "all"}
    names = dict.fromkeys([one.name for one in scene.of("destination")] + list(used))
    return [used.get(name) or Exit(name, 0) for name in names]


def exits_of_people(people: Table, scene: Scene) -> list[Exit]:
    """Destinations as the map has them, areas by number."""
    if not arrived(people).any():
        return []
    exits = exits_of(people, scene)
    left, spent = people["left_s"], people["left_s"] - people["entered_s"]
    found = []
    for i, name in enumerate(exits.names):
        here = exits.of == i
        times = np.sort(left[here])
        found.append(Exit(name, len(times), float(times[0]), float(times[(len(times) - 1) // 2]),
                          float(times[-1]), float(spent[here].mean())) if len(times)
                     else Exit(name, 0))
    return found


class Gazetteer:
    """Says where points are by the names on the map."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.named = [part for role in ROLES for one in scene.of(role) if one.name
                      for part in named_parts(one)]
        begins, ends, owners = [], [], []
        for i, one in enumerate(self.named):
            parts = one.lines + [ring for polygon in one.polygons for ring in polygon]
            for part in parts + [np.array([point, point]) for point in one.points]:
                begins.append(part[:-1])
                ends.append(part[1:])
                owners.append(np.full(len(part) - 1, i))
        empty = np.empty((0, 2))
        self.begin = np.concatenate(begins) if begins else empty
        self.end = np.concatenate(ends) if ends else empty
        self.owner = np.concatenate(owners) if owners else np.empty(0, int)

    def words(self, x: float, y: float) -> str:
        """'in NAME', '12 m from NAME', or nothing if no place is near. A place that covers much of
        the world says nothing, so it is named only if nothing is near."""
        point = np.array([x, y])
        around = sorted((one for one in self.named if one.role in HOLDING and holds(one, point)),
                        key=extent)
        x0, y0, x1, y1 = self.scene.bbox
        if around and extent(around[0]) < LARGE * (x1 - x0) * (y1 - y0):
            return f"in “{around[0].name}”"
        distance = distances(point, self.begin, self.end)
        nearest = int(np.argmin(distance)) if len(distance) else -1
        if nearest < 0 or distance[nearest] > NEAR:
            return f"in “{around[0].name}”" if around else ""
        near = self.named[self.owner[nearest]]
        if any(one is near for one in around):
            return f"in “{near.name}”"
        away = "at" if distance[nearest] < 1 else f"{distance[nearest]:.0f} m from"
        return f"{away} “{near.name}”"


def extent(feature: Feature) -> float:
    """Area (m^2) of the box around its polygons."""
    points = np.concatenate([polygon[0] for polygon in feature.polygons])
    return float(np.prod(np.ptp(points, axis=0)))


def holds(feature: Feature, point: np.ndarray) -> bool:
    """Is the point in one of its polygons, and in none of their holes?"""
    return any(ring_holds(polygon[0], point)
               and not any(ring_holds(hole, point) for hole in polygon[1:])
               for polygon in feature.polygons)


def distances(point: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Distance (m) of a point to each of these segments [n][2]."""
    along = end - begin
    length = np.maximum(np.einsum("ij,ij->i", along, along), 1e-12)
    part = np.clip(np.einsum("ij,ij->i", point - begin, along) / length, 0, 1)
    return np.hypot(*(begin + part[:, None] * along - point).T)
