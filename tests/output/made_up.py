"""What rank_snapshot.c writes, as formulas; and which runs write_runs.sh makes."""
import os

import numpy as np

ORIGIN = (372000.0, 4842000.0)
QUANTUM = 2.0**-16
WALLS = [  # in metres from the origin, closed ones repeat their first corner
    [(0, 0), (100, 0), (100, 100), (0, 100), (0, 0)],
    [(-200, -200), (-100, -200), (-100, -100), (-200, -100), (-200, -200)],
    [(-175, -175), (-175, -125), (-125, -125), (-125, -175), (-175, -175)],
    [(200, 0), (250, 100), (200, 200)],
]


class Run:
    """One of the runs: its folder is named RANKS-AGENTS-SNAPSHOTS-TYPE-COMPRESSION[-crowded]."""

    def __init__(self, folder):
        words = os.path.basename(folder).split("-")
        self.folder = folder
        self.ranks, self.agents, self.snapshots = map(int, words[:3])
        self.f64, self.compression = words[3] == "f64", int(words[4])
        self.crowded = words[5:] == ["crowded"]
        self.steps = [10 * s for s in range(self.snapshots)]

    def path(self, step):
        """The file of a step."""
        return os.path.join(self.folder, f"snapshot-{step:08d}.vtkhdf")

    def quanta(self, step):
        """Positions x, y from the origin, by id."""
        i = np.arange(self.agents, dtype=np.int64)
        return ((i * 7919 % 1000003 - 500000) * 64 + step * 1000,
                (i * 104729 % 999983 - 500000) * 64)

    def points(self, step):
        """Positions [agents][3] by id, in the coordinates of the scenario."""
        x, y = self.quanta(step)
        points = np.stack([x * QUANTUM + ORIGIN[0], y * QUANTUM + ORIGIN[1], 0 * x], axis=1)
        return points if self.f64 else points.astype(np.float32)

    def fields(self, step):
        """{name: values by id}."""
        i = np.arange(self.agents, dtype=np.int64)
        vx = (0.25 * (i % 5) - 0.5).astype(np.float32)
        vy = (0.125 * (i % 7) + 0.0625 * step).astype(np.float32)
        return {"id": i, "velocity": np.stack([vx, vy, 0 * vx], axis=1),
                "speed": np.sqrt(vx * vx + vy * vy),
                "radius": (0.25 + (i % 3) / 16).astype(np.float32),
                "destination": (i % 4 - 1).astype(np.int32)}


def runs(folder):
    """All runs in a folder."""
    return [Run(os.path.join(folder, name)) for name in sorted(os.listdir(folder))]


def check(condition, what):
    """Always on, unlike assert; says what."""
    if not condition:
        raise SystemExit(f"FAILED: {what}")


def same(got, expected, what):
    """Exactly equal, type included."""
    got, expected = np.asarray(got), np.asarray(expected)
    check(got.dtype == expected.dtype, f"{what}: type {got.dtype} instead of {expected.dtype}")
    check(got.shape == expected.shape, f"{what}: shape {got.shape} instead of {expected.shape}")
    check(np.array_equal(got, expected), f"{what}: other values")
