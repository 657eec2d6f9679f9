#!/usr/bin/env python3
"""Two ranks, on one device and on two, whose messages are staged in host memory or not, give the
bits of the CPU.

    compare_ranks.py THRONG PTX SCENE MPIEXEC...
"""
import sys
import tempfile

import crowds

OPTIONS = ["--steps", "3", "--quiet"]
SETTINGS = ["streams=lazy", "streams=lazy devices=2", "streams=lazy mpi=aware",
            "streams=lazy devices=2 mpi=aware"]


def main():
    throng, ptx, scene, *launcher = sys.argv[1:]
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        def checksum(command, *arguments, backend):
            run, _ = crowds.run_scene(command, scene, folder, *arguments,
                                      options=[*OPTIONS, "--backend", backend])
            return crowds.summary(run)["checksum"]

        wanted = checksum([throng], backend="simd")
        for settings in SETTINGS:
            found = checksum([*launcher, "-n", "2", throng], ptx, settings, backend="cuda")
            print(f"{settings}: {found}")
            different += found != wanted
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
