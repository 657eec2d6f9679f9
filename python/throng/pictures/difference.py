"""What changed from one run to another: blue where it became less, orange where more."""
from __future__ import annotations

import dataclasses
import os

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from throng.errors import Error
from throng.files import Path
from throng.pictures import style
from throng.pictures.cells import Cells, Choice, cells_of
from throng.pictures.ground import CELLS
from throng.pictures.legend import Steps
from throng.pictures.sheet import Sheet, View
from throng.pictures.starts import MEASURES, cell_side, evacuation_cells
from throng.results import Run

OF = ("density", "speed", "delay", "evacuation")
MOST = 0.98  # of the changes are below the limits of the last colours, about
SAME = "#e9e7e2"  # nothing changed, or hardly


def aligned(first: Cells, second: Cells) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The values of both on one grid, and its corner; nan where a run has no cell."""
    if abs(first.cell - second.cell) > 1e-9:
        raise Error(f"the runs have cells of {first.cell:g} and {second.cell:g} m: give both the "
                    "same measure.grid.cell")
    offset = (second.corner - first.corner) / first.cell
    if np.any(abs(offset - np.round(offset)) > 1e-3):
        raise Error("the grids of the runs do not lie on each other: give both the same "
                    "measure.grid.origin")
    shift = np.round(offset).astype(int)
    low = np.minimum(0, shift)
    sizes = [np.array(one.values.shape[::-1]) for one in (first, second)]
    columns, rows = np.maximum(sizes[0], sizes[1] + shift) - low
    both = []
    for one, size, at in zip((first, second), sizes, (-low, shift - low)):
        grid = np.full((rows, columns), np.nan)
        grid[at[1]:at[1] + size[1], at[0]:at[0] + size[0]] = one.values
        both.append(grid)
    return both[0], both[1], first.corner + low * first.cell


def subtracted(first: Cells, second: Cells, missing: float) -> tuple[np.ndarray, np.ndarray]:
    """second - first, and the corner; where only one run has a value, the other has `missing`;
    nan where neither has one, or if there is no such value (nan)."""
    one, two, corner = aligned(first, second)
    neither = np.isnan(one) & np.isnan(two)
    filled = [np.where(np.isnan(grid), missing, grid) for grid in (one, two)]
    return np.where(neither, np.nan, filled[1] - filled[0]), corner


def values_of(of: str, run: Run, view: View, options: dict) -> Cells:
    """What is compared."""
    if of not in OF:
        raise Error(f"--of {of}: one of {', '.join(OF)} is expected")
    if of == "evacuation":
        return evacuation_cells(run, view, **options).cells
    if of == "density" and options.get("what") == "moment":
        raise Error("--what moment: two runs are compared by mean, maximum, peak or time-above")
    return cells_of(of, run, Choice(**options))


def three_limits(values: np.ndarray, time: bool) -> list[float]:
    """Limits of three classes on either side of 0, where nearly all differences are."""
    limits = style.ladder(style.high(values, MOST) or 1.0, style.TIMES if time else style.NICE, 3)
    while len(limits) < 3:
        limits.insert(0, limits[0] / 2)
    return limits


def describe(of: str, options: dict) -> tuple[str, str, bool]:
    """(quantity, unit, whether it is a time)."""
    if of == "evacuation":
        return MEASURES[options.get("what", "mean")][0] + " to leave", "", True
    if of == "speed":
        return "Mean speed", "m/s", False
    if of == "delay":
        return "Time lost", "person-seconds / m²", False
    what = options.get("what", "maximum")
    if what == "time-above":
        return f"Time at level {options.get('level', 'E')} or worse", "", True
    return {"mean": "Mean density", "maximum": "Highest mean density",
            "peak": "Highest density"}[what], "persons / m²", False


def draw_difference(run: Run, view: View, other: Run | Path | None = None, of: str = "density",
                    **options) -> Figure:
    """The second run minus the first."""
    if other is None:
        raise Error("difference: a second run is expected")
    runs = (run, other if isinstance(other, Run) else Run(other))
    if of == "evacuation":  # cells must be alike: those that suit the first run's map
        options = {"what": "mean", **options,
                   "cell": cell_side(run, view, [run], options.get("cell"))}
    first, second = (values_of(of, one, view, options) for one in runs)
    missing = np.nan if of in ("evacuation", "speed") else 0.0
    values, corner = subtracted(first, second, missing)
    quantity, unit, time = describe(of, options)
    limits = three_limits(values, time)
    bounds = [-one for one in limits[::-1]] + limits
    colors = [*style.LESS[::-1], SAME, *style.MORE]
    kinds = np.where(np.isnan(values), -1, np.digitize(np.nan_to_num(values), bounds))
    write = style.duration if time else style.number
    names = [f"less by {write(limits[2])} or more",
             *(f"less by {write(a)} – {write(b)}" for a, b in ((limits[1], limits[2]),
                                                              (limits[0], limits[1]))),
             "hardly any change",
             *(f"more by {write(a)} – {write(b)}" for a, b in zip(limits, limits[1:])),
             f"more by {write(limits[2])} or more"]
    legend = Steps(tuple(line for line in (quantity, unit) if line), colors, names,
                   hatched=[i < 3 for i in range(7)])
    legend.width = 2.15
    return sheet_of(runs, view, Cells(values, corner, first.cell, bounds, colors, legend), kinds)


def sheet_of(runs: tuple[Run, Run], view: View, cells: Cells, kinds: np.ndarray) -> Figure:
    """The map; what became less is hatched, so that grey print tells it from what became more."""
    scene, legend = runs[0].scene, cells.legend
    names = [os.path.basename(os.path.abspath(run.folder)) for run in runs]
    view = dataclasses.replace(view, title=view.title or (
        f"{scene.title}: {names[1]} minus {names[0]}"))
    sheet = Sheet(scene, runs[0].folder, view, f"{legend.title[0]}: the second run compared with "
                  "the first", [legend])
    table = np.concatenate([style.rgba(cells.colors), np.zeros((1, 4))])
    sheet.show_cells(cells.corner, cells.cell, table[kinds])
    less = np.argwhere((kinds >= 0) & (kinds < 3))[:, ::-1] * cells.cell + cells.corner
    width = min(0.09 * cells.cell * sheet.inches_per_metre() * 72, 0.9)
    sheet.axes.add_collection(LineCollection(
        np.stack([less, less + cells.cell], axis=1), colors="white", linewidths=width,
        zorder=CELLS + 0.1))
    return sheet.finish()
