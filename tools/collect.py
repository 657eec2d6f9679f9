#!/usr/bin/env python3
"""Means and confidence intervals of the runs of a sweep (jobs/sweep.sh, throng.sweep).

    tools/collect.py DIR                                   a table of the evacuation time
    tools/collect.py DIR --keys travel.mean_s wall_s       other numbers of summary.json
    tools/collect.py DIR --csv means.csv                   also as a CSV file

For each combination of the swept options' values the table has the number of runs, the mean, the
sample standard deviation (n - 1) and the 95 % confidence interval of the mean (Student's t, which
assumes that runs with different seeds are independent and that means are normally distributed).
Runs that are missing or unfinished are listed and not counted.
Exit code: 0 all runs are there, 1 some are missing, 64 no such sweep or number, or runs of several
versions of throng.
"""
import argparse
import csv
import json
import os
import sys

import throng_paths  # noqa: F401 (finds the package)  # pylint: disable=unused-import
from throng.means import describe

MISSING, UNFINISHED, DAMAGED = "not run yet", "unfinished", "damaged"


class SweepError(Exception):
    """An error that the user can correct; reported in one line."""


class Run:
    """One line of the plan, and the result of its run."""

    def __init__(self, folder, name, seed, *values):
        self.name, self.seed, self.values = name, int(seed), values
        self.summary, self.problem = read_summary(os.path.join(folder, name))
        if self.summary and self.summary.get("seed") != self.seed:
            raise SweepError(f"{folder}/{name}: its seed is {self.summary.get('seed')} instead of "
                             f"the planned {self.seed}: another run was written there")

    @property
    def release(self):
        """Version and revision of the program that made it."""
        return f"{self.summary.get('version')} ({self.summary.get('revision')})"

    def number(self, key):
        """The number of this name, a.b.c for a nested one; None: this run has none."""
        found = self.summary
        for word in key.split("."):
            if not isinstance(found, dict) or word not in found:
                raise SweepError(f"--keys {key}: run {self.name} has no such number; it has "
                                 + ", ".join(sorted(numbers(self.summary))))
            found = found[word]
        if found is not None and (isinstance(found, bool) or not isinstance(found, (int, float))):
            raise SweepError(f"--keys {key}: \"{found}\" is not a number")
        return found


def numbers(values, prefix=""):
    """The keys of all numbers in values, a.b.c for nested ones."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from numbers(value, prefix + key + ".")
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield prefix + key


def read_summary(folder):
    """(summary.json, None) of a run, or (None, what is wrong)."""
    try:
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
            return json.load(file), None
    except FileNotFoundError:
        return None, UNFINISHED if os.path.isdir(folder) else MISSING
    except (OSError, ValueError):
        return None, DAMAGED


def read_plan(folder):
    """The names of the swept options, and the runs."""
    path = os.path.join(folder, "plan.tsv")
    try:
        with open(path, encoding="utf-8", newline="") as file:
            header, *lines = [line.rstrip("\n").split("\t") for line in file]
    except (OSError, ValueError) as error:
        raise SweepError(f"{path}: not the plan of a sweep (jobs/sweep.sh writes it): "
                         f"{error}") from None
    if header[:2] != ["run", "seed"] or len(header) < 3 or any(
            len(line) != len(header) for line in lines):
        raise SweepError(f"{path}: not a plan: expected the columns run, seed and the options")
    return header[2:], [Run(folder, *line) for line in lines]


def require_one_release(folder, runs):
    """An error if finished runs are of several versions of throng, which is no effect of a value."""
    runs = [run for run in runs if run.summary]
    for run in runs:
        if run.release != runs[0].release:
            raise SweepError(f"{folder}/{run.name} was made by throng {run.release}, not "
                             f"{runs[0].release}; remove it and run it again")


def table(options, runs, keys):
    """The header, and one row per combination of values and key."""
    rows = [[*options, "result", "planned", "n", "mean", "sd", "low", "high"]]
    for values in dict.fromkeys(run.values for run in runs):
        same = [run for run in runs if run.values == values]
        for key in keys:
            found = [run.number(key) for run in same if run.summary]
            rows.append([*values, key, len(same),
                         *describe([number for number in found if number is not None])])
    return rows


def cell(value):
    """The printed form of a value."""
    return "-" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def print_table(rows, texts):
    """Aligned columns; the first ones are texts."""
    rows = [[cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(text.ljust(width) if i < texts else text.rjust(width)
                        for i, (text, width) in enumerate(zip(row, widths))).rstrip())


def write_csv(path, rows):
    """The same table with all digits; empty where there is no value."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def say_what_lacks(runs):
    """Lists all runs that do not count; returns whether there are any."""
    lacking = [run for run in runs if run.problem]
    for run in lacking:
        print(f"run {run.name} ({', '.join(run.values)}, seed {run.seed}): {run.problem}")
    print(f"{len(runs) - len(lacking)} of {len(runs)} runs are there")
    return bool(lacking)


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=about(),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", help="folder of a sweep")
    parser.add_argument("--keys", nargs="+", metavar="KEY", default=["evacuation_time_s"],
                        help="numbers of summary.json; travel.mean_s for a nested one")
    parser.add_argument("--csv", metavar="FILE", help="also write the table to this file")
    return parser.parse_args()


def about():
    """The docstring, with the name by which this tool was called: throng-collect when installed."""
    return __doc__.replace("tools/collect.py", os.path.basename(sys.argv[0]))


def main():
    """Reads, counts, prints."""
    given = arguments()
    try:
        options, runs = read_plan(given.folder)
        require_one_release(given.folder, runs)
        rows = table(options, runs, given.keys)
        if given.csv:
            write_csv(given.csv, rows)
    except (SweepError, OSError) as error:
        print(f"collect.py: {error}", file=sys.stderr)
        return 64
    print_table(rows, len(options) + 1)
    return int(say_what_lacks(runs))


if __name__ == "__main__":
    sys.exit(main())
