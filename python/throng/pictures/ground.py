"""What lies under every map: ground, water, buildings, walls, doors, streets and names."""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import PathPatch
from matplotlib.patheffects import withStroke
from matplotlib.path import Path

from throng.exits import named_parts
from throng.names import shown as as_shown
from throng.pictures.style import (DOOR, EDGE, GROUND, INK, KINDS, PLACE, SMALL, SOLID, STREET,
                                   STREET_NAME, TRACK)
from throng.scene import Feature, Scene

# What lies above what; measured cells lie between streets and solids.
BELOW, ROAD, CELLS, WATER, BUILT, WALL, MARK, PEOPLE, NAME = 0, 0.5, 1, 1.5, 2, 3, 4, 5, 8
SHOWN = ("destinations", "doors", "streets", "labels")
CAN_SHOW = (*SHOWN, "areas", "lines", "queues", "sources", "zones")
MARKS = {"destinations": ("destination", PLACE), "areas": ("area", "#7a3b8f"),
         "lines": ("line", "#7a3b8f"), "queues": ("queue", "#7a3b8f"),
         "sources": ("source", "#5c677d"), "zones": ("zone", "#8a6d00")}
WIDTHS = {"motorway": 2.4, "trunk": 2.4, "primary": 2.2, "secondary": 2.0, "tertiary": 1.7,
          "residential": 1.3, "unclassified": 1.3, "living_street": 1.3, "pedestrian": 1.3}  # pt
TRACKS = ("rail", "light_rail", "tram", "narrow_gauge")  # as in player/map.js
FEW = 40        # names of places of one kind; more would cover the map
MOST_STREETS, MOST_PLACES, LONG = 24, 14, 26  # names; letters of a place that is named
# Districts in capitals, water in blue; the first kinds come first, those that are not here last.
DISTRICTS = ("city", "town", "suburb", "village", "borough", "quarter", "neighbourhood")
WATERS = ("bay", "marina", "harbour", "lake", "river", "water", "sea")
SPOTS = ("station", "square", "park", "stadium", "townhall", "university", "marketplace")
LABELS = {**{kind: ("#8b8f97", "normal") for kind in DISTRICTS},
          **{kind: ("#4f8299", "italic") for kind in WATERS}}


def shape_path(polygons: Iterable[list[np.ndarray]]) -> Path | None:
    """One path of many polygons; holes run the other way."""
    rings = [ring for polygon in polygons for ring in polygon if len(ring) > 2]
    if not rings:
        return None
    codes = []
    for ring in rings:
        part = np.full(len(ring), Path.LINETO, Path.code_type)
        part[0], part[-1] = Path.MOVETO, Path.CLOSEPOLY
        codes.append(part)
    return Path(np.concatenate(rings), np.concatenate(codes))


def fill(axes: Axes, polygons: Iterable[list[np.ndarray]], zorder: float, **style) -> None:
    """Draws polygons with their holes as one shape."""
    path = shape_path(polygons)
    if path is not None:
        axes.add_patch(PathPatch(path, zorder=zorder, **{"linewidth": 0.35, **style}))


def draw_ground(axes: Axes, scene: Scene, shown: Iterable[str] = SHOWN) -> None:
    """Everything that has no name: solids by their kind, walls, doors, the lines of streets."""
    grounds = scene.of("ground")
    fill(axes, (p for one in grounds for p in one.polygons), BELOW, facecolor=GROUND, linewidth=0)
    if "streets" in shown:
        draw_streets(axes, scene)
    for kind in sorted({one.kind for one in scene.of("obstacle")}):
        polygons = [p for one in scene.of("obstacle") if one.kind == kind for p in one.polygons]
        color = KINDS.get(kind, SOLID)
        edge = color if kind == "sea" else EDGE  # the box cuts the sea, its edge is no shore
        fill(axes, polygons, WATER if kind in KINDS else BUILT, facecolor=color, edgecolor=edge)
    fill(axes, (p for one in scene.of("walkable") for p in one.polygons), BUILT,
         facecolor="none", edgecolor=EDGE)
    walls = [line for one in scene.of("wall") for line in one.lines]
    axes.add_collection(LineCollection(walls, colors=INK, linewidths=0.9, zorder=WALL))
    if "doors" in shown:
        draw_doors(axes, scene.of("door"))


