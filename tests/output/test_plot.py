"""Does plot.py draw what is there, and say clearly what is wrong? test_plot.py PLOT FOLDER"""
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

try:
    import h5py  # noqa: F401 (what plot.py needs)
    import matplotlib.image
    import numpy as np
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)
from made_up import ORIGIN, check

PLOT, RUNS = sys.argv[1:]
sys.path.insert(0, os.path.dirname(PLOT))
import throng_paths  # noqa: E402,F401 (finds the package)
from throng.__main__ import plot_main  # noqa: E402

WORK = tempfile.mkdtemp()
CORNER = [str(at + half) for half in (-50, 50) for at in ORIGIN]


def started(*words):
    """Starts it: exit code and what it said."""
    done = subprocess.run([sys.executable, PLOT, *words], capture_output=True, text=True,
                          timeout=100)
    return done.returncode, done.stdout + done.stderr


def plot(*words):
    """The same in a copy of this process, which has loaded matplotlib: that takes longer than most
    pictures."""
    with tempfile.TemporaryFile("w+") as said:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
                sys.argv = [PLOT, *words]
                code = plot_main()
            except SystemExit as end:
                code = end.code or 0
            except BaseException:  # pylint: disable=broad-except
                traceback.print_exc()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        return code, said.read()


def picture(*words, by=plot, size=900):
    """The pixels of a picture [rows][columns][3], 0..255. size=None: of the usual size."""
    path = os.path.join(WORK, "picture.png")
    sized = ("--size", str(size)) if size else ()
    code, said = by(*words, *sized, "--output", path)
    check(code == 0 and said.strip() == path, f"{words}: {code}: {said}")
    return (255 * matplotlib.image.imread(path)[..., :3]).round().astype(int)


def share(pixels, color, within=3):
    """Part of the pixels that have about this colour."""
    return np.mean(np.all(abs(pixels - np.array(color)) <= within, axis=2))


def vivid(pixels):
    """Part of the pixels that are neither grey nor pale: people."""
    return np.mean(pixels.max(axis=2) - pixels.min(axis=2) > 60)


def refused(part, *words, code=64):
    """One line that holds this, and this exit code."""
    got, said = plot(*words)
    check(got == code and part in said and said.count("\n") == 1, f"{words}: {got}: {said}")


run = os.path.join(RUNS, "1-1000-3-f32-1")
many = os.path.join(RUNS, "1-700001-1-f64-1")
nobody = os.path.join(RUNS, "2-0-2-f32-1")

usual = picture(run, size=None)
check(max(usual.shape) == 1800, f"size {usual.shape}")
pixels = picture(run)
# Two squares of 100 m, one of them with a hole of 50 m, in a map of about 976 m.
check(0.008 < share(pixels, (0xd8, 0xd4, 0xcc)) < 0.018, "the walls are filled, the hole is not")
check(0.003 < vivid(pixels) < 0.05, f"1000 people are {vivid(pixels):.4f} of the picture")
check(np.array_equal(pixels, picture("people", run)), "without a kind it is people")
check(np.array_equal(pixels, picture(run, by=started)), "the tool itself draws the same")
lines = picture(run, "--trails", "lines", "--snapshot", "first")
check(vivid(lines) > 0.005, f"people stand on their trails: {vivid(lines):.4f}")
check(not np.array_equal(lines, picture(run, "--trails")), "of 1000 people the paths are drawn")
check(not np.array_equal(pixels, picture(run, "--snapshot", "first")), "people move")
zoomed = picture(run, "--snapshot", "20", "--region", *CORNER, size=600)
check(0.1 < share(zoomed, (0xd8, 0xd4, 0xcc)) < 0.3, "a quarter is the corner of a building")
ground, dense = (0xfa, 0xf9, 0xf6), picture(many)
check(share(dense, ground) < 0.3 < share(pixels, ground), "700,000 people are drawn as density")
check(vivid(picture(nobody, "--density", "off")) < 0.02, "a picture without agents is empty")
picture(run, "--density", "on")

copy = os.path.join(WORK, "copy")
shutil.copytree(run, copy)
for words, name in ((("people", copy), "people-middle.png"), ((copy, "--trails"), "trails.png"),
                    ((copy, "--snapshot", "10", "-o", copy + "/some.pdf"), "some.pdf")):
    code, said = plot(*words, "--size", "500")
    check(code == 0 and said.strip() == os.path.join(copy, name), f"{words}: {said}")
    check(os.path.getsize(os.path.join(copy, name)) > 3000, name)

if shutil.which("ffmpeg"):
    film = os.path.join(WORK, "film.mp4")
    for kind in ("on", "off"):
        code, said = plot(run, "--movie", film, "--size", "500", "--density", kind)
        check(code == 0 and os.path.getsize(film) > 3000, f"film: {code}: {said}")
else:
    print("SKIPPED in part: no ffmpeg")

code, said = started("--help")
check(code == 0 and "throng plot difference runs/before runs/after" in said, said)
for kind in ("people", "difference"):
    code, help_text = plot(kind, "--help")
    check(code == 0 and kind in said and "--size" in help_text, f"{kind}: {help_text}")
refused("no such directory", os.path.join(WORK, "missing"))
code, said = started(os.path.join(WORK, "missing"))
check(code == 64 and "no such directory" in said and said.count("\n") == 1, said)
refused(f"1 run is in it: {copy}", WORK)
empty = os.path.join(WORK, "empty")
os.mkdir(empty)
refused("no files of a run", empty)
refused("there is none", run, "--snapshot", "11")
refused("set measure.grid.every in the scenario", "density", run)
refused("set measure.grid.every in the scenario", "density", run, "--movie")
refused("set measure.people: true", "exits", run)
refused("lines.csv", "curves", run, "--tables", "lines")
refused("--region", run, "--region", "1", "1", "0", "0")
refused("--trails", run, "--trails", "--movie")
refused("see --help", "density", run, "--wat")
refused("RUN2", "difference", run)
refused("supported formats", run, "-o", os.path.join(WORK, "picture.doc"))
refused("No such file", run, "-o", os.path.join(WORK, "none/picture.png"), code=74)
broken = os.path.join(WORK, "broken")
os.mkdir(broken)
with open(os.path.join(run, "snapshot-00000000.vtkhdf"), "rb") as whole:
    with open(os.path.join(broken, "snapshot-00000000.vtkhdf"), "wb") as part_of_it:
        part_of_it.write(whole.read()[:9000])
refused("not a snapshot, or damaged", broken, code=65)
shutil.rmtree(WORK)
print("pictures are right")
