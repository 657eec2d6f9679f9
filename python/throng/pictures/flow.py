"""The flow map: arrows whose widths are the numbers of people who walked there, both ways."""
from __future__ import annotations

import dataclasses

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from throng.errors import Error
from throng.files import Totals
from throng.pictures import style
from throng.pictures.ground import PEOPLE
from throng.pictures.legend import BOX, Items, arrow, arrow_symbol
from throng.pictures.sheet import Layout, Sheet, View, seen_region
from throng.results import Run

ARROWS = 32       # along the longer side of the map
WIDEST = 0.5      # of the side of a cell: the width of the largest flow
THIN = 0.045      # of the side of a cell: small flows are drawn so wide, to be visible
LONG = 0.92       # of the side of a cell: the length of an arrow
LEAST = 0.01      # of the largest flow: smaller ones are not drawn
DISTINCT = 1.25   # least factor to the thinnest: other widths are left out of the legend
UNEVEN = 0.2      # of a flow: such a difference of both directions shows which belong together


@dataclasses.dataclass
class Flows:
    """Flows in coarse cells. at [n][2] (m): where in the cell people walk; ahead, back [n][2]:
    the people that crossed its columns and rows on average, in the direction that more people
    took, and in the opposite one; size (m)."""
    at: np.ndarray
    ahead: np.ndarray
    back: np.ndarray
    size: float


def people_of(vectors: np.ndarray) -> np.ndarray:
    """How many people walked along these vectors [n][2]: all who walk through a narrow street
    cross each of the columns or each of the rows in it."""
    return np.max(np.abs(vectors), axis=-1)


