"""Predicts the time of a kernel on a GPU from what it was counted to cost (docs/gpu.md)."""
import csv
from dataclasses import astuple, dataclass, fields
from pathlib import Path

COUNTS = Path(__file__).resolve().parent.parent / "bench" / "results" / "ptx-counts.csv"

SORT = "cub"  # its kernels
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
    issues: float = 0         # warp instructions of PTX
    l1_sectors: float = 0
    l2_sectors: float = 0     # that are read
    dram_bytes: float = 0     # that differ within a launch
    written_bytes: float = 0  # that leave L1 for L2

    def __add__(self, other):
        return Cost(*(a + b for a, b in zip(astuple(self), astuple(other))))


def cost_of(row):
    """Of a row of ptx-counts.csv."""
    return Cost(*(float(row[field.name]) for field in fields(Cost)))


def read_costs(file=COUNTS):
    """{method: {agents of the crowd: {kernel: Cost}}}"""
    costs = {}
    with open(file) as lines:
        for row in csv.DictReader(lines):
            crowds = costs.setdefault(row["method"], {})
            crowds.setdefault(int(row["agents"]), {})[row["kernel"]] = cost_of(row)
    return costs


def nearest_below(counted, agents):
    """The largest counted size that is not larger, or the least: small crowds run other kernels."""
    return max((size for size in counted if size <= agents), default=min(counted))


def kernels_of(costs, method, agents):
    """{kernel: Cost} of a crowd; {} if the method was not counted. All methods sort alike."""
    if method not in costs:
        return {}
    kernels = dict(costs[method][nearest_below(costs[method], agents)])
    sorts = {size: counted[SORT] for crowds in costs.values() for size, counted in crowds.items()}
    kernels[SORT] = sorts[nearest_below(sorts, agents)]
    return kernels


def floors(cost, gpu):
    """{what: the least ns for an agent and step that it allows}"""
    return {"issue": cost.issues * SASS_PER_PTX / (gpu.processors * gpu.schedulers * gpu.ghz),
            "L1": cost.l1_sectors * SECTOR / (L1_BYTES * gpu.processors * gpu.ghz),
            "L2": (cost.l2_sectors * SECTOR + cost.written_bytes) / gpu.l2,
            "DRAM": cost.dram_bytes / gpu.dram}


def predicted(cost, gpu):
    """ns of one kernel for an agent and step: (from, to)."""
    least = floors(cost, gpu)
    memory = max(least["L1"], least["L2"], least["DRAM"])
    low, high = least["issue"] / ISSUE_SHARE[1], least["issue"] / ISSUE_SHARE[0]
    return max(low, memory), max(high, memory)


def predicted_sum(costs, gpu):
    """The same of kernels that run one after another, each of which has a limit of its own."""
    bounds = [predicted(cost, gpu) for cost in costs]
    return sum(low for low, _ in bounds), sum(high for _, high in bounds)


def gpu_named(device):
    """The Gpu whose name is part of the device's ("NVIDIA H100 80GB HBM3"), or None."""
    return next((gpu for name, gpu in GPUS.items() if name in device), None)
