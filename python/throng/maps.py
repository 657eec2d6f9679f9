"""The map of a run's walls: a GeoJSON file that shows which solid ground is water."""
from __future__ import annotations

import functools
import json
import math
import os
from collections.abc import Callable

import numpy as np

from throng.errors import Error
from throng.files import Snapshot, Walls, scenario_value, text
from throng.program import ROOT

AREA = "(area)"  # marks named areas: they are not solid, but part of the extent


class Map:
    """The GeoJSON file of a run's walls: shows which solid ground is water, for the colours.

    The output does not contain the file, so it may be missing, changed or moved. It is used only if
    its corners are found among the walls.
    """

    def __init__(self) -> None:
        self.shapes: list[tuple[str, list[np.ndarray]]] = []  # (kind, rings), from the origin
        self.attribution = ""

    @staticmethod
    def find(snapshot: Snapshot, walls: Walls, given: str | None = None) -> Map:
        """The map of a snapshot's scenario, or an empty map; the walls are local."""
        name = given or scenario_value(snapshot.scenario, "geometry")
        for folder in ("", "configs", os.path.join(ROOT, "configs")):
            path = os.path.join(folder, name)
            if name.endswith("json") and os.path.isfile(path):
                found = Map()
                if found.load(path, snapshot, walls):
                    return found
        if given:
            raise Error(f"{given}: not the map of this run (no GeoJSON, or other walls)")
        return Map()

    def load(self, path: str, snapshot: Snapshot, walls: Walls) -> bool:
        """Reads the file; False if it is not the map of these walls."""
        try:
            with open(path, encoding="utf-8") as file:
                data = json.load(file)
            shapes = [(AREA if f["properties"].get("throng") in ("area", "destination", "place")
                       else f["properties"].get("kind", ""), ring_lists(f["geometry"]))
                      for f in data["features"] if f.get("geometry")]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return False
        polygons = [(kind, rings) for kind, many in shapes for rings in many]
        if not polygons:
            return False
        corners = np.concatenate([ring for _, rings in polygons for ring in rings])
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        project = projection(middle, snapshot.origin)
        if data.get("throng:projection") == "metres":
            project = functools.partial(np.add, -snapshot.origin)
        if not alike(project(corners), walls.points()):
            return False
        self.shapes = [(kind, [project(ring) for ring in rings])
                       for kind, rings in polygons if kind != AREA]
        self.attribution = text(data.get("attribution", ""))
        return True


def ring_lists(geometry: dict) -> list[list[np.ndarray]]:
    """[[ring, hole, ...], ...] of a polygon or multipolygon; empty for other geometries."""
    kind, coordinates = geometry["type"], geometry.get("coordinates", [])
    polygons = {"Polygon": [coordinates], "MultiPolygon": coordinates}.get(kind, [])
    return [[np.array(ring, float)[:, :2] for ring in polygon] for polygon in polygons]


def projection(middle: np.ndarray, origin: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Projects longitude and latitude to metres around the middle, on WGS84, as throng does."""
    a, e2 = 6378137.0, 0.0066943799901413165
    latitude = math.radians(middle[1])
    w = math.sqrt(1 - e2 * math.sin(latitude) ** 2)
    scale = np.radians([a / w * math.cos(latitude), a * (1 - e2) / w**3])
    return lambda ring: (ring - middle) * scale - origin


def alike(corners: np.ndarray, others: np.ndarray) -> bool:
    """Are the walls' corners among these, within 10 cm? Clipping and merging remove some."""
    def cells(points: np.ndarray) -> set[tuple[int, int]]:
        return set(map(tuple, np.round(points * 10).astype(np.int64)))

    if len(others) == 0:
        return False
    known = cells(corners)
    known |= {(x + i, y + j) for x, y in known for i in (-1, 0, 1) for j in (-1, 0, 1)}
    mine = cells(others)
    return sum(cell in known for cell in mine) > 0.3 * len(mine)
