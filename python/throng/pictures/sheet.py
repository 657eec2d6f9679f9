"""A page with one map: title, legend, scale bar, north arrow and attribution, in one look."""
from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import Any, Optional

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle
from matplotlib.ticker import MaxNLocator

from throng.errors import Error
from throng.names import shown
from throng.pictures.ground import (CAN_SHOW, CELLS, SHOWN, Names, draw_ground, draw_marks,
                                    draw_names)
from throng.pictures.legend import write
from throng.pictures.style import EDGE, FAINT, INK, PAPER, SMALL, TITLE, round_down
from throng.results import Run
from throng.scene import Scene, metres_per_degree

SIDE = 9.0                    # inches: the longer side of a page
TOP, BOTTOM, EDGES = 0.66, 0.42, 0.16  # inches above, below and beside the map
TICKS = (0.50, 0.34)          # more on the left and below, with axes
COLUMN, GAP = 1.6, 0.22       # the least width of the legend; between it and the map
WIDE = 2.1                    # from this ratio of width and height on the legend is below
BETWEEN = 0.28                # inches, of blocks of the legend
SLIM = 0.15                   # least ratio of the sides: there is room around a corridor


@dataclasses.dataclass
class View:
    """How a map is shown. region: x0, y0, x1, y1 (m; None: the whole world); size: pixels of the
    longer side; axes: m around the map; grid: also lines; lonlat: degrees instead of m; shown:
    some of CAN_SHOW; title: instead of the scenario's name; beside: runs whose maps stand beside
    this one, with one scale and one colour for each exit."""
    region: Optional[Sequence[float]] = None
    size: int = 1800
    axes: bool = False
    grid: bool = False
    lonlat: bool = False
    shown: Sequence[str] = SHOWN
    title: Optional[str] = None
    beside: Sequence[Run] = ()

    def runs(self, run: Run, file: str) -> list[Run]:
        """This run, and those beside it that have such a file."""
        return [run, *(one for one in self.beside if one.folder != run.folder
                       and os.path.exists(one.path(file)))]

    @property
    def note(self) -> tuple[str, ...]:
        """What the legend says of the scale."""
        return ("one scale for all runs",) if self.beside else ()

    def __post_init__(self) -> None:
        self.axes = self.axes or self.grid or self.lonlat
        if self.region is not None:
            x0, y0, x1, y1 = self.region if len(self.region) == 4 else (0, 0, 0, 0)
            if not (x0 < x1 and y0 < y1):
                raise Error("--region: X0 Y0 X1 Y1 with X0 < X1 and Y0 < Y1 is expected")
        if not 400 <= self.size <= 8000:
            raise Error("--size: 400 to 8000 pixels are expected")
        unknown = [word for word in self.shown if word not in CAN_SHOW]
        if unknown:
            raise Error(f"--show {unknown[0]}: some of {', '.join(CAN_SHOW)} are expected")


def new_figure(width: float, height: float, dpi: float) -> tuple[Figure, Axes]:
    """A figure with an even number of pixels, as H.264 requires, and its page in inches. A
    hundredth of a pixel more: matplotlib rounds down."""
    size = [(2 * round(dpi * side / 2) + 0.01) / dpi for side in (width, height)]
    figure = Figure(figsize=size, dpi=dpi, facecolor=PAPER)
    FigureCanvasAgg(figure)
    page = figure.add_axes((0, 0, 1, 1), label="page")
    page.set(xlim=(0, size[0]), ylim=(0, size[1]))
    page.set_axis_off()
    return figure, page


def fitted(text: Any, width: float) -> None:
    """Makes a text of a page smaller, and then shorter, until it is at most so wide (inches)."""
    figure = text.axes.figure

    def wide() -> bool:
        return text.get_window_extent(figure.canvas.get_renderer()).width > width * figure.dpi

    least = 0.8 * text.get_fontsize()
    while wide() and text.get_fontsize() > least:
        text.set_fontsize(text.get_fontsize() - 0.25)
    while wide() and len(text.get_text()) > 8:
        text.set_text(text.get_text()[:-2].rstrip("… ") + "…")


def title_of(scene: Scene, run: str, view: View) -> str:
    """The scenario's name; the run's folder after it if that says more."""
    if view.title is not None:
        return shown(view.title)
    title, folder = shown(scene.title or ""), shown(os.path.basename(os.path.abspath(run)))
    return f"{title}   ({folder})" if title and title != folder else folder


