#!/usr/bin/python3
"""The picture of a map that `throng check MAP` writes.

    plot_map.py PICTURE.png <MAP

MAP is what the program makes of the map: GeoJSON in metres whose features have the properties role
(ground, obstacle, walkable, wall, area, line, point, fault, street, label), name and kind. Prints one line: the
path of the picture, or why there is none.
"""
import json
import os
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Patch, PathPatch
    from matplotlib.path import Path
except ImportError as missing:
    print(f"none: {missing}. On Debian and Ubuntu: apt-get install python3-matplotlib python3-numpy")
    sys.exit(1)

GROUND, SOLID, EDGE, OUTSIDE = "#ffffff", "#d3cec4", "#a8a196", "#e4e0d8"
STREET = "#e8e2d6"
INK, FAINT, FAULT = "#2b2f36", "#80858d", "#c1121f"
KINDS = {"sea": "#d3e4ec", "water": "#d3e4ec", "locked": "#e7e6dc"}
NAMED = ("#2a78b5", "#c65f1a", "#3d8b3d", "#8552a8", "#a6761d", "#0f8a8a")  # areas, lines, points
SIDE, DPI = 9.0, 150  # inches of the longer side, pixels per inch
NAMES_SHOWN = 60      # more would cover the map


def parts(geometry):
    """Polygons as lists of rings, lines and points of a geometry: three lists of arrays."""
    polygons, lines, points = [], [], []
    kind = geometry["type"]
    for part in geometry.get("geometries", []):
        for mine, others in zip((polygons, lines, points), parts(part)):
            mine.extend(others)
    found = geometry.get("coordinates", [])
    found = found if kind.startswith("Multi") else [found]
    for coordinates in found if kind != "GeometryCollection" else []:
        if not coordinates:
            continue
        if kind.endswith("Polygon"):
            polygons.append([np.array(ring, float)[:, :2] for ring in coordinates])
        elif kind.endswith("LineString"):
            lines.append(np.array(coordinates, float)[:, :2])
        else:
            points.append(np.array(coordinates, float)[:2])
    return polygons, lines, points


def path_of(polygon):
    """One path of all rings of a polygon; holes run the other way."""
    codes = []
    for ring in polygon:
        codes += [Path.MOVETO] + [Path.LINETO] * (len(ring) - 2) + [Path.CLOSEPOLY]
    return Path(np.concatenate(polygon), codes)


def inside(polygon):
    """A point to write a name at: the middle of the polygon's longest stretch at middle height."""
    ring = polygon[0]
    y = (ring[:, 1].min() + ring[:, 1].max()) / 2 + 1e-9
    cuts = sorted(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
                  for r in polygon for a, b in zip(r, r[1:]) if (a[1] > y) != (b[1] > y))
    spans = [(right - left, (left + right) / 2) for left, right in zip(cuts[::2], cuts[1::2])]
    return (max(spans)[1], y) if spans else tuple(ring.mean(axis=0))


