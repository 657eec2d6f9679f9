"""Maps by the place where people started: how long they took, and which exit they chose."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from throng.errors import Error
from throng.exits import Exits, arrived, exits_of
from throng.files import Table
from throng.pictures import style
from throng.pictures.cells import Cells
from throng.pictures.ground import MARK, fill, write_mark
from throng.pictures.legend import BOX, Items, Shares, Steps, heading, write
from throng.pictures.sheet import Sheet, View, seen_region
from throng.results import Run
from throng.scene import Feature

ACROSS = 55                     # cells along the longer side of the map
COARSEST, FEW = 12, 1.5         # cells along it at least; people in a cell, if that allows it
SIDES = (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)
MEASURES: dict[str, tuple[str, Callable[[np.ndarray], float]]] = {
    "mean": ("Mean time", np.mean),
    "median": ("Time of the median", lambda v: float(np.quantile(v, 0.5))),
    "p90": ("Time of 90 %", lambda v: float(np.quantile(v, 0.9))),
    "p95": ("Time of 95 %", lambda v: float(np.quantile(v, 0.95))),
    "maximum": ("Longest time", np.max)}
MOST_EXITS = len(style.CATEGORIES)
WIDTH = 2.0                     # inches, of a legend with a chart


def cell_side(run: Run, view: View, runs: Sequence[Run], wanted: float | None) -> float:
    """The side of a cell (m): the wanted one, or a round number that suits the map and gives each
    place where people of any of the runs started a few of them."""
    if wanted is not None:
        if not wanted > 0:
            raise Error("--cell: a number of metres above 0 is expected")
        return wanted
    return max(own_side(run, view, one.people) for one in runs)


def own_side(run: Run, view: View, people: Table) -> float:
    """The side that suits these people on the map of a run."""
    low, high = seen_region(run.scene, view.region)
    size = float(max(high - low))
    least = min(SIDES, key=lambda side: abs(np.log(side * ACROSS / size)))
    starts = np.stack([people["start_x"], people["start_y"]], axis=1)[arrived(people)]
    for side in (one for one in SIDES if one >= least):
        used = len(np.unique(np.floor(starts / side), axis=0))
        if len(starts) >= FEW * used or side * COARSEST >= size:
            return float(side)
    return float(SIDES[-1])


@dataclasses.dataclass
class Bins:
    """People in square cells by where they started. corner (m), cell (m), shape (rows, columns);
    at [people]: the number of the cell, row by row."""
    corner: np.ndarray
    cell: float
    shape: tuple[int, int]
    at: np.ndarray

    @classmethod
    def of(cls, x: np.ndarray, y: np.ndarray, cell: float) -> Bins:
        """Cells whose corners are multiples of their side."""
        places = np.floor(np.stack([x, y], axis=1) / cell).astype(np.int64)
        first, last = (places.min(axis=0), places.max(axis=0)) if len(x) else ([0, 0], [0, 0])
        columns, rows = np.array(last) - first + 1
        column, row = (places - first).T
        return cls(np.array(first) * cell, cell, (int(rows), int(columns)), row * columns + column)

    def measured(self, values: np.ndarray, measure: Callable[[np.ndarray], float]) -> np.ndarray:
        """A measure of the values of each cell [rows][columns]; nan where there are none."""
        result = np.full(self.shape[0] * self.shape[1], np.nan)
        order = np.argsort(self.at, kind="stable")
        cells, begins = np.unique(self.at[order], return_index=True)
        for cell, part in zip(cells, np.split(values[order], begins[1:])):
            result[cell] = measure(part)
        return result.reshape(self.shape)


@dataclasses.dataclass
class Times:
    """The time that each person who left needed (s), and the number of the others: people who are
    still inside and people removed by a caller."""
    taken: np.ndarray
    inside: int
    removed: int

    @classmethod
    def of(cls, people: Table) -> Times:
        """Of the rows of people.csv."""
        gone = arrived(people)
        return cls((people["left_s"] - people["entered_s"])[gone],
                   int(np.sum(np.isnan(people["left_s"]))),
                   int(np.sum(~gone & np.isfinite(people["left_s"]))))

    def rest(self) -> str:
        """Who is left out of a map, in words."""
        words = [f"{count:,} {what}" for count, what in
                 ((self.inside, "still inside"), (self.removed, "removed")) if count]
        one = self.inside + self.removed == 1
        return f", {' and '.join(words)} {'is' if one else 'are'} left out" if words else ""


@dataclasses.dataclass
class Evacuation:
    """cells: times by starting place; times: of this run, and of all with which it is compared."""
    cells: Cells
    times: Times
    every: list[Times]


def bins_of(run: Run, cell: float) -> Bins:
    """Cells of those who have left, by where they started."""
    gone = arrived(run.people)
    return Bins.of(run.people["start_x"][gone], run.people["start_y"][gone], cell)


def evacuation_cells(run: Run, view: View, what: str, cell: float | None) -> Evacuation:
    """Times by starting place."""
    if what not in MEASURES:
        raise Error(f"--what {what}: one of {', '.join(MEASURES)} is expected")
    times = Times.of(run.people)
    if not len(times.taken):
        raise Error(f"{run.folder}: nobody has left yet; let the run go on (time.end)")
    runs = [one for one in view.runs(run, "people.csv") if arrived(one.people).any()]
    side = cell_side(run, view, runs, cell)
    name, measure = MEASURES[what]
    every = {one.folder: Times.of(one.people) for one in runs}
    grids = {one.folder: bins_of(one, side).measured(every[one.folder].taken, measure)
             for one in runs}
    limits = style.stairs(min(float(np.nanmin(grid)) for grid in grids.values()),
                          max(float(np.nanmax(grid)) for grid in grids.values()), style.STRIDES)
    colors = style.ramp("duration", len(limits) + 1)
    legend = Steps((name, "from entering to leaving", *view.note), colors,
                   style.classes(limits, style.duration))
    subtitle = (f"{name} to leave, by starting place ({side:g} m) · "
                f"{style.people(len(times.taken))}{times.rest()}")
    cells = Cells(grids[run.folder], bins_of(run, side).corner, side, limits, colors, legend,
                  subtitle)
    return Evacuation(cells, times, list(every.values()))


@dataclasses.dataclass
class QuantileCurve:
    """The share of people that had left by a time, and the times of some shares. still: people
    who have not left; end: of the axis, s."""
    times: np.ndarray
    still: int
    end: float
    width: float = WIDTH
    shares: tuple[float, ...] = (0.5, 0.9, 0.95, 1.0)
    low: bool = False  # the times stand beside the curve, not below

    def height(self) -> float:
        """Inches."""
        return 2.05 + (0 if self.low else 0.2 * len(self.shares))

    def quantiles(self) -> list[tuple[str, str]]:
        """(share, time): the first by which that share of all had left, or that it had not."""
        ordered = np.sort(self.times)
        everyone = len(ordered) + self.still
        found = []
        for share in self.shares:
            place = int(np.ceil(share * everyone - 1e-9)) - 1
            name = "all" if share == 1 else f"{100 * share:.0f} %"
            found.append((name, style.duration(np.ceil(ordered[place])) if place < len(ordered)
                          else "not by the end"))
        return found

    def draw(self, page: Axes, x: float, top: float) -> None:
        """From here downwards."""
        top = heading(page, x, top, ("Share of people", "that had left after this time"))
        chart = page.inset_axes([x + 0.32, top - 1.35, self.width - 0.32, 1.3],
                                transform=page.transData)
        ordered = np.sort(self.times)
        everyone = len(ordered) + self.still
        unit, name = (60, "min") if self.end > 180 else (1, "s")
        chart.step(np.r_[0, ordered] / unit, 100 * np.arange(len(ordered) + 1) / everyone,
                   where="post", color=style.FLOW, linewidth=1.6)
        for share in self.shares[:-1]:
            chart.axhline(100 * share, color=style.FAINT, linewidth=0.5, linestyle=(0, (3, 2)))
        chart.set(ylim=(0, 102), xlim=(0, self.end * 1.03 / unit), yticks=(0, 50, 90, 100))
        chart.set_xlabel(name, fontsize=style.SMALL - 0.5, labelpad=1, color=style.INK)
        chart.tick_params(labelsize=style.SMALL - 0.5, length=2, width=0.5, pad=2,
                          colors=style.INK)
        chart.patch.set_alpha(0)
        for side in ("top", "right"):
            chart.spines[side].set_visible(False)
        for i, (share, time) in enumerate(self.quantiles()):
            y = top - 1.75 - 0.2 * i
            left = x
            if self.low:
                left, y = x + self.width + 0.25, top - 0.35 - 0.24 * i
            write(page, left, y, share, fontweight="bold")
            write(page, left + 0.55, y, time)


def draw_evacuation(run: Run, view: View, what: str = "mean", cell: float | None = None
                    ) -> Figure:
    """How long people took, by where they started."""
    found = evacuation_cells(run, view, what, cell)
    cells, times = found.cells, found.times
    end = max(float(one.taken.max()) for one in found.every)
    sheet = Sheet(run.scene, run.folder, view, cells.subtitle,
                  [cells.legend, QuantileCurve(times.taken, times.inside + times.removed, end)])
    sheet.show_cells(cells.corner, cells.cell, cells.rgba())
    return sheet.finish()


@dataclasses.dataclass
class Palette:
    """Colours of exits by name, the same in all runs that are compared. order: the names, the most
    used first; number: {name: of its colour}, in the order of the scenario: exits that are near
    each other there look different. Those with no number share the last colour."""
    order: list[str]
    number: dict[str, int]

    @classmethod
    def of(cls, every: Sequence[Exits]) -> Palette:
        """Of all exits of all runs."""
        counts: dict[str, int] = {}
        for exits in every:
            for name, count in zip(exits.names, exits.counts):
                counts[name] = counts.get(name, 0) + int(count)
        order = sorted(counts, key=lambda name: -counts[name])
        colored = set(order[:MOST_EXITS])
        return cls(order, {name: i for i, name in
                           enumerate(name for name in counts if name in colored)})

    def color(self, name: str) -> int:
        """The number of the colour of an exit."""
        return self.number.get(name, MOST_EXITS)


def draw_exits(run: Run, view: View, cell: float | None = None) -> Figure:
    """Which exit people took, by where they started; pale where a third or more took others."""
    people = run.people
    exits, times = exits_of(people, run.scene), Times.of(people)
    if not len(times.taken):
        raise Error(f"{run.folder}: nobody has left yet; let the run go on (time.end)")
    runs = view.runs(run, "people.csv")
    palette = Palette.of([exits_of(one.people, one.scene) for one in runs])
    bins = bins_of(run, cell_side(run, view, runs, cell))
    colors = np.array([palette.color(name) for name in exits.names])
    kinds = colors[exits.of[exits.of >= 0]]
    majority = bins.measured(kinds, lambda v: float(np.bincount(v.astype(int)).argmax()))
    share = bins.measured(kinds, lambda v: float(np.bincount(v.astype(int)).max() / len(v)))
    shown = [word for word in view.shown if word != "destinations"]
    sheet = Sheet(run.scene, run.folder, dataclasses.replace(view, shown=shown),
                  f"Exit taken, by starting place ({bins.cell:g} m) · "
                  f"{style.people(len(times.taken))}{times.rest()}",
                  exit_legend(exits, palette, view.note))
    sheet.show_cells(bins.corner, bins.cell, exit_colors(majority, share))
    draw_areas(sheet, exits, palette)
    return sheet.finish()


def draw_areas(sheet: Sheet, exits: Exits, palette: Palette) -> None:
    """The exits in their colours, with their names."""
    for one in sorted(exits.every, key=lambda one: palette.order.index(one.name)):
        color = (*style.CATEGORIES, style.OTHER)[palette.color(one.name)]
        fill(sheet.axes, one.polygons, MARK, facecolor=color, edgecolor=style.INK, linewidth=0.9)
        write_mark(Feature("destination", one.name, polygons=one.polygons), sheet.names, style.INK)


def exit_colors(majority: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Colours [rows][columns][4] of the exits that most people took."""
    table = np.array([to_rgb(color) for color in (*style.CATEGORIES, style.OTHER)])
    known = ~np.isnan(majority)
    colors = np.zeros((*majority.shape, 4))
    strength = np.where(share[known] > 2 / 3, 0.85, 0.42)[:, None]
    colors[known, :3] = 1 - strength * (1 - table[majority[known].astype(int)])
    colors[known, 3] = 1
    return colors


