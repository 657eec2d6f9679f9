#!/usr/bin/python3
"""The picture of a map that `throng check MAP` writes.

    plot_map.py PICTURE.png <MAP

MAP is what the program makes of the map: GeoJSON in metres whose features have the properties role
(ground, obstacle, walkable, wall, area, line, point, fault), name and kind. Prints one line: the
path of the picture, or why there is none.
"""
import json
import os
import sys

try:
    import matplotlib
    import numpy as np
    import throng_paths  # noqa: F401 (finds the package)  # pylint: disable=unused-import
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgba
    from throng.errors import Error
    from throng.pictures import style, text_settings
    from throng.pictures.ground import MARK, NAME, fill, write_mark
    from throng.pictures.legend import Items, box_symbol, line_symbol, write
    from throng.pictures.sheet import Sheet, View
    from throng.scene import Feature, Scene
except ImportError as missing:
    print(f"none: {missing}. On Debian and Ubuntu: apt-get install python3-matplotlib python3-numpy")
    sys.exit(1)

matplotlib.rcParams.update(text_settings())
FAULT = "#c1121f"
NAMED = ("area", "line", "point")


def cross(page, x, y):
    """The sign of an invalid polygon, for the legend."""
    write(page, x + 0.15, y, "×", color=FAULT, fontsize=14, ha="center")


def legend_of(scene):
    """What the colours of the ground mean."""
    entries = [(box_symbol(style.GROUND), "walkable")]
    for kind in sorted({one.kind for one in scene.of("obstacle")}):
        entries.append((box_symbol(style.KINDS.get(kind, style.SOLID)), kind or "obstacle"))
    if scene.of("wall"):
        entries.append((line_symbol(style.INK, linewidth=0.9), "wall"))
    if scene.of("street"):
        entries.append((line_symbol(style.STREET, linewidth=1.5), "street"))
    if scene.of("fault"):
        entries.append((cross, "invalid polygon"))
    return Items(("Ground",), entries)


def colors_of(scene):
    """One colour for everything of a name."""
    names = dict.fromkeys(one.name for one in scene.features if one.role in NAMED)
    return {name: style.LINES[i % len(style.LINES)] for i, name in enumerate(names)}


def draw_named(sheet, scene):
    """Areas, lines and points, each name in its colour."""
    colors = colors_of(scene)
    for one in (one for one in scene.features if one.role in NAMED):
        color = colors[one.name]
        fill(sheet.axes, one.polygons, MARK, facecolor=to_rgba(color, 0.18), edgecolor=color,
             linewidth=1.0)
        sheet.axes.add_collection(LineCollection(one.lines, colors=color, linewidths=1.6,
                                                 zorder=MARK))
        sheet.axes.scatter(*np.reshape(one.points, (-1, 2)).T, s=22, color=color, zorder=MARK)
        at = Feature(one.role, one.name, polygons=one.polygons,
                     lines=one.lines + [np.stack([point, point]) for point in one.points])
        write_mark(at, sheet.names, color)
    faults = [point for one in scene.of("fault") for point in one.points]
    sheet.axes.scatter(*np.reshape(faults, (-1, 2)).T, s=45, marker="x", color=FAULT, zorder=NAME)


def draw(data, path):
    """Makes the picture of a map and writes it."""
    scene = Scene.of_json(data)
    x0, y0, x1, y1 = scene.bbox
    counts = [f"{x1 - x0:.0f} m × {y1 - y0:.0f} m"]
    sheet = Sheet(scene, ".", View(axes=True, title=scene.title or "map"), " · ".join(counts),
                  [legend_of(scene)])
    draw_named(sheet, scene)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    sheet.finish().savefig(path)


def main():
    """Draws the map; one line says what came of it."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 0 if "--help" in sys.argv else 1
    try:
        draw(json.load(sys.stdin), sys.argv[1])
    except (Error, OSError, ValueError) as error:
        print(f"none: {error}")
        return 1
    print(sys.argv[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
