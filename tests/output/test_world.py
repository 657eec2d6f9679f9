"""Do pictures of real runs and the player show water, courtyards and doors as such, in either form
of `world`? test_world.py THRONG PLOT FOLDER"""
import base64
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import zlib

try:
    import h5py  # noqa: F401 (what plot.py needs)
    import matplotlib.image
    import numpy as np
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)
from made_up import check

THRONG, PLOT, FOLDER = sys.argv[1:]
SIZE = (60, 40)  # m
FORMS = {"line": "world: {geometry: town.geojson, margin: 0}",
         "block": "world:\n  geometry: town.geojson\n  margin: 0"}
SCENARIO = """
name: town
time: {step: 0.1, end: 6}
doors: [{name: gate, line: [[30, 12], [30, 28]]}]
sources: [{name: square, area: {rectangle: [5, 5, 15, 12]}, count: 20, goal: [50, 8]}]
measure: {grid: {cell: 1, every: 2, sample: 1}}
output: {snapshot_every: 2, series_every: 2}
"""
KINDS = ("people", "density", "flow")
# What is where (m), and its colour.
PLACES = {"building": ((45, 30), (0xd8, 0xd4, 0xcc)), "courtyard": ((10, 30), (0xe7, 0xe6, 0xdc)),
          "water": ((21, 25), (0xd3, 0xe4, 0xec)), "sea": ((57, 5), (0xd3, 0xe4, 0xec)),
          "door": ((30, 20), (0x9a, 0x4d, 0x00)), "ground": ((40, 15), (0xfa, 0xf9, 0xf6))}


def box(x0, y0, x1, y1):
    """A ring."""
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]]


def write_town():
    """A map in metres whose outermost wall is no edge of the world."""
    solids = {"building": box(36, 24, 52, 36), "locked": box(6, 26, 14, 34),
              "water": box(18, 22, 24, 28), "sea": box(54, 0, 60, 10)}
    features = [{"type": "Feature", "properties": {"kind": kind},
                 "geometry": {"type": "Polygon", "coordinates": [ring]}}
                for kind, ring in solids.items()]
    (FOLDER / "town.geojson").write_text(json.dumps({
        "type": "FeatureCollection", "throng:projection": "metres", "bbox": [0, 0, *SIZE],
        "features": features}), encoding="utf-8")


def picture_of(kind, run):
    """The pixels of the map alone [rows][columns][3], 0 to 255: what its frame encloses."""
    path = FOLDER / "town.png"
    done = subprocess.run([sys.executable, PLOT, kind, run, "--show", "doors", "--size", "1200",
                           "-o", path], capture_output=True, text=True, timeout=100)
    check(done.returncode == 0, done.stderr)
    image = (255 * matplotlib.image.imread(path)[..., :3]).round().astype(int)
    frame = np.all(abs(image - (0xb5, 0xaf, 0xa4)) < 12, axis=2)
    rows, columns = (np.flatnonzero(frame.sum(axis=axis) > 0.6 * frame.sum(axis=axis).max())
                     for axis in (1, 0))
    return image[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1]


def check_picture(said, image):
    """Every place has its colour."""
    ratio = image.shape[1] / image.shape[0]
    check(abs(ratio - SIZE[0] / SIZE[1]) < 0.02, f"{said}: the world is 60 m x 40 m: {image.shape}")
    for name, ((x, y), color) in PLACES.items():
        row = round((1 - y / SIZE[1]) * (image.shape[0] - 1))
        column = round(x / SIZE[0] * (image.shape[1] - 1))
        near = image[row - 2:row + 3, column - 2:column + 3].reshape(-1, 3)
        reach = near if name == "door" else near[12:13]  # a line is a few pixels wide
        apart = abs(reach - np.array(color)).max(axis=1).min()
        check(apart <= 3, f"{said}: {name}: {reach[0]} instead of {color}")


def map_of_report(run):
    """The features of the map in a report's player: [(role, kind, lines or rings in m)]."""
    path = FOLDER / "town.html"
    tool = pathlib.Path(PLOT).with_name("report.py")
    done = subprocess.run([sys.executable, tool, run, "-o", path], capture_output=True, text=True,
                          timeout=100)
    check(done.returncode == 0, done.stderr)
    packed = re.search(r'data-part="map">([^<]*)<', path.read_text(encoding="utf-8"))[1]
    data = json.loads(zlib.decompress(base64.b64decode(packed)))
    def unpacked(steps):  # x, y of the first point, then differences
        return np.cumsum(np.reshape(steps, (-1, 2)), axis=0) * data["quantum"] + data["corner"]
    return [(one["role"], one.get("kind", ""), [unpacked(line) for line in one.get("lines", [])
             + [ring for rings in one.get("polygons", []) for ring in rings]])
            for one in data["features"]]


def holds(ring, x, y):
    """Is this point in a ring?"""
    ends = zip(ring, np.roll(ring, -1, axis=0))
    return sum((a[1] > y) != (b[1] > y) and x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
               for a, b in ends) % 2 == 1


def check_report(said, features):
    """The player has every solid with its kind where it is, nothing on the ground, and the door."""
    kinds = {"building": "building", "courtyard": "locked", "water": "water", "sea": "sea",
             "ground": None, "door": None}
    for name, wanted in kinds.items():
        x, y = np.add(PLACES[name][0], (0.01, 0.01))
        found = [kind for role, kind, rings in features if role == "obstacle"
                 and sum(holds(ring, x, y) for ring in rings) % 2]
        check(found[-1:] == ([wanted] if wanted else []), f"{said}: {name}: {found}")
    doors = [lines for role, _, lines in features if role == "door"]
    check(len(doors) == 1 and np.allclose(doors[0][0], [(30, 12), (30, 28)], atol=0.05),
          f"{said}: {doors}")


FOLDER = pathlib.Path(FOLDER)
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
write_town()
pictures = {}
for form, text in FORMS.items():
    (FOLDER / f"{form}.yaml").write_text(text + SCENARIO, encoding="utf-8")
    subprocess.run([THRONG, "run", FOLDER / f"{form}.yaml", "--quiet", "--threads", "1", "--output",
                    FOLDER / form], check=True, timeout=60)
    moved = FOLDER / "elsewhere" / form   # a run's folder alone is enough
    shutil.move(FOLDER / form, moved)
    for kind in KINDS:
        pictures[form, kind] = picture_of(kind, moved)
        check_picture(f"{form}: {kind}", pictures[form, kind])
    if importlib.util.find_spec("jinja2"):
        check_report(f"{form}: report", map_of_report(moved))
for kind in KINDS:
    check(np.array_equal(*(pictures[form, kind] for form in FORMS)), "both forms give one picture")
print("the world is drawn as it is")
