#!/usr/bin/env python3
"""Tests of tools/collect.py on runs made up here. usage: test_collect.py COLLECT"""
import csv
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

# The two-sided 95 % points of Student's t, from the printed tables.
TABLE = {1: 12.706, 2: 4.303, 4: 2.776, 9: 2.262, 29: 2.045, 120: 1.980}


def load(path):
    """The tool as a module, which finds its neighbours."""
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location("collect", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_sweep(folder, values):
    """{value: [number, ...]}: None leaves out the run, "half" its summary."""
    lines, run = ["run\tseed\tcount"], 0
    for value, found in values.items():
        for seed, number in enumerate(found, 1):
            run += 1
            lines.append(f"{run:04d}\t{seed}\t{value}")
            if number is None:
                continue
            os.makedirs(f"{folder}/{run:04d}")
            if number != "half":
                with open(f"{folder}/{run:04d}/summary.json", "w", encoding="utf-8") as file:
                    json.dump({"seed": seed, "time": number if number != "never" else None,
                               "travel": {"mean_s": 2 * seed}, "name": "made up"}, file)
    with open(f"{folder}/plan.tsv", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def collect(tool, folder, *words):
    """The exit code, what was printed, and the rows of the CSV by value and key."""
    path = f"{folder}/out.csv"
    done = subprocess.run([sys.executable, tool, folder, "--csv", path, *words], text=True,
                          capture_output=True, timeout=60, check=False)
    rows = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            rows = {(row["count"], row["result"]): row for row in csv.DictReader(file)}
    return done.returncode, done.stdout + done.stderr, rows


def test_t_is_that_of_the_tables(tool):
    load(tool)  # finds the package
    from throng.means import student_t
    for freedom, t in TABLE.items():
        assert abs(student_t(freedom) - t) < 6e-4, (freedom, student_t(freedom))


def test_a_complete_sweep(tool):
    with tempfile.TemporaryDirectory() as folder:
        make_sweep(folder, {"40": [10, 12, 14], "[1, 2]": [3]})
        code, said, rows = collect(tool, folder, "--keys", "time", "travel.mean_s")
        assert code == 0 and "4 of 4 runs are there" in said, said
        row = rows["40", "time"]
        assert float(row["mean"]) == 12 and float(row["sd"]) == 2 and row["n"] == "3", row
        half = 4.302653 * 2 / 3 ** 0.5
        assert abs(float(row["low"]) - (12 - half)) < 1e-5, row
        assert abs(float(row["high"]) - (12 + half)) < 1e-5, row
        assert float(rows["40", "travel.mean_s"]["mean"]) == 4, rows
        alone = rows["[1, 2]", "time"]
        assert alone["mean"] == "3.0" and alone["sd"] == "" == alone["low"], alone


def test_what_lacks_is_named_and_not_counted(tool):
    with tempfile.TemporaryDirectory() as folder:
        make_sweep(folder, {"40": [10, None, "half"], "80": [None, None, None],
                            "90": [7, "never", 9]})
        code, said, rows = collect(tool, folder, "--keys", "time")
        assert code == 1 and "5 of 9" not in said and "4 of 9 runs are there" in said, said
        assert "run 0002 (40, seed 2): not run yet" in said, said
        assert "run 0003 (40, seed 3): unfinished" in said, said
        assert rows["40", "time"]["n"] == "1" and rows["40", "time"]["planned"] == "3", rows
        assert rows["80", "time"]["n"] == "0" and rows["80", "time"]["mean"] == "", rows
        assert rows["90", "time"]["n"] == "2" and float(rows["90", "time"]["mean"]) == 8, rows


def test_mistakes_are_told(tool):
    with tempfile.TemporaryDirectory() as folder:
        code, said, _ = collect(tool, folder)
        assert code == 64 and "not the plan of a sweep" in said, said
        make_sweep(folder, {"40": [10]})
        code, said, _ = collect(tool, folder, "--keys", "tiem")
        assert code == 64 and "no such number; it has seed, time, travel.mean_s" in said, said
        code, said, _ = collect(tool, folder, "--keys", "name")
        assert code == 64 and "not a number" in said, said
        with open(f"{folder}/0001/summary.json", "w", encoding="utf-8") as file:
            json.dump({"seed": 7, "time": 1}, file)
        code, said, _ = collect(tool, folder, "--keys", "time")
        assert code == 64 and "its seed is 7 instead of the planned 1" in said, said


def main():
    """Runs every test of this file."""
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test(sys.argv[1])
            print(name, "passed")


if __name__ == "__main__":
    main()