def draw_streets(axes: Axes, scene: Scene) -> None:
    """Thin lines in the middle of streets; paths for walking only are broken."""
    for one in scene.of("street"):
        if one.kind in TRACKS:
            draw_track(axes, one)
            continue
        kind = one.kind.split("_link")[0]
        axes.add_collection(LineCollection(
            one.lines, colors=STREET, linewidths=WIDTHS.get(kind, 0.8), zorder=ROAD,
            linestyles="solid" if kind in WIDTHS else (0, (3, 1.5))))


def draw_track(axes: Axes, track: Feature) -> None:
    """A thin line with sleepers across it, as on printed maps."""
    for width, dashes in ((0.5, "solid"), (2.4, (0, (0.25, 1.25)))):
        axes.add_collection(LineCollection(track.lines, colors=TRACK, linewidths=width,
                                           linestyles=dashes, capstyle="butt",
                                           zorder=ROAD + 0.1))


def draw_doors(axes: Axes, doors: Iterable[Feature]) -> None:
    """Each door as a strong line on a white one, so that it stands out from walls."""
    lines = [line for one in doors for line in
             one.lines + [ring for polygon in one.polygons for ring in polygon]]
    for color, width, above in (("white", 3.6, 0.1), (DOOR, 2.0, 0.2)):
        axes.add_collection(LineCollection(lines, colors=color, linewidths=width, capstyle="butt",
                                           zorder=WALL + above))


def inner_point(polygon: list[np.ndarray]) -> np.ndarray:
    """A point to write a name at: the middle of the longest stretch at middle height."""
    ring = polygon[0]
    y = (ring[:, 1].min() + ring[:, 1].max()) / 2 + 1e-9
    cuts = sorted(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
                  for r in polygon for a, b in zip(r, r[1:]) if (a[1] > y) != (b[1] > y))
    spans = [(right - left, (left + right) / 2) for left, right in zip(cuts[::2], cuts[1::2])]
    return np.array([max(spans)[1], y]) if spans else ring.mean(axis=0)


class Names:
    """Writes names where they cover no other name."""

    def __init__(self, axes: Axes) -> None:
        self.axes, self.taken = axes, np.empty((0, 3))  # x, y, half a height: squares of pixels
        self.renderer = axes.figure.canvas.get_renderer()
        self.frame = axes.get_window_extent()

    def write(self, text: str, at: np.ndarray, room: float = np.inf, apart: float = 0, **style
              ) -> bool:
        """Whether the name found a place: inside the map, so far from others, within `room`; both
        in pixels."""
        halo = [withStroke(linewidth=2.2, foreground="white", alpha=0.85)]
        label = self.axes.text(*at, as_shown(text), **{
            "ha": "center", "va": "center", "fontsize": SMALL, "zorder": NAME, "clip_on": True,
            "path_effects": halo, "rotation_mode": "anchor", **style})
        squares, length = self.squares(label)
        if style.get("rotation", 0) == 0:
            squares = self.nudge(label, squares)
        inside = (np.all(squares[:, :2] - squares[:, 2:] >= self.frame.min)
                  and np.all(squares[:, :2] + squares[:, 2:] <= self.frame.max))
        gap = abs(squares[:, None, :2] - self.taken[None, :, :2]).max(axis=2)
        free = np.all(gap > squares[:, None, 2] + self.taken[None, :, 2] + apart)
        if not (inside and free and length <= room):
            label.remove()
            return False
        self.taken = np.concatenate([self.taken, squares])
        return True

    def nudge(self, label, squares: np.ndarray) -> np.ndarray:
        """Moves a name that crosses the edge of the map inwards, if it belongs inside."""
        metre = self.axes.transData
        place = np.array(metre.transform(label.get_position()))
        low, high = self.frame.min + 2, self.frame.max - 2
        if np.any(place < low) or np.any(place > high):
            return squares
        over = np.maximum(low - (squares[:, :2] - squares[:, 2:]).min(axis=0), 0) \
            - np.maximum((squares[:, :2] + squares[:, 2:]).max(axis=0) - high, 0)
        if np.any(over):
            label.set_position(metre.inverted().transform(place + over))
            squares = squares + np.append(over, 0)
        return squares

    def squares(self, label) -> tuple[np.ndarray, float]:
        """Squares that cover a text, which may be turned, and its length (pixels)."""
        angle = np.radians(label.get_rotation())
        label.set_rotation(0)
        box = label.get_window_extent(self.renderer)
        label.set_rotation(np.degrees(angle))
        half = max(box.height / 2, 1) + 1
        count = max(int(np.ceil(box.width / (2 * half))), 1)
        along = (np.arange(count) + 0.5) / count - 0.5
        pivot = np.array(self.axes.transData.transform(label.get_position()))
        offset = np.array([box.x0 + box.x1, box.y0 + box.y1]) / 2 - pivot
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        middle = pivot + turn @ offset
        places = middle + np.outer(along * box.width, turn[:, 0])
        return np.column_stack([places, np.full(count, half)]), box.width


