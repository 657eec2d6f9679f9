"""What stands where in a run: walls, water, doors, destinations, measured lines, streets, names.

Read from map.geojson, which every run writes at its start; coordinates are the scenario's own, in
m. A run of an older version has no such file: its walls are all that is known of it.
"""
from __future__ import annotations

import dataclasses
import json
import math
import os
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from throng.errors import Error, reading
from throng.guarded import opened
from throng.needs import need

if TYPE_CHECKING:
    from throng.files import Path, Walls

Ring = np.ndarray  # [n][2] (m), closed: the last point is the first
Box = tuple[float, float, float, float]  # x0, y0, x1, y1 (m)
MARGIN = 1.0  # m, around walls and people where no file says where the world ends
WORLD = 1e8  # m: coordinates of a world are below
NOWHERE = (-10.0, -10.0, 10.0, 10.0)  # m: the box of a run with neither walls nor people


@dataclasses.dataclass
class Feature:
    """One thing on the map. A polygon is a list of rings: its outline, counter-clockwise, and its
    holes, clockwise. areas: the number of the destination's area that each polygon is part of.
    A line is points [n][2]; points are [2]. All in m."""
    role: str
    name: str = ""
    kind: str = ""
    index: Optional[int] = None
    polygons: list[list[Ring]] = dataclasses.field(default_factory=list)
    areas: list[int] = dataclasses.field(default_factory=list)
    lines: list[np.ndarray] = dataclasses.field(default_factory=list)
    points: list[np.ndarray] = dataclasses.field(default_factory=list)


class Scene:
    """The map of a run: title, attribution (texts), bbox (x0, y0, x1, y1 of the world, m), centre
    (longitude, latitude of (0, 0) m; None if the run is nowhere on earth) and features.
    complete: False for a run of an older version, of which only the walls are known."""

    def __init__(self, folder: Path) -> None:
        path = os.path.join(folder, "map.geojson")
        self.complete = os.path.exists(path)
        if self.complete:
            with reading(path, "a map"), opened(path) as file:
                self._read(json.load(file))
        elif os.path.isdir(folder):
            self._make(folder)
        else:
            raise Error(f"{folder}: no such directory; give the output directory of a run")

    @classmethod
    def of_json(cls, data: dict[str, Any]) -> Scene:
        """The scene of a map that is already parsed."""
        scene = cls.__new__(cls)
        scene.complete = True
        scene._read(data)
        return scene

    def _read(self, data: dict[str, Any]) -> None:
        self.title, self.attribution = str(data.get("title", "")), str(data.get("attribution", ""))
        centre = data.get("throng:centre")
        self.centre = (float(centre[0]), float(centre[1])) if centre else None
        self.features = [feature_of(one) for one in data["features"] if one.get("geometry")]
        x0, y0, x1, y1 = map(float, data["bbox"] if "bbox" in data else bounds(self.features))
        if not (-WORLD < x0 < x1 < WORLD and -WORLD < y0 < y1 < WORLD):  # false for nan, too
            raise ValueError(f"its bbox {data.get('bbox')} is no box of a world")
        self.bbox = (x0, y0, x1, y1)

    def _make(self, folder: Path) -> None:
        """The walls of an old run; where its world ends stands in its scenario, or follows from
        the walls and the people."""
        from throng.files import Snapshot, Walls, numbered_paths  # loads h5py
        walls, paths = Walls(folder), list(numbered_paths(folder, "snapshot").values())
        first = Snapshot(paths[0], ()) if paths else None
        extent, name = scenario_basics(first.scenario) if first else (None, "")
        self.title = (first.name if first else "") or name
        self.attribution, self.centre = first.attribution if first else "", None
        self.bbox = extent or box_of([walls.points(), *(Snapshot(p, ()).position for p in paths)])
        self.features = [Feature("ground", polygons=[[box_ring(self.bbox)]])]
        if solids := solid_polygons(walls, self.bbox):
            self.features.append(Feature("obstacle", polygons=solids))
        self.features += [Feature("wall", lines=[line]) for line in walls.open]

    def of(self, role: str) -> list[Feature]:
        """The features of a role, in the order of the file."""
        return [feature for feature in self.features if feature.role == role]

    def named(self, role: str, name: str) -> Feature | None:
        """The feature of this role and name."""
        return next((one for one in self.of(role) if one.name == name), None)

    def lonlat(self, xy: np.ndarray) -> np.ndarray:
        """Longitude and latitude (degrees) of points [...][2] (m)."""
        if self.centre is None:
            raise Error("longitude and latitude are unknown: the run's geometry is not in degrees")
        return np.asarray(xy, float) / metres_per_degree(self.centre[1]) + self.centre


def metres_per_degree(latitude: float) -> np.ndarray:
    """Metres of a degree of longitude and of latitude, on WGS84, as throng projects."""
    a, e2 = 6378137.0, 0.0066943799901413165
    phi = math.radians(latitude)
    w = math.sqrt(1 - e2 * math.sin(phi) ** 2)
    return np.radians([a / w * math.cos(phi), a * (1 - e2) / w**3])


