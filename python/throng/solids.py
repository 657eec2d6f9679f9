"""The map of a run as triangles: walls and buildings up to a height, water and ground flat."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from throng.scene import Feature, Ring, Scene

FLAT = {"water": "water", "sea": "water", "locked": "locked"}  # {kind of obstacle: solid}
BELOW = {"ground": -.10, "locked": -.06, "water": -.04, "walkable": -.02,
         "destinations": .02}  # z, m


@dataclass
class Solid:
    """points [n][3] (m), triangles [m][3] (their numbers, counter-clockwise from outside)."""

    name: str
    points: np.ndarray
    triangles: np.ndarray


def solids_of(scene: Scene, origin: np.ndarray, height: float, earcut: Any) -> list[Solid]:
    """What stands on the map, without what it has not; coordinates from the origin."""
    obstacles, walkable = scene.of("obstacle"), scene.of("walkable")
    kinds: dict[str, list[Feature]] = {"ground": scene.of("ground"), "locked": [], "water": [],
                                       "walkable": walkable,
                                       "destinations": scene.of("destination"), "": []}
    for one in obstacles:
        kinds[FLAT.get(one.kind, "")].append(one)
    dry = kinds.pop("")
    found = [gathered(name, [flat(rings, origin, BELOW[name], earcut)
                             for one in features for rings in one.polygons])
             for name, features in kinds.items()]
    found.append(gathered("buildings", [part for one in dry for rings in one.polygons
                                        for part in raised(rings, origin, height, earcut)]))
    lines = [line for one in scene.of("wall") for line in one.lines]
    edges = [ring for one in walkable for rings in one.polygons for ring in rings]
    found.append(gathered("walls", [upright(line - origin, height) for line in lines + edges]))
    return [one for one in found if len(one.triangles)]


def gathered(name: str, parts: list[tuple[np.ndarray, np.ndarray]]) -> Solid:
    """Parts as one."""
    first = np.cumsum([0] + [len(points) for points, _ in parts])
    return Solid(name, np.concatenate([np.empty((0, 3)), *(points for points, _ in parts)]),
                 np.concatenate([np.empty((0, 3), int), *(
                     triangles + begin for (_, triangles), begin in zip(parts, first))]))


def flat(rings: list[Ring], origin: np.ndarray, z: float, earcut: Any
         ) -> tuple[np.ndarray, np.ndarray]:
    """A polygon with holes at a height, seen from above."""
    corners = np.concatenate([ring[:-1] for ring in rings]) - origin
    ends = np.cumsum([len(ring) - 1 for ring in rings]).astype(np.uint32)
    triangles = np.asarray(earcut.triangulate_float64(corners, ends), int).reshape(-1, 3)
    (ax, ay), (bx, by), (cx, cy) = (corners[triangles[:, k]].T for k in range(3))
    turned = (bx - ax) * (cy - ay) < (by - ay) * (cx - ax)
    triangles[turned] = triangles[turned][:, ::-1]
    return np.column_stack([corners, np.full(len(corners), z)]), triangles


def raised(rings: list[Ring], origin: np.ndarray, height: float, earcut: Any
           ) -> list[tuple[np.ndarray, np.ndarray]]:
    """Roof, floor and sides of a polygon. Outlines run counter-clockwise and holes clockwise, so
    what is solid is on the left of every side."""
    roof, triangles = flat(rings, origin, height, earcut)
    floor = roof * [1, 1, 0]
    return [(roof, triangles), (floor, triangles[:, ::-1]),
            *(upright(ring - origin, height) for ring in rings)]


def upright(line: np.ndarray, height: float) -> tuple[np.ndarray, np.ndarray]:
    """The wall over a line [n][2], seen from the right of the line."""
    count = len(line)
    low = np.column_stack([line, np.zeros(count)])
    a = np.arange(count - 1)
    triangles = np.concatenate([np.column_stack([a, a + 1, a + 1 + count]),
                                np.column_stack([a, a + 1 + count, a + count])])
    return np.concatenate([low, low + [0, 0, height]]), triangles
