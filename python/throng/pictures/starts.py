"""Maps by the place where people started: how long they took, and which exit they chose."""
from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.colors import to_rgb

from throng.errors import Error
from throng.files import Path, Table, read_table
from throng.pictures import style
from throng.pictures.cells import Cells
from throng.pictures.ground import MARK, fill, write_mark
from throng.pictures.legend import Items, Shares, Steps, heading, line_symbol, write
from throng.pictures.sheet import Sheet, View, seen_region
from throng.scene import Feature, Scene

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


def people_of(folder: Path) -> Table:
    """people.csv, or which option writes it."""
    path = os.path.join(folder, "people.csv")
    if not os.path.exists(path):
        raise Error(f"{path}: no such file; set measure.people: true in the scenario")
    return read_table(path)


def cell_side(scene: Scene, view: View, people: Table, wanted: float | None) -> float:
    """The side of a cell (m): the wanted one, or a round number that suits the map and gives each
    place where people started a few of them."""
    if wanted is not None:
        if not wanted > 0:
            raise Error("--cell: a number of metres above 0 is expected")
        return wanted
    low, high = seen_region(scene, view.region)
    size = float(max(high - low))
    least = min(SIDES, key=lambda side: abs(np.log(side * ACROSS / size)))
    left = ~np.isnan(people["left_s"])
    starts = np.stack([people["start_x"], people["start_y"]], axis=1)[left]
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


def times_of(people: Table) -> tuple[np.ndarray, np.ndarray]:
    """Who has left, and how long each of these took (s)."""
    left = ~np.isnan(people["left_s"])
    return left, people["left_s"][left] - people["entered_s"][left]


def evacuation_cells(folder: Path, scene: Scene, view: View, what: str, cell: float | None
                     ) -> tuple[Cells, np.ndarray, int]:
    """Times by starting place; the times of all; how many have not left."""
    if what not in MEASURES:
        raise Error(f"--what {what}: one of {', '.join(MEASURES)} is expected")
    people = people_of(folder)
    left, times = times_of(people)
    if not left.any():
        raise Error(f"{folder}: nobody has left yet; let the run go on (time.end)")
    bins = Bins.of(people["start_x"][left], people["start_y"][left],
                   cell_side(scene, view, people, cell))
    name, measure = MEASURES[what]
    values = bins.measured(times, measure)
    limits = style.stairs(float(np.nanmin(values)), float(np.nanmax(values)), style.STRIDES)
    colors = style.ramp("duration", len(limits) + 1)
    legend = Steps((name, "from entering to leaving"), colors,
                   style.classes(limits, style.duration))
    still = int(np.sum(~left))
    rest = f", {still:,} still inside are left out" if still else ""
    subtitle = (f"{name} to leave, by starting place ({bins.cell:g} m) · "
                f"{style.people(len(times))}{rest}")
    return Cells(values, bins.corner, bins.cell, limits, colors, legend, subtitle), times, still


@dataclasses.dataclass
class QuantileCurve:
    """The share of people that had left by a time, and the times of some shares."""
    times: np.ndarray
    still: int
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
        unit, name = (60, "min") if ordered[-1] > 180 else (1, "s")
        chart.step(np.r_[0, ordered] / unit, 100 * np.arange(len(ordered) + 1) / everyone,
                   where="post", color=style.FLOW, linewidth=1.6)
        for share in self.shares[:-1]:
            chart.axhline(100 * share, color=style.FAINT, linewidth=0.5, linestyle=(0, (3, 2)))
        chart.set(ylim=(0, 102), xlim=(0, ordered[-1] * 1.03 / unit), yticks=(0, 50, 90, 100))
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


def draw_evacuation(folder: Path, view: View, what: str = "mean", cell: float | None = None
                    ) -> Figure:
    """How long people took, by where they started."""
    scene = Scene(folder)
    cells, times, still = evacuation_cells(folder, scene, view, what, cell)
    sheet = Sheet(scene, str(folder), view, cells.subtitle,
                  [cells.legend, QuantileCurve(times, still)])
    sheet.show_cells(cells.corner, cells.cell, cells.rgba())
    return sheet.finish()


@dataclasses.dataclass
class Exits:
    """Which exit each person took. names: as the scenario writes them, the most used first;
    counts; of [people]: number of the name; polygons: the area of each, if the map has it."""
    names: list[str]
    counts: list[int]
    of: np.ndarray
    polygons: list[list[list[np.ndarray]]]


def exit_name(destination: str, number: float, many: bool) -> str:
    """DESTINATION, or DESTINATION.NUMBER as events name one of several areas."""
    return f"{destination}.{int(number)}" if many and not np.isnan(number) else destination


