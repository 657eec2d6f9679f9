"""Maps of the measured grid: density as level of service, time above a level, speed, delay."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.figure import Figure

from throng.errors import Error
from throng.files import Field, Path, Totals, field_paths
from throng.pictures import style
from throng.pictures.legend import Steps
from throng.pictures.sheet import Sheet, View
from throng.scene import Scene

WHATS = ("moment", "mean", "maximum", "peak", "time-above")


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


def stepped(values: np.ndarray, grid: Totals | Field, limits: Sequence[float], ramp: str,
            title: Sequence[str], names: Sequence[str], subtitle: str) -> Cells:
    """Cells in the colours of a ramp."""
    colors = style.ramp(ramp, len(limits) + 1)
    return Cells(values, grid.corner, grid.cell, limits, colors, Steps(title, colors, names),
                 subtitle)


def limits_of(grid: Totals | Field, levels: str) -> np.ndarray:
    """The limits of the levels of service, fruin or hbs (persons/m^2)."""
    if levels not in style.SOURCES:
        raise Error(f"--levels {levels}: one of {', '.join(style.SOURCES)} is expected")
    if levels == "fruin":
        return grid.fruin_limits if isinstance(grid, Totals) else grid.limits
    return grid.hbs_limits if isinstance(grid, Totals) else np.array([0.1, 0.25, 0.6, 1.3, 1.9])


def service(values: np.ndarray, grid: Totals | Field, levels: str, subtitle: str) -> Cells:
    """Densities (persons/m^2) as levels of service; nothing where nobody was."""
    limits = limits_of(grid, levels)
    colors = style.ramp("service", 6)
    title = ("Level of service", "persons / m²", style.SOURCES[levels])
    legend = Steps(title, colors, style.classes(limits), style.LEVELS)
    shown = np.where(values > 0, values.astype(float), np.nan)
    return Cells(shown, grid.corner, grid.cell, limits, colors, legend, subtitle)


def moment_path(folder: Path, snapshot: str, time: float | None) -> str:
    """The density file of a step, of the middle of the run, or of the interval with this time."""
    paths = field_paths(folder)
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


def interval_text(folder: Path) -> str:
    """How long the intervals of the density files are, if there are any."""
    try:
        first = Field(next(iter(field_paths(folder).values())))
    except Error:
        return "one interval"
    return style.duration(first.time - first.since)


def moment(folder: Path, levels: str, snapshot: str = "middle", time: float | None = None
           ) -> Cells:
    """The mean density of one interval."""
    field = Field(moment_path(folder, snapshot, time))
    return service(field.density, field, levels, moment_text(field))


def moment_text(field: Field) -> str:
    """Which interval this is."""
    return f"Mean density from {style.clock(field.since)} to {style.clock(field.time)}"


def density(folder: Path, what: str, levels: str, level: str) -> Cells:
    """The density of the whole run: its mean, the highest mean of an interval, the highest
    sample, or the time at a level or above."""
    totals = Totals(folder)
    over = f"0:00 – {style.clock(totals.time)}"
    if what == "mean":
        return service(totals.density, totals, levels, f"Mean density · {over}")
    if what == "maximum":
        return service(totals.max_mean_density, totals, levels,
                       f"Highest density, mean of {interval_text(folder)} · {over}")
    if what == "peak":
        return service(totals.max_density, totals, levels,
                       f"Highest density of a single moment · {over}")
    if what != "time-above":
        raise Error(f"--what {what}: one of {', '.join(WHATS)} is expected")
    return time_above(totals, levels, level, over)


def time_above(totals: Totals, levels: str, level: str, over: str) -> Cells:
    """How long each cell was at a level of service or a worse one."""
    if level not in tuple("BCDEF"):
        raise Error(f"--level {level}: one of B to F is expected")
    limit = limits_of(totals, levels)["BCDEF".index(level)]
    values = totals.time_above(limit)
    limits = style.ladder(max(values.max(), 2 * totals.sample), style.TIMES)
    worse = f"level {level} or worse" if level != "F" else "level F"
    title = (f"Time at {worse}", f"{limit:.3g} persons / m² or more", style.SOURCES[levels])
    return stepped(np.where(values > 0, values, np.nan), totals, limits, "time", title,
                   style.classes(limits, style.duration), f"Time at {worse} · {over}")


def speed(folder: Path) -> Cells:
    """Mean speed; dark is slow."""
    totals = Totals(folder)
    limits = [0.25, 0.5, 0.75, 1.0, 1.25]
    values = np.where(totals.people > 0, totals.speed.astype(float), np.nan)
    names = style.classes(limits, lambda v: f"{v:.2f}")
    cells = stepped(values, totals, limits, "speed", ("Mean speed", "m/s"), names,
                    f"Mean speed of all who were there · 0:00 – {style.clock(totals.time)}")
    cells.colors = cells.legend.colors = style.ramp("speed", len(limits) + 1)[::-1]
    return cells


def delay(folder: Path) -> Cells:
    """Time lost by all people, per m^2."""
    totals = Totals(folder)
    values = totals.delay.astype(float) / totals.cell**2
    limits = style.ladder(max(values.max(), 1e-3), count=5)
    title = ("Time lost", "person-seconds / m²", "against the preferred speed")
    people = style.duration(float(totals.delay.sum()))
    return stepped(np.where(values > 0, values, np.nan), totals, limits, "delay", title,
                   style.classes(limits), f"Time lost by all people together: {people} · 0:00 – "
                   f"{style.clock(totals.time)}")


def cells_of(kind: str, folder: Path, what: str = "maximum", levels: str = "fruin",
             level: str = "E", snapshot: str = "middle", time: float | None = None) -> Cells:
    """The cells of a kind: density, speed or delay."""
    plain: dict[str, Callable[[Path], Cells]] = {"speed": speed, "delay": delay}
    if kind in plain:
        return plain[kind](folder)
    if what == "moment":
        return moment(folder, levels, snapshot, time)
    return density(folder, what, levels, level)


def draw_cells(kind: str, folder: Path, view: View, **options) -> Figure:
    """The map of such cells."""
    cells = cells_of(kind, folder, **options)
    sheet = Sheet(Scene(folder), str(folder), view, cells.subtitle, [cells.legend])
    sheet.show_cells(cells.corner, cells.cell, cells.rgba())
    return sheet.finish()
