"""Does ParaView show the run, with the script of throng export? test_paraview.py RUNS PVPYTHON"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from checkout import refused, run_tests

import throng
from throng.scene import Scene, area
from throng.trajectory import Selection

if not shutil.which(sys.argv[2]):
    print("SKIPPED: no pvpython (Debian: python3-paraview)")
    sys.exit(77)
try:
    from matplotlib.image import imread
except ImportError as missing:
    print(f"SKIPPED: {missing} (Debian: python3-matplotlib)")
    sys.exit(77)

RUN = throng.open(pathlib.Path(sys.argv[1]) / "compact")
WORK = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(WORK.name)
SCRIPT, PICTURE, STATE = FOLDER / "views/hall.py", FOLDER / "hall.png", FOLDER / "hall.pvsm"
TIMES = (0.0, 5.0, 12.5, 20.0)
PROBE = """
import json, sys
script, picture, state, times = sys.argv[1:5]
sys.argv = [script, "--picture", picture, "--time", "5", "--top", "--size", "900,600", "--state",
            state]
names = {"__name__": "__main__", "__file__": script}
exec(compile(open(script).read(), script, "exec"), names)
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy
found = {"times": []}
def fetched(name, time=0):
    source = simple.FindSource(name)
    source.UpdatePipeline(time)
    return servermanager.Fetch(source)
for time in json.loads(times):
    people, cells = fetched("people", time), fetched("cells with people", time)
    data = people.GetPointData()
    row = {name: vtk_to_numpy(data.GetArray(name)).tolist() for name in ("id", "speed", "size",
                                                                         "turn")}
    row["points"] = vtk_to_numpy(people.GetPoints().GetData()).tolist()
    row["density"] = vtk_to_numpy(cells.GetCellData().GetArray("density")).tolist()
    row["cells"] = cells.GetBounds()
    found["times"].append(row)
for name in ("ground", "buildings", "walls", "destinations"):
    data = fetched(name)
    top, low = 0.0, data.GetBounds()[5] - 1e-3
    for i in range(data.GetNumberOfCells()):
        cell = data.GetCell(i)
        if cell.GetCellDimension() == 2 and cell.GetBounds()[4] > low:
            top += cell.ComputeArea()
    found[name] = {"bounds": data.GetBounds(), "top": top}
print("FOUND" + json.dumps(found))
"""


def looked(arguments):
    """Runs pvpython; it needs a screen if it was built without EGL and OSMesa, as Debian's."""
    words = [sys.argv[2], "--force-offscreen-rendering", *map(str, arguments)]
    environment, screen = dict(os.environ), None
    if shutil.which("Xvfb"):
        # Without -noreset the server restarts when ParaView closes its first connection.
        ready, write = os.pipe()
        screen = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1024x24",
                                   "-nolisten", "tcp", "-noreset"], pass_fds=[write],
                                  stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(ready) as answer:
            environment["DISPLAY"] = f":{answer.readline().strip()}"
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=240, check=False,
                              env=environment)
    finally:
        if screen:
            screen.terminate()
            screen.wait()


def look():
    """What ParaView finds in the view."""
    SCRIPT.parent.mkdir()
    assert RUN.export(SCRIPT, "paraview", height=4.0) == 41
    (FOLDER / "probe.py").write_text(PROBE)
    done = looked([FOLDER / "probe.py", SCRIPT, PICTURE, STATE, json.dumps(TIMES)])
    if done.returncode and not PICTURE.exists() and not shutil.which("Xvfb"):
        print("SKIPPED: this ParaView cannot draw without a screen (Debian: xvfb)")
        sys.exit(77)
    line = [line for line in done.stdout.splitlines() if line.startswith("FOUND")]
    assert done.returncode == 0 and line, done.stdout[-2000:] + done.stderr[-2000:]
    return json.loads(line[0][5:])


FOUND = look()
ORIGIN = np.array(RUN.snapshot(0).origin)


