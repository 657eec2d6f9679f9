#!/usr/bin/env python3
"""What the kernels measure (areas, lines, the cells of a grid, alarms) stands in a run's files as what
the CPU measures: on one rank, and on two with a device each.

    compare_measures.py THRONG PTX SCENE TESTS MPIEXEC...      TESTS: where the project's tests lie
"""
import csv
import subprocess
import sys
import tempfile

import crowds

NO_H5PY = 77  # python.sh
OPTIONS = ["--steps", "12", "--quiet"]
MEASURES = {"measure.grid.every": 0.6, "measure.grid.sample": 0.2, "output.series_every": 0.3,
            "output.snapshot_every": 0, "alarms.density": 3, "alarms.jam": 0.5, "alarms.every": 0.3}


def main():
    throng, ptx, scene, tests, *launcher = sys.argv[1:]
    options = [*OPTIONS, *(word for key, value in MEASURES.items()
                           for word in ("--set", f"{key}={value}"))]
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        wanted, _ = crowds.run_scene([throng], scene, folder, options=[*options, "--backend", "simd"])
        with open(wanted / "alarms.csv") as lines:
            kinds = {row["kind"] for row in csv.DictReader(lines)}
        if kinds != {"density", "jam"}:
            sys.exit(f"alarms of density and jam are wanted, not of {kinds}")
        for command, settings in (([throng], "check"),
                                  ([*launcher, "-n", "2", throng], "check streams=lazy devices=2")):
            run, _ = crowds.run_scene(command, scene, folder, ptx, settings,
                                      [*options, "--backend", "cuda"])
            for compare in ("same_bits/same_files.py", "cli/compare_fields.py"):
                code = subprocess.run(["sh", f"{tests}/python.sh", "-B", f"{tests}/{compare}", wanted,
                                       run]).returncode
                print(f"{settings}: {compare} returns {code}")
                different += code not in (0, NO_H5PY)
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
