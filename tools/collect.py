#!/usr/bin/env python3
"""Means and confidence intervals of many runs of throng: those of a sweep (jobs/sweep.sh).

    tools/collect.py DIR                                   evacuation time, as a table
    tools/collect.py DIR --keys travel.mean_s wall_s       other numbers of summary.json
    tools/collect.py DIR --csv means.csv                   for a program, too

For every value of the swept option: how many runs have the number, its mean, standard deviation
(of a sample, n - 1) and the 95 % confidence interval of the mean (Student's t; it takes the runs of
different seeds for independent and their means for normal). Runs that are missing, or were stopped
before their end, are named, and not counted.
Exit code: 0 all runs are there, 1 some are not, 64 no such sweep, or no such number.
"""
import argparse
import csv
import json
import math
import os
import statistics
import sys

MISSING, UNFINISHED, DAMAGED = "not run yet", "unfinished", "damaged"


class SweepError(Exception):
    """Something the user can do something about: one line."""


class Run:
    """A line of the plan, and what became of it."""

    def __init__(self, folder, name, seed, value):
        self.name, self.seed, self.value = name, int(seed), value
        self.summary, self.problem = read_summary(os.path.join(folder, name))
        if self.summary and self.summary.get("seed") != self.seed:
            raise SweepError(f"{folder}/{name}: its seed is {self.summary.get('seed')}, planned "
                             f"was {self.seed}: another run has been written there")

    def number(self, key):
        """The number of that name, a.b.c for one inside others; None: there is none this time."""
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
    """The keys of all numbers in it, a.b.c for those inside others."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from numbers(value, prefix + key + ".")
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield prefix + key


def read_summary(folder):
    """The summary.json of a run, and None; or None, and what is wrong."""
    try:
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
            return json.load(file), None
    except FileNotFoundError:
        return None, UNFINISHED if os.path.isdir(folder) else MISSING
    except (OSError, ValueError):
        return None, DAMAGED


def read_plan(folder):
    """The name of the swept option, and the runs."""
    path = os.path.join(folder, "plan.tsv")
    try:
        with open(path, encoding="utf-8", newline="") as file:
            header, *lines = [line.rstrip("\n").split("\t") for line in file]
    except (OSError, ValueError) as error:
        raise SweepError(f"{path}: no plan of a sweep (jobs/sweep.sh writes it): {error}") from None
    if header[:2] != ["run", "seed"] or any(len(line) != 3 for line in [header] + lines):
        raise SweepError(f"{path}: not a plan: columns run, seed and the option are wanted")
    return header[2], [Run(folder, *line) for line in lines]


def beta_fraction(a, b, x):
    """The continued fraction of the incomplete beta function (Lentz; Abramowitz, Stegun 26.5.8)."""
    tiny = 1e-300
    c, d = 1.0, 1.0 / max(1.0 - (a + b) * x / (a + 1), tiny)
    fraction = d
    for m in range(1, 1000):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1.0 / (1.0 + term * d or tiny)
            c = 1.0 + term / c or tiny
            fraction *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return fraction


def beta_share(a, b, x):
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast on the other side
        return 1 - beta_share(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
                     + a * math.log(x) + b * math.log1p(-x))
    return front * beta_fraction(a, b, x) / a


def student_t(freedom, share=0.95):
    """The t that holds that share of Student's distribution between -t and t."""
    low, high = 0.0, 1e9
    for _ in range(200):
        t = (low + high) / 2
        outside = beta_share(freedom / 2, 0.5, freedom / (freedom + t * t))
        low, high = (t, high) if outside > 1 - share else (low, t)
    return (low + high) / 2


def describe(values):
    """(n, mean, standard deviation, low, high): None for what so few do not have."""
    n = len(values)
    if n == 0:
        return 0, None, None, None, None
    mean = statistics.fmean(values)
    if n == 1:
        return 1, mean, None, None, None
    deviation = statistics.stdev(values)
    half = student_t(n - 1) * deviation / math.sqrt(n)
    return n, mean, deviation, mean - half, mean + half


def table(option, runs, keys):
    """The header, and a row for every value and key."""
    rows = [[option, "number", "planned", "n", "mean", "sd", "low", "high"]]
    for value in dict.fromkeys(run.value for run in runs):
        same = [run for run in runs if run.value == value]
        for key in keys:
            found = [run.number(key) for run in same if run.summary]
            rows.append([value, key, len(same), *describe([v for v in found if v is not None])])
    return rows


def cell(value):
    """As it is printed."""
    return "-" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def print_table(rows):
    """Columns of one width; the first two are words."""
    rows = [[cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(text.ljust(width) if i < 2 else text.rjust(width)
                        for i, (text, width) in enumerate(zip(row, widths))).rstrip())


def write_csv(path, rows):
    """The same with all digits; empty where there is none."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def say_what_lacks(runs):
    """Names every run that does not count; whether there is one."""
    lacking = [run for run in runs if run.problem]
    for run in lacking:
        print(f"run {run.name} ({run.value}, seed {run.seed}): {run.problem}")
    print(f"{len(runs) - len(lacking)} of {len(runs)} runs are there")
    return bool(lacking)


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", help="folder of a sweep")
    parser.add_argument("--keys", nargs="+", metavar="KEY", default=["evacuation_time_s"],
                        help="numbers of summary.json, travel.mean_s for one inside others")
    parser.add_argument("--csv", metavar="FILE", help="write the table there, too")
    return parser.parse_args()


def main():
    """Reads, counts, prints."""
    given = arguments()
    try:
        option, runs = read_plan(given.folder)
        rows = table(option, runs, given.keys)
        if given.csv:
            write_csv(given.csv, rows)
    except (SweepError, OSError) as error:
        print(f"collect.py: {error}", file=sys.stderr)
        return 64
    print_table(rows)
    return int(say_what_lacks(runs))


if __name__ == "__main__":
    sys.exit(main())