def feature_of(one: dict[str, Any]) -> Feature:
    """A feature of GeoJSON, with its rings closed and turned the right way."""
    about = one.get("properties") or {}
    index = about.get("index")
    feature = Feature(str(about.get("role") or ""), str(about.get("name") or ""),
                      str(about.get("kind") or ""), None if index is None else int(index))
    add_geometry(feature, one["geometry"])
    feature.areas = [int(area) for area in about.get("areas", range(len(feature.polygons)))]
    return feature


def add_geometry(feature: Feature, geometry: dict[str, Any]) -> None:
    """Adds the polygons, lines and points of a geometry."""
    kind = geometry["type"]
    for part in geometry.get("geometries", []):
        add_geometry(feature, part)
    found = geometry.get("coordinates", [])
    for coordinates in found if kind.startswith("Multi") else [found]:
        if not coordinates:
            continue
        if kind.endswith("Polygon"):
            feature.polygons.append([turned(np.array(ring, float)[:, :2], i == 0)
                                     for i, ring in enumerate(coordinates)])
        elif kind.endswith("LineString"):
            feature.lines.append(np.array(coordinates, float)[:, :2])
        elif kind.endswith("Point"):
            feature.points.append(np.array(coordinates, float)[:2])


def area(ring: Ring) -> float:
    """Signed area (m^2) of a closed line: positive if it runs counter-clockwise."""
    x, y = (ring - ring[0]).T
    return 0.5 * float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))


def turned(ring: Ring, outline: bool) -> Ring:
    """The ring, closed; counter-clockwise if it is an outline, clockwise if it is a hole."""
    if not np.array_equal(ring[0], ring[-1]):
        ring = np.concatenate([ring, ring[:1]])
    return ring if (area(ring) > 0) == outline else ring[::-1]


def bounds(features: list[Feature]) -> Box:
    """The box around everything; rings need no holes for that."""
    return box_of([ring for one in features for polygon in one.polygons for ring in polygon[:1]]
                  + [line for one in features for line in one.lines]
                  + [point[None] for one in features for point in one.points], 0)


def box_of(parts: list[np.ndarray], margin: float = MARGIN) -> Box:
    """The box around points [n][2], with a margin."""
    parts = [part for part in parts if len(part)]
    if not parts:
        return NOWHERE
    x0, y0 = np.min([part.min(axis=0) for part in parts], axis=0) - margin
    x1, y1 = np.max([part.max(axis=0) for part in parts], axis=0) + margin
    return float(x0), float(y0), float(x1), float(y1)


def box_ring(box: Box) -> Ring:
    """The outline of a box."""
    x0, y0, x1, y1 = box
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)])


def solid_polygons(walls: Walls, box: Box) -> list[list[Ring]]:
    """The solid ground of a run as polygons: each hole belongs to the smallest outline around it,
    and a hole without one to the ground outside of it."""
    rings = [line for line in walls.closed if area(line) != 0]
    solids = [[ring] for ring in sorted((r for r in rings if area(r) > 0), key=area)]
    outside: list[Ring] = []
    for hole in (ring for ring in rings if area(ring) < 0):
        around = (solid for solid in solids if area(solid[0]) > -area(hole)
                  and ring_holds(solid[0], hole[0]))
        owner = next(around, None)
        (outside if owner is None else owner).append(hole)
    if outside:
        x0, y0, x1, y1 = box
        points = np.concatenate([walls.points(), [(x0, y0), (x1, y1)]])
        solids.append([box_ring(box_of([points])), *outside])
    return solids


def ring_holds(ring: Ring, point: np.ndarray) -> bool:
    """Whether the point is inside the ring: an odd number of its sides is to the left of it."""
    (x0, y0), (x1, y1) = ring[:-1].T, ring[1:].T
    crossing = (y0 > point[1]) != (y1 > point[1])
    across = (point[1] - y0[crossing]) / (y1 - y0)[crossing]
    return bool(np.sum(x0[crossing] + across * (x1 - x0)[crossing] < point[0]) % 2)


def scenario_basics(scenario: str) -> tuple[Box | None, str]:
    """world.extent and name of a scenario (YAML)."""
    need("a run without map.geojson", ("yaml",))
    import yaml
    try:
        found = yaml.safe_load(scenario)
    except yaml.YAMLError:
        return None, ""  # throng reads YAML 1.2, PyYAML 1.1: do without
    found = found if isinstance(found, dict) else {}
    world = found.get("world")
    extent = world.get("extent") if isinstance(world, dict) else None
    try:
        x0, y0, x1, y1 = map(float, extent or ())
        return (x0, y0, x1, y1), str(found.get("name") or "")
    except (TypeError, ValueError):
        return None, str(found.get("name") or "")
