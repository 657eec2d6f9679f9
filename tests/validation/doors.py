"""Who goes first before a door, in an experiment or in a run: both are measured alike."""

import numpy as np

from tracks import EVERY


def passages(place, axis, value):
    """When and where each person first falls below a value of x (axis 0) or y (axis 1): time, s, and
    the other coordinate, m; nan: never."""
    across, along = place[..., axis], place[..., 1 - axis]
    before, after = across[:-1], across[1:]
    with np.errstate(invalid="ignore"):
        passed = (before > value) & (after <= value)
    people, row = np.arange(place.shape[1]), passed.argmax(0)
    a, b = before[row, people], after[row, people]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(passed.any(0), (a - value) / (a - b), np.nan)
        where = along[row, people] + share * (along[row + 1, people] - along[row, people])
    return (row + share) * EVERY, where


def ranks(values):
    return np.argsort(np.argsort(values))


def order(place, line, half, since):
    """Of all who are before a door at y = line, |x| <= half, at a time, s: their distances to it, m,
    the angles to its axis, degrees, and how long it takes them to pass, s."""
    passed, _ = passages(place, 1, line)
    x, y = np.moveaxis(place[int(since / EVERY)], -1, 0)
    here = (y > line) & ~np.isnan(passed)
    aside, ahead = np.maximum(np.abs(x[here]) - half, 0), y[here] - line
    return np.hypot(aside, ahead), np.degrees(np.arctan2(aside, ahead)), passed[here] - since


def rank_correlation(distance, wait):
    """Of the order of distances and that in which people pass (Spearman): 1, the nearest go first."""
    return float(np.corrcoef(ranks(distance), ranks(wait))[0, 1])


def fairness(distance, angle, wait, low, high):
    """How long those wait who stand at some angles to the axis, divided by how long people wait who
    are as near by the order of distances."""
    mine = (angle >= low) & (angle < high)
    return float(wait[mine].mean() / np.sort(wait)[ranks(distance)][mine].mean())


def sides(place):
    """Before an opening with its axis at x = 0 and its front at y = 0: from 3 m on, the time of people
    at 2.25 m and more from the axis, divided by that of those within 0.75 m; and how far from the axis
    people pass, for each metre at 3 m. Of those who pass between a quarter and 0.9 of all."""
    end, x_end = passages(place, 1, 0.0)
    begin, x_begin = passages(place, 1, 3.0)
    first, last = np.nanquantile(end, (0.25, 0.9))
    some = (end > first) & (end < last) & ~np.isnan(begin)
    off, time = np.abs(x_begin), end - begin
    ratio = time[some & (off >= 2.25)].mean() / time[some & (off < 0.75)].mean()
    return float(ratio), float(np.polyfit(x_begin[some], x_end[some], 1)[0])
