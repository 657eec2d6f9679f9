#!/usr/bin/env python3
"""A run's folder from somebody else: links, pipes, and HDF5 files that refer to others.

    tests/output/test_foreign.py THRONG FOLDER [LAUNCHER...]

No file outside the folder is changed or read, nothing hangs, and each refusal is a line with an
exit code of 64, 65 or 74.
"""

import os
import pathlib
import shutil
import subprocess
import sys

import h5py
import numpy as np
from launching import ENVIRONMENT, FOLDER, THRONG, new_folder, start

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 60  # s; a command of the package takes a second
SECRET = "the secret of this user\n"
SCENARIO = """world: {extent: [-20, -20, 20, 20]}
sources: [{area: {rectangle: [-15, -15, -5, 15]}, count: 20, goal: [15, 0]}]
time: {end: 4}
measure: {people: true, grid: {cell: 5, every: 1}}
output: {series_every: 0.2, snapshot_every: 1, checkpoint_every: 1, trajectory: {every: 0.5}}
"""
VICTIM = FOLDER.absolute() / "victim"


def throng(*words, ranks=0):
    """(exit code, what is said)"""
    job = start(*map(str, words), "-t", "1", ranks=ranks)
    out, said = job.communicate()
    assert "secret" not in out + said, out + said
    return job.returncode, out + said


def package(*words):
    """The same of the Python package."""
    done = subprocess.run([sys.executable, "-m", "throng", *map(str, words)], cwd=FOLDER,
                          env={**ENVIRONMENT, "PYTHONPATH": str(ROOT / "python"),
                               "THRONG_PROGRAM": str(THRONG)},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=LIMIT, check=False, text=True)
    assert "secret" not in done.stdout, done.stdout
    return done.returncode, done.stdout


def run_to(folder, *options, ranks=0):
    return throng("run", "hall.yaml", "-q", "-o", folder, *options, ranks=ranks)


def expect(found, codes, words=""):
    code, said = found
    assert code in codes, (code, said)
    assert not code or "throng: " in said or ": " in said, said
    assert words in said, (words, said)


def checksum(folder):
    text = (FOLDER / folder / "summary.json").read_text(encoding="utf-8")
    return text.partition('"checksum": ')[2][:20]


def part():
    """The folder of a run that is not over, with a fresh victim beside it."""
    shutil.rmtree(FOLDER / "d", ignore_errors=True)
    shutil.copytree(FOLDER / "part", FOLDER / "d", symlinks=True)
    VICTIM.write_text(SECRET, encoding="utf-8")
    return FOLDER / "d"


def put(folder, name, kind):
    path = folder / name
    if path.exists():
        (shutil.rmtree if path.is_dir() else os.remove)(path)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(VICTIM)
    elif kind == "hard link":
        os.link(VICTIM, path)
    elif kind == "device":
        path.symlink_to("/dev/full")


# Files that a run makes anew, whatever has their name; those it changes, and only if they are its
# own; those that it reads.
MADE = ("snapshots.xdmf.tmp", "map.geojson.tmp", "walls.vtkhdf.tmp", "totals.vtkhdf.tmp",
        "checkpoint-00000030.h5.tmp", "snapshot-00000040.vtkhdf.tmp", "summary.json",
        "snapshots.xdmf", "map.geojson", "walls.vtkhdf", "density-00000030.vtkhdf.tmp")
CHANGED = ("series.csv", "log.jsonl", "people.csv", "trajectory.h5")
KINDS = ("link", "hard link", "pipe", "device")


def restarts():
    """--restart auto."""
    whole = checksum("whole")
    for number, name in enumerate((*MADE, *CHANGED)):
        for kind in KINDS if name in CHANGED else ("link", KINDS[1 + number % 3]):
            folder = part()
            put(folder, name, kind)
            found = run_to("d", "--restart", "auto", ranks=2 * (number % 4 == 1))
            if name in CHANGED:
                expect(found, (65, 74), name)
            else:
                expect(found, (0,))
                assert checksum("d") == whole, name
            assert VICTIM.read_text(encoding="utf-8") == SECRET, (name, kind)
            assert not list(folder.glob("*.tmp")), (name, kind)


def checkpoints():
    """A checkpoint that is no regular file is passed over."""
    for kind in ("pipe", "device"):
        folder = part()
        put(folder, "checkpoint-00000099.h5", kind)
        expect(run_to("d", "--restart", "auto"), (0,), "not a regular file")
        assert checksum("d") == checksum("whole")


def beginnings():
    """A new run in the folder: what is there is moved aside or replaced."""
    for name in ("series.csv", "summary.json", "log.jsonl", "trajectory.h5", "people.csv"):
        for kind in KINDS:
            folder = FOLDER / "fresh"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            VICTIM.write_text(SECRET, encoding="utf-8")
            put(folder, name, kind)
            expect(run_to("fresh"), (0,))
            assert checksum("fresh") == checksum("whole")
            assert VICTIM.read_text(encoding="utf-8") == SECRET, (name, kind)
    folder, other = part(), FOLDER / "other"
    shutil.rmtree(other, ignore_errors=True)
    shutil.copytree(FOLDER / "whole", other)
    (folder / "previous").symlink_to(other.absolute())
    expect(run_to("d"), (74,), "previous: it is a symbolic link")
    assert checksum("other") == checksum("whole")


