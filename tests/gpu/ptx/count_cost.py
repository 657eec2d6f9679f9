#!/usr/bin/env python3
"""Counts what the kernels cost, by executing their PTX, and predicts times on GPUs (docs/gpu.md).

    count_cost.py THRONG-BENCH PTX                    prints a table
    count_cost.py THRONG-BENCH PTX --write FILE.csv   writes it
    count_cost.py THRONG-BENCH PTX --compare FILE.csv fails if a kernel issues 5 % more than there

Another release of nvcc generates other code: the comparison is skipped (77) unless the file is of the
same release and architecture.
"""
import argparse
import csv
import re
import sys
import tempfile
from pathlib import Path

import crowds

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))
import gpu_model  # noqa: E402

# ORCA's crowd is large enough for the sort of large crowds.
METHODS = {"orca": 20000, "clearpath": 2000, "hrvo": 2000, "rvo": 1000, "directional": 2000}
STEPS = 1
TIMED = 1  # a further step of throng-bench, for the times of kernels
SELDOM = {"permute_column_32bit": 16, "permute_column_64bit": 16, "set_identity_permutation": 16}
TOLERANCE = 1.05
LEAST = 1.0  # warp instructions per agent-step below which a kernel does not count
COLUMNS = ("nvcc", "target", "method", "kernel", "issues", "active_lanes", "l1_sectors", "l2_sectors", "dram_bytes",
           "written_bytes")


def compiler(ptx):
    """The release of nvcc and the architecture, as the PTX names them."""
    head = Path(ptx).read_text()[:2000]
    return (re.search(r"release ([\d.]+)", head).group(1),
            re.search(r"\.target (\w+)", head).group(1))


def counts(bench, ptx, method):
    """Rows of one method, for each agent and step."""
    agents = METHODS[method]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "counts.csv"
        crowds.run(bench, "cuda", method, "", "", agents, STEPS, ptx, file)
        with file.open() as lines:
            rows = list(csv.DictReader(lines))
    merged = {}
    for row in rows:  # cub has several kernels
        old = merged.setdefault(row["kernel"], dict.fromkeys(row, 0))
        for key in row:
            if key != "kernel":
                old[key] += int(row[key])
    for kernel, row in sorted(merged.items(), key=lambda x: -x[1]["issues"]):
        each = agents * SELDOM.get(kernel, STEPS + TIMED)  # once in this run, and once in so many
        nvcc, target = compiler(ptx)
        yield {"nvcc": nvcc, "target": target, "method": method, "kernel": kernel, "issues": row["issues"] / each,
               "active_lanes": row["lanes"] / row["issues"], "l1_sectors": row["l1_sectors"] / each,
               "l2_sectors": row["l2_sectors"] / each, "dram_bytes": 32 * row["dram_sectors"] / each,
               "written_bytes": 32 * row["written_sectors"] / each}


def table(rows):
    print(f"{'method':12} {'kernel':28}" + "".join(f"{c:>14}" for c in COLUMNS[4:]))
    for row in rows:
        if row["issues"] >= LEAST:
            print(f"{row['method']:12} {row['kernel']:28}" +
                  "".join(f"{row[c]:14.1f}" for c in COLUMNS[4:]))
    for method in METHODS:
        cost = sum((gpu_model.cost_of(r) for r in rows if r["method"] == method), gpu_model.Cost())
        print(f"{method}: {cost.issues:.0f} warp instructions for an agent and step")
        for name, gpu in gpu_model.GPUS.items():
            floors = ", ".join(f"{ns:.2f} ns ({what})"
                               for what, ns in gpu_model.floors(cost, gpu).items())
            low, high = gpu_model.predicted(cost, gpu)
            print(f"  {name}: floors {floors}; expected {low:.1f} to {high:.1f} ns")


def compare(rows, file):
    """The kernels that cost more than the file says, or are not in it."""
    with file.open() as lines:
        known = {tuple(r[c] for c in COLUMNS[:4]): float(r["issues"])
                 for r in csv.DictReader(lines)}
    if not any(key[:2] == (rows[0]["nvcc"], rows[0]["target"]) for key in known):
        print(f"{file} has no counts of nvcc {rows[0]['nvcc']} for {rows[0]['target']}")
        sys.exit(77)
    worse = 0
    for row in rows:
        before = known.get(tuple(row[c] for c in COLUMNS[:4]), 0)
        if row["issues"] >= LEAST and row["issues"] > TOLERANCE * before:
            print(f"{row['method']}: {row['kernel']} issues {row['issues']:.1f}, was {before:.1f}")
            worse += 1
    return worse


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("bench")
    p.add_argument("ptx")
    p.add_argument("--write", type=Path)
    p.add_argument("--compare", type=Path)
    a = p.parse_args()
    rows = [row for method in METHODS for row in counts(a.bench, a.ptx, method)]
    table(rows)
    if a.write:
        with a.write.open("w", newline="") as file:
            out = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            out.writeheader()
            out.writerows({k: f"{v:.2f}" if isinstance(v, float) else v for k, v in row.items()}
                          for row in rows if row["issues"] >= LEAST)
    sys.exit(1 if a.compare and compare(rows, a.compare) else 0)


if __name__ == "__main__":
    main()
