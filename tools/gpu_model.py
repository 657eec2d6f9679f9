"""Predicts the time of a kernel on a GPU from what it was counted to cost (docs/gpu.md)."""
import csv
from dataclasses import dataclass
from pathlib import Path

COUNTS = Path(__file__).resolve().parent.parent / "bench" / "results" / "ptx-counts.csv"

SECTOR = 32  # bytes
SASS_PER_PTX = 1.25       # machine instructions for one of PTX: an assumption
ISSUE_SHARE = (0.4, 0.6)  # of the cycles in which a scheduler issues: an assumption
L1_BYTES = 128            # a cycle and multiprocessor


@dataclass
class Gpu:
    """Figures of NVIDIA's data sheets of the SXM forms; that of L2 is what others have measured."""
    processors: int
    schedulers: int  # of each processor
    ghz: float
    dram: float  # GB/s
    l2: float    # GB/s


GPUS = {
    "A100": Gpu(108, 4, 1.410, 2039, 4000),
    "H100": Gpu(132, 4, 1.755, 3350, 5500),
    "H200": Gpu(132, 4, 1.755, 4800, 5500),
}


@dataclass
class Cost:
    """Of an agent and step."""
    issues: float = 0  # warp instructions of PTX
    l1_sectors: float = 0
    l2_sectors: float = 0
    dram_bytes: float = 0

    def __add__(self, other):
        return Cost(self.issues + other.issues, self.l1_sectors + other.l1_sectors,
                    self.l2_sectors + other.l2_sectors, self.dram_bytes + other.dram_bytes)


def cost_of(row):
    """Of a row of ptx-counts.csv."""
    return Cost(*(float(row[name]) for name in ("issues", "l1_sectors", "l2_sectors", "dram_bytes")))


def read_costs(file=COUNTS):
    """{method: {kernel: Cost}}"""
    costs = {}
    with open(file) as lines:
        for row in csv.DictReader(lines):
            costs.setdefault(row["method"], {})[row["kernel"]] = cost_of(row)
    return costs


def floors(cost, gpu):
    """{what: the least ns for an agent and step that it allows}"""
    return {"issue": cost.issues * SASS_PER_PTX / (gpu.processors * gpu.schedulers * gpu.ghz),
            "L1": cost.l1_sectors * SECTOR / (L1_BYTES * gpu.processors * gpu.ghz),
            "L2": cost.l2_sectors * SECTOR / gpu.l2,
            "DRAM": cost.dram_bytes / gpu.dram}


def predicted(cost, gpu):
    """ns for an agent and step: (from, to)."""
    least = floors(cost, gpu)
    memory = max(least["L1"], least["L2"], least["DRAM"])
    low, high = least["issue"] / ISSUE_SHARE[1], least["issue"] / ISSUE_SHARE[0]
    return max(low, memory), max(high, memory)


def gpu_named(device):
    """The Gpu whose name is part of the device's ("NVIDIA H100 80GB HBM3"), or None."""
    return next((gpu for name, gpu in GPUS.items() if name in device), None)
