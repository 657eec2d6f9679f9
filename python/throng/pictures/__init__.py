"""Pictures of a run: draw(kind, run, ...) makes a figure of matplotlib.

    throng.pictures.draw("density", "runs/hall", what="maximum").savefig("hall.png")

docs/pictures.md shows all kinds; `throng plot --help` lists them. Needs matplotlib.
"""
from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, Any

from throng.errors import Error

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from throng.results import Run

KINDS = {
    "people": "people of one moment, coloured by speed; their trails; a film",
    "density": "density as level of service A to F: a moment, the mean, the maximum, time above",
    "flow": "how many people walked where, both ways",
    "evacuation": "how long people took, by the place where they started",
    "exits": "which exit people took, by the place where they started",
    "speed": "mean speed",
    "delay": "time lost",
    "curves": "lines, areas and queues over time",
    "difference": "what changed between two runs",
}


def text_settings() -> dict[str, Any]:
    """What matplotlib must be set to: names may hold dollars, and letters that one font lacks."""
    from throng.names import installed_families
    return {"text.parse_math": False, "font.family": installed_families()}


def draw(kind: str, run: Run | str | os.PathLike[str], **options: Any) -> Figure:
    """The picture of this kind (KINDS) of a run or its folder. Of a Run that draws several pictures
    every file is read only once.

    All maps: region (x0, y0, x1, y1, m), size (pixels of the longer side), axes, grid, lonlat
    (bool), shown (of ground.CAN_SHOW), title, beside (runs whose maps of this kind have the same
    scale and colours). people: snapshot, time, trails, density, share.
    density: what (moment, mean, maximum, peak, time-above), levels (fruin, hbs), level, snapshot,
    time. flow: cell (m). evacuation: what (mean, median, p90, p95, maximum), cell. exits: cell.
    curves: tables (lines, areas, queues). difference: other (the second run), of, and
    the options of density.
    """
    import matplotlib
    with matplotlib.rc_context(text_settings()):
        return draw_kind(kind, run, options)


def draw_kind(kind: str, run: Run | str | os.PathLike[str], options: dict[str, Any]) -> Figure:
    """The same, in what matplotlib is set to."""
    from throng.pictures import cells, curves, difference, flow, people, starts
    from throng.pictures.sheet import View
    if kind not in KINDS:
        raise Error(f"{kind}: no such picture; choose one of {', '.join(KINDS)}")
    run = opened(run)
    options = {**options, "beside": [opened(one) for one in options.get("beside") or ()]}
    named = {one.name for one in dataclasses.fields(View)}
    view = View(**{name: value for name, value in options.items() if name in named})
    rest = {name: value for name, value in options.items() if name not in named}
    if kind in ("density", "speed", "delay"):
        return cells.draw_cells(kind, run, view, **rest)
    drawers = {"people": people.draw_people, "flow": flow.draw_flow,
               "evacuation": starts.draw_evacuation, "exits": starts.draw_exits,
               "curves": curves.draw_curves, "difference": difference.draw_difference}
    return drawers[kind](run, view, **rest)


def opened(run: Run | str | os.PathLike[str]) -> Run:
    """The run of a folder."""
    from throng.results import Run  # loads h5py
    return run if isinstance(run, Run) else Run(run)
