"""Curves over time, as SVG. Each has a text that says the same for those who cannot see it."""
from __future__ import annotations

import dataclasses
import io
from collections.abc import Sequence
from typing import Optional

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from throng.exits import arrived
from throng.levels import E_BEGINS
from throng.report import places
from throng.report.facts import Facts
from throng.report.words import number, plural, printable, seconds

INK, FAINT = "#1f2328", "#59636e"
# Okabe and Ito 2008: distinct for colour-blind readers; with the dashes also in black and white.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999999")
DASHES = ("-", "--", "-.", ":")
CURVES = 8  # in one diagram; more cannot be told apart
POINTS = 1500  # of a curve: more than a page has pixels for
SIZE = (5.4, 3.2)  # inches, so that letters are legible on a telephone


@dataclasses.dataclass(eq=False)
class Curve:
    """name, x and y, already in the units of the axes."""
    name: str
    x: np.ndarray
    y: np.ndarray
    steps: bool = False


@dataclasses.dataclass
class Axis:
    """The axis upwards: its name; unit and digits of a value in words; whole: values are whole
    numbers; mark: a line at this height, and its name; nothing: what is said if all is 0."""
    name: str
    unit: str
    digits: int
    nothing: str
    whole: bool = False
    mark: Optional[tuple[float, str]] = None


@dataclasses.dataclass
class Chart:
    """A picture for the page: SVG text, its caption, and the words for those who cannot see it. No
    SVG: everything would be 0, which the caption says."""
    svg: str
    caption: str
    text: str


def label(name: str, length: int = 34) -> str:
    """A name as matplotlib takes it: a dollar would begin a formula."""
    name = printable(name)
    name = name if len(name) <= length else name[:length - 1] + "…"
    return name.replace("$", r"\$")


def time_unit(end: float) -> tuple[float, str]:
    """What to divide seconds by, and the name of the axis."""
    return (60.0, "time, min") if end > 600 else (1.0, "time, s")


