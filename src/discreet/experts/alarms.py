"""How far above its queries a threshold must lie, so that noise alone seldom halts a test; and how late it halts."""

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
    return min((_distance(phases, rounds, failure, (1 / share, 2 / (1 - share))), share) for share in SHARES)


@lru_cache(maxsize=1024)
def noise_of_sum_tests(phases: int, rounds: int, failure: float) -> float:
    """The same for tests of sums, `SumAboveThreshold`, where there is nothing to share.

    >>> round(noise_of_sum_tests(11, 10_000, 0.0125), 1)
    14.5
    """
    return _distance(phases, rounds, failure, (1.0, 1.0))


def _distance(phases: int, rounds: int, failure: float, scales: tuple[float, float]) -> float:
    """By bisection: false alarms get fewer with the distance."""
    low, high = 0.0, 1.0
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


def lateness(phases: int, failure: float, threshold_scale: float, query_scale: float) -> float:
    """How far beyond its threshold, in losses, none of so many tests is passed without halting, but for this chance.

    The query that is the first to lie d or more beyond does not halt its test only if the threshold's noise less its
    own is above d: a Laplace number plus another. Which query that is does not depend on the two.

    >>> round(lateness(11, 0.0125, 5.0, 4.0), 1)
    35.0
    """
    low, high = 0.0, threshold_scale
    while phases * _beyond(high, threshold_scale, query_scale) > failure:
        high *= 2
    for _ in range(50):
        middle = (low + high) / 2
        late = phases * _beyond(middle, threshold_scale, query_scale) > failure
        low, high = (middle, high) if late else (low, middle)
    return high


def _beyond(distance: float, one: float, other: float) -> float:
    """The chance that two Laplace numbers of these scales sum to more than a distance.

    >>> _beyond(0.0, 5.0, 4.0), round(_beyond(3.0, 5.0, 4.0), 6) == round(_beyond(3.0, 4.0, 5.0), 6)
    (0.5, True)
    """
    if abs(one - other) < 1e-6 * one:
        one = other = max(one, other)
        return math.exp(-distance / one) * (2 + distance / one) / 4
    far = [scale**2 * math.exp(-distance / scale) for scale in (one, other)]
    return (far[0] - far[1]) / (2 * (one**2 - other**2))
