#!/usr/bin/env python3
"""Reads what nvcc makes of the kernels, on a machine without a GPU.

    audit.py NVCC SRC FLAG...

1. PTX: every float operation rounds to nearest and keeps subnormal numbers: none that is contracted,
   approximate or flushed. This is what makes a GPU give the bits of the CPU.
2. ptxas, for every architecture: no kernel needs more registers or local memory than below.
"""
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ARCHITECTURES = ["75", "80", "90"]
# Registers and bytes of local memory (stack), a tenth more than was found. Nothing is spilled but,
# third, what a call leaves in the callee's way.
LIMITS = {
    "find_cells": (36, 0),
    "gather_agents": (30, 0),
    "find_starts": (30, 0),
    "apply_density_speed": (140, 1480),
    "find_neighbours": (72, 600, 12),
    "avoidance_kernel_none": (106, 4200),
    "avoidance_kernel_orca": (106, 4860),
    "avoidance_kernel_clearpath": (106, 24800),
    "avoidance_kernel_rvo": (136, 8780),
    "avoidance_kernel_hrvo": (106, 16460),
    "avoidance_kernel_directional": (124, 5100),
    "solve_infeasible": (106, 5580),
    "evaluate_samples": (140, 9000),
    "take_best_sample": (140, 9000),
    "find_ghost_cells": (36, 0),
    "gather_ghosts": (30, 0),
    "find_ghost_starts": (30, 0),
    "group_cohesion": (66, 0),
    "sum_observables": (38, 0),
    "describe_first_overlap": (72, 600, 16),
    "count_mirrors": (24, 0),
    "pack_mirror_records": (32, 0),
    "unpack_ghost_records": (32, 0),
    "preferred_velocity_direct": (106, 500, 32),
    "preferred_velocity_field": (106, 500, 32),
    "preferred_velocity_roadmap": (106, 1160, 60),
    "permute_words": (20, 0),
    "permute_pairs": (20, 0),
    "permute_identity": (20, 0),
    "test_discs": (48, 0),
    "move_agents": (72, 160),
    "find_offenders": (32, 0),
    "count_stop_agents": (20, 0),
    "list_selected": (106, 340, 44),
    "pack_selected": (32, 0),
    "unpack_selected": (32, 0),
    "unpack_appended": (32, 0),
    "fill_gaps": (32, 0),
    "front_begin": (40, 0),
    "front_propagate": (134, 0),
    "front_next_round": (20, 0),
}
EXACT = {"neg", "abs", "mov", "selp", "setp", "set", "min", "max", "testp", "copysign"}


def arithmetic_faults(ptx):
    """Lines of float arithmetic that round otherwise than to nearest."""
    for number, line in enumerate(ptx.splitlines(), 1):
        words = re.match(r"\s*(?:@!?%p\d+\s+)?([a-z0-9_.:]+)\s", line)
        parts = words.group(1).split(".") if words else []
        if not {"f32", "f64"} & set(parts) or parts[0] in ("ld", "st", "atom", "param"):
            continue
        name = parts[0]
        bad = {"ftz", "approx", "full", "sat"} & set(parts)
        if name == "fma" or name == "mad":
            bad = {name}
        elif name == "cvt":
            to_whole = parts[-2] not in ("f32", "f64")
            exact = parts[-2:] == ["f64", "f32"] or {"rmi", "rpi"} & set(parts)  # floor, ceil
            if not exact and not ({"rzi", "rni"} if to_whole else {"rn"}) & set(parts):
                bad = {"cvt"}
        elif name not in EXACT and "rn" not in parts:
            bad = {name}
        if bad:
            yield f"line {number}: {line.strip()}"


def compile_ptx(nvcc, src, flags, folder, architecture):
    """The PTX of one architecture: of what is built for it, the code is made."""
    out = Path(folder) / f"kernels_{architecture}.ptx"
    command = [nvcc, *flags, "-std=c++20", f"-arch=compute_{architecture}", "-ptx",
               f"-I{src}/core", f"-I{src}/gpu", f"{src}/gpu/backend_cuda.cu", "-o", str(out)]
    subprocess.run(command, check=True)
    return out


def kernel_name(mangled):
    """Behind its own length: ..._10find_cellsPK5scenel."""
    for length, start in ((m.group(), m.end()) for m in re.finditer(r"\d+", mangled)):
        name = mangled[start:start + int(length)]
        if mangled.startswith("PK", start + int(length)):
            return name
    return mangled


def kernels_of(nvcc, ptx, architecture, folder):
    """(name, registers, bytes of local memory, bytes spilled) of every kernel of ours."""
    ptxas = Path(nvcc).resolve().with_name("ptxas")
    said = subprocess.run([ptxas, "-v", f"-arch=sm_{architecture}", ptx, "-o", f"{folder}/x.cubin"],
                          check=True, capture_output=True, text=True).stderr
    pattern = (r"Compiling entry function '(\S+)'.*?(\d+) bytes stack frame, (\d+) bytes spill "
               r"stores.*?Used (\d+) registers")
    for mangled, stack, spilled, registers in re.findall(pattern, said, re.S):
        if "cub" not in mangled:
            yield kernel_name(mangled), int(registers), int(stack), int(spilled)


def main():
    nvcc, src, flags = sys.argv[1], sys.argv[2], sys.argv[3:]
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        with ThreadPoolExecutor(2) as pool:
            ptxs = list(pool.map(lambda a: compile_ptx(nvcc, src, flags, folder, a), ARCHITECTURES))
        for architecture, ptx in zip(ARCHITECTURES, ptxs):
            for fault in arithmetic_faults(ptx.read_text()):
                print(f"sm_{architecture}, not exact:", fault)
                faults += 1
            seen = set()
            for name, registers, stack, spilled in kernels_of(nvcc, ptx, architecture, folder):
                limit = (*LIMITS.get(name, (0, 0)), 0)
                too_much = registers > limit[0] or stack > limit[1] or spilled > limit[2]
                print(f"sm_{architecture} {name:22} {registers:4} registers {stack:6} bytes, "
                      f"{spilled} spilled{'   TOO MUCH' if too_much else ''}")
                faults += too_much
                seen.add(name)
            for name in set(LIMITS) - seen:
                print(f"sm_{architecture}: no kernel {name}")
                faults += 1
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
