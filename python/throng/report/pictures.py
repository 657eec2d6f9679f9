"""Maps for the page: the pictures of `throng plot`, as PNG or SVG, whichever is smaller."""
from __future__ import annotations

import base64
import dataclasses
import io
import os
from collections.abc import Callable, Sequence
from typing import Any, Optional

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from throng.errors import USAGE, Error
from throng.files import Field, numbered_paths
from throng.levels import E_BEGINS
from throng.pictures.ground import SHOWN
from throng.report.charts import Chart, svg_of
from throng.report.words import joined, printable
from throng.results import Run

PIXELS = 1900  # of the longer side: sharp on a page of 1280 and on paper
VERTICES = 20000  # in a figure: with more, SVG is larger than PNG, and slow to make and to show


@dataclasses.dataclass
class Picture:
    """A picture as the page takes it: address (a data URI), caption, words for those who cannot
    see it, size in CSS pixels. is_map: wants the full width."""
    address: str
    caption: str
    text: str
    width: int
    height: int
    is_map: bool = False

    @property
    def is_wide(self) -> bool:
        """Does it need the full width of a page, so that its letters can be read?"""
        return self.is_map and self.width > 1.15 * self.height

    @property
    def bytes(self) -> int:
        """What it adds to the page."""
        return len(self.address)


@dataclasses.dataclass
class Kind:
    """A kind of map: name and options as of throng.pictures.draw; title; what it shows, for the
    caption and for those who cannot see it; and which of NEEDS it is drawn from."""
    name: str
    options: dict[str, Any]
    title: str
    shows: str
    source: str


# {what maps are drawn from: what the scenario must say to have it}
NEEDS = {"totals.vtkhdf": "measure.grid.every", "people.csv": "measure.people: true",
         "snapshot": "output.snapshot_every", "density": "measure.grid.every"}
PLACES = {"shown": (*SHOWN, "areas", "lines")}  # what was measured, where people are or were
KINDS = (
    Kind("density", {"what": "maximum", **PLACES}, "Highest density",
         "The highest mean density of an interval, as Fruin's levels of service from A (free) to F "
         "(crowded).", "totals.vtkhdf"),
    Kind("density", {"what": "time-above", "level": "E", **PLACES}, "Time at level E or worse",
         "How long each place was so dense that people are in each other's way.", "totals.vtkhdf"),
    Kind("density", {"what": "mean", **PLACES}, "Mean density", "The mean of the whole run.",
         "totals.vtkhdf"),
    Kind("flow", {}, "Flow", "How many people went where: the wider, the more; arrows show the "
         "direction.", "totals.vtkhdf"),
    Kind("speed", {}, "Speed", "The mean speed of the people at each place.", "totals.vtkhdf"),
    Kind("delay", {}, "Delay", "Where people lose time against walking at the speed they prefer.",
         "totals.vtkhdf"),
    Kind("evacuation", {}, "Evacuation time by starting place",
         "How long people took to leave, by the place where they started.", "people.csv"),
    Kind("exits", {}, "Which exit from where", "Where people from each place left.", "people.csv"),
    Kind("people", PLACES, "People", "Everybody at the moment nearest to the fullest.", "snapshot"),
)
# Of a run that has not ended, or of an old one: it has no totals.
MOMENT = Kind("density", {"what": "moment", **PLACES}, "Density at the densest time",
              "The mean density of the interval in which it was highest.", "density")


def of_chart(chart: Chart) -> Picture:
    """A diagram as a picture."""
    width, height = size_of_svg(chart.svg)
    return Picture(svg_address(chart.svg), chart.caption, chart.text, width, height)


