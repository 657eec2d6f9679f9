"""Decides what is left out of a run that is too large: frames first, then people."""
from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import numpy as np

from throng.errors import Error
from throng.player.people import STRAIGHT, Thinning
from throng.player.recording import Recording
from throng.trajectory import Selection, Trajectory

if TYPE_CHECKING:
    from throng.player.page import Options

Box = tuple[float, float, float, float]
SOON = 0.2    # s: more frames than that show nothing more
SPARSE = 5.0  # s: frames are not left out beyond this interval: a person walks 7 m in it
FINE, COARSE = 0.02, 0.1  # m: positions are rounded to this, to that if space is short
SAMPLES, SAMPLE = 4, 30.0  # pieces of a run that are packed to learn its size; s of each


@dataclasses.dataclass
class Plan:
    """What is left out. error: m, how far people are from where the player draws them between two
    frames: 95 % of the frames that were left out are nearer. None: no frames were left out."""
    thinning: Thinning
    error: float | None = None

    def notes(self, trajectory: Trajectory, recording: Recording) -> list[str]:
        """What the screen has to say about it."""
        interval = f"{recording.interval:g} s"
        lines = []
        if recording.straight:
            error = "" if self.error is None else (
                f" (recorded every {trajectory.interval:g} s: 95 % within {distance(self.error)})")
            lines.append(f"Positions every {interval}, straight in between{error}")
        elif recording.interval:
            lines.append(f"Positions every {interval}; nobody knows the ways in between")
        if self.thinning.share > 1:
            lines.append(f"1 of {self.thinning.share} people shown")
        return lines


def distance(metres: float) -> str:
    """A distance, rounded up to a centimetre or a decimetre."""
    return (f"{max(1, math.ceil(100 * metres))} cm" if metres < 0.2
            else f"{math.ceil(10 * metres) / 10:g} m")


def planned(trajectory: Trajectory, box: Box, options: Options, limit: int
            ) -> tuple[Plan, Recording]:
    """The run within a limit of bytes, and what was left out for it."""
    if limit <= 0:
        raise Error("the limit is too small for a player: its script alone takes 200 kB")
    thinning = first_thinning(trajectory, options)
    size = estimated(trajectory, box, thinning, options)
    while size > limit and coarser(trajectory, thinning, options):
        size = estimated(trajectory, box, thinning, options)
    if size > limit:
        thinning.share = max(2, math.ceil(size / limit - 0.15))  # one more if that is too many
    while True:
        recording = Recording(trajectory, box, thinning, (options.begin, options.end))
        if recording.size <= limit or thinning.share > max(recording.shown):
            break
        # The estimate was too low.
        if not (thinning.share == 1 and coarser(trajectory, thinning, options)):
            thinning.share = max(thinning.share + 1,
                                 math.ceil(thinning.share * recording.size / limit))
    return Plan(thinning, straightness(trajectory, thinning, options)), recording


def first_thinning(trajectory: Trajectory, options: Options) -> Thinning:
    """With no limit: every recorded frame, but not more than show something."""
    if not trajectory.interval:
        return Thinning(quantum=FINE)
    if options.every is not None:
        return Thinning(Selection(every=options.every).stride(trajectory.interval), quantum=FINE)
    return Thinning(max(1, math.floor(SOON / trajectory.interval + 1e-6)), quantum=FINE)


def coarser(trajectory: Trajectory, thinning: Thinning, options: Options) -> bool:
    """Leaves out more; False if only people are left to leave out."""
    interval = trajectory.interval or math.inf
    allowed = SPARSE if options.every is None else 0
    if thinning.quantum < COARSE and thinning.every * interval >= 1:
        thinning.quantum = COARSE
        return True
    wanted = thinning.every * 2
    if wanted * interval > allowed:
        wanted = math.floor(allowed / interval + 1e-6)
    if wanted > thinning.every:
        thinning.every = wanted
        return True
    if thinning.quantum < COARSE:
        thinning.quantum = COARSE
        return True
    return False


def pieces(trajectory: Trajectory, options: Options) -> list[tuple[float, float]]:
    """Some times (s) of a run, evenly spread; the whole run if it is short."""
    begin = max(trajectory.times[0], -math.inf if options.begin is None else options.begin)
    end = min(trajectory.times[-1], math.inf if options.end is None else options.end)
    length = max(SAMPLE, 8 * (trajectory.interval or 1))
    if end - begin <= 2 * SAMPLES * length:
        return [(begin, end)]
    starts = np.linspace(begin, end - length, SAMPLES)
    return [(float(start), float(start + length)) for start in starts]


def estimated(trajectory: Trajectory, box: Box, thinning: Thinning, options: Options) -> float:
    """About how many bytes of text a run takes."""
    parts = pieces(trajectory, options)
    begin = max(trajectory.times[0], -math.inf if options.begin is None else options.begin)
    end = min(trajectory.times[-1], math.inf if options.end is None else options.end)
    found = [Recording(trajectory, box, thinning, part) for part in parts]
    covered = sum(part[1] - part[0] for part in parts)
    share = (end - begin) / covered if covered > 0 else 1.0
    return sum(one.size for one in found) * max(1.0, share)


def straightness(trajectory: Trajectory, thinning: Thinning, options: Options) -> float | None:
    """How far people are from the straight lines that replace left-out frames (m): 95 % are nearer.
    Measured in the middle of the run."""
    if thinning.every < 2 or thinning.every * (trajectory.interval or math.inf) > STRAIGHT:
        return None
    interval = trajectory.interval or 1
    parts = pieces(trajectory, options)
    begin = parts[len(parts) // 2][0]
    length = 4 * thinning.every * interval
    frames = list(trajectory.frames(Selection(begin=begin, end=begin + length)))
    errors = []
    first = next((i for i, one in enumerate(frames) if one.number % thinning.every == 0), 0)
    for low in range(first, len(frames) - thinning.every, thinning.every):
        ends = frames[low].columns, frames[low + thinning.every].columns
        for i in range(1, thinning.every):
            errors.append(deviation(*ends, frames[low + i].columns, i / thinning.every))
    together = np.concatenate(errors) if errors else np.empty(0)
    return float(np.quantile(together, 0.95)) if len(together) else None


def deviation(before: dict, after: dict, now: dict, part: float) -> np.ndarray:
    """Distances (m) from the line between the outer frames, of everybody in all three frames."""
    ids = np.intersect1d(np.intersect1d(before["id"], after["id"], assume_unique=True), now["id"],
                         assume_unique=True)
    a, b, c = (np.column_stack([one["x"], one["y"]])[np.searchsorted(one["id"], ids)]
               for one in (before, after, now))
    return np.hypot(*(a + (b - a) * part - c).T)
