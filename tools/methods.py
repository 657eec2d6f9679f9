#!/usr/bin/python3
"""Runs configs/methods.yaml with each avoidance method; makes pictures and table of docs/models.md.

    tools/methods.py                                  table of 10 seeds; pictures of the first seed
    tools/methods.py --no-pictures --set avoidance.max_acceleration=2

The table has the time of the last arrival, the overlaps (pairs, summed over the steps), and the
depth of the deepest overlap.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

try:
    from PIL import Image
except ImportError as missing:
    sys.exit(f"methods.py: {missing}. On Debian and Ubuntu: apt-get install python3-pil "
             "python3-matplotlib, then run this script with /usr/bin/python3")
from throng_paths import OUTPUT, PICTURES, ROOT, program

SCENE = "configs/methods.yaml"
STEERING = ("avoidance.method=none", "avoidance.steering.separation=1",
            "avoidance.steering.separation_distance=1", "avoidance.steering.unaligned=1")

# file, title, overrides
METHODS = [
    ("none", "none", ("avoidance.method=none",)),
    ("orca", "orca", ("avoidance.method=orca",)),
    ("clearpath-relaxed", "clearpath, relaxed", ("avoidance.method=clearpath",)),
    ("clearpath-guaranteed", "clearpath, guaranteed",
     ("avoidance.method=clearpath", "avoidance.clearpath.variant=guaranteed")),
    ("rvo", "rvo", ("avoidance.method=rvo",)),
    ("hrvo", "hrvo", ("avoidance.method=hrvo",)),
    ("directional", "directional", ("avoidance.method=directional",)),
    ("steering", "steering alone", STEERING),
]
HEAD = ("method", "last arrival, s", "overlaps", "deepest, m")


def scene_run(folder, overrides, options):
    """Runs the scene and returns its summary; replaces an earlier run in the folder."""
    command = [options.throng, "run", SCENE, "--quiet", "--output", str(folder)]
    for override in overrides:
        command += ["--set", override]
    subprocess.run(command, cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))


def draw(folder, picture):
    """Agents nine seconds after the start, on the paths of all agents; 192 colours suffice."""
    command = [sys.executable, ROOT / "tools/plot.py", folder, "--trails", "lines", "--snapshot", "90",
               "--axes", "--region", "-13", "-13", "13", "13", "--size", "800", "--output", picture]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with Image.open(picture) as drawn:
        small = drawn.convert("RGB").quantize(192, dither=Image.Dither.NONE)
    small.save(picture, optimize=True)
    print(f"{os.path.relpath(picture)}: {picture.stat().st_size / 1000:.0f} kB", file=sys.stderr)


def spread(values, form):
    """Median (minimum to maximum)."""
    middle, low, high = statistics.median(values), min(values), max(values)
    return f"{middle:{form}} ({low:{form}} to {high:{form}})"


def row(title, summaries):
    """One row of the table."""
    late = [s for s in summaries if s["inside"]]
    times = [s["time_s"] for s in summaries]
    end = spread(times, ".1f") + (f", {len(late)} unfinished" if late else "")
    return [title, end, spread([s["overlaps"] for s in summaries], ".0f"),
            spread([s["deepest_overlap_m"] for s in summaries], ".2f")]


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--throng", default=program())
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--output", type=Path, default=OUTPUT / "runs/methods")
    parser.add_argument("--pictures", type=Path, default=PICTURES)
    parser.add_argument("--no-pictures", action="store_true")
    return parser.parse_args()


def main():
    """Runs every method with every seed."""
    options = arguments()
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|", flush=True)
    for name, title, overrides in METHODS:
        folder = options.output.resolve() / name
        folder.mkdir(parents=True, exist_ok=True)
        chosen = (*overrides, *options.set, f"name={title}")
        first = scene_run(folder / "seed-1", chosen, options)
        if not options.no_pictures:
            draw(folder / "seed-1", options.pictures / f"method-{name}.png")
        summaries = [first]
        for seed in range(2, options.seeds + 1):
            other = (*chosen, f"seed={seed}", "output.snapshot_every=0")
            summaries.append(scene_run(folder / "others", other, options))
        print("| " + " | ".join(row(title, summaries)) + " |", flush=True)


if __name__ == "__main__":
    main()
