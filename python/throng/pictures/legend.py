"""The blocks of a legend, drawn on a page whose units are inches."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, Normalize
from matplotlib.patches import Polygon, Rectangle

from throng.names import shown
from throng.pictures.style import EDGE, FAINT, INK, SMALL, TEXT, on
from throng.rounding import share

LINE, HEAD = 0.215, 0.20  # inches: a row, a line of the heading
BOX = 0.30                # inches: width of a colour


def write(page: Axes, x: float, y: float, text: str, **style):
    """A text at this place (inches)."""
    return page.text(x, y, text, **{"fontsize": TEXT, "color": INK, "va": "center", **style})


def heading(page: Axes, x: float, top: float, lines: Sequence[str]) -> float:
    """The title of a block, the rest of it fainter; returns the place below."""
    for i, line in enumerate(lines):
        write(page, x, top - HEAD * (i + 0.5), line, color=FAINT if i else INK,
              fontsize=SMALL if i else TEXT, fontweight="normal" if i else "bold")
    return top - HEAD * len(lines) - 0.06


@dataclasses.dataclass
class Steps:
    """Classes of colours, the highest on top; letters stand in the colours; a hatched class has
    lines. title: the quantity, the unit, what the classes are."""
    title: Sequence[str]
    colors: Sequence[str]
    labels: Sequence[str]
    letters: Sequence[str] = ()
    hatched: Sequence[bool] = ()

    def height(self) -> float:
        """Inches."""
        return HEAD * len(self.title) + 0.06 + LINE * len(self.colors)

    def swatch(self, page: Axes, i: int, x: float, y: float, wide: float = BOX) -> None:
        """The colour of a class, its lower left corner here."""
        page.add_patch(Rectangle((x, y), wide, LINE, facecolor=self.colors[i], linewidth=0.4,
                                 edgecolor=EDGE))
        if self.hatched and self.hatched[i]:
            for part in np.arange(0, 1, LINE / wide):
                page.plot([x + part * wide, x + part * wide + LINE], [y, y + LINE], color="white",
                          linewidth=0.9, solid_capstyle="butt")
        if self.letters:
            write(page, x + wide / 2, y + LINE / 2 - 0.006, self.letters[i], ha="center",
                  color=on(self.colors[i]), fontweight="bold", fontsize=SMALL)

    def row_height(self) -> float:
        """Inches, of the colours beside each other."""
        return HEAD + 0.06 + LINE + 0.24

    def row_width(self) -> float:
        """Inches."""
        return len(self.colors) * self.step()

    def step(self) -> float:
        """Inches from colour to colour: room for the longest label."""
        return max(0.78, 0.068 * max(map(len, self.labels)) + 0.12)

    def draw_row(self, page: Axes, x: float, top: float) -> None:
        """The colours beside each other, the labels below."""
        title, *rest = self.title
        text = write(page, x, top - HEAD / 2, title, fontweight="bold")
        end = text.get_window_extent(page.figure.canvas.get_renderer()).x1 / page.figure.dpi
        write(page, end + 0.12, top - HEAD / 2, " · ".join(rest), color=FAINT, fontsize=SMALL)
        y = top - HEAD - 0.06 - LINE
        for i, label in enumerate(self.labels):
            self.swatch(page, i, x + i * self.step(), y, self.step())
            write(page, x + (i + 0.5) * self.step(), y - 0.12, label, ha="center", fontsize=SMALL)

    def draw(self, page: Axes, x: float, top: float) -> None:
        """From here downwards."""
        top = heading(page, x, top, self.title)
        for i, label in enumerate(self.labels):
            y = top - LINE * (len(self.labels) - i)
            self.swatch(page, i, x, y)
            write(page, x + BOX + 0.09, y + LINE / 2, label)


@dataclasses.dataclass
class Bar:
    """Colours without steps."""
    title: Sequence[str]
    colors: Colormap
    norm: Normalize
    ticks: Sequence[float]

    def height(self) -> float:
        """Inches."""
        return HEAD * len(self.title) + 0.06 + 1.7

    def draw(self, page: Axes, x: float, top: float) -> None:
        """From here downwards."""
        top = heading(page, x, top, self.title) - 0.05
        place = page.inset_axes([x, top - 1.6, 0.2, 1.6], transform=page.transData)
        place.imshow(np.linspace(0, 1, 256)[:, None], origin="lower", aspect="auto",
                     cmap=self.colors, extent=(0, 1, 0, 1))
        place.set_axis_off()
        for tick in self.ticks:
            y = top - 1.6 + 1.6 * float(self.norm(tick))
            more = "≥ " if tick == self.norm.vmax else ""
            page.plot([x + 0.2, x + 0.24], [y, y], color=INK, linewidth=0.6)
            write(page, x + 0.29, y, f"{more}{tick:g}")


@dataclasses.dataclass
class Items:
    """Symbols and their names: (draws the symbol on a page at x, y; its name)."""
    title: Sequence[str]
    entries: Sequence[tuple]
    line: float = LINE

    def height(self) -> float:
        """Inches."""
        return HEAD * len(self.title) + 0.06 + self.line * len(self.entries)

    def draw(self, page: Axes, x: float, top: float) -> None:
        """From here downwards."""
        top = heading(page, x, top, self.title)
        for i, (symbol, label) in enumerate(self.entries):
            y = top - self.line * (i + 0.5)
            symbol(page, x, y)
            write(page, x + BOX + 0.09, y, label)


@dataclasses.dataclass
class Shares:
    """A table of bars: (colour, name, count), and the share of each in the sum."""
    title: Sequence[str]
    rows: Sequence[tuple[str, str, int]]
    width: float = 1.5

    def height(self) -> float:
        """Inches."""
        return HEAD * len(self.title) + 0.06 + 0.37 * len(self.rows)

    def draw(self, page: Axes, x: float, top: float) -> None:
        """From here downwards."""
        top = heading(page, x, top, self.title)
        total = max(sum(row[2] for row in self.rows), 1)
        for i, (color, name, count) in enumerate(self.rows):
            y = top - 0.37 * i
            write(page, x, y - 0.1, shown(name), fontsize=SMALL + 0.5)
            write(page, x + self.width, y - 0.1, f"{count:,} · {share(count, total, 1)}",
                  ha="right", fontsize=SMALL, color=FAINT)
            page.add_patch(Rectangle((x, y - 0.27), self.width, 0.075, color="#eceae5"))
            if count:  # else the edge alone would show
                page.add_patch(Rectangle((x, y - 0.27), self.width * count / total, 0.075,
                                         color=color))


def arrow(x: float, y: float, dx: float, dy: float, width: float) -> np.ndarray:
    """An arrow [7][2] from a point along a vector; its head is wider than its shaft."""
    length = np.hypot(dx, dy)
    head = min(max(1.5 * width, 0.25 * length), 0.6 * length)
    wing = max(1.0 * width, 0.12 * length)
    along = np.array([0, length - head, length - head, length, length - head, length - head, 0])
    across = np.array([-width / 2, -width / 2, -wing, 0, wing, width / 2, width / 2])
    ux, uy = dx / length, dy / length
    return np.stack([x + along * ux - across * uy, y + along * uy + across * ux], axis=1)


def arrow_symbol(color: str, width: float):
    """An arrow for Items; its width in inches."""
    def draw(page: Axes, x: float, y: float) -> None:
        page.add_patch(Polygon(arrow(x, y, BOX, 0, width), facecolor=color, linewidth=0))
    return draw


def box_symbol(color: str, edge: str = EDGE):
    """A colour for Items."""
    def draw(page: Axes, x: float, y: float) -> None:
        page.add_patch(Rectangle((x, y - 0.07), BOX, 0.14, facecolor=color, edgecolor=edge,
                                 linewidth=0.6))
    return draw


def line_symbol(color: str, **style):
    """A line for Items."""
    def draw(page: Axes, x: float, y: float) -> None:
        page.plot([x, x + BOX], [y, y], color=color, **style)
    return draw
