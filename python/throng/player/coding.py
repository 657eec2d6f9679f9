"""Packs a crowd into few bytes: blocks of frames that python/throng/player/codec.js reads.

A block is deflated and holds, for each slot, its frames one after another, so that like stands
beside like:

    uint32 [4]: first frame, frames, slots, bits of what is there (1: destinations, 2: speeds)
    uint16 [slots]: intervals that the person in the slot has stood still before the block
    uint8 [2][2][slots][frames]: x and y, their low bytes and their high bytes
    uint8 [slots][frames]: destinations; speeds

All numbers are little-endian. Positions are quanta from the corner of the box, 0 to 65534. People
walk steadily, so what is stored is how far the step from the frame before differs from the step
before that (from 0 at the beginning, where the first position counts as itself and as no step),
modulo 65536: 2 n for n >= 0 and -2 n - 1 for n < 0, so that small ones have a high byte of 0. That
takes a seventh less than the steps themselves. Destinations and speeds are differences modulo 256.
Nobody in the slot: as if the one before did not move.
"""
from __future__ import annotations

import base64
import zlib

import numpy as np

DESTINATIONS, SPEEDS = 1, 2
NOBODY = 255  # a destination: none
SPEED_QUANTUM = 0.02  # m/s
LEVEL = 6  # of deflate; 9 takes four times as long for 1 % less


class Block:
    """Frames that are collected until they are packed."""

    def __init__(self, first: int, size: int, parts: int) -> None:
        self.first, self.size, self.parts = first, size, parts
        self.count = 0
        self.frames: list[tuple[np.ndarray, ...]] = []

    def add(self, slots: np.ndarray, position: np.ndarray, *more: np.ndarray) -> None:
        """Adds a frame: slots [n], quanta [n][2] and a byte [n] for each part."""
        self.frames.append((slots, position, *more))
        if len(slots):
            self.count = max(self.count, int(slots.max()) + 1)

    @property
    def full(self) -> bool:
        """Whether it has all its frames."""
        return len(self.frames) == self.size

    def packed(self, stood: np.ndarray) -> bytes:
        """The block, deflated; stood [slots or more]: intervals stood still before it."""
        head = np.array([self.first, len(self.frames), self.count, self.parts], "<u4")
        parts = [head.tobytes(), stood[:self.count].astype("<u2").tobytes()]
        parts += [steps(self.filled(1, axis), 16) for axis in (0, 1)]
        parts += [steps(self.filled(2 + i), 8) for i in range(bin(self.parts).count("1"))]
        return zlib.compress(b"".join(parts), LEVEL)

    def filled(self, column: int, axis: int | None = None) -> np.ndarray:
        """A column [slots][frames] whose gaps have the value before them, or the one behind."""
        table = np.full((self.count, len(self.frames)), -1, np.int32)
        for i, frame in enumerate(self.frames):
            values = frame[column]
            table[frame[0], i] = values if axis is None else values[:, axis]
        for i in range(1, table.shape[1]):
            gap = table[:, i] < 0
            table[gap, i] = table[gap, i - 1]
        for i in range(table.shape[1] - 2, -1, -1):
            gap = table[:, i] < 0
            table[gap, i] = table[gap, i + 1]
        return np.maximum(table, 0)


def folded(step: np.ndarray, bits: int) -> np.ndarray:
    """Differences modulo 2^bits as numbers from 0 on, small ones for small differences."""
    half = 1 << bits - 1
    step = (step + half & 2 * half - 1) - half
    return np.where(step >= 0, 2 * step, -2 * step - 1).astype(np.uint64)


def low_first(values: np.ndarray, count: int) -> bytes:
    """All lowest bytes, then all second ones, and so on."""
    return b"".join((values >> np.uint64(8 * i) & np.uint64(255)).astype(np.uint8).tobytes()
                    for i in range(count))


def steps(table: np.ndarray, bits: int) -> bytes:
    """What is stored of a table [slots][frames] of positions (16 bits), or of bytes (8)."""
    step = np.diff(table, axis=1, prepend=0)
    if bits == 8:
        return (step & 255).astype(np.uint8).tobytes()
    turn = np.diff(step, axis=1, prepend=0)
    turn[:, 1:2] = step[:, 1:2]
    return low_first(folded(turn, 16), 2)


def columns(*tables: np.ndarray) -> bytes:
    """Columns of whole numbers, deflated: the number of rows (uint32), then for each column its
    differences from row to row, modulo 2^32, folded as above, all lowest bytes first."""
    rows = len(tables[0])
    parts = [np.array([rows], "<u4").tobytes()]
    for table in tables:
        step = np.diff(np.asarray(table, np.int64), prepend=0)
        parts.append(low_first(folded(step, 32), 4))
    return zlib.compress(b"".join(parts), 9)


def deflated(data: bytes) -> bytes:
    """Deflated as well as it goes; for what is small."""
    return zlib.compress(data, 9)


def text(data: bytes) -> str:
    """As letters, which may stand in HTML."""
    return base64.b64encode(data).decode("ascii")
