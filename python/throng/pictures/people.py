"""People of one moment, their trails, and films."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from matplotlib import colormaps
from matplotlib.collections import LineCollection
from matplotlib.colors import Colormap, LinearSegmentedColormap, LogNorm, Normalize
from matplotlib.figure import Figure

from throng.errors import Error
from throng.files import Snapshot, snapshot_paths
from throng.pictures import style
from throng.pictures.cells import chosen
from throng.pictures.ground import CELLS, MARK, PEOPLE
from throng.pictures.legend import Bar, Steps
from throng.pictures.sheet import Layout, Sheet, View
from throng.pictures.trails import MOST_LINES, TRAILS, path_counts, share_of_all, trail_lines
from throng.results import Run

SPEEDS = LinearSegmentedColormap.from_list("speeds",
                                           colormaps["plasma"](np.linspace(0, 0.88, 256)))
PLACEHOLDER = Bar(("Speed", "m/s"), SPEEDS, Normalize(0, 1), ())  # as large as every scale
DOT_PIXELS = (1.1, 3.0)  # least radius of an agent: in a full picture, in an empty one
COVERED = 0.4            # of the map: with more, agents hide each other


class Crowd:
    """What is drawn of the people: dots coloured by speed or, if these would hide each other,
    their smoothed density. One scale for all snapshots."""

    def __init__(self, snapshots: Sequence[Snapshot], layout: Layout, view: View,
                 wanted: str = "auto") -> None:
        if wanted not in ("auto", "on", "off"):
            raise Error(f"--density {wanted}: auto, on or off is expected")
        self.low, self.high = layout.low, layout.high
        self.scale = layout.inches_per_metre() * view.size / 9.0  # pixels per metre
        area = float(np.prod(self.high - self.low))
        most = max((int(self.inside(s).sum()) for s in snapshots), default=0)
        self.dense = wanted == "on" or (
            wanted == "auto" and most * np.pi * DOT_PIXELS[0]**2 > COVERED * area * self.scale**2)
        self.colors: Colormap = style.smooth("service") if self.dense else SPEEDS
        self.cell = max(1.0, 3 / self.scale, min(1.5 * np.sqrt(area / max(most, 1)),
                                                 8 / self.scale))
        self.norm = self.density_norm(snapshots) if self.dense else speed_norm(snapshots)

    def legend(self, note: tuple[str, ...] = ()) -> Bar:
        """The scale."""
        if self.dense:
            ticks = [one for one in style.NICE if self.norm.vmin <= one <= self.norm.vmax]
            return Bar(("Density", "persons / m²", *note), self.colors, self.norm,
                       [*ticks[-5:], self.norm.vmax] if not ticks else ticks[-6:])
        return Bar(("Speed", "m/s", *note), self.colors, self.norm,
                   np.arange(0, self.norm.vmax + 0.01, 0.5 if self.norm.vmax > 1 else 0.25))

    def inside(self, snapshot: Snapshot) -> np.ndarray:
        """Who is in the picture."""
        place = snapshot.position
        return np.all((place >= self.low) & (place <= self.high), axis=1)

    def cells(self, snapshot: Snapshot) -> np.ndarray:
        """Persons per m^2 on a grid over the region, smoothed over about three cells."""
        shape = np.maximum(np.round((self.high - self.low) / self.cell).astype(int), 1)
        cells = np.histogram2d(*snapshot.position.T, shape,
                               np.stack([self.low, self.high], axis=1))[0].T
        cells /= np.prod((self.high - self.low) / shape)
        kernel = np.array([1, 4, 6, 4, 1]) / 16
        for _ in (0, 1):  # along one axis, then along the other
            padded = np.pad(cells, ((2, 2), (0, 0)))
            cells = sum(w * padded[i:i + len(cells)] for i, w in enumerate(kernel)).T
        return cells

    def density_norm(self, snapshots: Sequence[Snapshot]) -> Normalize:
        """Linear; logarithmic if a few crowded places would leave all others blank."""
        cells = np.concatenate([self.cells(s).ravel() for s in snapshots] or [np.zeros(1)])
        cells = cells[cells > 0.02]
        if not len(cells):
            return Normalize(0.01, 1)
        high, usual = np.percentile(cells, 99.8), np.median(cells)
        if high > 12 * usual:
            return LogNorm(max(high / 300, 0.02), high)
        return Normalize(0.03 * high, 1.2 * high)

    def dot_sizes(self, radius: np.ndarray, dpi: float) -> np.ndarray:
        """Areas (pt^2): to scale, but never too small to be visible."""
        room = np.sqrt(np.prod(self.high - self.low) / max(len(radius), 1)) * self.scale
        least = np.clip(0.17 * room, *DOT_PIXELS)
        return (2 * np.maximum(radius * self.scale, least) * 72 / dpi) ** 2


def speed_norm(snapshots: Sequence[Snapshot]) -> Normalize:
    """From standing to nearly the fastest."""
    fastest = [np.percentile(s.speed, 99.5) for s in snapshots if s.count]
    return Normalize(0, float(np.ceil(2 * max([*fastest, 0.5])) / 2))


class PeopleMap:
    """A sheet whose people can be replaced: show() draws those of a snapshot."""

    def __init__(self, sheet: Sheet, crowd: Crowd, edge: float = 0) -> None:
        self.sheet, self.crowd = sheet, crowd
        if crowd.dense:
            (x0, y0), (x1, y1) = crowd.low, crowd.high
            self.artist = sheet.axes.imshow(
                np.zeros((2, 2, 4)), origin="lower", extent=(x0, x1, y0, y1), aspect="auto",
                interpolation="bilinear", zorder=CELLS)
            sheet.axes.set(xlim=(x0, x1), ylim=(y0, y1))
        else:
            self.artist = sheet.axes.scatter([], [], s=[], c=[], cmap=crowd.colors,
                                             norm=crowd.norm, zorder=PEOPLE, linewidths=edge,
                                             edgecolors=style.INK if edge else "none")

    def show(self, snapshot: Snapshot) -> None:
        """Replaces the people."""
        crowd = self.crowd
        if crowd.dense:
            cells = crowd.cells(snapshot)
            colors = crowd.colors(crowd.norm(np.maximum(cells, crowd.norm.vmin)))
            colors[..., 3] = np.clip(cells / crowd.norm.vmin, 0, 1)  # shows empty ground
            self.artist.set_data(colors)
        else:
            inside = crowd.inside(snapshot)
            self.artist.set_offsets(snapshot.position[inside])
            self.artist.set_array(snapshot.speed[inside])
            self.artist.set_sizes(crowd.dot_sizes(snapshot.radius[inside],
                                                  self.sheet.figure.dpi))
        self.sheet.clock.set_text(people_text(snapshot))


def people_text(snapshot: Snapshot) -> str:
    """The line under the title."""
    return f"{style.clock(snapshot.time)} · {style.people(snapshot.count)}"


@dataclasses.dataclass
class Moment:
    """Which people: snapshot (first, middle, last or a step) or the one next to a time (s); how
    they are drawn: density (auto, on, off), trails (auto, lines, paths), share of the trails."""
    snapshot: str = "middle"
    time: float | None = None
    density: str = "auto"
    trails: str | None = None
    share: float | None = None

    def of(self, run: Run) -> Snapshot:
        """The snapshot."""
        paths = snapshot_paths(run.folder)
        if self.time is None:
            return Snapshot(chosen(paths, self.snapshot))
        # Steps are of one length, so that no file but the last need be read.
        last = Snapshot(list(paths.values())[-1])
        wanted = self.time / last.time * last.step if last.time > 0 else 0
        return Snapshot(paths[min(paths, key=lambda step: abs(step - wanted))])


def draw_people(run: Run, view: View, **options) -> Figure:
    """The people of one moment; options: those of Moment. Beside other runs' maps, these show the
    same moment; the scale suits all of them."""
    moment = Moment(**options)
    now = moment.of(run)
    if moment.trails is not None:
        return draw_trails(run, view, now, moment)
    layout = Layout(run.scene, view, [PLACEHOLDER])
    beside = [moment.of(one) for one in view.beside if one.folder != run.folder and one.snapshots]
    crowd = Crowd([now, *beside], layout, view, moment.density)
    sheet = Sheet(run.scene, run.folder, view, people_text(now), [crowd.legend(view.note)])
    PeopleMap(sheet, crowd).show(now)
    return sheet.finish()


def draw_trails(run: Run, view: View, now: Snapshot, moment: Moment) -> Figure:
    """The paths of some people as lines, or of all as their density."""
    kind, share = moment.trails, moment.share
    if kind not in TRAILS:
        raise Error(f"--trails {kind}: one of {', '.join(TRAILS)} is expected")
    part, everyone = share_of_all(run.folder, share)
    if kind == "paths" or (kind == "auto" and share is None and everyone > MOST_LINES):
        return draw_paths(run, view)
    lines, speeds, count = trail_lines(run.folder, part)
    layout = Layout(run.scene, view, [PLACEHOLDER])
    crowd = Crowd([now], layout, view, "off")
    of_all = "all" if count == everyone else f"{count:,} of {everyone:,} people's"
    text = f"{people_text(now)} · {of_all} paths over the whole run"
    sheet = Sheet(run.scene, run.folder, view, text, [crowd.legend()])
    faint = float(np.clip(120 / max(count, 1), 0.35, 0.9))
    sheet.axes.add_collection(LineCollection(lines, array=speeds, cmap=SPEEDS, norm=crowd.norm,
                                             linewidths=0.8, alpha=faint, zorder=MARK + 0.5))
    people = PeopleMap(sheet, crowd, 0.5)
    people.show(now)
    sheet.clock.set_text(text)
    return sheet.finish()


def draw_paths(run: Run, view: View) -> Figure:
    """How many people passed each spot."""
    layout = Layout(run.scene, view, [PLACEHOLDER])
    cell = 4 / (layout.inches_per_metre() * view.size / 9.0)
    counts, shown = path_counts(run.folder, layout.low, layout.high, cell)
    limits = style.ladder(float(np.quantile(counts[counts > 0], 0.995)) if counts.any() else 2,
                          [one for one in style.NICE if one >= 1])
    colors = style.ramp("paths", len(limits) + 1)
    legend = Steps(("People who passed", f"{cell:.2g} m of width"), colors, style.classes(limits))
    sheet = Sheet(run.scene, run.folder, view, f"Paths of {style.people(shown)} over the whole run",
                  [legend])
    table = np.concatenate([np.zeros((1, 4)), style.rgba(colors)])
    sheet.show_cells(layout.low, cell, table[np.where(counts > 0, 1 + np.digitize(counts, limits),
                                                      0)])
    return sheet.finish()
