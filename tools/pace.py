#!/usr/bin/env python3
"""Compares speed as a function of density with Weidmann 1993. Runs a corridor of 60 x 6 m in which
all agents walk in the same direction, measures its middle third, prints a table and draws
pace.png, in a checkout in docs/images.

  tools/pace.py [--throng BINARY] [--picture FILE] [--set key=value ...]
"""
import argparse
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from throng_paths import PICTURES, program
from throng.files import Snapshot

DENSITIES = [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]  # people/m^2
LENGTH, WIDTH = 60, 6  # m
MIDDLE = (20, 40)  # m
TIMES = (2, 6)  # s

SCENE = """name: pace
seed: 3
world:
  extent: [-2, -1, 200, {top}]
  obstacles:
    - POLYGON ((-2 -1, 200 -1, 200 0, -2 0, -2 -1))
    - POLYGON ((-2 {width}, 200 {width}, 200 {top}, -2 {top}, -2 {width}))
time: {{step: 0.1, end: {end}}}
profiles: [{{name: person, radius: 0.2, speed: 1.34, walking: {{model: none}},
            density: {{model: {model}}}}}]
sources: [{{area: {{rectangle: [0, 0, {length}, {width}]}}, count: {count}, offset: [120, 0]}}]
output: {{snapshot_every: 0.5}}
"""


def weidmann(density):
    """Speed, m/s (Weidmann 1993)."""
    return 1.34 * (1 - math.exp(-1.913 * (1 / density - 1 / 5.4)))


def measured(throng, density, model, options):
    """Mean density and speed in the middle, over TIMES."""
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "pace.yaml"
        scene.write_text(SCENE.format(top=WIDTH + 1, width=WIDTH, end=TIMES[1], model=model,
                                      length=LENGTH, count=round(density * LENGTH * WIDTH)))
        sets = [word for option in options for word in ("--set", option)]
        subprocess.run([throng, "run", scene, "--quiet", "--output", f"{folder}/out", *sets],
                       check=True)
        speeds, people, count = [], 0, 0
        for path in sorted(pathlib.Path(folder, "out").glob("snapshot-*.vtkhdf")):
            snapshot = Snapshot(path, ("velocity",))
            if not TIMES[0] <= snapshot.time <= TIMES[1]:
                continue
            x = snapshot.position[:, 0]
            inside = (x >= MIDDLE[0]) & (x < MIDDLE[1])
            speeds.extend(snapshot.velocity[inside, 0])
            people += inside.sum()
            count += 1
    return people / count / (WIDTH * (MIDDLE[1] - MIDDLE[0])), float(np.mean(speeds))


def draw(picture, curves):
    """Draws the curves {name: [(density, speed)]} and Weidmann's."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(6, 4), dpi=120)
    x = np.linspace(0.2, 5.4, 200)
    axes.plot(x, [weidmann(d) for d in x], color="black", label="Weidmann 1993")
    axes.fill_between(x, [weidmann(d) - 0.2 for d in x], [weidmann(d) + 0.2 for d in x],
                      color="0.9", label="± 0.2 m/s")
    for (name, points), mark in zip(curves.items(), "os"):
        axes.plot(*zip(*points), mark, label=name)
    axes.set(xlabel="people/m²", ylabel="speed, m/s", xlim=(0, 5.4), ylim=(0, 1.6))
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(picture)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throng", default=program())
    parser.add_argument("--picture", default=PICTURES / "pace.png")
    parser.add_argument("--set", action="append", default=[])
    arguments = parser.parse_args()
    curves, worst = {}, 0.0
    print("| placed, /m^2 | measured, /m^2 | speed, m/s | Weidmann, m/s | without, m/s |")
    print("|---|---|---|---|---|")
    for density in DENSITIES:
        with_it = measured(arguments.throng, density, "weidmann", arguments.set)
        without = measured(arguments.throng, density, "none", arguments.set)
        curves.setdefault("density.model: weidmann", []).append(with_it)
        curves.setdefault("none", []).append(without)
        wanted = weidmann(with_it[0])
        worst = max(worst, abs(with_it[1] - wanted))
        print(f"| {density} | {with_it[0]:.2f} | {with_it[1]:.2f} | {wanted:.2f} | {without[1]:.2f} |")
    print(f"\nlargest difference from Weidmann: {worst:.2f} m/s")
    draw(arguments.picture, curves)
    return 0


if __name__ == "__main__":
    sys.exit(main())