class Layout:
    """Where on the page the map is, and how large the page (inches). The legend is on the right,
    below a wide map."""

    def __init__(self, scene: Scene, view: View, legend: Sequence) -> None:
        self.low, self.high = seen_region(scene, view.region)
        ratio = (self.high[0] - self.low[0]) / (self.high[1] - self.low[1])
        self.left, self.bottom = EDGES, BOTTOM
        if view.axes:
            self.left, self.bottom = self.left + TICKS[0], self.bottom + TICKS[1]
        self.column = max((getattr(block, "width", COLUMN) for block in legend), default=0)
        beside = GAP + self.column + EDGES if legend else EDGES
        needed = sum(block.height() + BETWEEN for block in legend)
        up = min((SIDE - self.left - beside) / ratio, SIDE - TOP - self.bottom)
        # A row of colours is lower than a column; so is a legend whose blocks are side by side.
        self.below = bool(legend) and (ratio > WIDE or ratio > 1.2 and needed > up + 0.5)
        self.row = self.below and len(legend) == 1 and hasattr(legend[0], "draw_row") and (
            legend[0].row_width() < SIDE - self.left - EDGES)
        tall = 0.0
        if self.below:
            for block in legend:
                block.low = True
            tall = 0.25 + (legend[0].row_height() if self.row else
                           max(block.height() for block in legend))
            up = min((SIDE - self.left - EDGES) / ratio, SIDE - TOP - self.bottom - tall)
            beside, needed = EDGES, 0
        self.map_size = np.array([up * ratio, up])
        self.width = max(self.left + up * ratio + beside, 4.4)
        self.height = TOP + max(up, needed) + self.bottom + tall
        self.map_at = np.array([self.left, self.height - TOP - up])

    def inches_per_metre(self) -> float:
        """The scale of the map."""
        return float(self.map_size[0] / (self.high[0] - self.low[0]))