def blocks(values: np.ndarray, side: int) -> np.ndarray:
    """Cells [rows][columns] in blocks [rows/side][columns/side][side * side], with 0 outside."""
    rows, columns = (-size % side for size in values.shape)
    padded = np.pad(values, ((0, rows), (0, columns)))
    parts = padded.reshape(padded.shape[0] // side, side, padded.shape[1] // side, side)
    return parts.swapaxes(1, 2).reshape(*parts.shape[::2], side * side)


def coarse_flows(totals: Totals, side: int) -> Flows:
    """Adds the crossings up in blocks of side x side cells."""
    east, west, north, south = (blocks(getattr(totals, "crossed_" + name), side) for name in
                                ("east", "west", "north", "south"))
    gross = (east + west + north + south).astype(float)
    used = gross.sum(axis=-1) > 0
    sums = [part[used].sum(axis=-1) / side for part in (east, west, north, south)]
    row, column = np.divmod(np.arange(side * side), side)
    places = (np.stack([column, row], axis=1) + 0.5) * totals.cell
    weight = gross[used] / gross[used].sum(axis=-1, keepdims=True)
    middle = weight @ places
    spread = np.einsum("nk,nk->n", weight, (places[:, 0] - middle[:, :1])
                       * (places[:, 1] - middle[:, 1:]))
    ahead, back = both_ways(*sums, spread)
    lower = np.argwhere(used)[:, ::-1] * side * totals.cell + totals.corner
    return Flows(lower + middle, ahead, back, side * totals.cell)


def both_ways(east: np.ndarray, west: np.ndarray, north: np.ndarray, south: np.ndarray,
              spread: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two opposite flows [n][2] that these crossings are made of.

    East may belong to north, and then west to south, or east to south. If one direction has more
    people, then in x as in y, which shows what belongs together. Otherwise people walk where the
    cells are that they use: spread is the covariance of x and y of these."""
    x, y = east - west, north - south
    clear = (abs(x) > UNEVEN * (east + west)) & (abs(y) > UNEVEN * (north + south))
    rising = np.where(clear, x * y > 0, spread >= 0)
    one = np.stack([east, np.where(rising, north, -south)], axis=1)
    other = np.stack([-west, np.where(rising, -south, north)], axis=1)
    swap = people_of(other) > people_of(one)
    ahead, back = (np.where(swap[:, None], *both) for both in ((other, one), (one, other)))
    drop_sway(ahead, back)
    return ahead, back


def drop_sway(ahead: np.ndarray, back: np.ndarray) -> None:
    """Where the lesser flow runs across the greater one [n][2], what both have on its axis is
    people who sway: it belongs to neither. Changes the flows."""
    rows = np.arange(len(back))
    axis = abs(back).argmax(axis=1)
    across = axis != abs(ahead).argmax(axis=1)
    common = np.where(across, np.minimum(abs(back), abs(ahead))[rows, axis], 0)
    for flow in (ahead, back):
        flow[rows, axis] -= np.sign(flow[rows, axis]) * common


def arrows_of(flows: Flows, most: float) -> list[tuple[float, np.ndarray, bool]]:
    """(people, arrow [7][2] (m), whether it is the lesser direction), the widest first. With two
    directions each is on the right of their middle, as seen by those who walk."""
    found = []
    both = np.minimum(people_of(flows.ahead), people_of(flows.back)) >= LEAST * most
    for lesser, vectors in ((False, flows.ahead), (True, flows.back)):
        for at, vector, two in zip(flows.at, vectors, both):
            people = float(people_of(vector))
            if people < max(LEAST * most, 1e-9):
                continue
            width = max(WIDEST * people / most, THIN) * flows.size
            unit = vector / np.hypot(*vector)
            right = np.array([unit[1], -unit[0]]) * (width / 2 + 0.025 * flows.size) * two
            begin = at + right - unit * LONG * flows.size / 2
            found.append((people, arrow(*begin, *(unit * LONG * flows.size), width), lesser))
    return sorted(found, key=lambda one: -one[0])


def seen_flows(run: Run, view: View, cell: float | None) -> Flows:
    """The flows in the part of the world that the map shows; cell: m between arrows."""
    totals = run.totals
    low, high = seen_region(run.scene, view.region)
    wanted = float(max(high - low)) / ARROWS if cell is None else cell
    if not wanted > 0:
        raise Error("--cell: a number of metres above 0 is expected")
    flows = coarse_flows(totals, max(round(wanted / totals.cell), 1))
    inside = np.all((flows.at >= low) & (flows.at <= high), axis=1)
    return Flows(flows.at[inside], flows.ahead[inside], flows.back[inside], flows.size)


def draw_flow(run: Run, view: View, cell: float | None = None) -> Figure:
    """The flow map; cell: m between arrows."""
    flows = seen_flows(run, view, cell)
    every = [flows] + [seen_flows(one, view, flows.size)
                       for one in view.runs(run, "totals.vtkhdf")[1:]]
    most = max(float(people_of(one.ahead).max(initial=0)) for one in every)
    subtitle = (f"People who walked through each cell of {flows.size:g} m · 0:00 – "
                f"{style.clock(run.totals.time)}")
    sheet = Sheet(run.scene, run.folder, view, subtitle, legend_blocks(most, flows, view, run))
    found = arrows_of(flows, most) if most > 0 else []
    colors = [style.BACK if lesser else style.FLOW for _, _, lesser in found]
    sheet.axes.add_collection(PolyCollection([one for _, one, _ in found], facecolors=colors,
                                             edgecolors="white", linewidths=0.25, zorder=PEOPLE))
    return sheet.finish()


def width_rungs(most: float) -> list[tuple[float, str]]:
    """(people, label) of the widths that the legend shows, the widest first. Small flows are all
    drawn with one width: the last label says up to which number."""
    thin = most * THIN / WIDEST
    rungs = [one for one in style.NICE if max(1, DISTINCT * thin) <= one <= most]
    labels = [(one, f"{one:,.0f}") for one in rungs[::-1]]
    small = [one for one in style.NICE if 1 <= one <= thin]
    if small:
        labels.append((small[-1], f"{small[-1]:,.0f} or fewer"))
    return labels or [(most, style.number(most))]


def legend_blocks(most: float, flows: Flows, view: View, run: Run) -> list[Items]:
    """Widths of round numbers of people, and the two colours."""
    inches = Layout(run.scene, view, [Items((" ",), [])]).inches_per_metre() * flows.size
    widths = Items(("People", *view.note), [
        (arrow_symbol(style.FLOW, max(WIDEST * one / max(most, 1e-9), THIN) * inches), label)
        for one, label in width_rungs(most)], max(0.215, WIDEST * inches + 0.05))
    return [widths, Items(("Direction",), [
        (arrow_symbol(style.FLOW, 0.35 * BOX), "most people"),
        (arrow_symbol(style.BACK, 0.35 * BOX), "the others")], 0.24)]
