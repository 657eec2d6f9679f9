"""A run as the player has it: what stands around the people, and blocks of their positions."""
from __future__ import annotations

import dataclasses
import math
import os
from typing import Any

import numpy as np

from throng.errors import Error
from throng.files import Path, read_table
from throng.player import coding
from throng.player.people import STRAIGHT, Moment, Slots, Stays, Thinning, moments
from throng.scene import Scene
from throng.trajectory import Trajectory

FRAMES = 32  # of a block: it is decoded at a time
STILL = 0.2  # m/s: who is slower stands
LAST = 65534  # highest quantum of a position: the player needs one number for nobody


@dataclasses.dataclass
class Grid:
    """Whole numbers for positions: quanta (m) from a corner (m)."""
    corner: np.ndarray
    quantum: float

    @staticmethod
    def around(box: tuple[float, float, float, float], quantum: float) -> Grid:
        """The grid of a box, coarser than asked for if the box is too large."""
        x0, y0, x1, y1 = box
        return Grid(np.array([x0, y0]), max(quantum, (max(x1 - x0, y1 - y0)) / LAST))

    def quanta(self, columns: dict[str, np.ndarray]) -> np.ndarray:
        """Positions [n][2] in quanta; who is outside of the box stands at its edge."""
        position = np.column_stack([columns["x"], columns["y"]])
        return np.clip(np.round((position - self.corner) / self.quantum), 0, LAST).astype(np.int32)


class Standing:
    """Counts for how many intervals of its stay each person has stood still."""

    def __init__(self, limit: int, speeds: bool) -> None:
        self.limit, self.speeds = limit, speeds  # quanta in an interval, or of a speed
        self.count = np.zeros(0, np.int64)
        self.position = np.zeros((0, 2), np.int64)
        self.here = np.zeros(0, bool)
        self.longest: list[np.ndarray] = []

    def add(self, slots: np.ndarray, position: np.ndarray, speed: np.ndarray | None) -> None:
        """The next frame."""
        more = max(0, int(slots.max(initial=-1)) + 1 - len(self.count))
        if more:
            self.count = np.pad(self.count, (0, more))
            self.position = np.pad(self.position, ((0, more), (0, 0)))
            self.here = np.pad(self.here, (0, more))
        here = np.zeros(len(self.here), bool)
        here[slots] = True
        self.longest.append(self.count[self.here & ~here])
        before = self.here[slots]
        if speed is None:
            moved = position - self.position[slots]
            still = np.sum(moved.astype(np.int64) ** 2, axis=1) <= self.limit ** 2
        else:
            still = speed <= self.limit
        self.count[slots] = np.where(before, self.count[slots] + still, 0)
        self.position[slots], self.here = position, here

    def typical_maximum(self) -> float:
        """What one of fifty people exceeds, in intervals."""
        counts = np.concatenate([*self.longest, self.count[self.here]])
        return float(np.quantile(counts, 0.98)) if len(counts) else 0.0


