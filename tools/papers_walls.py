#!/usr/bin/env python3
"""Writes the walls of three scenes of configs/papers as WKT, in metres:

    tools/papers_walls.py configs/papers

floor.wkt    an office floor: 96 rooms on two corridors, two narrow exits: 212 segments
robots.wkt   26 pentagons on a square of 40 m: 130 segments
stadium.wkt  a bowl of 48 sectors, each with 29 walls behind its rows of seats, and 12 gates:
             1404 walls
"""

import math
import sys
from pathlib import Path


def line(*points):
    return "LINESTRING (" + ", ".join(f"{x:.6g} {y:.6g}" for x, y in points) + ")"


def polygon(points):
    return "POLYGON ((" + ", ".join(f"{x:.2f} {y:.2f}" for x, y in [*points, points[0]]) + "))"


def floor():
    """Rows of rooms 9 m deep, corridors of 4 m between them and one across in the middle."""
    half, width, door, exit_width = 60, 29 / 6, 1.0, 1.6
    # y of the front of a row of rooms, and of the wall behind it
    fronts = ((9, 0), (13, 22), (31, 22), (35, 44))
    for front, back in fronts:
        for side in (-1, 1):
            edges = [side * (2 + k * width) for k in range(13)]
            for x in edges[:-1]:  # the last one is the outer wall
                yield line((x, front), (x, back))
            doors = [x + side * width / 2 for x in edges[:-1]]
            starts = [edges[0], *(x + side * door / 2 for x in doors)]
            ends = [*(x - side * door / 2 for x in doors), edges[-1]]
            for a, b in zip(starts, ends):
                yield line((a, front), (b, front))
    for side in (-1, 1):
        yield line((side * 2, 22), (side * half, 22))
        low, high = 11 - exit_width / 2, 11 + exit_width / 2  # west: lower corridor
        if side > 0:
            low, high = low + 22, high + 22
        yield line((side * half, 0), (side * half, low))
        yield line((side * half, high), (side * half, 44))
        yield line((side * half, low), (side * (half + 1), low))
        yield line((side * half, high), (side * (half + 1), high))
    yield line((-half, 0), (half, 0))
    yield line((-half, 44), (half, 44))


def robots():
    """Pentagons on a lattice, turned and scaled by the golden ratio: neither random nor regular."""
    cells = [(x, y) for y in range(-2, 3) for x in range(-2, 3)] + [(0, 3)]
    for k, (x, y) in enumerate(cells):
        radius = 1.2 + 0.9 * (k * 0.618034 % 1)
        turn = 2 * math.pi * (k * 0.381966 % 1)
        centre = (6.5 * x + 1.5 * math.sin(3 * k), 6.5 * y + 1.5 * math.cos(5 * k) - 3)
        yield polygon([(centre[0] + radius * math.cos(turn + 2 * math.pi * c / 5),
                        centre[1] + radius * math.sin(turn + 2 * math.pi * c / 5))
                       for c in range(5)])


def arc(inner, outer, first, last, pieces):
    """An arc-shaped slab between two radii and two angles, counter-clockwise."""
    angles = [first + (last - first) * k / pieces for k in range(pieces + 1)]
    return polygon([(outer * math.cos(a), outer * math.sin(a)) for a in angles] +
                   [(inner * math.cos(a), inner * math.sin(a)) for a in reversed(angles)])


def stadium():
    sectors, rows, inner, aisle = 48, 29, 70.0, 1.6
    for sector in range(sectors):
        for row in range(rows):
            radius, middle = inner + row, 2 * math.pi * (sector + 0.5) / sectors
            half = math.pi / sectors - aisle / 2 / radius
            yield arc(radius, radius + 0.1, middle - half, middle + half, 2)
    for gate in range(12):  # the outer wall between gates of 4 m
        middle, half = 2 * math.pi * (gate + 0.5) / 12, math.pi / 12 - 2 / 106
        yield arc(106, 106.5, middle - half, middle + half, 6)


def main():
    folder = Path(sys.argv[1])
    for shape in (floor, robots, stadium):
        (folder / f"{shape.__name__}.wkt").write_text("\n".join(shape()) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
