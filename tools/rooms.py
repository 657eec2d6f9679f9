#!/usr/bin/env python3
"""Draws the rooms of src/ and which includes from which, and checks their rules.

A room is a folder of src/ with sources. The rules: the rooms form no circle, no room holds more
than 20 files, and every base name is unique. CMake enforces what a room may include; this tool reads
the includes themselves.

    tools/rooms.py                      says what is wrong; exit code 1 if anything is
    tools/rooms.py --draw rooms.png     draws the rooms by floor, the lowest at the bottom
"""
import argparse
import collections
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "src"
FILES_MAX = 20
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def rooms_read(source):
    """Files by room, and the rooms that each room includes from: {room: {room: [(from, to)]}}."""
    files = [f for f in sorted(source.rglob("*")) if f.suffix in (".c", ".h", ".cu")]
    room_of, wrong = {}, []
    for file in files:
        if file.name in room_of:
            wrong.append(f"{file.relative_to(source)}: another file has this base name")
        room_of[file.name] = file.parent.relative_to(source).as_posix()
    rooms = collections.Counter(room_of.values())
    includes = collections.defaultdict(lambda: collections.defaultdict(list))
    for file in files:
        here = room_of[file.name]
        for name in INCLUDE.findall(file.read_text(encoding="utf-8")):
            there = room_of.get(name, here)
            if there != here:
                includes[here][there].append((file.name, name))
    return rooms, includes, wrong


def circle_find(rooms, includes):
    """The rooms of one circle, in order; empty if there is none."""
    state, path = {}, []

    def visit(room):
        state[room] = "open"
        path.append(room)
        for other in sorted(includes[room]):
            if state.get(other) == "open":
                return path[path.index(other):] + [other]
            if other not in state:
                found = visit(other)
                if found:
                    return found
        state[room] = "done"
        path.pop()
        return []

    for room in sorted(rooms):
        if room not in state:
            found = visit(room)
            if found:
                return found
    return []


def rules_check(rooms, includes, wrong):
    for room, count in sorted(rooms.items()):
        if count > FILES_MAX:
            wrong.append(f"{room}: {count} files; a room holds at most {FILES_MAX}")
    circle = circle_find(rooms, includes)
    for here, there in zip(circle, circle[1:]):
        file, header = includes[here][there][0]
        wrong.append(f"{here}/{file}: includes {header} of {there}, which closes a circle of rooms")
    return wrong


def floors_of(rooms, includes):
    """The floor of a room is one above the highest that it includes from."""
    floors = {}

    def floor(room):
        if room not in floors:
            floors[room] = 1 + max((floor(other) for other in includes[room]), default=-1)
        return floors[room]

    for room in rooms:
        floor(room)
    return floors


def needed_only(includes):
    """Without the arrows that follow from longer paths."""
    def reaches(start, end, first):
        stack = [r for r in includes[start] if (start, r) != first]
        seen = set()
        while stack:
            room = stack.pop()
            if room == end:
                return True
            if room not in seen:
                seen.add(room)
                stack.extend(includes[room])
        return False

    return [(a, b) for a in list(includes) for b in includes[a] if not reaches(a, b, (a, b))]


def draw(rooms, includes, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    colours = {"core": "#cfe3f5", "scenario": "#d9efd3", "mpi": "#fbe3c0", "gpu": "#e7d8f0"}
    floors = floors_of(rooms, includes)
    arrows = needed_only(includes)
    levels = collections.defaultdict(list)
    for room in sorted(rooms):
        levels[floors[room]].append(room)
    # Each top room has columns of its own, so that its rooms stand above each other.
    groups = ["gpu", "core", "mpi", "scenario"]
    top_of = {room: room.split("/")[0] for room in rooms}
    group_of = {room: top if top in groups else "" for room, top in top_of.items()}  # "": middle
    widths = {g: max((sum(group_of[r] == g for r in row) for row in levels.values()), default=1)
              for g in groups}
    left = {g: sum(widths[other] for other in groups[:k]) for k, g in enumerate(groups)}
    width = sum(widths.values())
    place = {}
    for level in sorted(levels):
        def middle(room):
            below = [place[b][0] for a, b in arrows if a == room and b in place]
            return sum(below) / len(below) if below else 0
        for group in set(group_of[room] for room in levels[level]):
            row = sorted((r for r in levels[level] if group_of[r] == group), key=middle)
            for k, room in enumerate(row):
                x = k - (len(row) - 1) / 2  # side by side
                if group:
                    x = left[group] + widths[group] * (k + 0.5) / len(row) - width / 2
                place[room] = (x, level)
    figure, axes = plt.subplots(figsize=(2.0 * width, 0.95 * len(levels)))
    for a, b in arrows:
        axes.annotate("", xy=(place[b][0], place[b][1] + 0.22), xytext=(place[a][0], place[a][1] - 0.22),
                      arrowprops={"arrowstyle": "-|>", "color": "#8a8f98", "lw": 0.9,
                                  "shrinkA": 0, "shrinkB": 0})
    for room, (x, y) in place.items():
        colour = colours.get(room.split("/")[0], "#eceff3")
        name = "main.c" if room == "." else room
        axes.text(x, y, f"{name}\n{rooms[room]} file{'s' if rooms[room] > 1 else ''}", ha="center",
                  va="center", fontsize=8, zorder=3, linespacing=1.3,
                  bbox={"boxstyle": "round,pad=0.35", "facecolor": colour, "edgecolor": "#5b6470"})
    axes.set_xlim(-width / 2 - 0.1, width / 2 + 0.1)
    axes.set_ylim(-0.6, max(levels) + 0.6)
    axes.axis("off")
    figure.savefig(path, dpi=110, bbox_inches="tight")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--source", type=pathlib.Path, default=SOURCE, help="the folder src")
    parser.add_argument("--draw", metavar="PNG", help="draw the rooms into this file")
    arguments = parser.parse_args()
    rooms, includes, wrong = rooms_read(arguments.source)
    wrong = rules_check(rooms, includes, wrong)
    for line in wrong:
        print(line, file=sys.stderr)
    count = sum(len(others) for others in includes.values())
    print(f"{len(rooms)} rooms, {sum(rooms.values())} files, {count} arrows, {len(wrong)} violations")
    if arguments.draw and not wrong:
        draw(rooms, includes, arguments.draw)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