class Picture:
    """A figure in metres; each role is drawn in its own way."""

    def __init__(self, data):
        x0, y0, x1, y1 = data.get("bbox", (-10, -10, 10, 10))
        side = max(x1 - x0, y1 - y0, 1e-3)
        room = 0.04 * side
        spare = [max(0.18 * side - length, 0) / 2 for length in (x1 - x0, y1 - y0)]
        self.low = np.array([x0 - room - spare[0], y0 - room - spare[1]])
        self.high = np.array([x1 + room + spare[0], y1 + room + spare[1]])
        width, height = self.high - self.low
        unit = SIDE / max(width, height)
        self.figure, self.axes = plt.subplots(dpi=DPI, figsize=(max(width * unit, 4) + 1.1,
                                                                height * unit + 1.3))
        self.axes.set(xlim=(self.low[0], self.high[0]), ylim=(self.low[1], self.high[1]),
                      xlabel="x (m)", ylabel="y (m)", aspect="equal", facecolor=OUTSIDE)
        self.axes.tick_params(labelsize=7.5, colors=INK, length=2, width=0.5)
        self.axes.ticklabel_format(useOffset=False, style="plain")
        for spine in self.axes.spines.values():
            spine.set(color=EDGE, linewidth=0.6)
        self.colors, self.names, self.legend = {}, 0, {}

    def fill(self, polygon, zorder, **style):
        """A polygon with its holes."""
        patch = PathPatch(path_of(polygon), zorder=zorder, **style)
        self.axes.add_patch(patch)
        return patch

    def color(self, name):
        """One colour for everything of a name."""
        return self.colors.setdefault(name, NAMED[len(self.colors) % len(NAMED)])

    def write(self, name, at, color, above=0):
        """The name of a place, so many points above it, unless there are too many."""
        self.names += 1
        if name and self.names <= NAMES_SHOWN:
            self.axes.annotate(name, at, xytext=(0, above), textcoords="offset points",
                               ha="center", va="center", fontsize=7.5, color=color, zorder=6,
                               annotation_clip=True,
                               bbox={"boxstyle": "round,pad=0.15", "facecolor": "white",
                                     "edgecolor": "none", "alpha": 0.8})

    def draw(self, feature):
        """A feature, by its role."""
        role = feature["properties"].get("role")
        name, kind = feature["properties"].get("name", ""), feature["properties"].get("kind", "")
        polygons, lines, points = parts(feature["geometry"])
        color = self.color(name) if role in ("area", "line", "point") else ""
        for polygon in polygons:
            if role == "ground":
                self.fill(polygon, 1, facecolor=GROUND, edgecolor="none")
                self.legend["walkable"] = Patch(facecolor=GROUND, edgecolor=EDGE, linewidth=0.4)
            elif role == "obstacle":
                patch = self.fill(polygon, 2, facecolor=KINDS.get(kind, SOLID), edgecolor=EDGE,
                                  linewidth=0.4)
                self.legend[kind or "obstacle"] = patch
            elif role == "walkable":
                self.fill(polygon, 2.5, facecolor="none", edgecolor=EDGE, linewidth=0.25)
            else:
                self.fill(polygon, 4, facecolor=color + "30", edgecolor=color, linewidth=1.0)
                self.write(name, inside(polygon), color)
        if role == "street":
            self.axes.add_collection(LineCollection(lines, colors=STREET, linewidths=1.0,
                                                    zorder=1.5))
        elif lines and role == "wall":
            walls = LineCollection(lines, colors=INK, linewidths=0.8, zorder=3)
            self.legend["wall"] = self.axes.add_collection(walls)
        elif lines:
            self.axes.add_collection(LineCollection(lines, colors=color, linewidths=1.6, zorder=5))
            middle = lines[0][len(lines[0]) // 2 - 1:][:2].mean(axis=0)
            self.write(name, middle, color, above=9)
        for x, y in points:
            if role == "label":
                self.write(name, (x, y), FAINT)
                continue
            style = {"marker": "x" if role == "fault" else "o", "color": color or FAULT,
                     "zorder": 7 if role == "fault" else 5}
            dots = self.axes.scatter([x], [y], s=45 if role == "fault" else 22, **style)
            if role == "fault":
                self.legend["invalid polygon"] = dots
            else:
                self.write(name, (x, y), color, above=9)

    def finish(self, data, path):
        """Title, legend and attribution; writes the file."""
        self.axes.set_title(data.get("title", ""), loc="left", fontsize=12, fontweight="bold",
                            color=INK)
        if self.legend:
            self.axes.legend(self.legend.values(), self.legend.keys(), fontsize=7, ncol=8,
                             loc="lower right", bbox_to_anchor=(1, 1), frameon=False,
                             borderaxespad=0.2, handlelength=1.2, columnspacing=1.0)
        credit = data.get("attribution", "").split(" (http")[0].replace("(c)", "©")
        self.figure.text(0.99, 0.008, credit, fontsize=6.5, color=FAINT, ha="right")
        self.figure.tight_layout(rect=(0, 0.015, 1, 1))
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        self.figure.savefig(path)


def main():
    """Draws the map; one line says what came of it."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 0 if "--help" in sys.argv else 1
    try:
        data = json.load(sys.stdin)
        picture = Picture(data)
        for feature in data["features"]:
            if feature["geometry"]:
                picture.draw(feature)
        picture.finish(data, sys.argv[1])
    except (OSError, ValueError) as error:
        print(f"none: {error}")
        return 1
    print(sys.argv[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