def draw_marks(axes: Axes, scene: Scene, names: Names, shown: Iterable[str]) -> None:
    """Outlines and names of destinations and of whatever else is asked for."""
    for word in (one for one in MARKS if one in shown):
        role, color = MARKS[word]
        found = [part for one in scene.of(role) for part in named_parts(one)]
        for one in found:
            fill(axes, one.polygons, MARK, facecolor="none", edgecolor=color, linewidth=1.1,
                 linestyle=(0, (4, 1.6)) if role != "area" else "solid")
            axes.add_collection(LineCollection(one.lines, colors=color, linewidths=1.5,
                                               zorder=MARK))
            if len(found) <= FEW:
                write_mark(one, names, color)
    if "doors" in shown and len(scene.of("door")) <= FEW:
        for one in scene.of("door"):
            write_mark(one, names, DOOR)


def write_mark(one: Feature, names: Names, color: str) -> None:
    """The name of a place at its largest polygon, or beside its line."""
    if not one.name:
        return
    metre, point = names.axes.transData, names.axes.figure.dpi / 72
    if one.polygons:
        polygons = sorted(one.polygons, key=lambda polygon: np.ptp(polygon[0], axis=0).max())
        spots = [(inner_point(polygon), np.ptp(metre.transform(polygon[0]), axis=0))
                 for polygon in polygons[::-1]]
    else:
        spots = [(line[len(line) // 2 - 1:][:2].mean(axis=0), np.zeros(2)) for line in one.lines
                 if len(line) > 1]
    for spot, size in spots:
        up = size[1] / 2 + 8 * point  # beside what the name would cover
        inside = size[0] > 5.2 * point * len(one.name)
        for shift in (0, up, -up) if inside else (up, -up, 2 * up):
            if names.write(one.name, metre.inverted().transform(metre.transform(spot) + (0, shift)),
                           color=color, fontweight="bold"):
                return


def draw_names(scene: Scene, names: Names) -> None:
    """Names of some places, then of streets along their straightest parts, the widest first."""
    metre, drawn = names.axes.transData, set()
    order = {kind: i for i, kind in enumerate((*DISTRICTS, *WATERS, *SPOTS))}
    for one in sorted(scene.of("label"), key=lambda label: order.get(label.kind, len(order))):
        color, slant = LABELS.get(one.kind, ("#6c727b", "italic"))
        text = one.name.upper() if one.kind in DISTRICTS else one.name
        for point in one.points if len(text) <= LONG and len(drawn) < MOST_PLACES else ():
            if names.write(text, point, apart=12 * names.axes.figure.dpi / 72, color=color,
                           fontstyle=slant, fontsize=SMALL - 0.5):
                drawn.add(one.name)
    drawn = set()
    streets = [one for one in scene.of("street") if one.name]
    parts = [(WIDTHS.get(one.kind, 0.8), *longest_straight(metre.transform(line)), one.name)
             for one in streets for line in one.lines if len(line) > 1]
    for _, length, middle, angle, name in sorted(parts, key=lambda part: part[:2], reverse=True):
        if name not in drawn and len(drawn) < MOST_STREETS and names.write(
                name, metre.inverted().transform(middle), room=1.1 * length, apart=4,
                rotation=angle, color=STREET_NAME, fontsize=SMALL - 1):
            drawn.add(name)


def longest_straight(line: np.ndarray) -> tuple[float, np.ndarray, float]:
    """Length, middle and angle (degrees, -90 to 90) of the longest nearly straight part."""
    steps = np.diff(line, axis=0)
    heading = np.arctan2(steps[:, 1], steps[:, 0])
    best, begin = (0.0, line[0], 0.0), 0
    for end in range(1, len(steps) + 1):
        if end < len(steps) and abs((heading[end] - heading[begin] + np.pi) % (2 * np.pi)
                                    - np.pi) < 0.25:
            continue
        chord = line[end] - line[begin]
        length = float(np.hypot(*chord))
        if length > best[0]:
            angle = float(np.degrees(np.arctan2(chord[1], chord[0])))
            best = (length, (line[begin] + line[end]) / 2, (angle + 90) % 180 - 90)
        begin = end
    return best