def exit_legend(exits: Exits, palette: Palette, note: tuple[str, ...]) -> list:
    """Bars of all exits, and what pale means."""
    counts = dict(zip(exits.names, map(int, exits.counts)))
    named = [name for name in palette.order if name in palette.number and name in counts]
    rows = [(style.CATEGORIES[palette.color(name)], name, counts[name]) for name in named]
    others = [name for name in counts if name not in palette.number]
    if others:
        rows.append((style.OTHER, f"{len(others)} others" if len(others) > 1 else others[0],
                     sum(counts[name] for name in others)))
    same = ("one colour for each, in all runs",) if note else ()
    return [Shares(("Exit", "people, and their share", *same), rows, WIDTH),
            Items(("Of those who started here",), [
                (shades_symbol(palette, 1.0), "over 2/3 took it"),
                (shades_symbol(palette, 0.5), "more than others")])]


def shades_symbol(palette: Palette, share: float):
    """The colours of the first exits for Items, as cells show them of which such a share took one:
    a single colour would stand for its exit."""
    numbers = sorted(set(map(palette.color, palette.order)))[:3]
    colors = exit_colors(np.array([numbers], float), np.full((1, len(numbers)), share))[0]

    def draw(page: Axes, x: float, y: float) -> None:
        for i, color in enumerate(colors):
            page.add_patch(Rectangle((x + i * BOX / len(colors), y - 0.045), BOX / len(colors),
                                     0.09, facecolor=color, linewidth=0))
    return draw
