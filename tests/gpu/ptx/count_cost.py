#!/usr/bin/env python3
"""Counts what the kernels cost, by executing their PTX, and predicts times on GPUs (docs/gpu.md).

    count_cost.py THRONG-BENCH PTX                    prints a table
    count_cost.py THRONG-BENCH PTX --write FILE.csv   writes it
    count_cost.py THRONG-BENCH PTX --compare FILE.csv fails if a kernel issues 5 % more than there

It also fails if throng-bench has no time of a kernel that has run.

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

# ORCA's crowd is large enough for the sort of large crowds. RVO is nested below 20,000 agents.
CROWDS = [("orca", 100000), ("clearpath", 2000), ("hrvo", 2000), ("rvo", 1000), ("rvo", 20000),
          ("directional", 2000)]
STEPS = 1
TIMED = 1  # a further step of throng-bench, for the times of kernels
SELDOM = {"permute_column_32bit": 16, "permute_column_64bit": 16, "set_identity_permutation": 16}
TOLERANCE = 1.05
MANY = 1000000  # agents of a prediction
LEAST = 1.0  # warp instructions per agent-step below which a kernel does not count
KEY = ("nvcc", "target", "method", "agents", "kernel")
VALUES = ("issues", "active_lanes", "l1_sectors", "l2_sectors", "dram_bytes", "written_bytes")


def compiler(ptx):
    """The release of nvcc and the architecture, as the PTX names them."""
    head = Path(ptx).read_text()[:2000]
    return (re.search(r"release ([\d.]+)", head).group(1),
            re.search(r"\.target (\w+)", head).group(1))


def counts(bench, ptx, method, agents):
    """Rows of one crowd, for each agent and step."""
    nvcc, target = compiler(ptx)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "counts.csv"
        timed = crowds.run(bench, "cuda", method, "", "", agents, STEPS, ptx, file)["kernels_ms"]
        with file.open() as lines:
            rows = list(csv.DictReader(lines))
    merged = {}
    for row in rows:  # cub has several kernels
        old = merged.setdefault(row["kernel"], dict.fromkeys(row, 0))
        for key in row:
            if key != "kernel":
                old[key] += int(row[key])
    untimed = merged.keys() - SELDOM.keys() - timed.keys() - {gpu_model.SORT}
    if untimed or "sort" not in timed:
        sys.exit(f"{method}: throng-bench has no times of {', '.join(untimed) or 'the sort'}")
    for kernel, row in sorted(merged.items(), key=lambda x: -x[1]["issues"]):
        each = agents * SELDOM.get(kernel, STEPS + TIMED)  # once in this run, and once in so many
        yield {"nvcc": nvcc, "target": target, "method": method, "agents": str(agents),
               "kernel": kernel, "issues": row["issues"] / each,
               "active_lanes": row["lanes"] / row["issues"], "l1_sectors": row["l1_sectors"] / each,
               "l2_sectors": row["l2_sectors"] / each, "dram_bytes": 32 * row["dram_sectors"] / each,
               "written_bytes": 32 * row["written_sectors"] / each}


def table(rows):
    print(f"{'method':12}{'agents':>7} {'kernel':28}" + "".join(f"{c:>14}" for c in VALUES))
    for row in rows:
        if row["issues"] >= LEAST:
            print(f"{row['method']:12}{row['agents']:>7} {row['kernel']:28}" +
                  "".join(f"{row[c]:14.1f}" for c in VALUES))


def predictions(file):
    """What the file says of each of its crowds, and of one of a million agents."""
    costs = gpu_model.read_costs(file)
    sizes = [(method, agents) for method in costs for agents in (*costs[method], MANY)]
    for method, agents in sizes:
        kernels = gpu_model.kernels_of(costs, method, agents)
        cost = sum(kernels.values(), gpu_model.Cost())
        print(f"{method}, {agents} agents: {cost.issues:.0f} warp instructions")
        for name, gpu in gpu_model.GPUS.items():
            floors = ", ".join(f"{ns:.3f} ns ({what})"
                               for what, ns in gpu_model.floors(cost, gpu).items())
            low, high = gpu_model.predicted_sum(kernels.values(), gpu)
            print(f"  {name}: floors {floors}; expected {low:.2f} to {high:.2f} ns")


def compare(rows, file):
    """The kernels that cost more than the file says, or are not in it."""
    with file.open() as lines:
        known = {tuple(r[c] for c in KEY): float(r["issues"]) for r in csv.DictReader(lines)}
    if not any(key[:2] == (rows[0]["nvcc"], rows[0]["target"]) for key in known):
        print(f"SKIPPED: {file} has no counts of nvcc {rows[0]['nvcc']} for {rows[0]['target']}")
        sys.exit(77)
    worse = 0
    for row in rows:
        before = known.get(tuple(row[c] for c in KEY), 0)
        if row["issues"] >= LEAST and row["issues"] > TOLERANCE * before:
            print(f"{row['method']}, {row['agents']} agents: {row['kernel']} issues "
                  f"{row['issues']:.1f}, was {before:.1f}")
            worse += 1
    return worse


def write(rows, to):
    with to.open("w", newline="") as file:
        out = csv.DictWriter(file, KEY + VALUES, lineterminator="\n")
        out.writeheader()
        out.writerows({k: f"{v:.2f}" if isinstance(v, float) else v for k, v in row.items()}
                      for row in rows if row["issues"] >= LEAST)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("bench")
    p.add_argument("ptx")
    p.add_argument("--write", type=Path)
    p.add_argument("--compare", type=Path)
    a = p.parse_args()
    rows = [row for crowd in CROWDS for row in counts(a.bench, a.ptx, *crowd)]
    table(rows)
    if a.write:
        write(rows, a.write)
    predictions(a.write or gpu_model.COUNTS)
    sys.exit(1 if a.compare and compare(rows, a.compare) else 0)


if __name__ == "__main__":
    main()
