#!/usr/bin/env python3
"""Seeds faults into the PTX and into the calls of the CUDA runtime: each must be found.

    seed_faults.py THRONG-BENCH PTX THRONG SCENE MPIEXEC...

A fault is found by a check (what it says is named here), or a run without checks completes with
another checksum.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import crowds

OTHER_BITS = "another checksum"


def in_kernel(text, kernel, pattern, replacement):
    """Replaces the matches within a kernel: all, or the first one of a guard."""
    entry = re.search(rf"\.entry \S*{kernel}", text)
    if not entry:
        sys.exit(f"there is no kernel {kernel}: seed another fault")
    start = entry.end()
    end = text.find(".entry", start)
    changed, count = re.subn(pattern, replacement, text[start:end if end > 0 else None],
                             count=pattern.startswith("@"))
    if not count:
        sys.exit(f"{kernel} has no {pattern}: seed another fault")
    return text[:start] + changed + (text[end:] if end > 0 else "")


# what, kernel, pattern, replacement, what finds it
IN_KERNELS = [
    ("no guard of the last block", "gather_agents", r"@%p\d+ bra\s+\S+;", "",
     "outside of every allocation"),
    ("a neighbouring element", "gather_agents", r"(ld\.global\.f32\s+\S+, \[[^\]+]+)\];", r"\1+4];",
     OTHER_BITS),
    ("a plain write for an atomic", "find_neighbours",
     r"atom\.(?:global\.)?add\.u64\s+\S+, (\[[^\]]+\]), (\S+);", r"st.u64 \1, \2;", "a race"),
    ("a product for a quotient", "next_velocity_none", r"div\.rn\.f32", "mul.rn.f32", OTHER_BITS),
    ("an instruction that nobody knows", "move_and_audit", r"add\.s32", "fma.rn.f32",
     "an unknown instruction"),
]
# call of the runtime that is left out, settings, what finds it
IN_CALLS = [
    ("cudaMemsetAsync:1", "check", "never written"),
    ("cudaStreamSynchronize", "check streams=lazy", "pinned memory was changed"),
    ("cudaMemcpyAsync:2", "check", "never written"),
    ("cudaGraphLaunch", "", OTHER_BITS),
]


def found_by(bench, ptx, settings, wanted):
    """What finds a fault: the words of a check, or other bits."""
    here = crowds.checksum(bench, "simd", "none", "")
    try:
        there = crowds.checksum(bench, "cuda", "none", "", settings, ptx=ptx)
    except crowds.Failed as error:
        return wanted if wanted in str(error) and wanted != OTHER_BITS else str(error)
    return OTHER_BITS if here != there else "nothing"


def found_on_ranks(launcher, throng, scene, environment, folder):
    """What the program says on two ranks, whose ghosts are copied beside kernels."""
    run = [*launcher, "-n", "2", throng, "run", scene, "--backend", "cuda", "--steps", "3",
           "--threads", "1", "--quiet", "--output", tempfile.mkdtemp(dir=folder)]
    done = subprocess.run(["timeout", "-k", "5", "60", *run], capture_output=True, text=True,
                          env=environment)
    return done.stderr if done.returncode else ""


def ghosts_before_their_copy(launcher, throng, scene, ptx, folder):
    """A kernel that does not wait for the copy of the ghosts. Returns the faults not found."""
    lazy = "check streams=lazy"
    dropped = crowds.environment(ptx, f"{lazy} drop=cudaStreamWaitEvent")
    without = found_on_ranks(launcher, throng, scene, dropped, folder)
    whole = found_on_ranks(launcher, throng, scene, crowds.environment(ptx, lazy), folder)
    print(f"cudart: no cudaStreamWaitEvent: {without[:200]}\nnothing on ranks: {whole[:500]}")
    return ("never written" not in without) + bool(whole)


def main():
    bench, ptx, throng, scene, *launcher = sys.argv[1:]
    text = Path(ptx).read_text()
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        faults = [(f"cudart: no {call}", ptx, f"{settings} drop={call}", wanted)
                  for call, settings, wanted in IN_CALLS]
        for number, (what, kernel, pattern, replacement, wanted) in enumerate(IN_KERNELS):
            seeded = Path(folder) / f"{number}.ptx"
            seeded.write_text(in_kernel(text, kernel, pattern, replacement))
            faults.append((f"{kernel}: {what}", seeded, "" if wanted == OTHER_BITS else "check", wanted))
        faults.append(("nothing", ptx, "check streams=lazy", "nothing"))
        for what, file, settings, wanted in faults:
            found = found_by(bench, file, settings, wanted)
            print(f"{what}: found by: {found}")
            missed += found != wanted
        missed += ghosts_before_their_copy(launcher, throng, scene, ptx, folder)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
