"""Writes HTML: a fragment for a report, or a page of its own."""
from __future__ import annotations

import dataclasses
import functools
import html
import json
import os
from collections.abc import Callable
from pathlib import Path as Files
from typing import Any

from throng.files import Path
from throng.names import shown
from throng.player import backdrop, coding, palettes
from throng.player.plan import Plan, planned
from throng.player.poster import poster
from throng.player.recording import Crowd, Recording
from throng.scene import Scene
from throng.trajectory import open_trajectory
from throng.whole_file import whole_file

HERE = Files(__file__).parent
# In the order in which they use each other.
MODULES = ("codec.js", "source.js", "colours.js", "view.js", "names.js", "map.js", "crowd.js",
           "pixels.js", "panel.js", "marks.js", "player.js")
RATES = (1, 2, 5, 10, 20, 30, 60, 120, 300)  # as in panel.js
PLAYED = 60  # s: how long a run should take on the screen, about
DEFAULT_LIMIT = 200_000_000
BESIDE, POSTER = 40_000, 160_000  # bytes kept free for names and styles, for the picture


@dataclasses.dataclass
class Options:
    """limit: bytes of the file; begin, end: s; every: s between frames, a multiple of the recorded
    interval; None: what the limit allows."""
    limit: int = DEFAULT_LIMIT
    begin: float | None = None
    end: float | None = None
    every: float | None = None


@dataclasses.dataclass
class Contents:
    """What a page is made of. head: for the script; parts: {name: bytes}; lines: what was left
    out, for people to read; picture: makes a PNG."""
    head: dict[str, Any]
    parts: dict[str, bytes]
    picture: Callable[[], bytes]
    lines: list[str]


def contents(folder: Path, options: Options, reserve: int) -> Contents:
    """Reads a run. reserve: bytes for what is neither code nor map nor people."""
    scene, trajectory = Scene(folder), open_trajectory(folder)
    base = coding.deflated(backdrop.packed(scene))
    spare = len(code()) + reserve + 4 * len(base) // 3
    plan, recording = planned(trajectory, scene.bbox, options, options.limit - spare)
    crowd = Crowd.of(folder, recording.stays, scene)
    parts = {"map": base, "frames": recording.frames(),
             "people": crowd.packed(recording.stays), **recording.parts}
    notes = plan.notes(trajectory, recording)
    names = {column: [shown(name) for name in every] for column, every in crowd.names.items()}
    title = shown(scene.title) or os.path.basename(os.path.abspath(folder))
    head = {**recording.head(), "title": title, "attribution": shown(scene.attribution),
            "notes": notes, "names": names,
            "share": plan.thinning.share, "colours": palettes.map_colours(),
            "rate": rate(recording.times[-1] - recording.times[0])}
    recorded = "destination" in recording.columns
    places = names["places"] if recorded else names["destination"]
    head["looks"] = palettes.looks(head["waitMaximum"], places, recorded,
                                   legends(recording, plan, recorded))
    fullest = recording.times[max(range(len(recording.inside)), key=recording.inside.__getitem__)]
    return Contents(head, parts, lambda: poster(scene, trajectory, fullest), notes)


def rate(seconds: float) -> int:
    """Simulated time per time, so that the run takes about a minute."""
    return max(one for one in RATES if one <= max(1, seconds / PLAYED))


def legends(recording: Recording, plan: Plan, recorded: bool
            ) -> dict[str, str]:
    """What each colour means exactly."""
    speed = (f"mean of each {recording.interval:g} s" if recording.straight
             else "at the moment of the picture")
    whole = plan.thinning.share == 1
    return {"speed": speed,
            "density": "persons/m² within 2 m of each one, walls not taken off; levels of Fruin"
                       + ("" if whole else f"; estimated from 1 of {plan.thinning.share}"),
            "waiting": "time that the person has been slower than 0.2 m/s so far, stays included",
            "destination": "where each one walks now" if recorded
                           else "where each one left, from people.csv"}


@functools.lru_cache(maxsize=1)
def code() -> str:
    """All of the script: the library, and the modules in one scope."""
    texts = (HERE.joinpath(name).read_text(encoding="utf-8") for name in MODULES)
    own = "\n".join(text.replace("'use strict';\n", "", 1) for text in texts)
    library = HERE.joinpath("vendor/regl.min.js").read_text(encoding="utf-8")
    return (f"if (!window.throng) {{\n{library}\n(function () {{\n'use strict';\n{own}\n}})();\n}}")


def element(found: Contents, start: str, style: str = "") -> str:
    """The element that holds a run, with its data."""
    head = {**found.head, "start": start}
    # JSON may hold </script>, in a name for example.
    safe = json.dumps(head, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    texts = [f'<script type="application/json" data-part="head">{safe}</script>',
             '<script type="text/plain" data-part="style">'
             f'{HERE.joinpath("player.css").read_text(encoding="utf-8")}</script>']
    texts += [f'<script type="text/plain" data-part="{name}">{coding.text(data)}</script>'
              for name, data in found.parts.items()]
    title = html.escape(str(head["title"]), quote=True)
    image = (f'<img slot="poster" alt="{title}" style="max-width:100%;max-height:100%;'
             f'object-fit:contain" src="data:image/png;base64,{coding.text(found.picture())}">'
             if start == "click" else "")
    return (f'<div class="throng-player" role="region" aria-label="{title}" style="{style}">'
            f'{image}\n' + "\n".join(texts) + "\n</div>")


MOUNT = "<script>throng.mount(document.currentScript)</script>\n"


def fragment(run: Any, limit_bytes: int = 10_000_000, with_code: bool = True) -> str:
    """HTML to put into a page: see throng.player.fragment."""
    found = contents(getattr(run, "folder", run), Options(limit=limit_bytes), BESIDE + POSTER)
    script = f"<script>{code()}</script>\n" if with_code else ""
    return f"{element(found, 'click')}\n{script}{MOUNT}"


def page(folder: Path, options: Options) -> tuple[str, list[str]]:
    """A page of its own that plays a run, and what was left out of it."""
    found = contents(folder, options, BESIDE)
    title = html.escape(str(found.head["title"]))
    text = ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title}</title>\n<style>html, body {{ margin: 0; height: 100%; "
            "overflow: hidden; }</style>\n</head>\n<body>\n"
            + element(found, "play", "height: 100%")
            + f"\n<script>{code()}</script>\n{MOUNT}</body>\n</html>\n")
    return text, found.lines


def write_page(folder: Path, output: str, options: Options) -> list[str]:
    """Writes a page; returns what was left out."""
    text, lines = page(folder, options)
    with whole_file(output) as path, open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return lines
