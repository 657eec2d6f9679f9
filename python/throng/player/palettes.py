"""Colours of the player: those of the pictures, as lists that colours.js reads."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.colors import to_hex

from throng.levels import FRUIN, LETTERS
from throng.pictures import style
from throng.pictures.people import SPEEDS

FASTEST = 1.6  # m/s
RAIL = "#9a948b"  # darker than a street, since it is thinner
PALEST, DARKEST = 84, 18  # lightness of a small dot on pale ground


def visible(name: str, count: int) -> list[str]:
    """A ramp of the pictures without its pale end, in which small dots would not show."""
    colors = style.RAMPS[name][0]
    table = style.matplotlib.colormaps[colors] if isinstance(colors, str) else colors
    every = table(np.linspace(0, 1, 512))[:, :3]
    light = np.minimum.accumulate(style.lightness(every))
    return [to_hex(every[int(np.argmin(abs(light - one)))])
            for one in np.linspace(PALEST, DARKEST, count)]


def map_colours() -> dict[str, Any]:
    """Colours of the map."""
    return {"outside": "#ebe8e1", "ground": style.GROUND, "solid": style.SOLID,
            "edge": style.EDGE, "faint": "#c3ccd0", "kinds": style.KINDS, "wall": style.INK,
            "street": style.STREET, "rail": RAIL, "source": "#5c677d", "area": "#7a3b8f",
            "line": "#7a3b8f", "queue": "#7a3b8f", "door": style.DOOR,
            "halo": "rgba(255,255,255,0.85)", "ink": style.INK, "faintInk": style.STREET_NAME,
            "destinations": [*style.CATEGORIES, style.OTHER]}


def looks(wait_maximum: float, places: Sequence[str], recorded: bool, notes: dict[str, str]
          ) -> dict[str, Any]:
    """What the player can colour by. wait_maximum: s; places: names of destinations; recorded:
    whether those of every frame are known, or only the last one; notes: {mode: text}."""
    limits = list(FRUIN)
    longest = next((t for t in style.TIMES if t >= max(10, wait_maximum)), style.TIMES[-1])
    found: dict[str, Any] = {
        "speed": {"colours": [to_hex(SPEEDS(x)) for x in np.linspace(0, 1, 9)],
                  "maximum": FASTEST, "ticks": [[0, "0"], [FASTEST / 2, style.number(FASTEST / 2)],
                                                [FASTEST, f"{style.number(FASTEST)} m/s"]]},
        "density": {"colours": visible("service", 6), "maximum": 2 * limits[-1], "limits": limits,
                    "labels": [f"{letter}  {words}" for letter, words in zip(
                        LETTERS, style.classes(limits))]},
        "waiting": {"colours": visible("delay", 9), "maximum": longest,
                    "ticks": [[0, "0"], [longest, style.duration(longest) + " or more"]]}}
    if places:  # of all colours only so many can be told apart
        most = len(style.CATEGORIES)
        rest = ("none: stays, or walks to a point" if len(places) <= most
                else "others, none")
        found["destination"] = {
            "colours": [*style.CATEGORIES[:len(places)], style.OTHER],
            "labels": [*places[:most], rest if recorded or len(places) > most else "unknown"]}
    for mode, look in found.items():
        look["note"] = notes.get(mode, "")
    return found
