"""Curves over time: crossings of lines, density and speed of areas, people in queues."""
from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from throng.errors import Error
from throng.files import Table, read_table
from throng.levels import FRUIN, LETTERS
from throng.names import shown
from throng.pictures import style
from throng.pictures.legend import write
from throng.pictures.sheet import SIDE, View, new_figure, title_of
from throng.results import Run

TABLES = {"lines": "measure.lines", "areas": "measure.areas", "queues": "queues of destinations"}
KEYS = {"lines": "line", "areas": "area", "queues": "queue"}
WINDOW = 10.0     # s, of the mean flow: over one second it is a comb
ROW = 2.95        # inches
STROKES = ("solid", (0, (5, 1.5)), (0, (1.2, 1.2)))  # then the colours begin again


def read_series(run: Run, name: str) -> dict[str, Table]:
    """{place: {column: values}} of a table with one row per time and place."""
    path, key = run.path(name + ".csv"), KEYS[name]
    table = read_table(path)
    if key not in table:
        raise Error(f"{path}: it has no column {key}")
    return {place: {column: values[table[key] == place] for column, values in table.items()
                    if column != key} for place in dict.fromkeys(table[key])}


def strokes(series: dict[str, Table]):
    """(name, table, style) of each place: no two have the same colour and stroke."""
    for i, (name, table) in enumerate(series.items()):
        turn = i // len(style.LINES) % len(STROKES)
        yield shown(name), table, {"color": style.LINES[i % len(style.LINES)],
                            "linestyle": STROKES[turn], "linewidth": 1.5}


class Time:
    """The axis of time: s, or min for longer runs."""

    def __init__(self, end: float) -> None:
        self.unit, self.name = (60.0, "min") if end > 300 else (1.0, "s")

    def of(self, seconds: np.ndarray) -> np.ndarray:
        """Times on this axis."""
        return seconds / self.unit


def decorate(axes: Axes, title: str, across: str, unit: str) -> None:
    """Title, unit, and a light frame."""
    axes.set_title(title, fontsize=style.TEXT, fontweight="bold", color=style.INK, loc="left",
                   pad=14)
    axes.text(0, 1.015, unit, transform=axes.transAxes, fontsize=style.SMALL, color=style.FAINT,
              va="bottom")
    axes.set_xlabel(across, fontsize=style.SMALL, color=style.INK, labelpad=2)
    axes.grid(color="#e6e4df", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=style.SMALL, colors=style.INK, length=2.5, width=0.5)
    axes.margins(x=0.01)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def mean_flow(line: Table, window: float = WINDOW) -> tuple[np.ndarray, np.ndarray]:
    """Times (s) and the flow (1/s): forward minus backward over the window around each."""
    net, times = line["forward"] - line["backward"], line["time_s"]
    rows = max(int(np.searchsorted(times - times[:1], window)), 1)
    if len(net) <= rows:
        return np.empty(0), np.empty(0)
    spent = times[rows:] - times[:-rows]
    return (times[rows:] + times[:-rows]) / 2, (net[rows:] - net[:-rows]) / spent


def line_curves(series: dict[str, Table], time: Time, left: Axes, right: Axes) -> None:
    """N(t), and the flow."""
    for name, line, look in strokes(series):
        left.plot(time.of(line["time_s"]), line["forward"], label=name, **look)
        if line["backward"].any():
            left.plot(time.of(line["time_s"]), line["backward"], alpha=0.45, **look)
        at, flow = mean_flow(line)
        right.plot(time.of(at), flow, label=name, **look)
    right.set_ylim(bottom=min(0, right.get_ylim()[0]))
    pale = any(line["backward"].any() for line in series.values())
    decorate(left, "Crossed the lines", time.name,
             "people since the start" + ("; pale: backwards" if pale else ""))
    decorate(right, "Flow through the lines", time.name,
             f"people per s, forward minus backward, mean of {WINDOW:g} s")


def area_curves(series: dict[str, Table], time: Time, left: Axes, right: Axes) -> None:
    """Density over time with Fruin's levels of service, and speed over density."""
    for name, area, look in strokes(series):
        left.plot(time.of(area["time_s"]), area["density_per_m2"], label=name, **look)
        right.scatter(area["density_per_m2"], area["mean_speed_m_s"], s=9, color=look["color"],
                      alpha=0.6, linewidths=0, label=name)
    top = 1.06 * max(max(area["density_per_m2"].max(initial=0) for area in series.values()), 0.35)
    left.set_ylim(0, top)
    ends = (0, *FRUIN, np.inf)
    colors = style.ramp("service", 6)
    for letter, color, low, high in zip(LETTERS, colors, ends, ends[1:]):
        if low < top:
            left.axhspan(low, min(high, top), xmin=1.005, xmax=1.03, color=color, clip_on=False)
            if min(high, top) - low > 0.05 * top:
                left.text(1.045, (low + min(high, top)) / 2, letter, fontsize=style.SMALL,
                          color=style.INK, va="center", clip_on=False,
                          transform=left.get_yaxis_transform())
    decorate(left, "Density of the areas", time.name,
             "persons / m²; right: level of service (Fruin 1971)")
    right.set_ylim(bottom=0)
    right.set_xlim(left=0)
    decorate(right, "Speed at a density", "persons / m²", "mean speed, m/s")


