"""One picture of all scenes of docs/validation.md: where people are some time after the start."""

import subprocess
import sys

from matplotlib.image import imread
from pictures import figure_of
from scene import ROOT

# Title, file, time in s, and what is set.
SCENES = [
    ("RiMEA 1, one person, 40 m", "rimea-1", 15, ()),
    ("RiMEA 2 and 3, a stair", "rimea-2", 8, ()),
    ("RiMEA 4, a corridor at 2 /m²", "rimea-4", 12, ("sources.0.density=2",)),
    ("RiMEA 5, reaction times", "rimea-5", 40, ()),
    ("RiMEA 6, a corner", "rimea-6", 9, ()),
    ("RiMEA 7, groups of age", "rimea-7", 12, ()),
    ("RiMEA 9, four exits", "rimea-9", 40, ()),
    ("RiMEA 10, cabins", "rimea-10", 8, ()),
    ("RiMEA 11, live travel times", "rimea-11", 60, ("navigation.live.period=5",)),
    ("RiMEA 12 a, b, d, a bottleneck", "rimea-12a", 30, ()),
    ("RiMEA 12 c, two rooms", "rimea-12", 40, ()),
    ("RiMEA 13 (3.0), a stair behind a corridor", "rimea-13", 30, ()),
    ("RiMEA 13, a stair", "rimea-13-stair", 30, ()),
    ("RiMEA 15, round the corner", "rimea-15", 15, ()),
    ("IMO 4, an exit with a capacity", "imo-4", 30, ()),
    ("IMO 8, counterflow", "imo-8", 25, ()),
    ("NIST 2.9, a group", "nist-group", 12, ()),
    ("NIST 2.10, one slow person", "nist-slow", 8, ()),
    ("NIST 4.1, an exit closes", "nist-exit", 6, ()),
    ("Fundamental diagram, IMO 12", "fundamental", 15, ()),
    ("Bottleneck", "bottleneck", 30, ()),
    ("Wide opening", "opening", 20, ()),
    ("Narrow door", "narrow-door", 20, ()),
    ("Lanes", "lanes", 60, ()),
    ("Two ways, 6 persons/s", "capacity", 40,
     ("sources.up.rate=3", "sources.down.rate=3")),
    ("Crossing", "crossing", 40, ("sources.east.rate=4", "sources.north.rate=4")),
    ("Corner, dense", "turn-dense", 40, ()),
    ("Junction, dense", "junction-dense", 40, ()),
    ("Street", "street", 150, ()),
    ("Old town", "town", 150, ()),
    ("Blocks", "blocks", 150, ()),
    ("Exit of 20 m, from 45 degrees", "exit", 20,
     ("sources.crowd.area={rectangle: [30, 30, 45, 40]}",)),
    ("Square into a street", "square", 50, ()),
    ("Crowd at a door", "door", 60, ()),
    ("Two-way stairs", "stairs", 40, ()),
]


def scene_draw(work, file, time, sets):
    """The PNG of one scene at that time."""
    run = work.run(file, *sets, f"time.end={time}", "output.snapshot_every=0",
                   name=f"scene-{file}")
    picture = run.folder / "scene.png"
    subprocess.run([sys.executable, ROOT / "tools/plot.py", run.folder, "--snapshot", "last",
                    "--size", "640", "--output", picture],
                   check=True, stdout=subprocess.DEVNULL)
    return imread(picture)


def scenes_draw(work, columns=3):
    rows = -(-len(SCENES) // columns)
    figure = figure_of((3.4 * columns, 3.0 * rows))
    for number, (title, file, time, sets) in enumerate(SCENES):
        axes = figure.add_subplot(rows, columns, number + 1)
        axes.imshow(scene_draw(work, file, time, sets))
        axes.set_title(title, fontsize=9)
        axes.axis("off")
    figure.tight_layout()
    figure.savefig(work.picture("scenes"))
