"""The map under the people, as the player draws it: small JSON."""
from __future__ import annotations

import json
from typing import Any

import numpy as np

from throng.exits import named_parts
from throng.names import shown
from throng.scene import Scene

QUANTUM = 0.05  # m, of corners
ROLES = ("ground", "walkable", "street", "obstacle", "wall", "destination", "source", "zone",
         "area", "door", "line", "queue", "label")  # in the order in which they are drawn


def shape(points: np.ndarray, corner: np.ndarray) -> list[int]:
    """A line as x, y of the first point and differences of the others, in quanta; points that fall
    together are left out."""
    quanta = np.round((points - corner) / QUANTUM).astype(np.int64)
    step = np.diff(quanta, axis=0, prepend=0)
    keep = np.any(step != 0, axis=1)
    keep[0] = True
    return step[keep].ravel().tolist()


def packed(scene: Scene) -> bytes:
    """The features of a scene: {"quantum", "corner", "features": [{"role", "kind", "name", "index",
    "polygons": [[ring, ...], ...], "lines", "points"}]}, without what is empty. Of a destination with
    several areas each is a feature: NAME.0, NAME.1."""
    corner = np.array(scene.bbox[:2])
    features = []
    for role in ROLES:
        for one in (part for whole in scene.of(role) for part in named_parts(whole)):
            found: dict[str, Any] = {"role": role, "kind": one.kind, "name": shown(one.name)}
            found["polygons"] = [[shape(ring, corner) for ring in rings] for rings in one.polygons]
            found["lines"] = [shape(line, corner) for line in one.lines]
            found["points"] = [shape(point[None], corner) for point in one.points]
            found = {name: value for name, value in found.items() if value}
            if one.index is not None:
                found["index"] = one.index
            features.append(found)
    data = {"quantum": QUANTUM, "corner": corner.tolist(), "box": list(scene.bbox),
            "features": features}
    return json.dumps(data, separators=(",", ":")).encode()
