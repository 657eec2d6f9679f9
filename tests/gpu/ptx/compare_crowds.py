#!/usr/bin/env python3
"""The CUDA kernels' PTX gives the bits of the CPU, and no access of it is wrong.

    compare_crowds.py THRONG-BENCH [--long] PTX...

Runs crowds of every method and scene on the backend simd and on the PTX, and compares checksums.
Every access is checked, in buffers of exact size; or the blocks, warps and lanes run in another
order, lanes apart from one another, and streams do nothing before they must: in turn, in the long
form both. It also runs lanes one by one, and few agents for as many steps as a session on a GPU.
Crowds that a field or a roadmap leads have one method: what leads them runs in kernels of its own.
"""
import sys
from concurrent.futures import ThreadPoolExecutor

import crowds

PASSES = ["check", "order=permuted lanes=parts streams=lazy"]
ROADMAP, FIELDS = crowds.SCENES[3:]  # slow
SPARSE, DENSE = "--density 0.01", "--density 5"  # the grid is searched by runs; many in a cell
MANY_STEPS = (40, 200)  # agents, steps
LONG = ["check order=reversed lanes=alone streams=first", "lanes=alone", "order=reversed"]


def is_run(settings, method, scene, is_long):
    turn = crowds.METHODS.index(method) + crowds.SCENES.index(scene)
    if not is_long and settings != PASSES[turn % len(PASSES)]:
        return False
    if scene == FIELDS:
        return is_long and method == "orca" and settings in PASSES
    return scene != ROADMAP or method == "orca"


def long_cases(bench, files):
    """Many steps of every method, also on the oldest architecture, whose reductions are others."""
    scenes = crowds.SCENES[:3]
    return [(bench, ptx, "", method, scene, MANY_STEPS)
            for ptx in {files[0], files[-1]} for method in crowds.METHODS for scene in scenes]


def compare(case):
    bench, ptx, settings, method, scene, size = case
    try:
        here = crowds.checksum(bench, "simd", method, scene, "", *size)
        there = crowds.checksum(bench, "cuda", method, scene, settings, *size, ptx=ptx)
    except crowds.Failed as error:
        here, there = "", str(error)
    if here == there:
        return True
    print(f"{method} {scene}, {settings}, {ptx}: {there} instead of {here}")
    return False


def main():
    arguments = [a for a in sys.argv[1:] if a != "--long"]
    is_long = "--long" in sys.argv
    bench, files = arguments[0], arguments[1:]
    size = (300, 4) if is_long else (160, 4)  # agents, steps: graphs are launched from the fourth on
    cases = [(bench, ptx, settings, method, scene, size)
             for ptx in (files if is_long else files[-1:])
             for settings in (PASSES + LONG if is_long else PASSES)
             for method in crowds.METHODS
             for scene in crowds.SCENES
             if is_run(settings, method, scene, is_long)]
    cases += [(bench, files[-1], settings, "orca", scene, size)
              for settings in PASSES for scene in (SPARSE, DENSE)]
    cases += long_cases(bench, files) if is_long else []
    with ThreadPoolExecutor(2) as pool:
        same = sum(pool.map(compare, cases))
    print(f"{same} of {len(cases)} crowds have the same bits")
    sys.exit(0 if same == len(cases) else 1)


if __name__ == "__main__":
    main()
