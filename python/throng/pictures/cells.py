"""Maps of the measured grid: density as level of service, time above a level, speed, delay."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.figure import Figure

from throng.errors import Error
from throng.files import Field, Totals, field_paths
from throng.levels import HBS, LETTERS
from throng.pictures import style
from throng.pictures.legend import Steps
from throng.pictures.sheet import Sheet, View
from throng.results import Run

MOST = 0.995  # of the cells with a delay or a time are below the limits of the last colour, about
WHATS = ("moment", "mean", "maximum", "peak", "time-above")


@dataclasses.dataclass
class Choice:
    """Which density: what (of WHATS), levels (fruin, hbs), level (of time-above: B to F); of a
    moment: snapshot (first, middle, last or a step) or time (s)."""
    what: str = "maximum"
    levels: str = "fruin"
    level: str = "E"
    snapshot: str = "middle"
    time: float | None = None


@dataclasses.dataclass
class Cells:
    """Values [rows][columns] of square cells, nan where there is nothing to show; the classes
    between limits are a colour each. corner (m), cell (m)."""
    values: np.ndarray
    corner: np.ndarray
    cell: float
    limits: Sequence[float]
    colors: Sequence[str]
    legend: Steps
    subtitle: str = ""

    def classes(self) -> np.ndarray:
        """The class of each value [rows][columns]; -1 where there is nothing to show."""
        filled = np.nan_to_num(self.values, nan=-np.inf)
        return np.where(np.isnan(self.values), -1, np.digitize(filled, self.limits))

    def rgba(self) -> np.ndarray:
        """Colours [rows][columns][4]."""
        table = np.concatenate([style.rgba(self.colors), np.zeros((1, 4))])
        return table[self.classes()]


def stepped(values: np.ndarray, grid: Totals | Field, limits: Sequence[float], legend: Steps,
            subtitle: str) -> Cells:
    """Cells in the colours of a legend."""
    return Cells(values, grid.corner, grid.cell, limits, legend.colors, legend, subtitle)


def limits_of(grid: Totals | Field, levels: str) -> np.ndarray:
    """The limits of the levels of service, fruin or hbs (persons/m^2)."""
    if levels not in style.SOURCES:
        raise Error(f"--levels {levels}: one of {', '.join(style.SOURCES)} is expected")
    if levels == "fruin":
        return grid.fruin_limits if isinstance(grid, Totals) else grid.limits
    return grid.hbs_limits if isinstance(grid, Totals) else np.array(HBS)


def service(values: np.ndarray, grid: Totals | Field, levels: str, subtitle: str) -> Cells:
    """Densities (persons/m^2) as levels of service; nothing where nobody was."""
    limits = limits_of(grid, levels)
    colors = style.ramp("service", 6)
    title = ("Level of service", "persons / m²", style.SOURCES[levels])
    legend = Steps(title, colors, style.classes(limits), LETTERS)
    shown = np.where(values > 0, values.astype(float), np.nan)
    return Cells(shown, grid.corner, grid.cell, limits, colors, legend, subtitle)


def moment_path(run: Run, snapshot: str, time: float | None) -> str:
    """The density file of a step, of the middle of the run, or of the interval with this time."""
    paths = field_paths(run.folder)
    steps = list(paths)
    if time is not None:
        last = Field(paths[steps[-1]])  # steps are of one length: no other file need be read
        wanted = time / last.time * last.step - 1e-6
        return paths[next((step for step in steps if step >= wanted), steps[-1])]
    return chosen(paths, snapshot)


def chosen(paths: dict[int, str], which: str) -> str:
    """The path of first, middle, last or a step."""
    steps = list(paths)
    places = {"first": 0, "middle": len(steps) // 2, "last": -1}
    if which in places:
        return paths[steps[places[which]]]
    if which.isdigit() and int(which) in paths:
        return paths[int(which)]
    raise Error(f"--snapshot {which}: there is none; choose first, middle, last or one of "
                f"the steps {', '.join(map(str, steps[:8]))}{', ...' if len(steps) > 8 else ''}")


def interval_text(run: Run) -> str:
    """How long the intervals of the density files are, if there are any."""
    try:
        first = Field(next(iter(field_paths(run.folder).values())))
    except Error:
        return "one interval"
    return style.duration(first.time - first.since)


def moment_text(field: Field) -> str:
    """Which interval this is."""
    return f"Mean density from {style.clock(field.since)} to {style.clock(field.time)}"


def moment(run: Run, choice: Choice) -> Cells:
    """The mean density of one interval."""
    field = Field(moment_path(run, choice.snapshot, choice.time))
    return service(field.density, field, choice.levels, moment_text(field))


def density(run: Run, choice: Choice, runs: Sequence[Run]) -> Cells:
    """The density of the whole run: its mean, the highest mean of an interval, the highest
    sample, or the time at a level or above; on the scale of these runs."""
    totals, levels = run.totals, choice.levels
    over = f"0:00 – {style.clock(totals.time)}"
    if choice.what == "mean":
        return service(totals.density, totals, levels, f"Mean density · {over}")
    if choice.what == "maximum":
        return service(totals.max_mean_density, totals, levels,
                       f"Highest density, mean of {interval_text(run)} · {over}")
    if choice.what == "peak":
        return service(totals.max_density, totals, levels,
                       f"Highest density of a single moment · {over}")
    if choice.what != "time-above":
        raise Error(f"--what {choice.what}: one of {', '.join(WHATS)} is expected")
    return time_above(totals, choice, [one.totals for one in runs], over)


def largest(values: np.ndarray, write: Callable[[float], str]) -> str:
    """How far the last colour reaches, for the legend."""
    return f"largest: {write(float(values.max(initial=0)))}"


def time_above(totals: Totals, choice: Choice, every: Sequence[Totals], over: str) -> Cells:
    """How long each cell was at a level of service or a worse one."""
    level = choice.level
    if level not in tuple("BCDEF"):
        raise Error(f"--level {level}: one of B to F is expected")
    limit = limits_of(totals, choice.levels)["BCDEF".index(level)]
    values = totals.time_above(limit)
    times = np.concatenate([one.time_above(limit).ravel() for one in every])
    limits = style.ladder(max(style.high(times, MOST), 2 * totals.sample), style.TIMES)
    worse = f"level {level} or worse" if level != "F" else "level F"
    legend = Steps((f"Time at {worse}", f"{limit:.3g} persons / m² or more",
                    style.SOURCES[choice.levels], largest(times, style.duration)),
                   style.ramp("time", len(limits) + 1),
                   style.classes(limits, style.duration))
    return stepped(np.where(values > 0, values, np.nan), totals, limits, legend,
                   f"Time at {worse} · {over}")


def speed(run: Run) -> Cells:
    """Mean speed; dark is slow."""
    totals = run.totals
    limits = [0.25, 0.5, 0.75, 1.0, 1.25]
    values = np.where(totals.people > 0, totals.speed.astype(float), np.nan)
    legend = Steps(("Mean speed", "m/s"), style.ramp("speed", len(limits) + 1)[::-1],
                   style.classes(limits, lambda v: f"{v:.2f}"))
    return stepped(values, totals, limits, legend,
                   f"Mean speed of all who were there · 0:00 – {style.clock(totals.time)}")


def delay(run: Run, runs: Sequence[Run]) -> Cells:
    """Time lost by all people, per m^2; on the scale of these runs."""
    totals = run.totals
    values = totals.delay.astype(float) / totals.cell**2
    lost = np.concatenate([one.totals.delay.ravel().astype(float) / one.totals.cell**2
                           for one in runs])
    limits = style.ladder(max(style.high(lost, MOST), 1e-3), count=5)
    legend = Steps(("Time lost", "person-seconds / m²", "against the preferred speed",
                    largest(lost, style.number)),
                   style.ramp("delay", len(limits) + 1), style.classes(limits))
    people = style.duration(float(totals.delay.sum()))
    return stepped(np.where(values > 0, values, np.nan), totals, limits, legend,
                   f"Time lost by all people together: {people} · 0:00 – "
                   f"{style.clock(totals.time)}")


def cells_of(kind: str, run: Run, choice: Choice, view: View = View()) -> Cells:
    """The cells of a kind: density, speed or delay."""
    if kind == "density" and choice.what == "moment":
        return moment(run, choice)
    runs = view.runs(run, "totals.vtkhdf")
    if kind == "speed":
        return speed(run)
    return delay(run, runs) if kind == "delay" else density(run, choice, runs)


def draw_cells(kind: str, run: Run, view: View, **options) -> Figure:
    """The map of such cells; options: those of Choice."""
    cells = cells_of(kind, run, Choice(**options), view)
    cells.legend.title = (*cells.legend.title, *view.note)
    sheet = Sheet(run.scene, run.folder, view, cells.subtitle, [cells.legend])
    sheet.show_cells(cells.corner, cells.cell, cells.rgba())
    return sheet.finish()
