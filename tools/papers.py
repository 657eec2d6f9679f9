#!/usr/bin/env python3
"""Runs the papers' scenes (configs/papers) and prints the table of docs/papers.md.

    tools/papers.py                          all scenes to their end: minutes to hours
    tools/papers.py --steps 200              at most this many steps of each
    tools/papers.py --only snape --method hrvo
    tools/papers.py --list                   the table, without running anything

Steps per second exclude reading the scenario and writing output.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

from throng_paths import OUTPUT, ROOT, program

HEAD = ("scene", "file, overrides", "the paper", "method", "agents", "steps/s", "overlaps/step",
        "deepest overlap, m", "frames to the end")


def circle(count, radius):
    return (f"sources.0.count={count}", f"sources.0.area={{circle: [0, 0, {radius:g}]}}")


def city(each):
    return tuple(f"sources.{k}.count={each}" for k in range(4))


def people(count):
    return (f"sources.0.count={count}",)


# name, file, overrides, what the paper reports
SCENES = [
    ("Circle-1K", "clearpath-circle-1k", (), "> 1000 frames/s on 4 Xeon cores"),
    ("4-Streams", "clearpath-4-streams", (), "lanes, some swirls"),
    ("Back&Forth-80", "clearpath-back-and-forth", (),
     "no collisions; OpenSteer alone: 16 per frame"),
    ("Evac-500", "clearpath-evac", people(500), ""),
    ("Evac-1K", "clearpath-evac", (), "550 frames/s on 4 Xeon cores"),
    ("Evac-5K", "clearpath-evac", people(5000), ""),
    ("Stad-25K", "clearpath-stadium-25k", (), "30-60 frames/s on one Larrabee unit"),
    ("City-10K", "clearpath-city", (), ""),
    ("City-100K", "clearpath-city", city(25000), "30-60 frames/s on 32-64 Larrabee cores"),
    ("City-250K", "clearpath-city", city(62500), "30-60 frames/s on 32-64 Larrabee cores"),
    ("Simple", "bleiweiss-simple", (), "607 frames"),
    ("Car", "bleiweiss-car", (), "228 frames"),
    ("Robots", "bleiweiss-robots", (), "455 frames"),
    ("Circle", "bleiweiss-circle", (), "596 frames"),
    ("Narrow", "bleiweiss-narrow", (), "780 frames"),
    ("Stadium", "bleiweiss-stadium", (), "1116 frames"),
    ("Crosswalk", "bleiweiss-crosswalk", (), "1200 frames"),
    *((f"Evacuation-{n}", "bleiweiss-evacuation", people(n) if n != 500 else (),
       "1200 frames; 18 frames/s on a GTX 280" if n == 10000 else "1200 frames")
      for n in (500, 1000, 5000, 10000, 20000)),
    ("Circle-100", "snape-circle", (), ""),
    *((f"Circle-{n}", "snape-circle", circle(n, 0.8 * n), "") for n in (250, 500, 1000)),
    *((f"Circle-{n}, same circle", "snape-circle", circle(n, 500), "") for n in (100, 250, 500, 1000)),
    ("Moving Obstacle", "snape-moving-obstacle", (), ""),
    ("Blocks", "snape-blocks", (), ""),
    ("Shopf-65K", "shopf-65k", (), "real time on one GPU"),
]


def scene_text(file):
    return (ROOT / "configs/papers" / f"{file}.yaml").read_text(encoding="utf-8")


def number(pattern, text):
    return float(re.search(pattern, text).group(1))


def scene_steps(text):
    """Number of steps that the scenario specifies."""
    return round(number(r"time: {.*\bend: ([\d.]+)", text) / number(r"step: ([\d.]+)", text))


def scene_run(file, overrides, options, folder):
    command = [*options.launch.split(), options.throng, "run", f"configs/papers/{file}.yaml",
               "--quiet", "--output", str(folder), "--set", "output.snapshot_every=0"]
    for override in overrides:
        command += ["--set", override]
    if options.steps:
        command += ["--steps", str(min(options.steps, scene_steps(scene_text(file))))]
    subprocess.run(command, cwd=ROOT, check=True)
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))


def measured(summary):
    steps = summary["steps"]
    busy = sum(s for part, s in summary["seconds"].items() if part != "output")
    done = summary["inside"] == 0
    return [f"{summary['agents']}", f"{steps / busy:.0f}" if busy > 0 else "",
            f"{summary['overlaps'] / steps:.2f}", f"{summary['deepest_overlap_m']:.3f}",
            f"{steps}" if done else f"{summary['inside']} inside after {steps}"]


def row_print(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--throng", default=program())
    parser.add_argument("--launch", default="", help='command in front of throng: "mpirun -n 4"')
    parser.add_argument("--steps", type=int, help="at most this many steps of each scene")
    parser.add_argument("--only", default="", help="scenes whose name or file contains this text")
    parser.add_argument("--method", help="use this method instead of the scene's")
    parser.add_argument("--output", type=Path, default=OUTPUT / "runs/papers")
    parser.add_argument("--list", action="store_true", help="run nothing")
    options = parser.parse_args()
    failed = False
    row_print(HEAD)
    row_print(["---"] * len(HEAD))
    for name, file, overrides, paper in SCENES:
        if options.only.lower() not in f"{name} {file}".lower():
            continue
        method = options.method or re.search(r"method: (\w+)", scene_text(file)).group(1)
        shown = ", ".join(f"`{o}`" for o in (f"{file}.yaml", *overrides))
        cells = [""] * 5
        if not options.list:
            folder = options.output / re.sub(r"\W+", "-", f"{name}-{method}".lower())
            try:
                chosen = (*overrides, f"avoidance.method={method}")
                cells = measured(scene_run(file, chosen, options, folder.resolve()))
            except subprocess.CalledProcessError as error:
                failed = True
                cells = ["", "", "", "", f"exit code {error.returncode}"]
        row_print([name, shown, paper, method, *cells])
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