def queue_curves(series: dict[str, Table], time: Time, left: Axes, right: Axes) -> None:
    """People waiting, and people served."""
    for name, queue, look in strokes(series):
        left.plot(time.of(queue["time_s"]), queue["waiting"], label=name, **look)
        right.plot(time.of(queue["time_s"]), queue["served"], label=name, **look)
    left.set_ylim(bottom=0)
    right.set_ylim(bottom=0)
    decorate(left, "Waiting in the queues", time.name, "people")
    decorate(right, "Served", time.name, "people since the start")


DRAWERS: dict[str, Callable[[dict[str, Table], Time, Axes, Axes], None]] = {
    "lines": line_curves, "areas": area_curves, "queues": queue_curves}


# {title of a diagram: what stands there instead if all of it would be 0}
NOTHING = {"Crossed the lines": "Nobody crossed a line.",
           "Flow through the lines": "Nobody crossed a line, or as many forward as backward.",
           "Density of the areas": "Nobody was in an area.",
           "Speed at a density": "Nobody was in an area, or nobody moved there.",
           "Waiting in the queues": "Nobody waited in a queue.",
           "Served": "Nobody was served at a queue."}


def is_nothing(axes: Axes) -> bool:
    """Is everything that the diagram would show 0, or not known?"""
    values = [np.asarray(line.get_ydata(), float) for line in axes.lines]
    values += [np.asarray(dots.get_offsets(), float)[:, 1] for dots in axes.collections]
    return not any(np.any(np.nan_to_num(part) != 0) for part in values)


def say_nothing(axes: Axes) -> None:
    """A sentence instead of a diagram without anything in it."""
    sentence = NOTHING[axes.get_title(loc="left")]
    for artist in [*axes.lines, *axes.collections, *axes.patches, *axes.texts]:
        artist.remove()
    axes.axis("off")
    axes.text(0, 1, sentence, transform=axes.transAxes, fontsize=style.TEXT, color=style.FAINT,
              va="top")


def existing(run: Run) -> list[str]:
    """The tables that the run has."""
    return [name for name in TABLES if os.path.exists(run.path(name + ".csv"))]


def draw_curves(run: Run, view: View, tables: Sequence[str] | None = None) -> Figure:
    """A row of two diagrams for each table: by default all that the run has."""
    chosen = list(tables) if tables else existing(run)
    if not chosen:
        raise Error(f"{run.folder}: no lines.csv, areas.csv or queues.csv; set measure.lines or "
                    "measure.areas in the scenario")
    missing = [name for name in chosen if not os.path.exists(run.path(name + ".csv"))]
    if missing:
        raise Error(f"{run.path(missing[0] + '.csv')}: no such table; the scenario has no "
                    f"{TABLES.get(missing[0], missing[0])}")
    found = {name: read_series(run, name) for name in chosen}
    height = 0.72 + ROW * len(found)
    figure, page = new_figure(SIDE, height, view.size / SIDE)
    write(page, 0.16, height - 0.26, title_of(run.scene, run.folder, view),
          fontsize=style.TITLE, fontweight="bold")
    end = max(float(table["time_s"].max(initial=0)) for series in found.values()
              for table in series.values())
    time = Time(end)
    write(page, 0.16, height - 0.50, f"Curves · 0:00 – {style.clock(end)}", color=style.FAINT)
    for row, (name, series) in enumerate(found.items()):
        bottom = height - 0.72 - ROW * (row + 1) + 0.48
        pair = [figure.add_axes((x / SIDE, bottom / height, 3.72 / SIDE, (ROW - 1.05) / height),
                                label=f"{name} {x}") for x in (0.52, 5.05)]
        DRAWERS[name](series, time, *pair)
        for axes in pair:
            if is_nothing(axes):
                say_nothing(axes)
        one = pair[0] if name != "areas" else pair[1]
        if len(series) <= 12 and one.axison:
            one.legend(fontsize=style.SMALL, frameon=True, framealpha=0.85, edgecolor="none",
                       borderpad=0.2, handlelength=1.8, labelspacing=0.25, loc="best")
    return figure
