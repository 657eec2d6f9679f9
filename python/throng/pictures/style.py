"""Colours and classes of all pictures: stepped, even in lightness, so that they survive colour
blindness and grey print; and how numbers and times are written."""
from __future__ import annotations

from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb

from throng.rounding import whole

INK, FAINT, PAPER = "#2b2f36", "#6d727a", "#ffffff"
GROUND, SOLID, EDGE = "#faf9f6", "#d8d4cc", "#b5afa4"
KINDS = {"sea": "#d3e4ec", "water": "#d3e4ec", "locked": "#e7e6dc"}  # solid, but no building
STREET, STREET_NAME, TRACK = "#d9d5cb", "#8a857b", "#a9aeb4"
DOOR, PLACE, FLOW, BACK = "#9a4d00", "#1f6f54", "#1d4f91", "#d1690e"
TITLE, TEXT, SMALL = 12.5, 8.5, 7.5  # pt, in a picture whose longer side is 9 inches

# Okabe and Ito's colours for the colour-blind, with violet instead of black.
# LINES are darker, for what is thin.
CATEGORIES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442",
              "#5d3a9b")
OTHER = "#6b6b6b"
LINES = ("#0072b2", "#d17f00", "#008762", "#b2487f", "#3b93c4", "#c24e00", "#7d6b00", "#5d3a9b")

# Pale to dark. Each is cut where its ends would not show on paper.
WARM = LinearSegmentedColormap.from_list("warm", ["#fff3ad", "#fed976", "#fd9a3c", "#ef5a2c",
                                                  "#b71f3f", "#5a0f4b", "#2a0830"])
RAMPS = {"service": (WARM, 93, 20), "time": ("viridis_r", 88, 22), "speed": ("viridis_r", 88, 22),
         "delay": ("YlGnBu", 92, 24), "duration": ("YlGnBu", 92, 22), "paths": ("YlGnBu", 92, 24)}
LESS, MORE = ("#7fb0d6", "#2166ac", "#0b2f5e"), ("#f2a46b", "#b8480f", "#5f1f05")  # blue, orange
SOURCES = {"fruin": "Fruin 1971, walkways", "hbs": "HBS 2015 (FGSV)"}


def lightness(colors: np.ndarray) -> np.ndarray:
    """CIE L* (0 to 100) of colours [...][3 or 4] in sRGB, 0 to 1."""
    rgb = np.asarray(colors, float)[..., :3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    y = linear @ [0.2126, 0.7152, 0.0722]
    return np.where(y > 0.008856, 116 * np.cbrt(y) - 16, 903.3 * y)


def ramp(name: str, count: int) -> list[str]:
    """That many colours from pale to dark, evenly spaced in lightness."""
    colors, pale, dark = RAMPS[name]
    table = matplotlib.colormaps[colors] if isinstance(colors, str) else colors
    all_colors = table(np.linspace(0, 1, 512))[:, :3]
    light = np.minimum.accumulate(lightness(all_colors))
    wanted = np.linspace(min(pale, light[0]), max(dark, light[-1]), count)
    at = [int(np.argmin(abs(light - one))) for one in wanted]
    return [to_hex(all_colors[i]) for i in at]


def smooth(name: str) -> LinearSegmentedColormap:
    """The ramp without steps."""
    return LinearSegmentedColormap.from_list(name, ramp(name, 64))


def rgba(colors: Sequence[str]) -> np.ndarray:
    """Colours [n][4], opaque."""
    return np.array([(*to_rgb(color), 1.0) for color in colors])


def on(color: str) -> str:
    """The colour of text that can be read on this one."""
    return "white" if lightness(np.array(to_rgb(color))) < 58 else INK


NICE = [m * 10.0**e for e in range(-4, 10) for m in (1, 2, 5)]
TIMES = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 86400]
STRIDES = [0.5, 1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 300, 600, 900, 1200, 1800, 3600, 7200]


def high(values: np.ndarray, share: float) -> float:
    """What this share of the sizes that are not 0 is below: one extreme cell must not stretch the
    scale of a map. 0 if there are none."""
    sizes = np.abs(values[~np.isnan(values) & (values != 0)])
    return float(np.quantile(sizes, share)) if len(sizes) else 0.0


def ladder(highest: float, rungs: Sequence[float] = tuple(NICE), count: int = 5) -> list[float]:
    """Limits of classes that grow by factors of about 2: so many round numbers below the highest
    value, for what is small in most places."""
    below = [one for one in rungs if one < highest]
    return below[-count:] if below else [rungs[0]]


def stairs(low: float, high: float, strides: Sequence[float] = tuple(NICE), most: int = 6
           ) -> list[float]:
    """Limits of classes of equal width: at most so many round numbers between low and high."""
    for stride in strides:
        first = int(np.floor(low / stride)) + 1
        last = int(np.ceil(high / stride)) - 1
        if last - first + 1 <= most:
            return [stride * i for i in range(first, last + 1)] or [stride * first]
    return [high]


def number(value: float) -> str:
    """A number in a legend or a title."""
    if value == 0 or 0.01 <= abs(value) < 1000:
        return f"{value:.3g}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.0e}".replace("e-0", "e-")


def duration(seconds: float) -> str:
    """A time span: 45 s, 2 min, 2:30 min, 1:05 h."""
    sign, seconds = "−" if seconds < 0 else "", abs(seconds)
    if seconds < 60:
        return f"{sign}{seconds:.3g} s"
    minutes, rest = divmod(whole(seconds), 60)
    if minutes < 60:
        return f"{sign}{minutes}:{rest:02d} min" if rest else f"{sign}{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours}:{minutes:02d} h" if minutes else f"{sign}{hours} h"


def clock(seconds: float) -> str:
    """Time since the start: h:mm:ss from one hour on, else min:s, with tenths if any."""
    minutes, rest = divmod(round(seconds, 1), 60)
    hours, minutes = divmod(int(minutes), 60)
    if hours:
        return f"{hours}:{minutes:02d}:{int(rest):02d} h"
    return f"{minutes}:{rest:04.1f} min" if rest % 1 > 0.05 else f"{minutes}:{int(rest):02d} min"


def people(count: int) -> str:
    """1 person, 2 people."""
    return "1 person" if count == 1 else f"{count:,} people"


def classes(limits: Sequence[float], write=number, unit: str = "") -> list[str]:
    """What the classes between these limits are called, from below the first to above the last."""
    names = [write(limit) for limit in limits]
    unit = f" {unit}" if unit else ""
    return [f"below {names[0]}{unit}", *(f"{a} – {b}{unit}" for a, b in zip(names, names[1:])),
            f"{names[-1]}{unit} or more"]


def round_down(length: float) -> float:
    """The largest 1, 2 or 5 times a power of ten that is not longer."""
    power = 10.0 ** np.floor(np.log10(length))
    return next(m * power for m in (5, 2, 1) if m * power <= length * 1.0001)