def locks():
    """A link of the name of the lock is nobody's."""
    for kind in KINDS:
        folder = part()
        put(folder, "lock", kind)
        os.utime(folder / "lock", (0, 0), follow_symlinks=False)
        expect(run_to("d", "--restart", "auto"), (0,), "takes over")
        assert VICTIM.read_text(encoding="utf-8") == SECRET, kind


def replays():
    folder = part()
    shutil.copytree(FOLDER / "whole", folder, dirs_exist_ok=True)
    (folder / "replay-1-2").symlink_to(FOLDER.absolute())
    expect(throng("replay", "d", "--from", 1, "--to", 2), (64,), "is a symbolic link")


def pipes():
    """What only reads says that a pipe is none of its files."""
    for name in ("trajectory.h5", "series.csv", "summary.json", "snapshot-00000010.vtkhdf",
                 "map.geojson", "walls.vtkhdf", "density-00000010.vtkhdf", "people.csv"):
        folder = part()
        shutil.copytree(FOLDER / "whole", folder, dirs_exist_ok=True)
        put(folder, name, "pipe")
        expect(throng("info", f"d/{name}"), (64, 65, 74), "regular file")
        expect(throng("status", "d"), (0, 64, 65, 74))
        expect(package("export", "d", "--format", "csv", "-o", "d/x.csv"), (0, 65))
        if name in ("trajectory.h5", "map.geojson"):
            expect(package("view", "d", "-o", "d/x.html"), (0, 65))
    folder = part()
    shutil.copytree(FOLDER / "whole", folder, dirs_exist_ok=True)
    put(folder, "snapshot-00000020.vtkhdf", "pipe")
    put(folder, "series.csv", "pipe")
    expect(package("plot", "people", "d", "-o", "x.png"), (65,), "regular file")
    found = package("report", "d", "-o", "x.html")
    expect(found, (64, 65), "jinja2" if found[0] == 64 else "regular file")
    folder = part()
    put(folder, "checkpoint-00000010.h5", "pipe")
    expect(throng("info", "d/checkpoint-00000010.h5"), (65,), "regular file")


def outputs():
    """Where the package writes into the folder."""
    for name, words in (("x.csv.tmp", ("export", "d", "--format", "csv", "-o", "d/x.csv")),
                        ("x.db.tmp", ("export", "d", "--format", "sqlite", "-o", "d/x.db")),
                        ("view.html", ("view", "d"))):
        folder = part()
        shutil.copytree(FOLDER / "whole", folder, dirs_exist_ok=True)
        put(folder, name, "link")
        expect(package(*words), (0,))
        assert VICTIM.read_text(encoding="utf-8") == SECRET, name


def external_storage(file, name, values):
    file.create_dataset(name, values.shape, values.dtype,
                        external=[(str(VICTIM), 0, h5py.h5f.UNLIMITED)])


def external_link(file, name, values):
    with h5py.File(FOLDER / "other.h5", "w") as other:
        other["values"] = values
    file[name] = h5py.ExternalLink(str(FOLDER.absolute() / "other.h5"), "values")


def virtual_dataset(file, name, values):
    with h5py.File(FOLDER / "other.h5", "w") as other:
        other["values"] = values
    layout = h5py.VirtualLayout(values.shape, values.dtype)
    layout[...] = h5py.VirtualSource(str(FOLDER.absolute() / "other.h5"), "values", values.shape)
    file.create_virtual_dataset(name, layout)


HDF5 = (("snapshot-00000040.vtkhdf", "VTKHDF/Points", ("export", "d", "--format", "paraview",
                                                       "-o", "x.py")),
        ("trajectory.h5", "trajectory/x", ("export", "d", "--format", "csv", "-o", "x.csv")),
        ("trajectory.h5", "frames/step", ("view", "d", "-o", "x.html")),
        ("snapshot-00000020.vtkhdf", "VTKHDF/Points", ("plot", "people", "d", "-o", "x.png")),
        ("totals.vtkhdf", "VTKHDF/CellData/density", ("plot", "density", "d", "-o", "x.png")),
        ("density-00000040.vtkhdf", "VTKHDF/CellData/density",
         ("plot", "density", "d", "--what", "moment", "--snapshot", "last", "-o",
          "x.png")))


def references():
    """HDF5 files that bring the bytes of others."""
    for name, dataset, words in HDF5:
        for refer in (external_storage, external_link, virtual_dataset):
            folder = part()
            shutil.copytree(FOLDER / "whole", folder, dirs_exist_ok=True)
            with h5py.File(folder / name, "a") as file:
                values = file[dataset][...]
                del file[dataset]
                refer(file, dataset, values)
            VICTIM.write_bytes(np.zeros(values.shape, values.dtype).tobytes() + SECRET.encode())
            before = VICTIM.read_bytes()
            expect(throng("info", f"d/{name}"), (65,), "another file"
                   if refer is not virtual_dataset else "virtual")
            expect(package(*words), (65,), "refers to another file")
            if name == "trajectory.h5":  # a run that goes on writes into it
                os.remove(folder / "checkpoint-00000040.h5")
                expect(run_to("d", "--restart", "auto"), (0, 65, 74))  # 0: its checkpoint mended it
            assert VICTIM.read_bytes() == before, (name, refer)


def main():
    new_folder(SCENARIO)
    expect(run_to("whole"), (0,))
    expect(run_to("part", "--steps", "20"), (0,))
    for law in (restarts, checkpoints, beginnings, locks, replays, pipes, outputs, references):
        law()
        print(f"{law.__name__}: passed", flush=True)


if __name__ == "__main__":
    main()
