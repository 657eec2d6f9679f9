#!/usr/bin/env python3
"""A run that was cut and continues from its checkpoint, on the PTX before or after that or both, and
on other ranks, leaves the files of the CPU's uninterrupted run.

    restart_run.py THRONG PTX SCENE TESTS MPIEXEC...      TESTS: where the project's tests lie
"""
import subprocess
import sys
import tempfile

import crowds
from compare_measures import MEASURES

CUT = 8  # steps; the checkpoint is older
OPTIONS = {**MEASURES, "time.end": 1.2, "output.checkpoint_every": 0.6}
# backend and ranks before the cut, and after it
CHAINS = [(("cuda", 2), ("cuda", 1)), (("simd", 1), ("cuda", 2)), (("cuda", 1), ("simd", 2))]


def main():
    throng, ptx, scene, tests, *launcher = sys.argv[1:]
    options = ["--quiet", *(word for key, value in OPTIONS.items()
                            for word in ("--set", f"{key}={value}"))]
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        def run(backend, ranks, *more, output=None):
            command = [*launcher, "-n", str(ranks), throng] if ranks > 1 else [throng]
            return crowds.run_scene(command, scene, folder, ptx, "check devices=2",
                                    [*options, "--backend", backend, *more], output)[0]

        whole = run("simd", 1)
        for before, after in CHAINS:
            part = run(*before, "--steps", str(CUT))
            run(*after, "--restart", "auto", output=part)
            code = subprocess.run([sys.executable, "-B", f"{tests}/same_bits/same_files.py", whole,
                                   part]).returncode
            print(f"{before}, then {after}: same_files.py returns {code}")
            different += code != 0
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
