"""Gives everybody of a run a place in the player's arrays, and thins a run that is too large.

A slot is a row of the player's arrays. A person keeps its slot while it is inside; afterwards
somebody else may have it, but not in the very next frame: the player draws a line between two
frames of a slot, and there must be none from one person to another.
"""
from __future__ import annotations

import dataclasses
import heapq
from collections.abc import Iterator

import numpy as np

from throng.files import Table
from throng.trajectory import Selection, Trajectory

STRAIGHT = 10.0  # s: people may walk straight between frames of at most this interval
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: spreads ids over all shares


@dataclasses.dataclass
class Thinning:
    """What is left out of a run. every: frames of the trajectory to one of the player; share: one
    of so many people is shown; quantum: m, to which positions are rounded."""
    every: int = 1
    share: int = 1
    quantum: float = 0.01

    def chosen(self, ids: np.ndarray) -> np.ndarray:
        """Which people are shown: by a hash of the id, so that neighbours in a queue are not all
        shown or all left out, and the same ones in every run."""
        mixed = ids.astype(np.uint64) * SPREAD >> np.uint64(40)
        return mixed % np.uint64(self.share) == 0


@dataclasses.dataclass
class Stays:
    """Who had which slot when. Arrays of one length: slot, first, last (frames, inclusive), id."""
    slot: np.ndarray
    first: np.ndarray
    last: np.ndarray
    id: np.ndarray


class Slots:
    """Hands out slots, the lowest free one first, frame by frame."""

    def __init__(self) -> None:
        self.ids = np.empty(0, np.int64)  # of the last frame, ascending
        self.held = np.empty(0, np.int64)  # slots of these people
        self.since = np.empty(0, np.int64)  # the frame in which each of them came
        self.free: list[int] = []
        self.resting: list[int] = []  # left in the last frame: free again in the next one
        self.count, self.frame = 0, -1
        self.stays: list[tuple[np.ndarray, ...]] = []

    def next(self, ids: np.ndarray) -> np.ndarray:
        """The slots of the people of the next frame, by ascending id."""
        self.frame += 1
        stay = np.isin(self.ids, ids, assume_unique=True)
        old = np.isin(ids, self.ids, assume_unique=True)
        rested, self.resting = self.resting, self.held[~stay].tolist()
        self._leave(~stay)
        for slot in rested:
            heapq.heappush(self.free, slot)
        slots, since = np.empty(len(ids), np.int64), np.full(len(ids), self.frame)
        slots[old], since[old] = self.held[stay], self.since[stay]
        slots[~old] = [self._take() for _ in range(int(np.sum(~old)))]
        self.ids, self.held, self.since = ids, slots, since
        return slots

    def _take(self) -> int:
        if self.free:
            return heapq.heappop(self.free)
        self.count += 1
        return self.count - 1

    def _leave(self, gone: np.ndarray) -> None:
        last = np.full(int(np.sum(gone)), self.frame - 1)
        self.stays.append((self.held[gone], self.since[gone], last, self.ids[gone]))

    def finish(self) -> Stays:
        """All stays, by slot and time. Nobody may come any more."""
        self.frame += 1
        self._leave(np.ones(len(self.ids), bool))
        slot, first, last, ids = (np.concatenate(part) for part in zip(*self.stays))
        order = np.lexsort((first, slot))
        return Stays(slot[order], first[order], last[order], ids[order])


@dataclasses.dataclass
class Moment:
    """A frame that is left. time: s; inside: how many people the frame has, shown or not; columns:
    of those shown."""
    time: float
    inside: int
    columns: Table


def moments(trajectory: Trajectory, thinning: Thinning, begin: float | None = None,
            end: float | None = None) -> Iterator[Moment]:
    """The frames that are left, in order."""
    every = thinning.every * trajectory.interval if trajectory.interval else None
    for frame in trajectory.frames(Selection(begin=begin, end=end, every=every)):
        columns = frame.columns
        inside = len(columns["id"])
        if thinning.share > 1:
            chosen = thinning.chosen(columns["id"])
            columns = {name: values[chosen] for name, values in columns.items()}
        yield Moment(frame.time, inside, columns)
