"""The paths of people, from trajectory.h5 or the snapshots."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from throng.files import Path
from throng.trajectory import Frame, Selection, open_trajectory

TRAILS = ("auto", "lines", "paths")
MOST_LINES = 600  # people: more lines hide each other


def pairs(folder: Path) -> Iterator[tuple[float, np.ndarray, np.ndarray, np.ndarray]]:
    """From frame to frame: time between (s), ids, places before and after [n][2] (m)."""
    old: Frame | None = None
    for new in open_trajectory(str(folder)).frames(Selection()):
        if old is not None:
            ids, i, j = np.intersect1d(old.columns["id"], new.columns["id"], assume_unique=True,
                                       return_indices=True)
            before, after = (np.stack([frame.columns[axis][rows] for axis in "xy"], axis=1)
                             for frame, rows in ((old, i), (new, j)))
            yield new.time - old.time, ids, before, after
        old = new


def everyone(folder: Path) -> np.ndarray:
    """The ids of all people of a run."""
    frames = open_trajectory(str(folder)).frames(Selection())
    return np.unique(np.concatenate([frame.columns["id"] for frame in frames]))


def share_of_all(folder: Path, share: float | None) -> tuple[np.ndarray, int]:
    """Ids of this share of the people, spread over all of them, or of as many as lines can show;
    and the number of all."""
    ids = everyone(folder)
    wanted = len(ids) * share if share is not None else min(len(ids), MOST_LINES)
    stride = max(len(ids) / max(wanted, 1), 1)
    return ids[np.arange(0, len(ids), stride).astype(int)], len(ids)


def trail_lines(folder: Path, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Lines [n][2][2] (m) between frames of these people, the speeds on them, how many people."""
    parts, speeds = [np.empty((0, 2, 2))], [np.empty(0)]
    for seconds, found, before, after in pairs(folder):
        mine = np.isin(found, ids, assume_unique=True)
        part = np.stack([before[mine], after[mine]], axis=1)
        parts.append(part)
        speeds.append(np.hypot(*(part[:, 1] - part[:, 0]).T) / seconds)
    return np.concatenate(parts), np.concatenate(speeds), len(ids)


def path_counts(folder: Path, low: np.ndarray, high: np.ndarray, cell: float
                ) -> tuple[np.ndarray, int]:
    """How often people came to each cell [rows][columns] on straight ways between frames, and how
    many people there were."""
    columns, rows = np.maximum(np.ceil((high - low) / cell), 1).astype(int)
    counts, seen = np.zeros(rows * columns + 1, np.int64), [np.empty(0, np.int64)]

    def number(place: np.ndarray) -> np.ndarray:
        column, row = np.floor((place - low) / cell).astype(np.int64).T
        inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
        return np.where(inside, row * columns + column, rows * columns)

    for _, ids, before, after in pairs(folder):
        seen = [np.union1d(seen[0], ids)]
        steps = np.ceil(2 * np.abs(after - before).max(axis=1, initial=0) / cell).astype(int)
        last = number(before)
        for step in range(1, int(steps.max(initial=0)) + 1):
            walks = steps >= step
            now = last.copy()
            part = (step / np.maximum(steps, 1))[walks, None]
            now[walks] = number(before[walks] + part * (after[walks] - before[walks]))
            counts += np.bincount(now[now != last], minlength=len(counts))
            last = now
    return counts[:-1].reshape(rows, columns), len(seen[0])
