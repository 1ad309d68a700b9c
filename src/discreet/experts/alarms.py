"""How far above its queries a threshold must lie, so that noise alone seldom halts a test."""

from __future__ import annotations

import math
from functools import lru_cache

#: Shares of epsilon for the threshold's noise that are tried.
SHARES = tuple(step / 20 for step in range(2, 15))


@lru_cache(maxsize=1024)
def noise_of_tests(phases: int, rounds: int, failure: float) -> tuple[float, float]:
    """How far in losses at epsilon 1, and the share of epsilon for the threshold that makes it least.

    It is in proportion to 1 / epsilon.

    >>> distance, share = noise_of_tests(11, 10_000, 0.0125)
    >>> round(distance, 1), share
    (43.4, 0.3)
    """
    return min((_distance(phases, rounds, failure, share), share) for share in SHARES)


def _distance(phases: int, rounds: int, failure: float, share: float) -> float:
    """By bisection: false alarms get fewer with the distance."""
    scales, low, high = (1 / share, 2 / (1 - share)), 0.0, 1.0
    while _alarms(phases, rounds, high, *scales) > failure:
        high *= 2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if _alarms(phases, rounds, middle, *scales) > failure else (low, middle)
    return high


def _alarms(phases: int, rounds: int, distance: float, threshold_scale: float, query_scale: float) -> float:
    """A bound on the expected number of phases with a false alarm, for queries that lie so far below the threshold.

    Given the threshold's noise z, n queries raise one with probability min(1, n/2 · exp(-(distance + z) / query_scale))
    at most. That is concave in n, so phases of equal length are the worst. Over Laplace z the mean is in closed form.
    """
    spare = distance - query_scale * math.log(max(1.0, rounds / phases / 2))
    if spare <= 0:
        return float(phases)
    ratio = threshold_scale / query_scale
    fall = spare / threshold_scale * (1 - ratio)
    below = spare / threshold_scale * (1.0 if abs(fall) < 1e-9 else -math.expm1(-fall) / fall)
    beyond = math.exp(-spare / threshold_scale)
    return phases / 2 * (beyond + math.exp(-spare / query_scale) * (below + 1 / (1 + ratio)))