def test_people():
    """Of every moment: the snapshot's, as wide as they are, looking where they walk."""
    counts = []
    for time, row in zip(TIMES, FOUND["times"]):
        snapshot = RUN.snapshot(round(time * 10))
        order, expected = np.argsort(row["id"]), np.argsort(snapshot.id)
        counts.append(len(order))
        assert np.array_equal(np.array(row["id"])[order], snapshot.id[expected])
        assert np.allclose(np.array(row["points"])[order][:, :2] + ORIGIN,
                           snapshot.position[expected], atol=1e-6)
        assert np.allclose(np.array(row["size"])[order], np.c_[
            snapshot.radius, snapshot.radius, np.ones(snapshot.count)][expected])
        moving = snapshot.speed[expected] > 0
        turn = np.radians(np.array(row["turn"])[order][moving, 2])
        speed = snapshot.speed[expected][moving]
        assert np.allclose(np.c_[np.cos(turn), np.sin(turn)] * speed[:, None],
                           snapshot.velocity[expected][moving, :2], atol=1e-5)
    assert len(set(counts)) > 2 and min(counts) > 0


def test_density():
    """The cells of the interval around each moment, at their place."""
    for time, row in zip(TIMES, FOUND["times"]):
        field = RUN.density(100 if time < 10 else 200)
        assert np.allclose(sorted(row["density"]), np.sort(field.density[field.density > 0]))
        y, x = np.nonzero(field.density)
        low = field.corner + field.cell * np.array([x.min(), y.min()]) - ORIGIN
        high = field.corner + field.cell * np.array([x.max() + 1, y.max() + 1]) - ORIGIN
        assert np.allclose(row["cells"][:4], [low[0], high[0], low[1], high[1]])


def test_walls_are_solid():
    """Their roof has the area of the obstacles, and walls that are lines stand upright."""
    scene = Scene(RUN.folder)
    ground = sum(area(ring) for one in scene.of("obstacle") for rings in one.polygons
                 for ring in rings)
    buildings, walls = FOUND["buildings"], FOUND["walls"]
    assert ground == 40 and abs(buildings["top"] - ground) < 1e-3
    x, y = ORIGIN
    assert np.allclose(buildings["bounds"], [1010 - x, 1014 - x, -1995 - y, -1985 - y, 0, 4])
    assert np.allclose(walls["bounds"], [1025 - x, 1025 - x, -2000 - y, -1992 - y, 0, 4])
    box = FOUND["ground"]["bounds"]
    assert np.allclose(box[:4], np.array(scene.bbox)[[0, 2, 1, 3]] - [x, x, y, y])


def test_picture():
    """Seen from above, the roof covers as much of the ground as it should, and there are people."""
    image = imread(PICTURE)[:, :, :3]
    assert image.shape == (600, 900, 3)
    grey = (np.ptp(image, axis=2) < .08) & (image.max(axis=2) > .4) & (image.max(axis=2) < .65)
    earth = (image[:, :, 0] - image[:, :, 2] > .02) & (image[:, :, 0] > .8)
    share = grey.sum() / (grey | earth).sum()
    assert .05 < share < .10, share
    # Speeds are coloured from violet to yellow; nothing else of the picture is that saturated.
    people = np.ptp(image[60:-60, :700], axis=2) > .35
    assert people.sum() > 500, people.sum()


def test_state():
    text = STATE.read_text()
    assert "snapshots.xdmf" in text and "ProgrammableSource" in text


def test_relative_paths():
    """The run and the view may move together."""
    words = SCRIPT.read_text()
    line = next(line for line in words.splitlines() if line.startswith("RUN = "))
    run = eval(line[6:])  # pylint: disable=eval-used
    assert all(not os.path.isabs(run[name]) for name in ("series", "map", "density"))
    assert os.path.samefile(SCRIPT.parent / run["series"], RUN.path("snapshots.xdmf"))
    series = (SCRIPT.parent / run["density"]).read_text()
    assert str(FOLDER) not in series and series.count("density-00000100.vtkhdf") == 2


def test_errors():
    for act, part, code in (
            (lambda: RUN.export(SCRIPT, "paraview", height=-1.0), "--height", 64),
            (lambda: RUN.export(SCRIPT, "paraview", Selection(ids=[1])), "no option --ids", 64),
            (lambda: RUN.export("/nowhere/a.py", "paraview"), "cannot be written", 74)):
        refused(act, part, code)


run_tests(globals())
WORK.cleanup()