def svg_address(svg: str) -> str:
    """A data URI of SVG."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode("ascii")


def size_of_svg(svg: str) -> tuple[int, int]:
    """Width and height in CSS pixels; matplotlib writes points."""
    head = svg[:svg.index(">")]
    def points(name: str) -> float:
        return float(head.split(f' {name}="', 1)[1].split("pt", 1)[0])
    return round(points("width") * 4 / 3), round(points("height") * 4 / 3)


def png_of(figure: Figure) -> bytes:
    """The figure as PNG with a palette of 256 colours. FASTOCTREE keeps rare colours, such as those
    of a legend; MEDIANCUT gives their places to what covers more."""
    out = io.BytesIO()
    try:
        from PIL import Image
    except ImportError:  # matplotlib brings it; without it the picture is larger
        figure.savefig(out, format="png", dpi="figure", metadata={"Software": None})
        return out.getvalue()
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    flat = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    flat.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        out, format="PNG", optimize=True)
    return out.getvalue()


def vertices_of(figure: Figure) -> int:
    """About how many points an SVG of the figure would have."""
    total = 0
    for axes in figure.axes:
        for artist in axes.get_children():
            if hasattr(artist, "get_offsets"):
                total += len(artist.get_offsets())
            if hasattr(artist, "get_paths"):
                total += sum(len(path) for path in artist.get_paths())
            elif hasattr(artist, "get_path"):
                total += len(artist.get_path())
    return total


def of_figure(figure: Figure, caption: str, text: str) -> Picture:
    """A map as a picture: PNG or SVG, whichever is smaller."""
    inches = figure.get_size_inches()
    width, height = (round(96 * side) for side in inches)
    address = ("data:image/png;base64,"
               + base64.b64encode(png_of(figure)).decode("ascii"))
    if vertices_of(figure) <= VERTICES:
        address = min(svg_address(svg_of(figure)), address, key=len)
    return Picture(address, caption, text, width, height, True)


def drawing() -> Callable[..., Figure]:
    """throng.pictures.draw."""
    from throng.pictures import draw
    return draw


def has(run: Run, source: str) -> bool:
    """Has the run what a map is drawn from?"""
    return bool(numbered_paths(run.folder, source)) if "." not in source \
        else os.path.exists(run.path(source))


def densest_time(run: Run) -> float:
    """The end of the interval with the highest density, s."""
    fields = map(Field, numbered_paths(run.folder, "density").values())
    return max((float(field.density.max(initial=0)), -field.time) for field in fields)[1] * -1


def kinds_of(run: Run, fullest: Optional[float] = None) -> tuple[list[Kind], list[str]]:
    """The maps that the run has data for, and a line for each thing that it has not measured.
    fullest: when most people were inside, s."""
    kinds, lines = [kind for kind in KINDS if has(run, kind.source)], []
    missing = [kind for kind in KINDS if kind not in kinds]
    if not has(run, "totals.vtkhdf") and has(run, "density"):
        kinds.insert(0, dataclasses.replace(MOMENT, options={**MOMENT.options,
                                                            "time": densest_time(run)}))
    if fullest is not None:
        kinds = [dataclasses.replace(kind, options={**kind.options, "time": fullest})
                 if kind.name == "people" else kind for kind in kinds]
    for source in dict.fromkeys(kind.source for kind in missing):
        titles = joined([kind.title for kind in missing if kind.source == source])
        ended = " and a run that has ended" if source == "totals.vtkhdf" else ""
        lines.append(f"{titles}: not measured; {NEEDS[source]} in the scenario{ended} gives "
                     f"{'them' if ' and ' in titles else 'it'}.")
    return kinds, lines


def nothing_on(run: Run, kind: Kind) -> str:
    """What a sentence says instead of a map on which there would be nothing; '' if there is."""
    if kind.source != "totals.vtkhdf":
        return ""
    totals, what = run.totals, kind.options.get("what", kind.name)
    if not totals.people.any():
        return "nobody was there when it was measured"
    if what == "time-above" and not totals.time_above(E_BEGINS).any():
        return f"no place was at it at any time ({E_BEGINS:g} people/m² and more)"
    if what == "flow" and not any(getattr(totals, f"crossed_{side}").any()
                                  for side in ("east", "west", "north", "south")):
        return "nobody walked from one cell to the next"
    if what == "delay" and not totals.delay.any():
        return "nobody lost time"
    return ""


def map_of(run: Run, kind: Kind, name: str, pixels: int, beside: Sequence[Run] = ()
           ) -> tuple[Optional[Picture], str]:
    """The map, or None and the reason why there is none; on one scale with the runs beside it."""
    try:
        with_it = [run, *(one for one in beside if has(one, kind.source))]
        nothing = [nothing_on(one, kind) for one in with_it]
        if all(nothing):  # else the maps of the others would stand beside each other wrongly
            return None, f"{kind.title}: {nothing[0]}."
        figure = drawing()(kind.name, run, size=pixels, beside=with_it[1:], **kind.options)
    except Error as error:
        if error.code != USAGE:
            raise
        return None, f"{kind.title}: {reason(error)}."
    text = f"Map of {printable(name)}. {kind.title}. {kind.shows}"
    return of_figure(figure, f"{kind.title}. {kind.shows}", text), ""


def reason(error: Error) -> str:
    """The message of an error, in one line."""
    return " ".join(printable(error).split())
