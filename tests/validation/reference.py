"""Reads the numbers in tests/validation/reference (ORIGIN.md there says whose they are)."""

import csv
import functools
import pathlib

import numpy as np

import tracks

HERE = pathlib.Path(__file__).resolve().parent / "reference"


@functools.lru_cache(maxsize=None)
def rows(kind):
    """All rows of the files *-KIND.csv."""
    found = []
    for path in sorted(HERE.glob(f"*-{kind}.csv")):
        with open(path, encoding="utf-8", newline="") as lines:
            found += csv.DictReader(line for line in lines if not line.startswith("#"))
    return found


def bins(*runs, place="middle"):
    """{density: (samples, mean speed)} of one or several experiments; see tracks.bins."""
    return tracks.merged([{float(r["density"]): (int(r["samples"]), float(r["speed"]))
                           for r in rows("bins") if (r["run"], r["place"]) == (run, place)}
                          for run in runs])


def figure(run, name):
    """One number of an experiment."""
    return next(float(r["value"]) for r in rows("figures")
                if (r["run"], r["figure"]) == (run, name))


def inflow(run, entrance):
    """How many people came in during each second."""
    row = next(r for r in rows("inflow") if (r["run"], r["entrance"]) == (run, entrance))
    return [int(word) for word in row["people"].split()]


def timetable(run, entrance):
    """That inflow as a timetable of a source: within a second people come evenly."""
    moments = [(second + (k + 0.5) / n) for second, n in enumerate(inflow(run, entrance))
               for k in range(n)]
    return "[" + ", ".join(f"[{moment:.2f}, 1]" for moment in moments) + "]"


def published(name):
    """{experiment: [rows][2]} of a file of published measurements; {} where it is not."""
    path = HERE / name
    if not path.exists():
        return {}
    blocks, title = {}, ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            title = line[1:].strip().rsplit("/", 1)[-1]
        elif line.strip():
            blocks.setdefault(title, []).append([float(word) for word in line.split()[:2]])
    return {title: np.array(lines) for title, lines in blocks.items()}
