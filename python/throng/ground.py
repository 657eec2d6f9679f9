"""The walls and the walkable ground of a run as shapes of shapely (1.8 or newer)."""
from __future__ import annotations

from typing import cast

import numpy as np

from throng.errors import DAMAGED, Error
from throng.files import Path, Walls
from throng.scene import Scene, area

try:
    import shapely.wkt
    from shapely.geometry import (CAP_STYLE, JOIN_STYLE, LineString, MultiLineString, Point,
                                  Polygon, box)
    from shapely.geometry.base import BaseGeometry
    from shapely.ops import unary_union
    from shapely.prepared import prep
except ImportError as missing:
    raise Error(f"walls and walkable ground as shapes need shapely ({missing}): pip install shapely"
                ) from None

HALF_WALL = 0.01  # m: half the thickness that wkt_geometry gives to walls that are lines


def wall_lines(folder: Path) -> MultiLineString:
    """All walls as lines, in the scenario's coordinates."""
    walls = Walls(folder)
    return MultiLineString([line.tolist() for line in walls.closed + walls.open])


def ground_of_text(text: str) -> Polygon:
    """The polygon in a text (WKT)."""
    try:
        return cast(Polygon, shapely.wkt.loads(text))
    except Exception as error:  # of GEOS; its type depends on the version
        raise Error(f"the walkable ground is no WKT ({error})", DAMAGED) from None


def ground_between_walls(folder: Path) -> Polygon:
    """The largest piece of ground without walls. It ends where the world does (Scene.bbox), unless
    a wall encloses everything."""
    walls = Walls(folder)
    rings = [line for line in walls.closed if area(line) != 0]
    outer = max(rings, key=lambda ring: abs(area(ring)), default=None)
    if outer is not None and area(outer) < 0:
        within = Polygon(outer)
        rings = [ring for ring in rings if ring is not outer]
    else:
        within = box(*Scene(folder).bbox)
    ground = without_solids(within, rings)
    if walls.open:
        ground = ground.difference(unary_union([thick(line) for line in walls.open]))
    pieces = getattr(ground, "geoms", [ground])
    return max(pieces, key=lambda piece: piece.area)


def thick(line: np.ndarray) -> BaseGeometry:
    """A wall that is a line, as wkt_geometry has it."""
    return LineString(line).buffer(HALF_WALL, cap_style=CAP_STYLE.flat,
                                   join_style=JOIN_STYLE.mitre)


def without_solids(ground: BaseGeometry, rings: list[np.ndarray]) -> BaseGeometry:
    """Cuts outlines (counter-clockwise) from the ground and adds their holes (clockwise), then the
    outlines in these holes, and so on."""
    solids = [ring for ring in rings if area(ring) > 0]
    holes = [ring for ring in rings if area(ring) < 0]
    while solids:
        ground = ground.difference(unary_union([Polygon(ring) for ring in solids]))
        if not holes:
            break
        open_ground = unary_union([Polygon(ring) for ring in holes])
        ground = ground.union(open_ground)
        solids = inside(solids, open_ground)
        holes = inside(holes, unary_union([Polygon(ring) for ring in solids])) if solids else []
    return ground


def inside(rings: list[np.ndarray], shape: BaseGeometry) -> list[np.ndarray]:
    """The rings that lie in this shape."""
    prepared = prep(shape)
    return [ring for ring in rings if prepared.contains(Point(ring[0]))]
