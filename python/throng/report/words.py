"""Numbers and times as words and table cells. A number that is not known is a dash."""
from __future__ import annotations

import math
import re
import unicodedata
from typing import Optional, Union

from throng import rounding
from throng.names import TURNING
from throng.rounding import half_up, whole

Number = Optional[Union[int, float]]
UNKNOWN = "–"


def known(value: Number) -> bool:
    """Is there a value?"""
    return value is not None and math.isfinite(value)


def number(value: Number, digits: int = 0) -> str:
    """With this many digits after the point, and commas between thousands."""
    if value is None or not math.isfinite(value):
        return UNKNOWN
    return half_up(value, digits)


def seconds(value: Number) -> str:
    """84.6 as '84.6 s'; the digits that a step of 0.1 s has."""
    if value is None or not math.isfinite(value):
        return UNKNOWN
    return f"{number(value, 0 if float(value).is_integer() else 1)} s"


def clock(value: Number) -> str:
    """84.6 as '1 min 25 s': what people say. Below a minute as seconds()."""
    if value is None or not math.isfinite(value):
        return UNKNOWN
    if value < 60:
        return seconds(value)
    total = whole(value)
    hours, minutes, rest = total // 3600, total // 60 % 60, total % 60
    parts = [f"{hours} h"] if hours else []
    parts += [f"{minutes} min"] if minutes or hours else []
    return " ".join(parts + ([f"{rest} s"] if rest and not hours else []))


def share(part: Number, total: Number, digits: int = 0) -> str:
    """'87 %', '<1 %' for somebody; a dash where there is nothing to divide by."""
    if part is None or not total or not math.isfinite(part):
        return UNKNOWN
    return rounding.share(part, total, digits)


def plural(count: int, one: str, many: str = "") -> str:
    """'1 person', '2 people'."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def place(x: float, y: float, digits: int = 1) -> str:
    """'(12.5, -3.0) m'."""
    return f"({x:.{digits}f}, {y:.{digits}f}) m"


def printable(text: object) -> str:
    """Control characters as \\xHH, as throng shows them: neither HTML nor SVG can hold them. Without
    marks of direction, which would turn what follows a name."""
    return "".join(f"\\x{ord(c):02x}" if unicodedata.category(c) in ("Cc", "Cs") else c
                   for c in str(text).translate(TURNING))


def joined(words: list[str], last: str = "and") -> str:
    """'a, b and c'."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def tied(text: str) -> str:
    """With spaces that no line breaks at between numbers and their units, and within '1 min 25 s'."""
    text = re.sub(r"(?<=\bmin) (?=\d+ s\b)|(?<=\bh) (?=\d+ min\b)", "\u00a0", text)
    return re.sub(r"(?<=[0-9–)]) (?=(s|min|h|m|m²|%|people/m²)\b|%)", "\u00a0", text)
