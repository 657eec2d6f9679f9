"""Does a command name every Python package that it lacks, at once and before it does anything?"""
import os
import pathlib
import subprocess
import sys
import tempfile

from checkout import ROOT, run_tests

from throng.needs import PACKAGES

HIDE = ("import sys; sys.path[:0] = sys.argv.pop(1).split(':'); "
        "sys.modules.update(dict.fromkeys(sys.argv.pop(1).split(','))); "
        "from throng.__main__ import main; sys.exit(main())")
DRAWN = ("numpy", "h5py", "matplotlib")
COMMANDS = {("export", "run", "--format", "csv", "-o", "made"): ("numpy", "h5py"),
            ("plot", "run", "-o", "made.png"): DRAWN,
            ("view", "run", "-o", "made.html"): DRAWN,
            ("report", "run", "-o", "made.html"): (*DRAWN, "jinja2", "yaml")}
FOLDER = tempfile.TemporaryDirectory()
WORK, MADE_UP = pathlib.Path(FOLDER.name, "work"), pathlib.Path(FOLDER.name, "modules")
(WORK / "run").mkdir(parents=True)
MADE_UP.mkdir()
for module in PACKAGES:  # all of them seem to be installed, whatever this machine has
    (MADE_UP / f"{module}.py").touch()


def without(hidden, words):
    """What a command does where these modules are not installed."""
    paths = f"{MADE_UP}:{ROOT / 'python'}"
    return subprocess.run([sys.executable, "-B", "-c", HIDE, paths, ",".join(hidden), *words],
                          cwd=WORK, capture_output=True, text=True, timeout=60, check=False)


def expect_named(hidden, words, lacking):
    done = without(hidden, words)
    said = done.stderr.replace(",", " ").split()
    assert done.returncode == 64 and done.stderr.count("\n") == 1, (words, done)
    for module, (debian, _) in PACKAGES.items():
        assert said.count(debian) == (module in lacking), (words, hidden, done.stderr)
    assert os.listdir(WORK) == ["run"] and not os.listdir(WORK / "run"), words


def test_all_that_is_missing_is_named_at_once():
    for words, needed in COMMANDS.items():
        expect_named(PACKAGES, words, needed)


def test_only_what_is_missing_is_named():
    words = ("report", "run", "-o", "made.html")
    for one in PACKAGES:
        expect_named((one,), words, (one,))


def test_help_needs_nothing():
    for name in ("export", "report", "view", "sweep"):
        done = without(PACKAGES, (name, "--help"))
        assert done.returncode == 0 and "usage" in done.stdout, done


run_tests(globals())