def exits_of(people: Table, scene: Scene) -> Exits:
    """The exits of all who have left."""
    left = ~np.isnan(people["left_s"])
    several = {name: len(np.unique(people["exit"][left & (people["destination"] == name)])) > 1
               for name in set(people["destination"])}
    for name in several:
        found = scene.named("destination", name)
        several[name] |= found is not None and len(set(found.areas)) > 1
    names = np.array([exit_name(name, number, several[name]) for name, number in
                      zip(people["destination"][left], people["exit"][left])], object)
    unique, inverse, counts = np.unique(names.astype(str), return_inverse=True,
                                        return_counts=True)
    order = np.argsort(-counts, kind="stable")
    rank = np.argsort(order)
    polygons = []
    for i in order:
        one = int(np.argmax(inverse == i))
        polygons.append(area_of(scene, people["destination"][left][one],
                                people["exit"][left][one]))
    return Exits([str(unique[i]) for i in order], [int(counts[i]) for i in order],
                 rank[inverse], polygons)


def area_of(scene: Scene, destination: str, number: float) -> list[list[np.ndarray]]:
    """The polygons of an area of a destination; without a number, of all."""
    found = scene.named("destination", destination)
    if found is None:
        return []
    return [polygon for polygon, area in zip(found.polygons, found.areas)
            if np.isnan(number) or area == int(number)]


def draw_exits(folder: Path, view: View, cell: float | None = None) -> Figure:
    """Which exit people took, by where they started; pale where a third or more took others."""
    scene, people = Scene(folder), people_of(folder)
    left = ~np.isnan(people["left_s"])
    if not left.any():
        raise Error(f"{folder}: nobody has left yet; let the run go on (time.end)")
    exits = exits_of(people, scene)
    bins = Bins.of(people["start_x"][left], people["start_y"][left],
                   cell_side(scene, view, people, cell))
    kinds = np.minimum(exits.of, MOST_EXITS)
    majority = bins.measured(kinds, lambda v: float(np.bincount(v.astype(int)).argmax()))
    share = bins.measured(kinds, lambda v: float(np.bincount(v.astype(int)).max() / len(v)))
    still = int(np.sum(~left))
    rest = f", {still:,} still inside are left out" if still else ""
    shown = [word for word in view.shown if word != "destinations"]
    sheet = Sheet(scene, str(folder), dataclasses.replace(view, shown=shown),
                  f"Exit taken, by starting place ({bins.cell:g} m) · "
                  f"{style.people(int(left.sum()))}{rest}", exit_legend(exits))
    sheet.show_cells(bins.corner, bins.cell, exit_colors(majority, share))
    draw_areas(sheet, exits)
    return sheet.finish()


def draw_areas(sheet: Sheet, exits: Exits) -> None:
    """The exits in their colours, with their names."""
    for i, (name, polygons) in enumerate(zip(exits.names, exits.polygons)):
        color = (*style.CATEGORIES, style.OTHER)[min(i, MOST_EXITS)]
        fill(sheet.axes, polygons, MARK, facecolor=color, edgecolor=style.INK, linewidth=0.9)
        write_mark(Feature("destination", name, polygons=polygons), sheet.names, style.INK)


def exit_colors(majority: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Colours [rows][columns][4] of the exits that most people took."""
    table = np.array([to_rgb(color) for color in (*style.CATEGORIES, style.OTHER)])
    known = ~np.isnan(majority)
    colors = np.zeros((*majority.shape, 4))
    strength = np.where(share[known] > 2 / 3, 0.85, 0.42)[:, None]
    colors[known, :3] = 1 - strength * (1 - table[majority[known].astype(int)])
    colors[known, 3] = 1
    return colors


def exit_legend(exits: Exits) -> list:
    """Bars of all exits, and what pale means."""
    rows = [(color, name, count) for color, name, count in
            zip(style.CATEGORIES, exits.names, exits.counts)]
    if len(exits.names) > MOST_EXITS:
        rows.append((style.OTHER, f"{len(exits.names) - MOST_EXITS} others",
                     sum(exits.counts[MOST_EXITS:])))
    pale = exit_colors(np.array([[0.0]]), np.array([[0.0]]))[0, 0, :3]
    full = exit_colors(np.array([[0.0]]), np.array([[1.0]]))[0, 0, :3]
    return [Shares(("Exit", "people, and their share"), rows, WIDTH),
            Items(("Of those who started here",), [
                (line_symbol(tuple(full), linewidth=6, solid_capstyle="butt"),
                 "over 2/3 took it"),
                (line_symbol(tuple(pale), linewidth=6, solid_capstyle="butt"),
                 "more than others")])]
