#!/usr/bin/env python3
"""Checks the code that nvcc generates for the kernels. Needs no GPU.

    audit.py FOLDER ARCHITECTURE...   folder: where the build keeps the PTX and the output of ptxas;
                                      90-virtual: PTX alone

1. PTX: every float operation rounds to nearest and keeps subnormal numbers; none is contracted to
   fma, approximate or flushed to zero. The bits of a GPU equal those of the CPU only then.
2. ptxas, for every architecture: no kernel exceeds its limits of registers, local memory and
   spills, every kernel has limits, and every limit has a kernel.
"""
import re
import sys
from pathlib import Path

# Registers, bytes of local memory (stack) and, where there are any, bytes of spill stores around
# calls: a tenth more than was measured.
LIMITS = {
    "compute_cells": (36, 0),
    "gather_agents": (30, 0),
    "find_run_starts": (30, 0),
    "apply_density_speed": (140, 1480),
    "find_neighbours": (88, 620, 18),
    "apply_headway": (106, 5950, 40),
    "next_velocity_none": (106, 2500, 27),
    "next_velocity_orca": (106, 3010, 27),
    "next_velocity_clearpath": (106, 3050),
    "next_velocity_rvo": (136, 8830, 370),
    "next_velocity_hrvo": (106, 3050),
    "next_velocity_directional": (124, 4680, 71),
    "solve_infeasible": (106, 4400, 57),
    "solve_clearpath_guaranteed": (80, 7750, 240),
    "collect_obstacles_clearpath": (80, 2540),
    "collect_obstacles_hrvo": (80, 2560, 18),
    "begin_search": (50, 0),
    "list_edges": (60, 0),
    "choose_nearest": (64, 0),
    "search_edges": (62, 710),
    "choose_others": (71, 710),
    "decide_velocities": (71, 150),
    "begin_next_searches": (12, 0),
    "rvo_evaluate_samples": (106, 5700, 36),
    "rvo_apply_best_sample": (106, 5710, 38),
    "compute_ghost_cells": (36, 0),
    "gather_ghosts": (30, 0),
    "find_ghost_run_starts": (30, 0),
    "apply_group_cohesion": (66, 0),
    "sum_observables": (44, 0),
    "mark_positions": (32, 0),
    "locate_first_overlap": (72, 600, 16),
    "find_deepest_overlap": (72, 600, 16),
    "locate_deepest_overlap": (20, 0),
    "count_mirrors": (24, 0),
    "pack_mirror_records": (32, 0),
    "unpack_ghost_records": (32, 0),
    "preferred_velocity_direct": (106, 500, 32),
    "preferred_velocity_field": (140, 580, 70),
    "preferred_velocity_roadmap": (130, 1160, 100),
    "permute_column_32bit": (20, 0),
    "permute_column_64bit": (20, 0),
    "set_identity_permutation": (20, 0),
    "test_discs_occupied": (48, 0),
    "move_and_audit": (72, 160),
    "locate_first_violations": (32, 0),
    "count_stop_occupancy": (20, 0),
    "sum_area_people": (67, 0),
    "count_cell_people": (36, 0),
    "take_cell_people": (25, 0),
    "list_selected": (106, 340, 44),
    "pack_selected": (32, 0),
    "unpack_selected": (32, 0),
    "unpack_appended": (32, 0),
    "fill_gaps": (32, 0),
    "front_activate_sources": (40, 0),
    "front_update_tiles": (134, 0),
    "front_next_round": (20, 0),
}
EXACT = {"neg", "abs", "mov", "selp", "setp", "set", "min", "max", "testp", "copysign"}


def inexact_operations(ptx):
    """Yields the lines of float arithmetic that do not round to nearest."""
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
            to_integer = parts[-2] not in ("f32", "f64")
            exact = parts[-2:] == ["f64", "f32"] or {"rmi", "rpi"} & set(parts)  # floor, ceil
            if not exact and not ({"rzi", "rni"} if to_integer else {"rn"}) & set(parts):
                bad = {"cvt"}
        elif name not in EXACT and "rn" not in parts:
            bad = {name}
        if bad:
            yield f"line {number}: {line.strip()}"


def kernel_name(mangled):
    """The name follows its length: ..._13compute_cellsPK12kernel_inputl."""
    for length, start in ((m.group(), m.end()) for m in re.finditer(r"\d+", mangled)):
        name = mangled[start:start + int(length)]
        if mangled.startswith("PK", start + int(length)):
            return name
    return mangled


def kernels_of(said, architecture):
    """Yields (name, registers, bytes of local memory, bytes spilled) of every kernel but cub's."""
    pattern = (rf"Compiling entry function '(\S+)' for 'sm_{architecture}'.*?(\d+) bytes stack frame, "
               r"(\d+) bytes spill stores.*?Used (\d+) registers")
    for mangled, stack, spilled, registers in re.findall(pattern, said, re.S):
        if "cub" not in mangled:
            yield kernel_name(mangled), int(registers), int(stack), int(spilled)


def main():
    folder, architectures = Path(sys.argv[1]), sys.argv[2:]
    faults = 0
    said = (folder / "said").read_text()
    several = len(architectures) > 1  # nvcc names the file of a single one without it
    names = [f".compute_{a.removesuffix('-virtual')}" if several else "" for a in architectures]
    ptxs = [folder / f"backend_cuda{name}.ptx" for name in names]
    if not architectures:
        sys.exit("no architecture to check")
    for architecture, ptx in zip(architectures, ptxs):
        for fault in inexact_operations(ptx.read_text()):
            print(f"sm_{architecture}, not exact:", fault)
            faults += 1
        if architecture.endswith("-virtual"):
            print(f"{architecture}: PTX alone, no limits")
            continue
        seen = set()
        for name, registers, stack, spilled in kernels_of(said, architecture):
            limit = (*LIMITS.get(name, (0, 0)), 0)
            exceeds = registers > limit[0] or stack > limit[1] or spilled > limit[2]
            print(f"sm_{architecture} {name:22} {registers:4} registers {stack:6} bytes, "
                  f"{spilled} spilled{'   TOO MUCH' if exceeds else ''}")
            faults += exceeds
            seen.add(name)
        for name in set(LIMITS) - seen:
            print(f"sm_{architecture}: no kernel {name}")
            faults += 1
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
