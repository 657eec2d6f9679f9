#!/usr/bin/env python3
"""What `--backend auto` takes, and says, on a machine whose device executes the PTX.

    choose_backend.py THRONG PTX MPIEXEC...
"""
import re
import sys
import tempfile
from pathlib import Path

import crowds
from seed_faults import in_kernel

PEOPLE = 50000  # of a rank, as backend_choice.c has it
SCENE = """name: plain
seed: 1
world: {{extent: [0, 0, 400, 400]}}
time: {{step: 0.1, end: 0.1}}
sources: [{{area: {{rectangle: [20, 20, 380, 380]}}, count: {count}, offset: [5, 5]}}]
"""
CHOSEN = "throng: --backend auto: the GPU; it matches the CPU bit for bit on 1000 agents"
FEW = ("throng: --backend auto: the CPU, because {} people on {} are too few for a GPU "
       "(--backend cuda takes it)")
OTHER = ("throng: --backend auto: the CPU, because the results of the GPU differ from the CPU's "
         "(docs/gpu.md)")
FULL = "throng: --backend auto: the CPU, because a GPU has too little free memory"
SMALL = "memory=4000"
FAILS = "throng: --backend auto: the CPU, because the GPU of rank 0 fails: {}"
ERRORS = {"cudaMemGetInfo": "CUDA: cannot query the free memory: CUDA error 46",
          "cudaMalloc:9": "the GPU is out of memory: N MB needed, N of N MB free: use more GPUs",
          "cudaStreamSynchronize:4": "CUDA: a kernel failed: CUDA error 719"}


def main():
    throng, ptx, *launcher = sys.argv[1:]
    two = [*launcher, "-n", "2"]
    with tempfile.TemporaryDirectory() as folder:
        def run(people, file, *options, ranks=(), settings=""):
            """What it says about the backend; whether that was the GPU; the checksum."""
            scene = Path(folder, "plain.yaml")
            scene.write_text(SCENE.format(count=people))
            done, said = crowds.run_scene([*ranks, throng], str(scene), folder, file, settings, options)
            summary = crowds.summary(done)
            about = [re.sub(r"[\d.]+(?= (MB|of))", "N", line)
                     for line in said.splitlines() if "backend" in line]
            return "\n".join(about), summary["backend"] == "cuda", summary["checksum"]

        wrong = Path(folder, "wrong.ptx")
        wrong.write_text(in_kernel(Path(ptx).read_text(), "next_velocity_orca", r"div\.rn\.f32",
                                   "mul.rn.f32"))
        bits = run(PEOPLE, "", "--backend", "simd")[2]
        fewer = run(PEOPLE - 1, "", "--backend", "simd")[2]
        more = run(2 * PEOPLE, "", "--backend", "simd")[2]
        for what, found, wanted in [
                ("no device", run(PEOPLE, ""), ("", False, bits)),
                ("a device", run(PEOPLE, ptx), (CHOSEN, True, bits)),
                ("quiet", run(PEOPLE, ptx, "--quiet"), ("", True, bits)),
                ("a wrong kernel", run(PEOPLE, wrong), (OTHER, False, bits)),
                ("too few", run(PEOPLE - 1, ptx), (FEW.format(PEOPLE - 1, "1 rank"), False, fewer)),
                ("two ranks", run(PEOPLE, ptx, ranks=two),
                 (FEW.format(PEOPLE, "2 ranks"), False, bits)),
                ("room for one", run(PEOPLE, wrong, settings=SMALL), (OTHER, False, bits)),
                ("but not for two", run(2 * PEOPLE, wrong, ranks=two, settings=SMALL),
                 (FULL, False, more)),
                ("two devices", run(2 * PEOPLE, wrong, ranks=two, settings=SMALL + " devices=2"),
                 (OTHER, False, more)),
                *((call, run(PEOPLE, ptx, settings=f"fail={call}"),
                   (FAILS.format(error), False, bits)) for call, error in ERRORS.items())]:
            print(f"{what}: {found}")
            if found != wanted:
                sys.exit(f"instead of {wanted}")


if __name__ == "__main__":
    main()
