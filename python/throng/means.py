"""Means and their confidence intervals. It needs no numpy: collect.py runs on bare clusters."""
from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Optional

Description = tuple[int, Optional[float], Optional[float], Optional[float], Optional[float]]


def beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function (Lentz; Abramowitz, Stegun 26.5.8)."""
    tiny = 1e-300
    c, d = 1.0, 1.0 / max(1.0 - (a + b) * x / (a + 1), tiny)
    fraction = d
    for m in range(1, 1000):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1.0 / (1.0 + term * d or tiny)
            c = 1.0 + term / c or tiny
            fraction *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return fraction


def beta_share(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # the fraction converges faster on the other side
        return 1 - beta_share(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
                     + a * math.log(x) + b * math.log1p(-x))
    return front * beta_fraction(a, b, x) / a


def student_t(freedom: int, share: float = 0.95) -> float:
    """The t for which [-t, t] holds this share of Student's distribution."""
    low, high = 0.0, 1e9
    for _ in range(200):
        t = (low + high) / 2
        outside = beta_share(freedom / 2, 0.5, freedom / (freedom + t * t))
        low, high = (t, high) if outside > 1 - share else (low, t)
    return (low + high) / 2


def describe(values: Sequence[float]) -> Description:
    """(n, mean, standard deviation, low, high): the bounds of the 95 % confidence interval of the
    mean; None where n is too small."""
    n = len(values)
    if n == 0:
        return 0, None, None, None, None
    mean = statistics.fmean(values)
    if n == 1:
        return 1, mean, None, None, None
    deviation = statistics.stdev(values)
    half = student_t(n - 1) * deviation / math.sqrt(n)
    return n, mean, deviation, mean - half, mean + half
