"""Numbers as people write them: halves are rounded up, and a share is 0 % or 100 % only if it is
none or all."""
from __future__ import annotations

import decimal

PLACES = decimal.Context(prec=400)  # digits: more than any float has


def half_up(value: float, digits: int = 0) -> str:
    """With this many digits after the point, and commas between thousands; 0.5 becomes 1, 2.5
    becomes 3, where Python would write 0 and 2."""
    exact = decimal.Decimal(repr(float(value)))
    rounded = exact.quantize(decimal.Decimal(1).scaleb(-digits), decimal.ROUND_HALF_UP, PLACES)
    return f"{abs(rounded) if rounded == 0 else rounded:,.{digits}f}"


def whole(value: float) -> int:
    """The nearest whole number; of two that are as near, the one further from 0."""
    return int(decimal.Decimal(repr(float(value))).to_integral_value(decimal.ROUND_HALF_UP))


def share(part: float, total: float, digits: int = 0) -> str:
    """'87 %', '<1 %' for somebody, '>99 %' for not quite all; with more digits '<0.1 %'."""
    if part in (0, total):
        return "100 %" if part else "0 %"
    percent, least = 100 * part / total, 10.0 ** -digits
    if 0 < percent < least:
        return f"<{least:g} %"
    if 100 - least < percent < 100:
        return f">{100 - least:g} %"
    return f"{half_up(percent, digits)} %"
