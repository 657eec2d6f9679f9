#!/usr/bin/env python3
"""What the kernels measure (areas, lines, the cells of a grid, alarms) stands in a run's files as what
the CPU measures: on one rank, and on two with a device each. Without h5py the files of fields are
not compared, and the test is reported as skipped (77) unless something else is wrong.

    compare_measures.py THRONG PTX SCENE TESTS MPIEXEC...      TESTS: where the project's tests lie
"""
import csv
import subprocess
import sys
import tempfile

import crowds

NO_H5PY = 77  # python.sh
SETTINGS = ["check", "check streams=lazy devices=2"]  # on one rank, on two
OPTIONS = ["--steps", "12", "--quiet"]
MEASURES = {"measure.grid.every": 0.6, "measure.grid.sample": 0.2, "output.series_every": 0.3,
            "output.snapshot_every": 0, "alarms.density": 3, "alarms.jam": 0.5, "alarms.every": 0.3}


def returned(python, script, *runs):
    return subprocess.run([python, "-B", script, *runs]).returncode


def main():
    throng, ptx, scene, tests, *launcher = sys.argv[1:]
    options = [*OPTIONS, *(word for key, value in MEASURES.items()
                           for word in ("--set", f"{key}={value}"))]
    different = skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        wanted, _ = crowds.run_scene([throng], scene, folder, options=[*options, "--backend", "simd"])
        with open(wanted / "alarms.csv") as lines:
            kinds = {row["kind"] for row in csv.DictReader(lines)}
        if kinds != {"density", "jam"}:
            sys.exit(f"alarms of density and jam are wanted, not of {kinds}")
        for ranks, settings in enumerate(SETTINGS, 1):
            command = [*launcher, "-n", str(ranks), throng] if ranks > 1 else [throng]
            run, _ = crowds.run_scene(command, scene, folder, ptx, settings,
                                      [*options, "--backend", "cuda"])
            files = returned(sys.executable, f"{tests}/same_bits/same_files.py", wanted, run)
            fields = returned(f"{tests}/python.sh", f"{tests}/cli/compare_fields.py", wanted, run)
            print(f"{settings}: files: {files}, fields: {'skipped' if fields == NO_H5PY else fields}")
            different += files != 0 or fields not in (0, NO_H5PY)
            skipped += fields == NO_H5PY
    if skipped:
        print("SKIPPED: fields, without a Python with h5py")
    sys.exit(1 if different else NO_H5PY if skipped else 0)


if __name__ == "__main__":
    main()