def thinned(curve: Curve) -> Curve:
    """With fewer points: of each bundle the lowest and the highest, so that no peak is lost."""
    bundle = -(-len(curve.x) // (POINTS // 2))
    if bundle < 2:
        return curve
    starts = range(0, len(curve.x), bundle)
    keep = {0, len(curve.x) - 1}
    for start in starts:
        part = curve.y[start:start + bundle]
        if np.isfinite(part).any():
            keep |= {start + int(np.nanargmin(part)), start + int(np.nanargmax(part))}
    at = np.array(sorted(keep))
    return dataclasses.replace(curve, x=curve.x[at], y=curve.y[at])


def svg_of(figure: Figure) -> str:
    """The figure as SVG, with letters as text: smaller, sharp, and in the reader's own font. Equal
    figures give equal bytes."""
    out = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "throng",
                                "font.family": "sans-serif"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg"):].replace("DejaVu Sans", "Arial, DejaVu Sans")


def decorate(axes: Axes, across: str, up: str) -> None:
    """Labels and a light frame."""
    axes.set_xlabel(across, fontsize=10, color=INK)
    axes.set_ylabel(up, fontsize=10, color=INK)
    axes.grid(color="#e1e4e8", linewidth=0.7)
    axes.tick_params(labelsize=9.5, colors=INK, length=3)
    axes.yaxis.set_major_locator(MaxNLocator(6))
    axes.xaxis.set_major_locator(MaxNLocator(7))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(FAINT)


def drawn(curves: Sequence[Curve], across: str, up: Axis) -> str:
    """The curves in one diagram from 0 on."""
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.add_subplot()
    for i, curve in enumerate(map(thinned, curves)):
        style = {"color": COLORS[i % len(COLORS)], "linestyle": DASHES[i // 2 % len(DASHES)],
                 "linewidth": 1.8, "label": label(curve.name)}
        axes.plot(curve.x, curve.y, drawstyle="steps-post" if curve.steps else "default", **style)
    mark = up.mark
    decorate(axes, across, up.name)
    low = min(float(np.nanmin(curve.y)) for curve in curves if np.isfinite(curve.y).any())
    high = axes.get_ylim()[1]
    if up.whole:
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.yaxis.set_major_formatter("{x:,.0f}")
    if mark and mark[0] < 1.6 * max(high, 1e-9):
        axes.axhline(mark[0], color=INK, linewidth=1, linestyle=(0, (4, 3)))
        axes.annotate(mark[1], (1, mark[0]), xycoords=("axes fraction", "data"), ha="right",
                      va="bottom", fontsize=9, color=INK)
        high = max(high, 1.12 * mark[0])
    axes.set_ylim(min(low, 0), high)
    if len(curves) > 1 or curves[0].name:
        axes.legend(loc="lower left", bbox_to_anchor=(-0.02, 1.0), fontsize=9.5, frameon=False,
                    ncols=2 if max(len(curve.name) for curve in curves) < 22 else 1,
                    handlelength=2.4, borderaxespad=0.1, labelcolor=INK)
    return svg_of(figure)


def peaks(curves: Sequence[Curve], unit: str, digits: int, at: str) -> str:
    """'door: at most 2.10 people/s, at 40 s; ...'"""
    said = []
    for curve in curves:
        name = f"{curve.name}: " if curve.name else ""
        if not np.isfinite(curve.y).any():
            said.append(f"{name}no values")
            continue
        top = int(np.nanargmax(curve.y))
        said.append(f"{name}at most {number(curve.y[top], digits)} {unit}, at "
                    f"{number(curve.x[top], 1)} {at}")
    return "; ".join(said)


def is_nothing(curves: Sequence[Curve]) -> bool:
    """Is every value 0, or not known?"""
    return not any(np.any(np.nan_to_num(curve.y) != 0) for curve in curves)


def chart(curves: list[Curve], caption: str, up: Axis, end: float) -> Chart:
    """A diagram over time. Of many curves it shows those that reach the highest values. If all of
    them are 0, a sentence says so."""
    if is_nothing(curves):
        return Chart("", f"{caption}: {up.nothing}.", "")
    scale, across = time_unit(end)
    note = ""
    if len(curves) > CURVES:
        def height(curve: Curve) -> float:
            return float(np.nanmax(curve.y)) if np.isfinite(curve.y).any() else -1.0
        highest = sorted(curves, key=height, reverse=True)[:CURVES]
        note = f" The {CURVES} with the highest values of {len(curves)}."
        curves = [curve for curve in curves if curve in highest]
    curves = [dataclasses.replace(curve, name=printable(curve.name), x=curve.x / scale)
              for curve in curves]
    words = peaks(curves, up.unit, up.digits, across.split(", ")[1])
    return Chart(drawn(curves, across, up), caption + "." + note, f"{caption}. {words}.")


def inside_chart(all_facts: Sequence[Facts]) -> Optional[Chart]:
    """People inside over time, one curve for each run."""
    chosen = [facts for facts in all_facts if facts.series is not None]
    curves = [Curve(facts.label if len(all_facts) > 1 else "", facts.series["time_s"],
                    facts.series["agents"].astype(float)) for facts in chosen if facts.series]
    if not curves:
        return None
    up = Axis("people inside", "people", 0, "nobody was there", whole=True)
    return chart(curves, "People inside over time", up, max(facts.time for facts in chosen))


def arrivals_chart(all_facts: Sequence[Facts]) -> Optional[Chart]:
    """People who have arrived; of several runs as shares."""
    chosen = [facts for facts in all_facts if facts.series is not None]
    if not chosen:
        return None
    several, curves = len(all_facts) > 1, []
    for facts in chosen:
        assert facts.series is not None
        arrived_ = facts.series["arrived"].astype(float)
        curves.append(Curve(facts.label if several else "", facts.series["time_s"],
                            100 * arrived_ / max(facts.count, 1) if several else arrived_))
    end = max(facts.time for facts in chosen)
    if several:
        return chart(curves, "Share of all people who have arrived",
                     Axis("arrived, %", "%", 1, "nobody arrived"), end)
    return chart(curves, "People who have arrived",
                 Axis("people arrived", "people", 0, "nobody arrived", whole=True), end)


def arrival_rate_chart(facts: Facts) -> Optional[Chart]:
    """Arrivals per minute."""
    if facts.series is None or len(facts.series["time_s"]) < 3:
        return None
    window = places.window_of(facts.time)
    middle, flow = places.flow_over(facts.series["time_s"],
                                    facts.series["arrived"].astype(float), window)
    if not len(middle):
        return None
    return chart([Curve("", middle, 60 * flow)],
                 f"Arrivals per minute, means of {window:g} s",
                 Axis("people/min", "people per minute", 1, "nobody arrived"), facts.time)


def speed_chart(facts: Facts) -> Optional[Chart]:
    """Mean speed of everybody."""
    if facts.series is None:
        return None
    someone = facts.series["agents"] > 0
    curves = [Curve("mean speed", facts.series["time_s"],
                    np.where(someone, facts.series["mean_speed_m_s"], np.nan))]
    if "net_speed_m_s" in facts.series:
        curves.append(Curve("progress within 2 s", facts.series["time_s"],
                            facts.series["net_speed_m_s"]))
    return chart(curves, "Mean speed of the people inside",
                 Axis("speed, m/s", "m/s", 2, "nobody walked"), facts.time)


def of_places(names: Sequence[str]) -> str:
    """' (door, gate)' for a sentence; of many the first."""
    some = ", ".join(map(printable, list(names)[:CURVES]))
    return f" ({some}{', …' if len(names) > CURVES else ''})"


def line_charts(facts: Facts) -> list[Chart]:
    """N(t) and the flow of each line."""
    table = facts.table("lines.csv")
    if not table:
        return []
    counts, flows = [], []
    window = places.window_of(facts.time)
    by_line = places.by_name(table, "line")
    for name, line in by_line.items():
        total = (line["forward"] + line["backward"]).astype(float)
        counts.append(Curve(name, line["time_s"], total))
        middle, flow = places.flow_over(line["time_s"], total, window)
        if len(middle):
            flows.append(Curve(name, middle, flow))
    nobody = f"nobody crossed one{of_places(list(by_line))}"
    made = [chart(counts, "People who have crossed a line, both directions",
                  Axis("people", "people", 0, nobody, whole=True), facts.time)]
    if flows and made[0].svg:
        made.append(chart(flows, f"Flow at lines, both directions, means of {window:g} s",
                          Axis("people/s", "people/s", 2, nobody), facts.time))
    return made


def area_charts(facts: Facts) -> list[Chart]:
    """Density and speed in each area."""
    table = facts.table("areas.csv")
    if not table:
        return []
    density, speed = [], []
    by_area = places.by_name(table, "area")
    for name, area in by_area.items():
        density.append(Curve(name, area["time_s"], area["density_per_m2"]))
        speed.append(Curve(name, area["time_s"], area["mean_speed_m_s"]))
    nobody = f"nobody was in one{of_places(list(by_area))}"
    mark = (E_BEGINS, f"level E begins ({E_BEGINS:g})")
    made = [chart(density, "Density in areas",
                  Axis("people/m²", "people/m²", 2, nobody, mark=mark), facts.time)]
    if made[0].svg:
        made.append(chart(speed, "Mean speed in areas",
                          Axis("speed, m/s", "m/s", 2, "nobody moved there"), facts.time))
    return made


def queue_chart(facts: Facts) -> Optional[Chart]:
    """People who wait in queues."""
    table = facts.table("queues.csv")
    if not table:
        return None
    by_queue = places.by_name(table, "queue")
    curves = [Curve(name, queue["time_s"], queue["waiting"].astype(float))
              for name, queue in by_queue.items()]
    nobody = f"nobody waited{of_places(list(by_queue))}"
    return chart(curves, "People waiting in queues",
                 Axis("people waiting", "people", 0, nobody, whole=True), facts.time)


def travel_chart(facts: Facts) -> Optional[Chart]:
    """How many people were on their way for how long."""
    if facts.people is None:
        return None
    spent = (facts.people["left_s"] - facts.people["entered_s"])[arrived(facts.people)]
    if len(spent) < 2:
        return None
    count, edge = np.histogram(spent, bins=min(40, max(8, len(spent) // 25)))
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.add_subplot()
    scale, across = time_unit(float(spent.max()))
    axes.bar(edge[:-1] / scale, count, np.diff(edge) / scale, align="edge", color=COLORS[0],
             edgecolor="white", linewidth=0.6)
    decorate(axes, "travel " + across, "people")
    most = int(np.argmax(count))
    text = (f"Travel times of {plural(len(spent), 'person', 'people')}: from "
            f"{seconds(float(spent.min()))} to {seconds(float(spent.max()))}; most often "
            f"{edge[most]:.0f} to {edge[most + 1]:.0f} s.")
    return Chart(svg_of(figure), "Travel times of those who arrived.", text)