class Sheet(Layout):
    """A map with everything around it. axes: the map's, in m; page: in inches; clock: the line
    under the title."""

    def __init__(self, scene: Scene, run: str, view: View, subtitle: str,
                 legend: Sequence = ()) -> None:
        super().__init__(scene, view, legend)
        self.scene, self.view, self.legend = scene, view, list(legend)
        self.draw_map()
        self.title = write(self.page, self.left, self.height - 0.26,
                           title_of(scene, run, view), fontsize=TITLE, fontweight="bold")
        self.clock = write(self.page, self.left, self.height - 0.50, subtitle, color=FAINT)
        for text in (self.title, self.clock):
            fitted(text, self.width - self.left - EDGES)
        self.draw_legend()
        self.draw_foot()

    def draw_map(self) -> None:
        """The axes with the ground."""
        self.figure, self.page = new_figure(self.width, self.height, self.view.size / SIDE)
        size = self.figure.get_size_inches()
        self.axes = self.figure.add_axes((*self.map_at / size, *self.map_size / size), label="map")
        self.axes.set(xlim=(self.low[0], self.high[0]), ylim=(self.low[1], self.high[1]),
                      facecolor=PAPER, autoscale_on=False)
        for spine in self.axes.spines.values():
            spine.set(color=EDGE, linewidth=0.6, zorder=9)
        self.axes.tick_params(labelsize=SMALL, colors=INK, length=2.5, width=0.5)
        self.draw_ticks()
        draw_ground(self.axes, self.scene, self.view.shown)
        self.names = Names(self.axes)

    def draw_ticks(self) -> None:
        """Ticks in m or degrees, if they are asked for."""
        if not self.view.axes:
            self.axes.set(xticks=[], yticks=[])
            return
        middle, scale, names = np.zeros(2), np.ones(2), ("x (m)", "y (m)")
        if self.view.lonlat:
            if self.scene.centre is None:
                self.scene.lonlat(self.low)  # says why not
            middle = np.array(self.scene.centre)
            scale, names = metres_per_degree(middle[1]), ("longitude (°)", "latitude (°)")
        low, high = self.low / scale + middle, self.high / scale + middle
        for i, axis in enumerate((self.axes.xaxis, self.axes.yaxis)):
            room = max(int(self.map_size[i] / (1.0 if i == 0 else 0.8)), 2)
            ticks = MaxNLocator(min(room, 8), steps=[1, 2, 5, 10]).tick_values(low[i], high[i])
            spare = 0.16 / self.map_size[i] * (high[i] - low[i])  # labels at a corner would meet
            ticks = ticks[(ticks >= low[i] + spare) & (ticks <= high[i] - spare)]
            axis.set_ticks((ticks - middle[i]) * scale[i],
                           [f"{tick:.10g}" for tick in np.round(ticks, 6)])
            axis.set_label_text(names[i], fontsize=SMALL, color=INK)
        if self.view.grid:
            self.axes.grid(color=INK, alpha=0.22, linewidth=0.5, zorder=3.5)
        for label in self.axes.get_yticklabels():
            label.set(rotation=90, va="center")

    def draw_legend(self) -> None:
        """The blocks below each other on the right, or beside each other below."""
        x, top = self.map_at[0] + self.map_size[0] + GAP, self.map_at[1] + self.map_size[1]
        if self.below:
            x, top = self.left, self.map_at[1] - (self.bottom - EDGES) - 0.12
        for block in self.legend:
            (block.draw_row if self.row else block.draw)(self.page, x, top)
            if self.below:
                x += max(self.column + 0.5, (self.width - self.left - EDGES) / len(self.legend))
            else:
                top -= block.height() + BETWEEN

    def draw_foot(self) -> None:
        """North arrow, scale bar and attribution below the map."""
        x = self.left
        y = self.map_at[1] - (self.bottom - BOTTOM) - 0.20
        if self.scene.centre is not None:  # a map that is nowhere on earth has no north
            self.page.add_patch(Polygon([(x + 0.05, y - 0.09), (x + 0.10, y + 0.11),
                                         (x + 0.15, y - 0.09), (x + 0.10, y - 0.045)],
                                        facecolor=INK, linewidth=0))
            write(self.page, x + 0.20, y, "N", fontsize=SMALL + 0.5, fontweight="bold")
            x += 0.45
        if not self.view.axes or self.view.lonlat:
            x = self.draw_scale(x, y)
        credit = self.scene.attribution.split(" (http")[0].replace("(c)", "©")
        right = self.map_at[0] + self.map_size[0] if not self.below else self.width - EDGES
        right = max(right, self.width - EDGES) if right - x < 2.2 else right
        text = write(self.page, right, y, credit, fontsize=SMALL - 0.5, color=FAINT, ha="right")
        fitted(text, max(right - x - 0.2, 0.5))

    def draw_scale(self, x: float, y: float) -> float:
        """A bar of a round length, at most a quarter of the map; returns where it ends."""
        metres = self.high[0] - self.low[0]
        length = round_down(min(metres / 4, metres * 1.8 / self.map_size[0]))
        across = length / metres * self.map_size[0]
        for i, color in enumerate((INK, "white")):
            self.page.add_patch(Rectangle((x + i * across / 2, y - 0.03), across / 2, 0.06,
                                          facecolor=color, edgecolor=INK, linewidth=0.7))
        name = f"{length / 1000:g} km" if length >= 1000 else f"{length:g} m"
        text = write(self.page, x + across + 0.08, y, name, fontsize=SMALL + 0.5)
        width = text.get_window_extent(self.figure.canvas.get_renderer()).width / self.figure.dpi
        return x + across + 0.08 + width

    def finish(self) -> Figure:
        """Writes the names, on top of what was drawn; the finished figure."""
        draw_marks(self.axes, self.scene, self.names, self.view.shown)
        if "labels" in self.view.shown:
            draw_names(self.scene, self.names)
        return self.figure

    def pixels_per_metre(self) -> float:
        """The size of a metre in pixels."""
        return self.inches_per_metre() * self.figure.dpi

    def show_cells(self, corner: np.ndarray, cell: float, colors: np.ndarray) -> None:
        """Draws cells of these colours [rows][columns][4], the lower left one at the corner."""
        rows, columns = colors.shape[:2]
        self.axes.imshow(colors, origin="lower", interpolation="nearest", zorder=CELLS,
                         aspect="auto", extent=(corner[0], corner[0] + columns * cell,
                                                corner[1], corner[1] + rows * cell))
        self.axes.set(xlim=(self.low[0], self.high[0]), ylim=(self.low[1], self.high[1]))


def seen_region(scene: Scene, wanted: Sequence[float] | None) -> tuple[np.ndarray, np.ndarray]:
    """The corners of what is shown: the wanted region, or the world with room around a corridor."""
    box = np.array(scene.bbox if wanted is None else wanted, float).reshape(2, 2)
    size = np.maximum(box[1] - box[0], 1e-3)
    spare = np.maximum(SLIM * size.max() - size, 0) / 2
    return box[0] - spare, box[1] + spare