class Recording:
    """The people of a run in bytes. head: what codec.js needs to know; parts: {name: bytes}."""

    def __init__(self, trajectory: Trajectory, box: tuple[float, float, float, float],
                 thinning: Thinning, window: tuple[float | None, float | None]) -> None:
        self.interval = (trajectory.interval or 0.0) * thinning.every
        self.straight = bool(0 < self.interval <= STRAIGHT)
        self.grid = Grid.around(box, thinning.quantum)
        has = trajectory.fields
        self.columns = [name for name in ("destination", "speed")
                        if name in has and (name == "destination" or not self.straight)]
        self.kinds = (coding.DESTINATIONS * ("destination" in self.columns)
                      + coding.SPEEDS * ("speed" in self.columns))
        self.parts: dict[str, bytes] = {}
        self.times: list[float] = []
        self.inside: list[int] = []
        self.shown: list[int] = []
        speeds = "speed" in self.columns
        self.limit = int(STILL / coding.SPEED_QUANTUM if speeds
                         else STILL * self.interval / self.grid.quantum)
        self.standing = Standing(self.limit, speeds)
        self.stays = self._read(trajectory, thinning, window)

    def _read(self, trajectory: Trajectory, thinning: Thinning,
              window: tuple[float | None, float | None]) -> Stays:
        slots, block = Slots(), None
        for moment in moments(trajectory, thinning, *window):
            row = slots.next(moment.columns["id"])
            if block is None:
                block = coding.Block(len(self.times), FRAMES, self.kinds)
            frame = self._frame(moment, row)
            self.standing.add(row, frame[1], frame[-1] if "speed" in self.columns else None)
            if not block.frames:
                stood = self.standing.count.copy()
            block.add(*frame)
            self.times.append(moment.time)
            self.inside.append(moment.inside)
            self.shown.append(len(row))
            if block.full:
                self._finish(block, stood)
                block = None
        if block is not None:
            self._finish(block, stood)
        if not self.times:
            raise Error(f"{trajectory.path}: no frames")
        return slots.finish()

    def _frame(self, moment: Moment, row: np.ndarray) -> tuple[np.ndarray, ...]:
        columns, more = moment.columns, []
        if "destination" in self.columns:
            known = columns["destination"]
            more.append(np.where((known < 0) | (known >= coding.NOBODY), coding.NOBODY, known))
        if "speed" in self.columns:
            more.append(np.clip(np.round(columns["speed"] / coding.SPEED_QUANTUM), 0, 255))
        return (row, self.grid.quanta(columns), *more)

    def _finish(self, block: coding.Block, stood: np.ndarray) -> None:
        stood = np.pad(stood, (0, max(0, block.count - len(stood))))
        self.parts[f"block-{len(self.parts)}"] = block.packed(np.minimum(stood, 65535))

    @property
    def size(self) -> int:
        """Bytes of all parts as text."""
        return sum(4 * math.ceil(len(part) / 3) for part in self.parts.values())

    def head(self) -> dict[str, Any]:
        """What codec.js needs to know."""
        return {"corner": self.grid.corner.tolist(), "quantum": self.grid.quantum,
                "interval": round(self.interval, 6),
                "straight": self.straight, "blockFrames": FRAMES, "stillLimit": self.limit,
                "still": STILL, "speedQuantum": coding.SPEED_QUANTUM,
                "slots": int(self.stays.slot.max(initial=-1)) + 1,
                "blocks": sum(name.startswith("block") for name in self.parts),
                "waitMaximum": self.standing.typical_maximum() * self.interval,
                "mostShown": max(self.shown)}

    def frames(self) -> bytes:
        """Time (ms) and number of people of each frame, as columns."""
        return coding.columns(np.round(np.array(self.times) * 1000).astype(np.int64),
                              np.array(self.inside))


def rows_of(wanted: np.ndarray, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows of a table that have these ids, and whether there is such a row."""
    if len(ids) == 0:
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), bool)
    order = np.argsort(ids)
    row = order[np.minimum(np.searchsorted(ids, wanted, sorter=order), len(ids) - 1)]
    return row, ids[row] == wanted


@dataclasses.dataclass
class Crowd:
    """What people.csv and the map say about people: names, and for each stay an index into them,
    or the number of names if that is unknown."""
    names: dict[str, list[str]]
    columns: dict[str, np.ndarray]

    @staticmethod
    def of(folder: Path, stays: Stays, scene: Scene) -> Crowd:
        """The sources, profiles, destinations of the stays."""
        names: dict[str, list[str]] = {"source": [], "profile": [], "destination": []}
        places = {one.index: one.name for one in scene.of("destination") if one.index is not None}
        listed = [places.get(i, f"destination {i}") for i in range(max(places, default=-1) + 1)]
        unknown = np.zeros(len(stays.id), np.int64)
        found = {name: unknown for name in names}
        path = os.path.join(folder, "people.csv")
        if os.path.exists(path):
            table = read_table(path)
            row, known = rows_of(stays.id, table["id"])
            for name in names:
                words, index = np.unique(table[name].astype(str), return_inverse=True)
                # The map and the people have the same colours, so places come in the map's order.
                order = list(dict.fromkeys([*listed, *words])) if name == "destination" else words
                names[name] = [str(word) for word in order]
                place = np.array([names[name].index(word) for word in words], np.int64)
                found[name] = np.full(len(stays.id), len(order))
                found[name][known] = place[index[row[known]]]
        return Crowd({**names, "places": listed}, found)

    def packed(self, stays: Stays) -> bytes:
        """The stays and what is known of the people, as columns."""
        return coding.columns(stays.slot, stays.first, stays.last, stays.id & 0xFFFFFFFF,
                              stays.id >> 32, *(self.columns[name] for name in
                                                ("source", "profile", "destination")))
