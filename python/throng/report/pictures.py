"""Maps for the page: the pictures of `throng plot`, as PNG or SVG, whichever is smaller."""
from __future__ import annotations

import base64
import dataclasses
import io
from collections.abc import Callable
from typing import Any, Optional

from matplotlib.figure import Figure

from throng.errors import Error
from throng.report.charts import Chart, svg_of
from throng.report.words import printable
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
    caption; text for those who cannot see it; and what the scenario must say to have it."""
    name: str
    options: dict[str, Any]
    title: str
    shows: str
    needs: str


GRID = "measure.grid.every in the scenario"
PEOPLE = "measure.people: true in the scenario"
KINDS = (
    Kind("density", {"what": "maximum"}, "Highest density",
         "The highest mean density of an interval, as Fruin's levels of service from A (free) to F "
         "(crowded).", GRID),
    Kind("density", {"what": "time-above", "level": "E"}, "Time at level E or worse",
         "How long each place was so dense that people are in each other's way.", GRID),
    Kind("density", {"what": "mean"}, "Mean density", "The mean of the whole run.", GRID),
    Kind("flow", {}, "Flow", "How many people went where: the wider, the more; arrows show the "
         "direction.", GRID),
    Kind("speed", {}, "Speed", "The mean speed of the people at each place.", GRID),
    Kind("delay", {}, "Delay", "Where people lose time against walking at the speed they prefer.",
         GRID),
    Kind("evacuation", {}, "Evacuation time by starting place",
         "How long people took to leave, by the place where they started.", PEOPLE),
    Kind("exits", {}, "Which exit from where", "Where people from each place left.", PEOPLE),
    Kind("people", {}, "People", "Everybody at one moment.", "output.snapshot_every in the scenario"),
)


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
    """The figure as PNG with a palette of 256 colours, of which maps have fewer."""
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi="figure", metadata={"Software": None})
    try:
        from PIL import Image
    except ImportError:  # matplotlib brings it; without it the picture is larger
        return out.getvalue()
    small = io.BytesIO()
    with Image.open(out) as image:
        flat = image.convert("RGB")
        flat.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(
            small, format="PNG", optimize=True)
    return min(small.getvalue(), out.getvalue(), key=len)


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


def map_of(run: Run, kind: Kind, name: str, pixels: int) -> tuple[Optional[Picture], str]:
    """The map, or None and the reason why there is none."""
    try:
        figure = drawing()(kind.name, run.folder, size=pixels, **kind.options)
    except Error as error:
        return None, f"{kind.title}: not measured; {kind.needs} gives it ({reason(error)})."
    text = f"Map of {printable(name)}. {kind.title}. {kind.shows}"
    return of_figure(figure, f"{kind.title}. {kind.shows}", text), ""


def reason(error: Error) -> str:
    """The message of an error, in one line."""
    return " ".join(printable(error).split())
